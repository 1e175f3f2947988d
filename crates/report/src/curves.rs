//! Fitness by generation of every setting, over its repeats, in as many points as a chart has room for.

use serde::Serialize;

use crate::results::{Results, SettingResults};
use lab::run::curve::spread;
use lab::run::history::{HistoryReader, Summary};

/// Fitness by generation of a setting. All lists are equally long; a generation counts the runs that reached it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SettingCurve {
    /// Its number, from 1.
    pub setting: usize,
    /// Its display name.
    pub label: String,
    /// Whether its generations are blocks of training games.
    pub is_training: bool,
    /// Runs that have at least one generation.
    pub runs: usize,
    /// Numbers of the generations.
    pub generations: Vec<u32>,
    /// Games played by the end of the generation: the median of the runs.
    pub games: Vec<f64>,
    /// Best fitness in the generation: the median of the runs.
    pub best: Vec<f64>,
    /// The same: the lowest of the runs.
    pub best_low: Vec<f64>,
    /// The same: the highest of the runs.
    pub best_high: Vec<f64>,
    /// Mean fitness of the population: the median of the runs.
    pub mean: Vec<f64>,
}

/// The curves of all settings that evolve or train something, in at most this many points each.
#[must_use]
pub fn curves(results: &Results, points: usize) -> Vec<SettingCurve> {
    // Who plays against itself wins as often as it loses, however good it is.
    if results.is_training() && results.settings[0].seats() != Some(1) {
        return Vec::new();
    }
    let settings = (1..).zip(&results.settings);
    settings
        .filter_map(|(number, setting)| curve(number, setting, points))
        .map(|curve| SettingCurve {
            is_training: results.is_training(),
            ..curve
        })
        .collect()
}

/// `None` if no run has a generation yet. A damaged history is reported with its run.
fn curve(number: usize, setting: &SettingResults, points: usize) -> Option<SettingCurve> {
    let runs = setting.runs.iter();
    let histories: Vec<HistoryReader> = runs
        .filter_map(|run| HistoryReader::of_run(&run.path).ok().flatten())
        .filter(|history| !history.generations.is_empty())
        .collect();
    let longest = histories.iter().map(|one| one.generations.len()).max()?;
    let mut curve = SettingCurve {
        setting: number,
        label: setting.label.clone(),
        is_training: false,
        runs: histories.len(),
        generations: Vec::new(),
        games: Vec::new(),
        best: Vec::new(),
        best_low: Vec::new(),
        best_high: Vec::new(),
        mean: Vec::new(),
    };
    for place in spread(longest, points) {
        let reached: Vec<&Summary> = histories
            .iter()
            .filter_map(|one| one.generations.get(place))
            .collect();
        let best = sorted(&reached, |of| of.generation.best);
        curve.generations.push(reached[0].generation.number);
        curve
            .games
            .push(median(&sorted(&reached, |of| of.generation.games as f64)));
        curve.best_low.push(best[0]);
        curve.best_high.push(best[best.len() - 1]);
        curve.best.push(median(&best));
        curve
            .mean
            .push(median(&sorted(&reached, |of| of.generation.mean)));
    }
    Some(curve)
}

fn sorted(reached: &[&Summary], value: impl Fn(&Summary) -> f64) -> Vec<f64> {
    let mut values: Vec<f64> = reached.iter().map(|of| value(of)).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The median of sorted values, of which there must be one.
pub(crate) fn median(sorted: &[f64]) -> f64 {
    f64::midpoint(sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2])
}
