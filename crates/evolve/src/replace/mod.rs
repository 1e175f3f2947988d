//! Replacements: who lives on. One file each.

use crate::individual::{Individual, ranking};
use crate::operator::operators;

/// Decides who lives on.
pub trait Replace {
    /// How many children a population of this size has in a generation.
    fn children(&self, population: usize) -> usize;

    /// The next population, of the size of the old one. `losers` are the places that the children, one by one, would take
    /// where the selection decides that.
    fn replace(
        &self,
        old: Vec<Individual>,
        children: Vec<Individual>,
        losers: &[usize],
    ) -> Vec<Individual>;

    /// Says what is wrong if it cannot be used on a population of this size.
    fn suits(&self, _population: usize) -> Result<(), String> {
        Ok(())
    }

    /// Whether it needs a selection that names losers.
    fn needs_losers(&self) -> bool {
        false
    }

    /// How many of a population of this size are sure to be told apart: those who live on or may be parents.
    fn survivors(&self, population: usize) -> usize {
        population
    }
}

operators! {
    "replacement",
    /// Any replacement.
    AnyReplacement: Replace {
        best::Best,
        generational::Generational,
        steady_state::SteadyState,
        losers::Losers,
    }
}

/// As many as were there before: the fittest of old and new, of equals the new.
fn fittest(old: Vec<Individual>, children: Vec<Individual>) -> Vec<Individual> {
    let size = old.len();
    let all: Vec<Individual> = old.into_iter().chain(children).collect();
    let places = ranking(&all);
    pick(all, places.into_iter().take(size))
}

/// The individuals at these places, in this order.
fn pick(from: Vec<Individual>, places: impl IntoIterator<Item = usize>) -> Vec<Individual> {
    let mut from: Vec<Option<Individual>> = from.into_iter().map(Some).collect();
    places
        .into_iter()
        .filter_map(|place| from[place].take())
        .collect()
}
