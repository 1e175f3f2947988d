//! The games that measured runs, compared with each other.

use std::path::Path;

use crate::ranges::{Limits, range};
use lab::run::sample::{GAMES, SAME_AS};
use lab::store::StoreError;
use play::measure::Plan;
use play::stats::{Better, Comparison, Observed, Sample, compare_games};

/// The scores of the games that measured a champion, each different game once.
#[derive(Debug)]
pub(crate) struct GamesOf {
    /// One number per game, or the mean of each pair of games that begin alike.
    pub(crate) sample: Sample,
    /// Which of them.
    pub(crate) observed: Observed,
}

/// The games of a run, which were played by this plan, by a metric.
pub(crate) fn games_of(
    run: &Path,
    plan: Option<&Plan>,
    label: &str,
    metric: &str,
) -> Result<GamesOf, StoreError> {
    let path = run.join(GAMES);
    let wrong = |problem: String| StoreError::Wrong {
        path: path.clone(),
        problem,
    };
    let mut reader = csv::Reader::from_path(&path).map_err(|_| {
        wrong("does not exist: the run is unfinished, or measured no games".to_owned())
    })?;
    let name = metric.replace(' ', "_");
    let head = reader.headers().cloned().unwrap_or_default();
    let column = head.iter().position(|column| column == name);
    let column = column.ok_or_else(|| StoreError::Absent {
        of: label.to_owned(),
        what: format!("metric '{metric}' for each of its games"),
        known: head.iter().skip(1).collect::<Vec<_>>().join(", "),
    })?;
    let repeated = head.iter().position(|column| column == SAME_AS);
    let mut games: Vec<(usize, f64)> = Vec::new();
    for (number, row) in reader.records().enumerate() {
        let row = row.map_err(|error| wrong(format!("is damaged: {error}")))?;
        let earlier = repeated.and_then(|column| row.get(column));
        if earlier.is_some_and(|earlier| !earlier.is_empty()) {
            continue;
        }
        let value = row.get(column).and_then(|value| value.parse().ok());
        let value = value.ok_or_else(|| wrong(format!("is damaged: a game has no {metric}")))?;
        games.push((number, value));
    }
    let unit = plan.map_or(1, Plan::unit);
    let label = label.to_owned();
    Ok(GamesOf {
        sample: Sample {
            label,
            values: means(&games, unit),
            range: range(metric, plan.map(|plan| Limits::of(&plan.game))),
        },
        observed: match unit {
            1 => Observed::Games,
            _ => Observed::Pairs,
        },
    })
}

/// The means of games that are one observation: of `unit` consecutive numbers.
fn means(games: &[(usize, f64)], unit: usize) -> Vec<f64> {
    let units = games.chunk_by(|a, b| a.0 / unit == b.0 / unit);
    let mean =
        |games: &[(usize, f64)]| games.iter().map(|game| game.1).sum::<f64>() / games.len() as f64;
    units.map(mean).collect()
}

/// Compares runs by their games, or by pairs of games if any was played in pairs.
pub(crate) fn compare_runs(runs: Vec<GamesOf>, better: Better) -> (Comparison, Vec<Sample>) {
    let in_pairs = runs.iter().any(|run| run.observed == Observed::Pairs);
    let observed = if in_pairs {
        Observed::Pairs
    } else {
        Observed::Games
    };
    let samples: Vec<Sample> = runs.into_iter().map(|run| run.sample).collect();
    (compare_games(&samples, observed, better), samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_begin_alike_are_one_observation() {
        let games = [(0, 1.0), (1, -1.0), (4, 1.0), (5, 1.0)];
        assert_eq!(means(&games, 2), [0.0, 1.0]);
        assert_eq!(means(&games, 1), [1.0, -1.0, 1.0, 1.0]);
    }
}
