//! What to do about noise: a score from a few games is an estimate.
//!
//! - `keep`: an individual keeps the scores of the generation it was born in. As the documents do; the luckiest live longest.
//! - `re-evaluate`: whoever lives on plays again every generation, and its fitness is the mean over all games it ever played.
//!   Luck does not last.
//! - `fresh`: whoever lives on plays again, and only the new scores count. For scores that depend on who else is there
//!   (matches between the individuals).
//! - `racing(rounds)`: as `re-evaluate`, and in every generation up to so many rounds of games; after each, only those go on that
//!   are not clearly worse than the last one that would live on. Clearly: a paired one-sided t-test on the games
//!   both have played, 5 % (after irace: López-Ibáñez et al. 2016, with a t-test). It needs games that are the same for all.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use spec::{Kind, Parameter, Spec, SpecError};

/// How scores of earlier generations count. As text: `keep`, `re-evaluate`, `fresh` or `racing(rounds=5)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Noise {
    /// Scored once, when born.
    Keep,
    /// Scored in every generation; all scores count.
    ReEvaluate,
    /// Scored in every generation; the last scores count.
    Fresh,
    /// Scored in every generation, and several times where it matters.
    Racing {
        /// Most rounds in a generation.
        rounds: u32,
    },
}

const ROUNDS: Parameter = Parameter {
    name: "rounds",
    default: "5",
    help: "most rounds in a generation, 2 to 1000",
};

/// All ways, as `gamete evolve --noise` takes them.
pub const NOISE_POLICIES: [Kind; 4] = [
    Kind {
        name: "keep",
        about: "scored once, when born",
        more: "As the documents do; the luckiest live longest.",
        parameters: &[],
    },
    Kind {
        name: "re-evaluate",
        about: "whoever lives on is scored again; all scores count",
        more: "The fitness is the mean over all games an individual ever played: luck does not last.",
        parameters: &[],
    },
    Kind {
        name: "fresh",
        about: "whoever lives on is scored again; only the last scores count",
        more: "For scores that depend on who else is there.",
        parameters: &[],
    },
    Kind {
        name: "racing",
        about: "as re-evaluate, with more games for those that matter",
        more: "After every round only those go on that are not clearly worse than the last one that would live on.",
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

impl From<Noise> for String {
    fn from(noise: Noise) -> Self {
        noise.to_string()
    }
}

impl TryFrom<String> for Noise {
    type Error = SpecError;

    fn try_from(text: String) -> Result<Self, SpecError> {
        text.parse()
    }
}

/// Who plays another round: everyone who is not clearly worse than the `matters`-th best, and who has played all rounds so far.
pub(crate) fn still_racing(scores: &[&[f64]], matters: usize) -> Vec<bool> {
    let most = scores.iter().map(|scores| scores.len()).max().unwrap_or(0);
    let mut racing: Vec<usize> = (0..scores.len())
        .filter(|&i| scores[i].len() == most)
        .collect();
    racing.sort_by(|&a, &b| mean(scores[b]).total_cmp(&mean(scores[a])));
    let mut goes_on = vec![false; scores.len()];
    let last = racing[matters.clamp(1, racing.len()) - 1];
    for &one in &racing {
        goes_on[one] = !clearly_worse(scores[one], scores[last]);
    }
    goes_on
}

fn mean(scores: &[f64]) -> f64 {
    scores.iter().sum::<f64>() / scores.len() as f64
}

/// Is the first worse than the second, by a paired one-sided t-test at 5 %?
fn clearly_worse(scores: &[f64], others: &[f64]) -> bool {
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

/// The 95 % quantile of Student's t: Cornish and Fisher's expansion from the normal one, within 2 % from two degrees
/// of freedom on; exact for one.
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
    fn quantiles_are_those_of_tables() {
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
    fn whoever_is_clearly_worse_stops() {
        let good = [10.0, 12.0, 11.0, 13.0];
        let near = [9.0, 13.0, 11.0, 12.5];
        let bad = [1.0, 2.0, 1.5, 2.5];
        let stopped = [20.0, 20.0];
        let racing = still_racing(&[&good, &near, &bad, &stopped], 1);
        assert_eq!(racing, [true, true, false, false]);
    }
}
