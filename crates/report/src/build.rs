//! The content of a report: the question, the answer with its intervals, published figures next to ours, the champions, and how to reproduce it.

use std::collections::BTreeSet;

use super::pictures::pictures;
use super::workers::workers;
use super::{Block, Report, keys, networks, provenance, published};
use crate::charts::Size;
use crate::results::{Results, RunResults, SettingResults};
use lab::run::criteria::{BEST_FITNESS, BEST_MINUS_MEAN, STEADINESS};
use lab::run::outcome::{SELECTED, Table};
use lab::store::baselines::Baseline;
use lab::study::Study;
use play::numbers::{figure, listed, probability, with_interval};
use play::stats::Better;

/// The report of a study.
pub(super) fn build(results: &Results, study: &Study, size: Size) -> Report {
    let mut blocks = opening(results);
    blocks.push(Block::Heading("Result".to_owned()));
    blocks.push(Block::Table(result_table(results)));
    blocks.extend(notes(results));
    blocks.extend(baselines(results));
    let verdict = &results.comparison.verdict;
    blocks.extend((!verdict.is_empty()).then(|| Block::Text(verdict.clone())));
    blocks.extend(results.remarks.iter().cloned().map(Block::Text));
    blocks.extend(keys::section(results));
    blocks.extend(published::section(results));
    blocks.extend(tables(results));
    let pictures = pictures(results, study.charts.as_deref(), size);
    if !pictures.is_empty() {
        blocks.push(Block::Heading("Charts".to_owned()));
        blocks.extend(pictures.into_iter().map(Block::Picture));
    }
    blocks.extend(pair_table(results));
    blocks.extend(criteria(results));
    blocks.extend(champions(results));
    blocks.extend(all_numbers(results));
    blocks.extend(workers(results));
    blocks.extend(provenance::sections(results, study));
    Report {
        title: results.study.clone(),
        blocks,
    }
}

fn opening(results: &Results) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !results.question.is_empty() {
        blocks.push(Block::Text(results.question.clone()));
    }
    let game = results
        .game
        .map(|game| format!(" of {game}"))
        .unwrap_or_default();
    let mut text = format!(
        "A study{game} (kind: {}) with {} and {}: {} of {} runs are finished.",
        results.kind,
        counted(results.settings.len(), "setting"),
        counted(results.repeats as usize, "repeat"),
        results.finished,
        results.runs
    );
    if results.finished < results.runs {
        text += " These are their results so far.";
    }
    blocks.push(Block::Text(text));
    blocks.extend(results.damaged().map(damaged));
    blocks
}

/// Whoever reads a report must know that something is missing from it.
fn damaged(run: &RunResults) -> Block {
    let (id, damage) = (&run.id, run.damage.join("; "));
    Block::Text(format!(
        "Files of {id} are damaged, and what depends on them is missing here: {damage}."
    ))
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {what}{plural}", figure(count as f64))
}

/// One row per setting: the fitness at selection and the measured value.
fn result_table(results: &Results) -> Table {
    let metric = &results.metric;
    let selected = has(results, SELECTED);
    let is_metric_published = results
        .settings
        .iter()
        .any(|setting| setting.published.contains_key(metric));
    let is_selection_published = results
        .settings
        .iter()
        .any(|setting| setting.published.contains_key(SELECTED));
    let (mut head, names) = names(results);
    head.push("runs".to_owned());
    if selected {
        head.push(SELECTED.to_owned());
    }
    if is_selection_published {
        head.push(format!("{SELECTED}, published"));
    }
    head.push(format!("{metric} (95 % interval)"));
    head.push("min to max".to_owned());
    let look_aheads = results.look_aheads();
    let ahead = look_aheads.iter();
    head.extend(ahead.map(|name| format!("{name} (95 % interval)")));
    if is_metric_published {
        head.push(format!("{metric}, published"));
    }
    let row = |(setting, names): (&SettingResults, Vec<String>)| {
        let value = |name: &str| setting.metrics.get(name);
        let runs = setting.runs.iter();
        let finished = runs.filter(|run| run.outcome.is_some()).count();
        let mut row = names;
        row.push(finished.to_string());
        if selected {
            row.push(value(SELECTED).map_or("-".to_owned(), |a| figure(a.value)));
        }
        if is_selection_published {
            row.push(
                setting
                    .published
                    .get(SELECTED)
                    .map_or(String::new(), |&v| figure(v)),
            );
        }
        row.push(value(metric).map_or("-".to_owned(), |a| with_interval(a.value, a.ci95)));
        row.push(
            value(metric)
                .filter(|a| a.n > 1)
                .map_or(String::new(), |a| {
                    format!("{} to {}", figure(a.min), figure(a.max))
                }),
        );
        let ahead = look_aheads.iter().map(|&name| value(name));
        row.extend(ahead.map(|at| at.map_or("-".to_owned(), |a| with_interval(a.value, a.ci95))));
        if is_metric_published {
            row.push(
                setting
                    .published
                    .get(metric)
                    .map_or(String::new(), |&v| figure(v)),
            );
        }
        row
    };
    Table {
        title: String::new(),
        rows: results.settings.iter().zip(names).map(row).collect(),
        head,
    }
}

