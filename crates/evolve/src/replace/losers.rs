//! `losers(selected=4)`: the children of every two parents replace the two that lost to them, regardless of fitness.
//!
//! Of `selected` individuals half are parents and half are replaced; all others survive. Source: 2048-cgp. Parameter: `selected`,
//! a multiple of 4 up to 1000000 (4), at most the population. It needs a selection that names losers: `fours`. The winner of a
//! duel is never replaced, so the best fitness never decreases.

use spec::{Kind, Parameter, Spec, SpecError};

use super::Replace;
use crate::individual::Individual;
use crate::operator::Operator;

const SELECTED: Parameter = Parameter {
    name: "selected",
    default: "4",
    help: "individuals drawn per generation, a multiple of 4 up to 1000000; half of them are replaced",
};

/// Children replace the losers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Losers {
    selected: usize,
}

impl Operator for Losers {
    const KIND: Kind = Kind {
        name: "losers",
        about: "children replace the individuals that lost to their parents",
        more: "All others survive (2048-cgp). It needs the selection 'fours'.",
        parameters: &[SELECTED],
    };

    fn read(spec: &Spec) -> Result<Self, SpecError> {
        let selected: usize = spec.number(&SELECTED, 4..=1_000_000)?;
        if !selected.is_multiple_of(4) {
            let problem = format!("selected = {selected}: must be a multiple of 4");
            return Err(spec.at(SELECTED.name, problem));
        }
        Ok(Self { selected })
    }
}

impl Replace for Losers {
    fn suits(&self, population: usize) -> Result<(), String> {
        if self.selected <= population {
            return Ok(());
        }
        let selected = self.selected;
        Err(format!(
            "selects {selected} of a population of {population}; selected must be at most the population"
        ))
    }

    fn children(&self, _: usize) -> usize {
        self.selected / 2
    }

    fn replace(
        &self,
        mut old: Vec<Individual>,
        children: Vec<Individual>,
        losers: &[usize],
    ) -> Vec<Individual> {
        for (&place, child) in losers.iter().zip(children) {
            old[place] = child;
        }
        old
    }

    fn needs_losers(&self) -> bool {
        true
    }
}
