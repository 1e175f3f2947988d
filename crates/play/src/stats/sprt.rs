//! A sequential test: is one player better than another, with no more games than that takes?
//!
//! Wald's test (1945) of two hypotheses on the difference in strength, in its generalised form over pairs of games (Van den Bergh 2019),
//! as engine testers use it. Each hypothesis fixes the expected share of points; the likeliest distribution of the five outcomes of a pair
//! with that mean is p / (1 + t (x - mean)), where p are the shares seen and t makes the mean right. The test ends when the logarithm of
//! the ratio of both likelihoods leaves ln(beta / (1 - alpha)) to ln((1 - beta) / alpha).

use serde::Serialize;

use super::Pairs;

/// Added to every count: an outcome that has not been seen is not impossible.
const UNSEEN: f64 = 1e-3;

/// Two hypotheses, as differences of the first player's rating to the second's, and how often each may be accepted wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sprt {
    /// The first is better by this much at most.
    pub elo0: f64,
    /// The first is better by this much at least; above `elo0`.
    pub elo1: f64,
    /// How often the second hypothesis is accepted though the first is true.
    pub alpha: f64,
    /// How often the first hypothesis is accepted though the second is true.
    pub beta: f64,
}

/// The hypothesis that was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Accepted {
    /// The first: better by `elo0` at most.
    Elo0,
    /// The second: better by `elo1` at least.
    Elo1,
}

impl Sprt {
    /// Below the first bound `elo0` is accepted, above the second `elo1`.
    #[must_use]
    pub fn bounds(&self) -> [f64; 2] {
        [
            libm::log(self.beta / (1.0 - self.alpha)),
            libm::log((1.0 - self.beta) / self.alpha),
        ]
    }

    /// The hypothesis that these pairs decide for, if they do.
    #[must_use]
    pub fn accepted(&self, pairs: &Pairs) -> Option<Accepted> {
        let ([low, high], ratio) = (self.bounds(), self.ratio(pairs));
        match ratio {
            ratio if ratio <= low => Some(Accepted::Elo0),
            ratio if ratio >= high => Some(Accepted::Elo1),
            _ => None,
        }
    }

    /// The logarithm of the ratio of the likelihoods; above 0 it speaks for `elo1`.
    #[must_use]
    pub fn ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        let counts = pairs.counts.map(|count| f64::from(count) + UNSEEN);
        let [first, second] = [self.elo0, self.elo1].map(|elo| likeliest(&counts, share(elo)));
        let terms = counts.iter().zip(first.iter().zip(&second));
        terms
            .map(|(count, (first, second))| count * libm::log(second / first))
            .sum()
    }
}

/// The expected share of points of a player that is better by this much.
fn share(elo: f64) -> f64 {
    1.0 / (1.0 + libm::exp10(-elo / 400.0))
}

/// The likeliest probabilities of the outcomes 0, 1/4, 1/2, 3/4 and 1 with this mean.
fn likeliest(counts: &[f64; 5], mean: f64) -> [f64; 5] {
    let all: f64 = counts.iter().sum();
    let outcomes: [(f64, f64); 5] =
        std::array::from_fn(|place| (counts[place] / all, 0.25 * place as f64 - mean));
    let excess = |t: f64| -> f64 {
        let terms = outcomes.iter().map(|(p, off)| p * off / (1.0 + t * off));
        terms.sum()
    };
    // The excess decreases, from plus to minus infinity between the poles.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let t = 0.5 * (low + high);
    outcomes.map(|(p, off)| p / (1.0 + t * off))
}
