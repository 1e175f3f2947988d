//! `generational(elite=0.05)`: the children take everybody's place but the elite's.
//!
//! The e best pass unchanged, N - e children come. Source: Holland 1975, De Jong 1975 (elitism); the documents on Tetris (5 %) and
//! Connect-N (the best one). Parameter: `elite`, 0 to 1 (0.05): a share of the population, rounded; at least one passes unless it is 0, and
//! at least one child comes. Or `best`: exactly one passes, whatever the population. With an elite the best never gets worse.

use spec::{Kind, Parameter, Spec, SpecError};

use super::{Replace, pick};
use crate::individual::{Individual, ranking};
use crate::operator::{Operator, share_or};

const ELITE: Parameter = Parameter {
    name: "elite",
    default: "0.05",
    help: "share of the population that passes unchanged, 0 to 1, at least one unless 0; best is the best one alone",
};

/// The elite and children.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Generational {
    /// None: the best one alone.
    elite: Option<f64>,
}

impl Operator for Generational {
    const KIND: Kind = Kind {
        name: "generational",
        about: "the elite passes, children take all other places",
        more: "With an elite the best never gets worse (De Jong 1975). The documents on Tetris (5 %) and Connect-N (elite=best).",
        parameters: &[ELITE],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            elite: share_or(spec, &ELITE, "best")?,
        })
    }
}

impl Generational {
    /// How many pass.
    fn elite(self, population: usize) -> usize {
        match self.elite {
            Some(0.0) => 0,
            None => 1,
            // Without a child nothing would ever happen again.
            Some(share) => ((share * population as f64).round() as usize).clamp(1, population - 1),
        }
    }
}

impl Replace for Generational {
    fn children(&self, population: usize) -> usize {
        population - self.elite(population)
    }

    fn replace(
        &self,
        old: Vec<Individual>,
        children: Vec<Individual>,
        _: &[usize],
    ) -> Vec<Individual> {
        let elite = ranking(&old).into_iter().take(self.elite(old.len()));
        let mut next = pick(old, elite);
        next.extend(children);
        next
    }
}
