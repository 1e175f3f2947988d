//! `docs/results/README.md`: every number stands in a report that the page links to, and every link leads somewhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn results() -> PathBuf {
    root().join("docs/results")
}

fn page() -> String {
    fs::read_to_string(results().join("README.md")).expect("the page")
}

/// A number as it is written.
#[derive(Debug, Clone, PartialEq)]
struct Number {
    value: f64,
    /// Half a unit of its last digit.
    precision: f64,
    is_percentage: bool,
}

impl Number {
    fn of(token: &str, is_percentage: bool) -> Option<Self> {
        let plain = token.replace(',', "");
        let value: f64 = plain.parse().ok()?;
        let decimals = plain.split_once('.').map_or(0, |(_, after)| after.len());
        Some(Self {
            value,
            precision: 0.5001 * 10_f64.powi(-(decimals as i32)),
            is_percentage,
        })
    }

    /// Whether this is `other`, rounded.
    fn is_rounded(&self, other: &Self) -> bool {
        let near = |value: f64| (value - self.value).abs() <= self.precision;
        near(other.value) || (self.is_percentage && near(100.0 * other.value))
    }
}

/// The numbers of a text. Those that are part of a word (10x20, d9, 001-010) are names.
fn numbers(text: &str) -> Vec<Number> {
    let is_part = |c: char| c.is_alphanumeric() || "_.,-+".contains(c);
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        rest = &rest[start..];
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (token, after) = rest.split_at(end);
        let token = token
            .trim_end_matches(['.', ',', '-'])
            .trim_start_matches('+');
        found.extend(Number::of(token, after.trim_start().starts_with('%')));
        rest = after;
    }
    found
}

/// A link: its text and its target.
#[derive(Debug, Clone)]
struct Link {
    text: String,
    target: String,
}

/// The links and images of a text.
fn links(text: &str) -> Vec<Link> {
    let mut found = Vec::new();
    for (middle, _) in text.match_indices("](") {
        let Some(start) = text[..middle].rfind('[') else {
            continue;
        };
        let target = text[middle + 2..].split(')').next().unwrap_or_default();
        found.push(Link {
            text: text[start + 1..middle].to_owned(),
            target: target.to_owned(),
        });
    }
    found
}

/// The text of a kept report, which has the study that made it at its end.
fn kept(target: &str) -> String {
    fs::read_to_string(results().join(target)).unwrap_or_default()
}

/// A value with its interval, as in 12 (10 to 15).
type WithInterval = [Number; 3];

/// The values of a text that have an interval. A line has them in the order of the report.
fn with_intervals(text: &str) -> Vec<WithInterval> {
    let mut found = Vec::new();
    for (open, _) in text.match_indices(" (") {
        let inner = text[open + 2..].split(')').next().unwrap_or_default();
        let Some((low, high)) = inner.split_once(" to ") else {
            continue;
        };
        let before = text[..open].rsplit([' ', '|', '[']).next();
        let [low, high] = [low, high].map(numbers);
        if let (Some(value), [low], [high]) = (before.map(numbers), &low[..], &high[..])
            && let [value] = &value[..]
        {
            found.push([value.clone(), low.clone(), high.clone()]);
        }
    }
    found
}

/// The values with intervals of `text` that the report does not have together.
fn intervals_missing(text: &str, report: &str) -> Vec<f64> {
    let known = with_intervals(report);
    let is_known = |ours: &WithInterval| {
        let is_same = |other: &WithInterval| ours.iter().zip(other).all(|(a, b)| a.is_rounded(b));
        known.iter().any(is_same)
    };
    let all = with_intervals(text).into_iter();
    all.filter(|ours| !is_known(ours))
        .map(|[value, ..]| value.value)
        .collect()
}

/// A row of a table, by its columns.
type Row = BTreeMap<String, String>;

