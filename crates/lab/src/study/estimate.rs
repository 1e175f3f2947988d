//! Estimates how long a study will take on this machine, by running its beginning for a few seconds.

use std::time::Duration;

use super::kind::long_time;
use super::{RunPlan, Study};
use crate::run::context::RunError;
use play::playing::Workers;

/// An estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// All runs together.
    pub time: Duration,
    /// How many settings were tried; the others were extrapolated by their number of games.
    pub tried: usize,
}

/// The most settings to try: each needs some time to be informative.
const MOST_TRIED: usize = 4;

impl Study {
    /// Tries settings for about `time` in all, and estimates how long these runs will take. Runs share the threads, so it matters
    /// little how many run at a time.
    pub fn estimate(
        &self,
        runs: &[RunPlan],
        workers: &Workers,
        time: Duration,
    ) -> Result<Estimate, RunError> {
        let weights: Vec<u64> = self.settings.iter().map(weight).collect();
        let mut order: Vec<usize> = (0..weights.len()).collect();
        order.sort_by_key(|&setting| weights[setting]);
        let tried = spread(&order);
        let each = time / u32::try_from(tried.len()).unwrap_or(1);
        let mut known = Vec::new();
        for &setting in &tried {
            let experiment = &self.settings[setting].experiment;
            experiment.try_out(workers)?;
            let time = experiment.calibrate(self.seed, workers, each)?;
            known.push((weights[setting], time));
        }
        let of_run = |run: &RunPlan| like_nearest(weights[run.setting], &known);
        Ok(Estimate {
            time: long_time(runs.iter().map(of_run).sum()),
            tried: tried.len(),
        })
    }
}

/// The relative cost of a run, by its number of games.
fn weight(setting: &super::Setting) -> u64 {
    let games = setting.experiment.games();
    games.unwrap_or(setting.experiment.steps()).max(1)
}

/// A few of these, from the first to the last.
fn spread(order: &[usize]) -> Vec<usize> {
    let last = order.len() - 1;
    let count = order.len().min(MOST_TRIED);
    let place = |number: usize| order[number * last / (count - 1).max(1)];
    (0..count).map(place).collect()
}

/// The seconds of the known setting with the nearest weight, scaled in proportion.
fn like_nearest(weight: u64, known: &[(u64, Duration)]) -> f64 {
    let nearest = known.iter().min_by_key(|(other, _)| other.abs_diff(weight));
    nearest.map_or(0.0, |&(other, time)| {
        time.as_secs_f64() * weight as f64 / other as f64
    })
}
