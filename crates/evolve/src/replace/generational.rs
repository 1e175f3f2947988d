//! `generational(elite=0.05)`: children replace everyone except the elite.
//!
//! The e best survive, N - e children replace the rest. Source: Holland 1975, De Jong 1975 (elitism); used in tetris-ga (5 %) and
//! connect-n (the best one). Parameter: `elite`, 0 to 1 (0.05): a share of the population, rounded; at least one unless it is 0, and
//! at least one place is left for a child. Or `best`: exactly one. With an elite the best fitness never decreases, unless individuals
//! are scored again.

use spec::{Kind, Parameter, Spec, SpecError};

use super::{Replace, pick};
use crate::individual::{Individual, ranking};
use crate::operator::{Operator, share_or};

const ELITE: Parameter = Parameter {
    name: "elite",
    default: "0.05",
    help: "share of the population that survives, 0 to 1, at least one individual unless 0; best is only the best one",
};

/// Keeps the elite; children replace the rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Generational {
    /// None: only the best one.
    elite: Option<f64>,
}

impl Operator for Generational {
    const KIND: Kind = Kind {
        name: "generational",
        about: "the elite survives, children replace everyone else",
        more: "With an elite the best fitness never decreases, unless it is scored again (De Jong 1975). As in tetris-ga (5 %) and connect-n (elite=best).",
        parameters: &[ELITE],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        Ok(Self {
            elite: share_or(spec, &ELITE, "best")?,
        })
    }
}

impl Generational {
    /// Number of survivors.
    fn elite(self, population: usize) -> usize {
        match self.elite {
            Some(0.0) => 0,
            None => 1,
            // Without a child the population would never change again.
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
