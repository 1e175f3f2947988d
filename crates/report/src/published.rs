//! The figures of a published work next to ours, and whether they agree as far as its standard errors tell.

use std::collections::BTreeMap;

use lab::run::outcome::Table;
use lab::study::Figure;
use play::numbers::{figure, probability, with_interval};
use play::stats::{chi_square_above, holm};

use super::Block;
use crate::results::{Aggregate, Results};

/// The section of the report.
pub(crate) fn section(results: &Results) -> Vec<Block> {
    if results.source.is_empty() && results.conclusion.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![Block::Heading("Published figures".to_owned())];
    if !results.source.is_empty() {
        blocks.push(Block::Text(format!(
            "Source: {}.",
            results.source.trim_end_matches('.')
        )));
    }
    if !results.conclusion.is_empty() {
        blocks.push(Block::Text(format!("It concluded: {}", results.conclusion)));
    }
    let pairs = side_by_side(results);
    blocks.extend(figures(&pairs));
    blocks.extend(agreement(&pairs));
    blocks
}

/// A published figure and ours.
pub(crate) struct Pair<'a> {
    pub(crate) setting: &'a str,
    pub(crate) published: &'a Figure,
    pub(crate) ours: Option<&'a Aggregate>,
}

impl Pair<'_> {
    /// The difference in standard errors, if both have one.
    fn deviation(&self) -> Option<f64> {
        let ours = self.ours?;
        let [low, high] = ours.ci95?;
        let error = self.published.error?.hypot((high - low) / (2.0 * 1.96));
        Some((ours.value - self.published.value) / error)
    }
}

/// In the order of the settings, then of the study.
pub(crate) fn side_by_side(results: &Results) -> Vec<Pair<'_>> {
    let mut pairs = Vec::new();
    for setting in &results.settings {
        let named = results.figures.iter().filter(|figure| {
            let of = figure.setting.as_ref();
            of.is_none_or(|label| *label == setting.label)
        });
        pairs.extend(named.map(|published| Pair {
            setting: &setting.label,
            published,
            ours: setting.metrics.get(&published.metric),
        }));
    }
    pairs
}

/// One row per figure. Columns that would be empty are left out.
fn figures(pairs: &[Pair<'_>]) -> Option<Block> {
    let has_errors = pairs.iter().any(|pair| pair.published.error.is_some());
    let has_notes = pairs.iter().any(|pair| !pair.published.note.is_empty());
    let mut head = vec!["setting", "figure", "published", "ours (95 % interval)"];
    head.push("ours / published");
    head.extend(has_errors.then_some("difference in standard errors"));
    head.extend(has_notes.then_some("remark"));
    let row = |pair: &Pair<'_>| {
        let Pair {
            setting,
            published,
            ours,
        } = pair;
        let mut row = vec![
            (*setting).to_owned(),
            published.metric.clone(),
            with_error(published),
            ours.map_or("-".to_owned(), |a| with_interval(a.value, a.ci95)),
            ours.map_or(String::new(), |a| ratio(a.value, published.value)),
        ];
        let deviation = pair.deviation().map(|z| format!("{z:+.1}"));
        row.extend(has_errors.then(|| deviation.unwrap_or_default()));
        row.extend(has_notes.then(|| published.note.clone()));
        row
    };
    (!pairs.is_empty()).then(|| {
        Block::Table(Table {
            title: String::new(),
            head: head.into_iter().map(str::to_owned).collect(),
            rows: pairs.iter().map(row).collect(),
        })
    })
}

fn with_error(published: &Figure) -> String {
    let value = figure(published.value);
    match published.error {
        Some(error) => format!("{value} (s.e. {})", figure(error)),
        None => value,
    }
}

fn ratio(ours: f64, published: f64) -> String {
    if published == 0.0 {
        return String::new();
    }
    format!("{:.2}", ours / published)
}

/// Whether the figures that are named together agree with ours: the sum of the squared differences, in standard errors.
fn agreement(pairs: &[Pair<'_>]) -> Vec<Block> {
    let mut tests: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for pair in pairs {
        if let (Some(name), Some(deviation)) = (&pair.published.together, pair.deviation()) {
            tests.entry(name).or_default().push(deviation);
        }
    }
    if tests.is_empty() {
        return Vec::new();
    }
    let sums: Vec<f64> = tests
        .values()
        .map(|all| all.iter().map(|z| z * z).sum())
        .collect();
    let chances: Vec<f64> = tests
        .values()
        .zip(&sums)
        .map(|(all, &sum)| chi_square_above(sum, all.len()))
        .collect();
    let rows = tests.iter().zip(sums.iter().zip(holm(&chances)));
    let rows = rows.map(|((name, all), (sum, p))| {
        vec![
            (*name).to_owned(),
            all.len().to_string(),
            format!("{sum:.1}"),
            probability(p),
        ]
    });
    let head = ["figures together", "number", "chi-square", "p (Holm)"].map(str::to_owned);
    vec![
        Block::Table(Table {
            title: "Do the published figures agree with ours?".to_owned(),
            head: head.to_vec(),
            rows: rows.collect(),
        }),
        Block::Note(
            "Chi-square is the sum of the squared differences in standard errors; p is the chance of as large a sum if both measured the same, \
             corrected for the number of tests by Holm."
                .to_owned(),
        ),
    ]
}