/// The rows of all tables that have all these columns.
fn rows(page: &str, columns: &[&str]) -> Vec<Row> {
    let mut found = Vec::new();
    let mut head: Vec<String> = Vec::new();
    for line in page.lines() {
        let Some(inner) = line.strip_prefix("| ").and_then(|l| l.strip_suffix(" |")) else {
            if !line.starts_with("|---") {
                head.clear();
            }
            continue;
        };
        let cells: Vec<String> = inner.split(" | ").map(str::to_owned).collect();
        if head.is_empty() {
            head = cells;
        } else if columns.iter().all(|c| head.iter().any(|h| h == c)) {
            assert_eq!(cells.len(), head.len(), "cells of: {line}");
            found.push(head.iter().cloned().zip(cells).collect());
        }
    }
    found
}

/// The numbers of `text` that none of the reports has.
fn missing(text: &str, reports: &str) -> Vec<f64> {
    let known = numbers(reports);
    let is_known = |number: &Number| known.iter().any(|other| number.is_rounded(other));
    let all = numbers(text).into_iter();
    all.filter(|n| !is_known(n)).map(|n| n.value).collect()
}

/// The text without the targets of its links.
fn readable(text: &str) -> String {
    links(text).iter().fold(text.to_owned(), |text, link| {
        text.replace(&format!("]({})", link.target), "]")
    })
}

const COLUMNS: [&str; 5] = ["experiments", "scale", "published", "ours", "holds?"];

