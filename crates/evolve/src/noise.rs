//! The noise policy: how often individuals are scored, given that a score from a few games is an estimate.
//!
//! - `keep`: an individual is scored once, in its first generation. As in 2048-ga; the lucky ones survive longest.
//! - `re-evaluate`: survivors are scored again in every generation, and their fitness is the mean over all their games. Luck
//!   averages out.
//! - `fresh`: survivors are scored again, and only the new scores count. As in 2048-cgp and tetris-ga, and for scores that depend on
//!   the rest of the population (matches between individuals, as in connect-n).
//! - `racing(rounds)`: as `re-evaluate`, with up to `rounds` rounds of games per generation; after each round, those
//!   significantly worse than the last survivor drop out. The test is a paired one-sided t-test at 5 % on the games both have
//!   played (after irace: López-Ibáñez et al. 2016). It requires the same games for all.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use spec::{Kind, Parameter, Spec, SpecError};

use crate::text::serialised_as_text;

/// How often individuals are scored. As text: `keep`, `re-evaluate`, `fresh` or `racing(rounds=5)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Noise {
    /// Scored once.
    Keep,
    /// Scored in every generation; all scores count.
    ReEvaluate,
    /// Scored in every generation; only the latest scores count.
    Fresh,
    /// Scored in every generation, with more games for close contenders.
    Racing {
        /// Maximum rounds per generation.
        rounds: u32,
    },
}

const ROUNDS: Parameter = Parameter {
    name: "rounds",
    default: "5",
    help: "maximum rounds per generation, 2 to 1000",
};

/// All policies, as `gamete evolve --noise` takes them.
pub const NOISE_POLICIES: [Kind; 4] = [
    Kind {
        name: "keep",
        about: "scored once",
        more: "As in 2048-ga; lucky individuals survive longest.",
        parameters: &[],
    },
    Kind {
        name: "re-evaluate",
        about: "survivors are scored again; all scores count",
        more: "Fitness is the mean over all games of an individual, so luck averages out.",
        parameters: &[],
    },
    Kind {
        name: "fresh",
        about: "survivors are scored again; only the latest scores count",
        more: "As in 2048-cgp, tetris-ga and connect-n; for scores that depend on the rest of the population.",
        parameters: &[],
    },
    Kind {
        name: "racing",
        about: "as re-evaluate, with more games for close contenders",
        more: "After every round, individuals significantly worse than the last survivor drop out.",
        parameters: &[ROUNDS],
    },
];

impl FromStr for Noise {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let spec = Spec::read("noise", text)?;
        let kind = NOISE_POLICIES.iter().find(|kind| kind.name == spec.name());
        let kind = kind.ok_or_else(|| spec.unknown(NOISE_POLICIES.iter().map(|kind| kind.name)))?;
        kind.check_parameters(&spec)?;
        Ok(match kind.name {
            "keep" => Self::Keep,
            "re-evaluate" => Self::ReEvaluate,
            "fresh" => Self::Fresh,
            _ => Self::Racing {
                rounds: spec.number(&ROUNDS, 2..=1000)?,
            },
        })
    }
}

impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keep => f.write_str("keep"),
            Self::ReEvaluate => f.write_str("re-evaluate"),
            Self::Fresh => f.write_str("fresh"),
            Self::Racing { rounds } => write!(f, "racing(rounds={rounds})"),
        }
    }
}

serialised_as_text!(Noise);

/// Who plays another round: those that played all rounds so far and are not significantly worse than the `survivors`-th best.
pub(crate) fn still_racing(scores: &[&[f64]], survivors: usize) -> Vec<bool> {
    let most = scores.iter().map(|scores| scores.len()).max().unwrap_or(0);
    let mut racing: Vec<usize> = (0..scores.len())
        .filter(|&i| scores[i].len() == most)
        .collect();
    racing.sort_by(|&a, &b| mean(scores[b]).total_cmp(&mean(scores[a])));
    let mut continues = vec![false; scores.len()];
    let last = racing[survivors.clamp(1, racing.len()) - 1];
    for &one in &racing {
        continues[one] = !is_worse(scores[one], scores[last]);
    }
    continues
}

fn mean(scores: &[f64]) -> f64 {
    scores.iter().sum::<f64>() / scores.len() as f64
}

/// Whether the first is worse than the second by a paired one-sided t-test at 5 %.
fn is_worse(scores: &[f64], others: &[f64]) -> bool {
    let n = scores.len();
    let differences: Vec<f64> = others
        .iter()
        .zip(scores)
        .map(|(other, own)| other - own)
        .collect();
    let behind = mean(&differences);
    if n < 2 || behind <= 0.0 {
        return false;
    }
    let variance = differences
        .iter()
        .map(|d| (d - behind) * (d - behind))
        .sum::<f64>()
        / (n - 1) as f64;
    behind > t_95((n - 1) as f64) * (variance / n as f64).sqrt()
}

/// The 95 % quantile of Student's t: the Cornish-Fisher expansion, within 2 % from two degrees of freedom on; exact for one.
fn t_95(freedom: f64) -> f64 {
    if freedom < 1.5 {
        return 6.313_751_5;
    }
    let z: f64 = 1.644_853_6;
    let z2 = z * z;
    let z3 = z * z2;
    let (z5, z7) = (z * (z2 * z2), z3 * (z2 * z2));
    let square = freedom * freedom;
    z + (z3 + z) / (4.0 * freedom)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * square)
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * (freedom * square))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_read_back() {
        for text in ["keep", "re-evaluate", "fresh", "racing(rounds=7)"] {
            assert_eq!(
                text.parse::<Noise>().map(|noise| noise.to_string()),
                Ok(text.to_owned())
            );
        }
        let error = "racing(rounds=1)".parse::<Noise>().unwrap_err().to_string();
        assert!(error.contains("from 2 to 1000"), "{error}");
    }

    #[test]
    fn quantiles_agree_with_tables() {
        for (freedom, expected) in [
            (1.0, 6.314),
            (2.0, 2.920),
            (4.0, 2.132),
            (9.0, 1.833),
            (30.0, 1.697),
        ] {
            let found = t_95(freedom);
            assert!((found / expected - 1.0).abs() < 0.02, "{freedom}: {found}");
        }
    }

    #[test]
    fn significantly_worse_ones_drop_out() {
        let good = [10.0, 12.0, 11.0, 13.0];
        let near = [9.0, 13.0, 11.0, 12.5];
        let bad = [1.0, 2.0, 1.5, 2.5];
        let stopped = [20.0, 20.0];
        let racing = still_racing(&[&good, &near, &bad, &stopped], 1);
        assert_eq!(racing, [true, true, false, false]);
    }
}