/// What tells settings apart: a column for each varied key, unless their labels say something else.
fn names(results: &Results) -> (Vec<String>, Vec<Vec<String>>) {
    let labels = results
        .settings
        .iter()
        .map(|one| vec![one.name().to_owned()]);
    let Some(sweep) = results.sweep().filter(|sweep| sweep.says_all) else {
        return (vec!["setting".to_owned()], labels.collect());
    };
    let keys = sweep.factors.iter();
    let level = |place: usize| {
        let keys = sweep.factors.iter();
        keys.map(|key| key.levels[key.of[place]].clone()).collect()
    };
    let values = (0..results.settings.len()).map(level);
    (keys.map(|key| key.name.clone()).collect(), values.collect())
}

fn has(results: &Results, metric: &str) -> bool {
    results
        .settings
        .iter()
        .any(|setting| setting.metrics.contains_key(metric))
}

fn notes(results: &Results) -> Vec<Block> {
    let mut text = String::new();
    if has(results, SELECTED) {
        text +=
            "'Selected at' is the fitness by which the champions were chosen; it includes luck. ";
        text += &format!(
            "'{}' is the mean over fresh {} that selection has not used: their real strength. ",
            results.metric,
            results.unit()
        );
    }
    if results.is_training() {
        text += "'score' is the mean over fresh games of the finished network, which it plays without look-ahead and does not learn from. ";
    }
    let several = results
        .settings
        .iter()
        .flat_map(|setting| setting.metrics.values())
        .any(|a| a.n > 1);
    text += if several {
        "Intervals are over the repeats: Student's, corrected for skewness."
    } else {
        "Intervals are within the single run of each setting: they say nothing about other runs."
    };
    let which = match results.better {
        Better::Higher => "Higher is better.",
        Better::Lower => "Lower is better.",
    };
    vec![Block::Note(format!("{text} {which}"))]
}

/// Players that were not evolved or trained, to see what the champions are worth.
fn baselines(results: &Results) -> Vec<Block> {
    let [made, best] = match results.is_training() {
        true => ["trained", "networks"],
        false => ["evolved", "champions"],
    };
    let metric = &results.metric;
    let row = |baseline: &Baseline| {
        let number = |name: &str| baseline.metrics.get(name);
        let value = number(metric)?;
        let games = number("measured games").map_or(0.0, |games| games.value);
        let value = with_interval(value.value, value.ci95);
        Some(vec![baseline.player.clone(), figure(games), value])
    };
    let rows: Vec<Vec<String>> = results.baselines.iter().filter_map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let of = format!("{metric} (95 % interval)");
    let head = vec!["player".to_owned(), "games".to_owned(), of];
    let title = format!("For comparison: players that were not {made}");
    let note = format!(
        "Measured in the first of the games in which the {best} of repeat 1 were measured; intervals are over games."
    );
    vec![Block::Table(Table { title, head, rows }), Block::Note(note)]
}

/// The most rows in the table of pairs; the rest is in the JSON report.
const MOST_PAIRS: usize = 45;

fn pair_table(results: &Results) -> Vec<Block> {
    let pairs = &results.comparison.pairs;
    if pairs.is_empty() || pairs.len() > MOST_PAIRS {
        return Vec::new();
    }
    let label = |place: usize| results.comparison.samples[place].label.clone();
    if let Some(base) = results.comparison.base {
        return base_table(results, &label(base));
    }
    let rows = pairs.iter().map(|pair| {
        let verdict = match pair.winner {
            Some(winner) if pair.significant => format!("{} is better", label(winner)),
            _ => "no significant difference".to_owned(),
        };
        vec![
            format!("{} - {}", label(pair.first), label(pair.second)),
            probability(pair.p_holm),
            format!("{:.2}", pair.a12),
            pair.effect.to_string(),
            verdict,
        ]
    });
    let head = ["settings", "p (Holm)", "A12", "effect", "verdict"].map(str::to_owned);
    vec![
        Block::Heading("Settings compared in pairs".to_owned()),
        Block::Lookup(Table {
            title: String::new(),
            head: head.to_vec(),
            rows: rows.collect(),
        }),
    ]
}

/// All settings beside the one that they are compared with.
fn base_table(results: &Results, base: &str) -> Vec<Block> {
    let comparison = &results.comparison;
    let rows = comparison.pairs.iter().map(|pair| {
        let difference = pair.difference.map(|it| with_interval(it.mean, it.ci95));
        let verdict = match pair.winner {
            Some(winner) if winner == pair.second => "better",
            Some(_) => "worse",
            None => "no significant difference",
        };
        vec![
            comparison.samples[pair.second].label.clone(),
            difference.unwrap_or_else(|| "-".to_owned()),
            probability(pair.p_holm),
            format!("{:.2}", 1.0 - pair.a12),
            pair.effect.to_string(),
            verdict.to_owned(),
        ]
    });
    let change = format!("{}, difference (95 % interval)", results.metric);
    let head = ["setting", &change, "p (Holm)", "A12", "effect", "verdict"].map(str::to_owned);
    vec![
        Block::Heading(format!("Compared with {base}")),
        Block::Table(Table {
            title: String::new(),
            head: head.to_vec(),
            rows: rows.collect(),
        }),
        Block::Note(
            "Differences are over the repeats, which share their seeds. p is corrected for the number of settings; the intervals are not."
                .to_owned(),
        ),
    ]
}

