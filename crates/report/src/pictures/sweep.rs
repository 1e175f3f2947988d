//! What varied keys do: main effects, a map of the two that matter most, and all settings as lines through their values.

use super::{Sheet, picture};
use crate::Picture;
use crate::charts::{self, Group, Level};
use crate::sweep::{Effect, Effects};
use play::stats::Better;

/// The mean at each value of each key.
pub(super) fn effects(sheet: &Sheet<'_>) -> Option<Picture> {
    let effects = sheet.results.effects()?;
    let group = |key: &Effect| Group {
        label: key.factor.name.clone(),
        levels: (key.factor.levels.iter().zip(&key.levels))
            .map(|(label, &(mean, interval))| Level {
                label: label.clone(),
                mean,
                interval,
            })
            .collect(),
    };
    let groups: Vec<Group> = effects.keys.iter().map(group).collect();
    let metric = &sheet.results.metric;
    let axes = sheet.axes(&format!("{metric} by key"), "", metric);
    let whiskers = match effects.repeats {
        1 => "",
        _ => "; whiskers are 95 % intervals over the repeats",
    };
    let caption =
        format!("The mean at each value of a key, over all values of the other keys{whiskers}.");
    Some(picture("effects", caption, charts::effects(&axes, &groups)))
}

/// A cell for each combination of the values of the two keys that explain most.
pub(super) fn map(sheet: &Sheet<'_>) -> Option<Picture> {
    let effects = sheet.results.effects()?;
    let mut keys: Vec<&Effect> = effects.keys.iter().collect();
    keys.sort_by(|a, b| b.share.total_cmp(&a.share));
    let (down, across) = longer_across(keys[0], keys[1]);
    let cell = |row: usize, column: usize| mean_at(&effects, down, row, across, column);
    let cells = (0..down.levels.len()).map(|row| {
        (0..across.levels.len())
            .map(|column| cell(row, column))
            .collect()
    });
    let grid = charts::Grid {
        columns: across.factor.levels.clone(),
        rows: down.factor.levels.clone(),
        cells: cells.collect(),
        lower_is_better: sheet.results.better == Better::Lower,
    };
    let (metric, names) = (
        &sheet.results.metric,
        (&across.factor.name, &down.factor.name),
    );
    let axes = sheet.axes(
        &format!("{metric} by {} and {}", names.1, names.0),
        names.0,
        names.1,
    );
    let others = match effects.keys.len() {
        2 => "",
        _ => " The two keys that explain most are shown; cells are means over the others.",
    };
    let caption = format!("Mean {metric} of every combination; the best is the lightest.{others}");
    Some(picture("map", caption, charts::grid(&axes, &grid)))
}

/// The key with more values goes across, where there is more room.
fn longer_across<'a>(a: &'a Effect, b: &'a Effect) -> (&'a Effect, &'a Effect) {
    if a.levels.len() > b.levels.len() {
        (b, a)
    } else {
        (a, b)
    }
}

/// The mean over the settings with these values of two keys.
fn mean_at(effects: &Effects, down: &Effect, row: usize, across: &Effect, column: usize) -> f64 {
    let settings = effects.means.iter().enumerate();
    let there = settings.filter(|(setting, _)| {
        down.factor.of[*setting] == row && across.factor.of[*setting] == column
    });
    let means: Vec<f64> = there.map(|(_, mean)| *mean).collect();
    means.iter().sum::<f64>() / means.len() as f64
}

/// The fewest keys for which lines say more than the map.
const FEWEST_KEYS: usize = 3;

/// A line for each setting through its values of all keys.
pub(super) fn parallel(sheet: &Sheet<'_>) -> Option<Picture> {
    let results = sheet.results;
    let sweep = results.sweep()?;
    if sweep.factors.len() < FEWEST_KEYS {
        return None;
    }
    let line = |(place, setting): (usize, &crate::results::SettingResults)| {
        let numbers = sweep
            .factors
            .iter()
            .map(|factor| factor.of[place])
            .collect();
        Some((numbers, setting.metrics.get(&results.metric)?.value))
    };
    let lines: Vec<_> = results
        .settings
        .iter()
        .enumerate()
        .filter_map(line)
        .collect();
    let keys = sweep
        .factors
        .iter()
        .map(|one| (one.name.clone(), one.levels.clone()));
    let drawn = charts::Parallel {
        keys: keys.collect(),
        lower_is_better: results.better == Better::Lower,
        lines,
    };
    if drawn.lines.len() < 2 {
        return None;
    }
    let axes = sheet.axes("All settings", "", &results.metric);
    let caption = format!(
        "A line for each setting, through its values of all keys to its mean {}; the best are the lightest.",
        results.metric
    );
    Some(picture(
        "parallel",
        caption,
        charts::parallel(&axes, &drawn),
    ))
}
