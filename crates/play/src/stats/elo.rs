//! Elo ratings from a table of results, with error bars.
//!
//! The Bradley-Terry model by maximum likelihood (Zermelo's iteration), a draw counting as half a win for each; on Elo's scale
//! a difference of 400 means odds of 10 to 1. Every pair that has met is given one additional drawn game: without it a player
//! that never lost would have no finite rating. The mean of all ratings is 0. Error bars are 95 % percentile intervals of
//! a bootstrap over the games of each pair, with a fixed seed.

use games::{Stream, below, stream};

/// Results of one pair from its first player's point of view.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Score {
    /// Number of games.
    #[must_use]
    pub fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The same from the other player's point of view.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }

    /// Adds a result: positive for a win, 0 for a draw, negative for a loss.
    pub fn add(&mut self, result: i64) {
        match result.signum() {
            1 => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    fn points(self) -> f64 {
        f64::from(self.wins) + 0.5 * f64::from(self.draws)
    }

    /// As many random games with these shares of wins, draws and losses, after adding half a win and half a loss (Jeffreys' prior):
    /// four wins out of four do not prove that a loss is impossible.
    fn resampled(self, rng: &mut Stream) -> Self {
        let mut sample = Self::default();
        let (wins, draws) = (2 * self.wins + 1, 2 * self.draws);
        for _ in 0..self.games() {
            let half_game = below(rng, 2 * self.games() + 2);
            sample.add(if half_game < wins {
                1
            } else if half_game < wins + draws {
                0
            } else {
                -1
            });
        }
        sample
    }
}

/// Results of all pairs: rows and columns are players.
pub type Crosstable = Vec<Vec<Score>>;

/// A rating with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Rating {
    /// On Elo's scale.
    pub elo: f64,
    /// Bootstrap interval.
    pub ci95: [f64; 2],
}

const RESAMPLES: usize = 400;

/// The ratings of all players in the table.
#[must_use]
pub fn ratings(table: &Crosstable) -> Vec<Rating> {
    let estimates = elo(table);
    let mut rng = stream(1, &[]);
    let mut samples = vec![Vec::with_capacity(RESAMPLES); table.len()];
    for _ in 0..RESAMPLES {
        for (player, rating) in elo(&resampled(table, &mut rng)).into_iter().enumerate() {
            samples[player].push(rating);
        }
    }
    let interval = |sample: &mut Vec<f64>| {
        sample.sort_by(f64::total_cmp);
        let at = |share: f64| sample[(share * (sample.len() - 1) as f64).round() as usize];
        [at(0.025), at(0.975)]
    };
    estimates
        .into_iter()
        .zip(&mut samples)
        .map(|(elo, sample)| Rating {
            elo,
            ci95: interval(sample),
        })
        .collect()
}

fn resampled(table: &Crosstable, rng: &mut Stream) -> Crosstable {
    let mut sample = vec![vec![Score::default(); table.len()]; table.len()];
    for first in 0..table.len() {
        for second in first + 1..table.len() {
            let score = table[first][second].resampled(rng);
            sample[first][second] = score;
            sample[second][first] = score.reversed();
        }
    }
    sample
}

/// Zermelo's iteration: strength = points / sum over opponents of games / (own + opponent's strength).
fn elo(table: &Crosstable) -> Vec<f64> {
    let players = table.len();
    let met = |first: usize, second: usize| first != second && table[first][second].games() > 0;
    let mut strengths = vec![1.0_f64; players];
    for _ in 0..1000 {
        let before = strengths.clone();
        for own in 0..players {
            let opponents: Vec<usize> = (0..players).filter(|&other| met(own, other)).collect();
            if opponents.is_empty() {
                continue;
            }
            let points: f64 = opponents
                .iter()
                .map(|&other| table[own][other].points() + 0.5)
                .sum();
            let weight: f64 = opponents
                .iter()
                .map(|&other| {
                    f64::from(table[own][other].games() + 1) / (strengths[own] + strengths[other])
                })
                .sum();
            strengths[own] = points / weight;
        }
        let change = strengths
            .iter()
            .zip(&before)
            .map(|(new, old)| (new / old - 1.0).abs())
            .fold(0.0, f64::max);
        if change < 1e-9 {
            break;
        }
    }
    let logs: Vec<f64> = strengths
        .iter()
        .map(|strength| 400.0 * libm::log10(*strength))
        .collect();
    let mean = logs.iter().sum::<f64>() / players as f64;
    logs.into_iter().map(|log| log - mean).collect()
}
