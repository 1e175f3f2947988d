//! Two figures of every setting side by side: what selection saw and what the champion is worth, and what a work published and what we measured.

use super::{Sheet, picture};
use crate::Picture;
use crate::charts::{Bar, BarSeries, bars};
use crate::published::{Pair, side_by_side};
use crate::results::{Aggregate, SettingResults};
use lab::run::outcome::SELECTED;

/// The fitness by which champions were selected beside their mean in fresh games: the difference is luck.
pub(super) fn luck(sheet: &Sheet<'_>) -> Option<Picture> {
    let results = sheet.results;
    let both = |setting: &&SettingResults| {
        [SELECTED, results.metric.as_str()]
            .iter()
            .all(|name| setting.metrics.contains_key(*name))
    };
    let settings: Vec<&SettingResults> = results.settings.iter().filter(both).collect();
    let series = |label: &str, metric: &str| BarSeries {
        label: label.to_owned(),
        bars: settings
            .iter()
            .map(|setting| ours(&setting.metrics[metric]))
            .collect(),
    };
    let unit = results.unit();
    let series = [
        series(SELECTED, SELECTED),
        series(&format!("mean in fresh {unit}"), &results.metric),
    ];
    let labels: Vec<String> = settings
        .iter()
        .map(|setting| setting.name().to_owned())
        .collect();
    let title = format!("{}: selected at, and in fresh {unit}", results.metric);
    let caption = format!(
        "The fitness by which the champions were selected, luck included, and their mean in fresh {unit}; whiskers are 95 % intervals."
    );
    (!settings.is_empty()).then(|| {
        let svg = bars(&sheet.axes(&title, "", &results.metric), &labels, &series);
        picture("luck", &caption, svg)
    })
}

/// Published figures beside ours, for the main metric or, if the work has none of it, the fitness of selection.
pub(super) fn published(sheet: &Sheet<'_>) -> Option<Picture> {
    let results = sheet.results;
    let pairs = side_by_side(results);
    let of = |metric: &str| -> Vec<&Pair<'_>> {
        let has_both = |pair: &&Pair<'_>| pair.published.metric == metric && pair.ours.is_some();
        pairs.iter().filter(has_both).collect()
    };
    let metric = [results.metric.as_str(), SELECTED]
        .into_iter()
        .find(|metric| !of(metric).is_empty())?;
    let pairs = of(metric);
    let series = [
        BarSeries {
            label: "published".to_owned(),
            bars: pairs.iter().map(|pair| theirs(pair)).collect(),
        },
        BarSeries {
            label: "ours".to_owned(),
            bars: pairs
                .iter()
                .filter_map(|pair| pair.ours.map(ours))
                .collect(),
        },
    ];
    let labels: Vec<String> = pairs.iter().map(|pair| pair.setting.to_owned()).collect();
    let title = format!("{metric}, published and ours");
    let caption = "Published figures beside ours; whiskers are 95 % intervals, of published figures where their standard error is known.";
    let svg = bars(&sheet.axes(&title, "", metric), &labels, &series);
    Some(picture("published", caption, svg))
}

fn ours(aggregate: &Aggregate) -> Bar {
    Bar {
        value: aggregate.value,
        interval: aggregate.ci95,
    }
}

fn theirs(pair: &Pair<'_>) -> Bar {
    let value = pair.published.value;
    let reach = pair.published.error.map(|error| 1.96 * error);
    Bar {
        value,
        interval: reach.map(|reach| [value - reach, value + reach]),
    }
}
