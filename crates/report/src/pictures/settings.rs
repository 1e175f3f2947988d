//! Settings compared: their main metric, and how often each class of game occurred.

use std::collections::{BTreeMap, BTreeSet};

use super::{MOST_LINES, Sheet, picture, spans_decades};
use crate::Picture;
use crate::charts::{Axes, Bar, BarSeries, bars, boxes};
use crate::results::SettingResults;
use play::stats::Share;

/// Box plots of the settings.
pub(super) fn settings(sheet: &Sheet<'_>) -> Option<Picture> {
    let results = sheet.results;
    let groups: Vec<(String, Vec<f64>)> = results
        .settings
        .iter()
        .map(|setting| {
            (
                setting.name().to_owned(),
                setting.sample(&results.metric).values,
            )
        })
        .filter(|(_, values)| !values.is_empty())
        .collect();
    if groups.iter().all(|(_, values)| values.len() < 2) {
        return single_bars(sheet);
    }
    let title = format!("{} by setting", results.metric);
    let dashed = match sheet.baselines().is_empty() {
        true => "",
        false => " Dashed lines are players for comparison.",
    };
    let caption = format!("Every dot is a run; the box holds the middle half of them.{dashed}");
    let values = groups.iter().flat_map(|(_, values)| values);
    let marks = sheet.baselines();
    let baselines = marks.iter().map(|mark| mark.value);
    let axes = Axes {
        log_y: spans_decades(values.copied().chain(baselines)),
        marks,
        ..sheet.axes(&title, "", &results.metric)
    };
    Some(picture("settings", caption, boxes(&axes, &groups)))
}

/// One run per setting: bars with the interval within the run.
fn single_bars(sheet: &Sheet<'_>) -> Option<Picture> {
    let results = sheet.results;
    let with = |setting: &&SettingResults| setting.metrics.contains_key(&results.metric);
    let settings: Vec<&SettingResults> = results.settings.iter().filter(with).collect();
    if settings.len() < 2 {
        return None;
    }
    let bar = |setting: &&SettingResults| {
        let of = setting.metrics[&results.metric];
        Bar {
            value: of.value,
            interval: of.ci95,
        }
    };
    let series = BarSeries {
        label: String::new(),
        bars: settings.iter().map(bar).collect(),
    };
    let categories: Vec<String> = settings
        .iter()
        .map(|setting| setting.name().to_owned())
        .collect();
    let title = format!("{} by setting", results.metric);
    let caption = "One run per setting; whiskers are 95 % intervals within the run.";
    Some(picture(
        "settings",
        caption,
        bars(
            &sheet.axes(&title, "", &results.metric),
            &categories,
            &[series],
        ),
    ))
}

/// How often each class occurred, e.g. the highest tile of a game.
pub(super) fn classes(sheet: &Sheet<'_>) -> Option<Picture> {
    let results = sheet.results;
    let mut counts: Vec<(String, BTreeMap<u64, u64>)> = Vec::new();
    let mut name = String::new();
    for setting in results.settings.iter().take(MOST_LINES) {
        let mut sum: BTreeMap<u64, u64> = BTreeMap::new();
        for outcome in setting.runs.iter().filter_map(|run| run.outcome.as_ref()) {
            if let Some((fact, classes)) = outcome.classes.iter().next() {
                name = fact.replace('_', " ");
                classes
                    .iter()
                    .for_each(|(class, count)| *sum.entry(*class).or_default() += count);
            }
        }
        if !sum.is_empty() {
            counts.push((setting.name().to_owned(), sum));
        }
    }
    let all: BTreeSet<u64> = counts
        .iter()
        .flat_map(|(_, sum)| sum.keys().copied())
        .collect();
    if all.is_empty() {
        return None;
    }
    let series: Vec<BarSeries> = counts
        .iter()
        .map(|(label, sum)| class_bars(label, sum, &all))
        .collect();
    let categories: Vec<String> = all.iter().map(u64::to_string).collect();
    let caption = format!("{name} of the measured games; whiskers are Wilson's 95 % intervals.");
    Some(picture(
        "classes",
        caption,
        bars(
            &sheet.axes(&name, &name, "share of games"),
            &categories,
            &series,
        ),
    ))
}

fn class_bars(label: &str, sum: &BTreeMap<u64, u64>, all: &BTreeSet<u64>) -> BarSeries {
    let total: u64 = sum.values().sum();
    let bar = |class: &u64| {
        let share = Share::new(sum.get(class).copied().unwrap_or(0), total);
        Bar {
            value: share.share,
            interval: Some(share.ci95),
        }
    };
    BarSeries {
        label: label.to_owned(),
        bars: all.iter().map(bar).collect(),
    }
}
