//! `losers(selected=4)`: the children of every two parents take the places of the two that lost to them, whatever they are worth.
//!
//! Of `selected` individuals half are parents and half are replaced; all others live on. Source: the document on 2048 by CGP ("pick 4, or
//! 8, any multiple of 4"). Parameter: `selected`, a multiple of 4 up to 1000000 (4), at most the population. It needs a selection
//! that names losers: `fours`. The best of its duel is never replaced, so the best of all never gets worse.

use spec::{Kind, Parameter, Spec, SpecError};

use super::Replace;
use crate::individual::Individual;
use crate::operator::Operator;

const SELECTED: Parameter = Parameter {
    name: "selected",
    default: "4",
    help: "how many are drawn a generation, a multiple of 4 up to 1000000; half of them are replaced",
};

/// Children in place of those who lost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Losers {
    selected: usize,
}

impl Operator for Losers {
    const KIND: Kind = Kind {
        name: "losers",
        about: "children take the places of those who lost to their parents",
        more: "All others live on (the document on 2048 by CGP). It goes with the selection 'fours'.",
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