#[test]
fn every_row_says_its_scale_and_has_its_numbers_in_a_report() {
    let rows = rows(&page(), &COLUMNS);
    assert!(rows.len() > 25, "{} rows", rows.len());
    let mut wrong = Vec::new();
    for row in &rows {
        let name = &row["experiments"];
        if row["scale"].trim().is_empty() {
            wrong.push(format!("{name}: no scale"));
        }
        for link in links(&row["ours"]) {
            for number in missing(&link.text, &kept(&link.target)) {
                wrong.push(format!("{name}: {number} is not in {}", link.target));
            }
            for number in intervals_missing(&link.text, &kept(&link.target)) {
                let target = &link.target;
                wrong.push(format!("{name}: {number} has another interval in {target}"));
            }
        }
        let all: Vec<Link> = COLUMNS.iter().flat_map(|c| links(&row[*c])).collect();
        let reports: String = all.iter().map(|link| kept(&link.target)).collect();
        for column in ["published", "ours", "holds?"] {
            for number in missing(&readable(&row[column]), &reports) {
                wrong.push(format!(
                    "{name}: {number} ({column}) is in no report it links to"
                ));
            }
        }
        if !numbers(&readable(&row["ours"])).is_empty() && links(&row["ours"]).is_empty() {
            wrong.push(format!("{name}: numbers of ours without a link"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a report says that cannot tell which of several different settings is better, in its words of now and of once.
const OPEN: [&str; 2] = [
    "repeats do not show which setting is better. ",
    "Which is better cannot be said from these ",
];

#[test]
fn nothing_is_told_that_a_report_cannot_tell() {
    let mut wrong = Vec::new();
    for row in rows(&page(), &COLUMNS) {
        let report = links(&row["ours"]).into_iter().next();
        let report = report.map(|link| kept(&link.target)).unwrap_or_default();
        let is_open = OPEN.iter().any(|words| report.contains(words));
        if is_open && !row["holds?"].contains("cannot be told") {
            wrong.push(format!("{}: {}", row["experiments"], row["holds?"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A wrong interval is noticed, though each of its numbers stands somewhere.
#[test]
fn intervals_are_compared_as_a_whole() {
    let report = "| a | 12.34 (10.2 to 15) |\n| b | 20 (10.2 to 30) |";
    assert!(intervals_missing("[12.3 (10 to 15)]", report).is_empty());
    assert_eq!(intervals_missing("[12.3 (10 to 30)]", report), [12.3]);
    assert_eq!(intervals_missing("from [20 (10.2 to 15)]", report), [20.0]);
}

/// The records: every number of ours stands in the report it links to, and every record comes with the program.
#[test]
fn every_record_has_its_numbers_in_a_report() {
    let page = fs::read_to_string(results().join("records.md")).expect("the records");
    let rows = rows(&page, &["record", "ours"]);
    for record in play::records::RECORDS {
        let name = format!("`{}`", record.name);
        let row = rows.iter().find(|row| row["record"].starts_with(&name));
        let row = row.unwrap_or_else(|| panic!("{name} has no row"));
        let links: Vec<Link> = row.values().flat_map(|cell| links(cell)).collect();
        assert!(!links.is_empty(), "{name} links to no report");
        for link in links {
            let missing = missing(&link.text, &kept(&link.target));
            assert!(
                missing.is_empty(),
                "{name}: {missing:?} not in {}",
                link.target
            );
        }
    }
    assert_eq!(rows.len(), play::records::RECORDS.len());
}

/// The five stories: a paragraph each with a chart, its numbers in the reports it links to.
#[test]
fn the_page_begins_with_five_stories() {
    let page = page();
    let (_, after) = page.split_once("## Five stories\n").expect("the stories");
    let (stories, _) = after
        .split_once("\n## ")
        .expect("the experiments after them");
    let stories: Vec<&str> = stories.split("\n### ").skip(1).collect();
    assert_eq!(stories.len(), 5);
    for story in stories {
        let (title, text) = story.split_once('\n').expect("a title and a text");
        assert!(text.contains("!["), "{title}: no chart");
        let paragraphs = text.split("\n\n").map(str::trim);
        // The citation is in italics.
        let told = paragraphs.filter(|p| !p.starts_with('*') || p.starts_with("**"));
        let told: Vec<&str> = told.filter(|p| !p.starts_with("![")).collect();
        let reports: String = links(text).iter().map(|link| kept(&link.target)).collect();
        for paragraph in told {
            let missing = missing(&readable(paragraph), &reports);
            assert!(missing.is_empty(), "{title}: {missing:?} in no report");
        }
    }
}

/// The anchor of a heading, as Markdown is usually rendered.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text
        .chars()
        .filter(|c| c.is_alphanumeric() || " -".contains(*c));
    kept.collect::<String>().replace(' ', "-")
}

#[test]
fn every_link_of_the_results_leads_somewhere() {
    let page = page();
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let anchors: Vec<String> = headings.map(anchor).collect();
    for link in links(&page) {
        match link.target.strip_prefix('#') {
            Some(name) => assert!(anchors.iter().any(|anchor| anchor == name), "#{name}"),
            None => assert!(results().join(&link.target).is_file(), "{}", link.target),
        }
    }
    for folder in fs::read_dir(results()).expect("results").flatten() {
        let report = folder.path().join("report.md");
        if !report.is_file() {
            continue;
        }
        let text = fs::read_to_string(&report).expect("a report");
        for link in links(&text)
            .iter()
            .filter(|link| link.target.ends_with(".svg"))
        {
            assert!(
                folder.path().join(&link.target).is_file(),
                "{link:?} of {report:?}"
            );
        }
    }
}

/// The table of what a share of fours would mean, computed again.
#[test]
fn the_proof_that_there_were_no_fours_is_right() {
    let page = page();
    let rows = rows(&page, &["share of fours", "left, R"]);
    assert_eq!(rows.len(), 4);
    for row in rows {
        let first = |column: &str| numbers(&row[column])[0].clone();
        let p = first("share of fours").value;
        let tiles = 1_072.4 + 2.0;
        let left = tiles * (2.0 + 2.0 * p) - 2_048.0;
        let worth = 20_814.9 - 20_480.0 + 4.0 * tiles * p;
        let least = left * ((left / 15.0).log2() - 1.0);
        let computed = [
            ("left, R", left),
            ("worth by the table", worth),
            ("worth at least", least),
        ];
        for (column, value) in computed {
            let written = first(column);
            assert!(
                (written.value - value).abs() < 1.0,
                "{column} at {p}: {value}"
            );
        }
        assert_eq!(
            row["worth at least"].contains("impossible"),
            worth < least,
            "{p}"
        );
    }
}

/// The largest mean of the impossible figure, computed again.
#[test]
fn the_proof_that_a_figure_is_impossible_is_right() {
    let (moves, deviation) = (259.9_f64, 178.3_f64);
    let mean = 2.0 * (moves + 2.0) - 44.0;
    let square = mean * mean + (2.0 * deviation).powi(2);
    let most = 28.0 + mean * ((square / mean).log2() - 1.0);
    assert!(most < 4_532.4);
    let written = {
        let most = most.round() as u32;
        format!("{},{:03}", most / 1000, most % 1000)
    };
    assert!(page().contains(&written), "{written}");
}
