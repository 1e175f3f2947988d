//! Results of two players over pairs of games that begin alike, one with each player first.
//!
//! The games of a pair are not independent: where one side is ahead from the beginning, each player wins once. So a pair is one
//! observation with five outcomes (0, 1/2, 1, 3/2 and 2 points), as engine testers count, and the spread of the pairs is what
//! says how sure a result is. Where games have no partner, each is an observation of three outcomes.

use games::{Stream, below};
use serde::Serialize;

use super::distributions::normal_two_sided;
use super::significance::sign_test;

/// The most steps of an exact p-value.
const EXACT: u64 = 4_000_000;

/// How many pairs (or single games) brought the first player none, a quarter, half, three quarters and all of their points.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Pairs {
    /// Pairs by points.
    pub counts: [u32; 5],
    /// Their games.
    #[serde(skip)]
    pub games: u32,
}

impl Pairs {
    /// Adds a pair, or a single game: the results of its games, positive for a win, 0 for a draw, negative for a loss.
    pub fn add(&mut self, results: &[i64]) {
        let games = results.len() as i64;
        let ahead: i64 = results.iter().map(|result| result.signum()).sum();
        let quarters = (2 * games + 2 * ahead) / games.max(1);
        self.counts[quarters.clamp(0, 4) as usize] += 1;
        self.games += results.len() as u32;
    }

    /// Single games.
    #[must_use]
    pub fn of_games(wins: u32, draws: u32, losses: u32) -> Self {
        Self {
            counts: [losses, 0, draws, 0, wins],
            games: wins + draws + losses,
        }
    }

    /// The same from the other player's point of view.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.counts.reverse();
        self
    }

    /// Both together.
    #[must_use]
    pub fn and(mut self, more: Self) -> Self {
        for (count, more) in self.counts.iter_mut().zip(more.counts) {
            *count += more;
        }
        self.games += more.games;
        self
    }

    /// Number of observations.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// The share of all points that the first player has; a half if there are none.
    #[must_use]
    pub fn share(&self) -> f64 {
        let quarters = (0_u32..)
            .zip(self.counts)
            .map(|(quarters, count)| f64::from(quarters) * f64::from(count));
        match self.count() {
            0 => 0.5,
            count => quarters.sum::<f64>() / (4.0 * f64::from(count)),
        }
    }

    /// Points of the first player, one for a game won.
    pub(super) fn points(&self) -> f64 {
        self.share() * f64::from(self.games)
    }

    /// The two-sided probability of so uneven a result if both players are equally strong: a pair then is as likely to favour either of
    /// them by as much, so all choices of signs are counted (Fisher's randomisation test). Single games without draws give the
    /// sign test. Exact up to some thousand pairs, then the normal approximation.
    #[must_use]
    pub fn p(&self) -> f64 {
        let [lost, half_lost, _, half_won, won] = self.counts;
        let (whole, half) = (u64::from(lost + won), u64::from(half_lost + half_won));
        if half == 0 {
            return sign_test(won, lost);
        }
        if whole == 0 {
            return sign_test(half_won, half_lost);
        }
        let ahead =
            2 * (i64::from(won) - i64::from(lost)) + i64::from(half_won) - i64::from(half_lost);
        if whole.saturating_mul(half) > EXACT {
            // Half of the smallest step between two results corrects for continuity.
            let off = (ahead.abs() as f64 - 0.5).max(0.0);
            return normal_two_sided(off / libm::sqrt((4 * whole + half) as f64));
        }
        let (wholes, halves) = (coins(whole), coins(half));
        let mut p = 0.0;
        for (heads, whole_share) in (0_i64..).zip(&wholes) {
            for (half_heads, half_share) in (0_i64..).zip(&halves) {
                let sum = 2 * (2 * heads - whole as i64) + 2 * half_heads - half as i64;
                if sum.abs() >= ahead.abs() {
                    p += whole_share * half_share;
                }
            }
        }
        p.min(1.0)
    }

    /// As many random pairs with these shares, after adding half a pair that is won and half a pair that is lost (Jeffreys' prior):
    /// four wins out of four do not prove that a loss is impossible.
    pub(super) fn resampled(&self, rng: &mut Stream) -> Self {
        let mut weights = self.counts.map(|count| 2 * count);
        weights[0] += 1;
        weights[4] += 1;
        let all = weights.iter().sum();
        let mut sample = Self {
            counts: [0; 5],
            games: self.games,
        };
        for _ in 0..self.count() {
            let mut left = below(rng, all);
            let chosen = weights.iter().position(|&weight| {
                let is_here = left < weight;
                left = left.saturating_sub(weight);
                is_here
            });
            sample.counts[chosen.unwrap_or(4)] += 1;
        }
        sample
    }
}

/// The probabilities of 0, 1, 2 ... heads of n coins.
fn coins(n: u64) -> Vec<f64> {
    let log_factorial = |n: u64| libm::lgamma(n as f64 + 1.0);
    let probability = |heads: u64| {
        let ways = log_factorial(n) - log_factorial(heads) - log_factorial(n - heads);
        libm::exp(ways - n as f64 * std::f64::consts::LN_2)
    };
    (0..=n).map(probability).collect()
}