/// The three criteria by which 2048-ga judges an evolution.
fn criteria(results: &Results) -> Vec<Block> {
    if !has(results, BEST_MINUS_MEAN) {
        return Vec::new();
    }
    let names = [BEST_FITNESS, STEADINESS, BEST_MINUS_MEAN];
    let row = |setting: &SettingResults| {
        let value = |name| setting.metrics.get(name);
        let texts = names
            .iter()
            .map(|&name| value(name).map_or("-".to_owned(), |a| with_interval(a.value, a.ci95)));
        std::iter::once(setting.name().to_owned())
            .chain(texts)
            .collect()
    };
    let head = std::iter::once("setting").chain(names).map(str::to_owned);
    let note = "Best fitness of any generation, luck included. Steadiness of its rise: 1 minus the share of the largest step, so near 1 if it rose in many small steps and 0 if in one. Best minus mean fitness of the last generation: small if all individuals have become alike.";
    vec![
        Block::Heading("How the fitness rose".to_owned()),
        Block::Table(Table {
            title: String::new(),
            head: head.collect(),
            rows: results.settings.iter().map(row).collect(),
        }),
        Block::Note(note.to_owned()),
    ]
}

/// Tables of the runs themselves; of several repeats only the first is shown.
fn tables(results: &Results) -> Vec<Block> {
    let mut blocks = Vec::new();
    for setting in &results.settings {
        let outcome = setting.runs.iter().find_map(|run| run.outcome.as_ref());
        for table in outcome.map_or(&[][..], |outcome| &outcome.tables) {
            let title = match results.settings.len() {
                1 => table.title.clone(),
                _ => format!("{}: {}", setting.label, table.title),
            };
            blocks.push(Block::Table(Table {
                title,
                ..table.clone()
            }));
        }
    }
    blocks
}

/// The most champions listed.
const MOST_CHAMPIONS: usize = 40;

/// The best champion of every setting.
fn champions(results: &Results) -> Vec<Block> {
    if results.is_training() {
        return networks::section(results, MOST_CHAMPIONS);
    }
    let mut rows = Vec::new();
    for setting in results.settings.iter().take(MOST_CHAMPIONS) {
        let Some(run) = setting.best_run(&results.metric, results.better) else {
            continue;
        };
        let Some(outcome) = &run.outcome else {
            continue;
        };
        let carries = if let Some(file) = &outcome.champion {
            let program = file.program.as_deref().map(cut);
            program.unwrap_or_else(|| listed(file.named_weights()))
        } else if let Some(genome) = &outcome.genome {
            listed(genome.iter().map(|(name, value)| (name.clone(), *value)))
        } else {
            continue;
        };
        rows.push(vec![setting.name().to_owned(), run.id.clone(), carries]);
    }
    if rows.is_empty() {
        return Vec::new();
    }
    let head = ["setting", "run", "weights or program"]
        .map(str::to_owned)
        .to_vec();
    let title = "The best champion of every setting".to_owned();
    let mut blocks = vec![
        Block::Heading("Champions".to_owned()),
        Block::Table(Table { title, head, rows }),
    ];
    if results.game.is_some() {
        blocks.push(Block::Note("Every run keeps its champion as champion.json, which can be used wherever a player is expected, and its best game as best-game.json, which 'gamete watch --replay' shows.".to_owned()));
    }
    blocks
}

/// Shortens a program, which is complete in its file.
fn cut(program: &str) -> String {
    const LONGEST: usize = 200;
    match program.char_indices().nth(LONGEST) {
        Some((place, _)) => format!("{} ...", &program[..place]),
        None => program.to_owned(),
    }
}

/// Every metric of every setting.
fn all_numbers(results: &Results) -> Vec<Block> {
    let names: BTreeSet<&String> = results
        .settings
        .iter()
        .flat_map(|setting| setting.metrics.keys())
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    let mut rows = Vec::new();
    for setting in &results.settings {
        for name in &names {
            if let Some(a) = setting.metrics.get(*name) {
                rows.push(vec![
                    setting.name().to_owned(),
                    (*name).clone(),
                    with_interval(a.value, a.ci95),
                    a.n.to_string(),
                ]);
            }
        }
    }
    let head = ["setting", "number", "mean (95 % interval)", "runs"]
        .map(str::to_owned)
        .to_vec();
    let title = String::new();
    vec![
        Block::Heading("All numbers".to_owned()),
        Block::Lookup(Table { title, head, rows }),
    ]
}
