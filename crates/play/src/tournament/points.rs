//! Scores of players of a one-player game, which all play games with the same numbers.

use serde::Serialize;

use super::Plan;
use crate::playing::Record;
use crate::stats::mean_interval;

/// A mean over games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Points {
    /// The mean.
    pub mean: f64,
    /// Its 95 % interval; none for a single game.
    pub ci95: Option<[f64; 2]>,
}

impl Points {
    fn of(values: &[f64]) -> Option<Self> {
        let some = !values.is_empty();
        some.then(|| Self {
            mean: values.iter().sum::<f64>() / values.len() as f64,
            ci95: mean_interval(values),
        })
    }
}

/// The scores of each player, game by game; empty for a game of two players, whose results are won, drawn and lost games.
pub(super) struct PointsTable(Vec<Vec<f64>>);

impl PointsTable {
    /// From the records in the order of the rounds.
    pub(super) fn of(plan: &Plan, records: &[Record]) -> Self {
        if plan.game.seats() != 1 {
            return Self(Vec::new());
        }
        let players = plan.players.len();
        let scores = |player: usize| {
            let own = records.iter().skip(player).step_by(players);
            own.map(|record| record.score as f64).collect()
        };
        Self((0..players).map(scores).collect())
    }

    /// The score of a player.
    pub(super) fn of_player(&self, player: usize) -> Option<Points> {
        Points::of(self.0.get(player)?)
    }

    /// How much higher the first player's score is, over games with the same numbers.
    pub(super) fn difference(&self, first: usize, second: usize) -> Option<Points> {
        let pairs = self.0.get(first)?.iter().zip(self.0.get(second)?);
        let differences: Vec<f64> = pairs.map(|(first, second)| first - second).collect();
        Points::of(&differences)
    }
}
