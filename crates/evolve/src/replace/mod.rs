//! Replacements: who survives. One file each.

use crate::individual::{Individual, ranking};
use crate::operator::operators;

/// Decides who survives.
pub trait Replace {
    /// Children per generation for a population of this size.
    fn children(&self, population: usize) -> usize;

    /// The next population, of the same size. `losers` are the indices that the children replace, in order, if the selection names
    /// them.
    fn replace(
        &self,
        old: Vec<Individual>,
        children: Vec<Individual>,
        losers: &[usize],
    ) -> Vec<Individual>;

    /// Checks that it works on a population of this size; the error says why not.
    fn suits(&self, _population: usize) -> Result<(), String> {
        Ok(())
    }

    /// Whether it needs a selection that names losers.
    fn needs_losers(&self) -> bool {
        false
    }

    /// How many of a generation can influence the next one, for a population of this size.
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

/// The fittest of old and new, as many as there were; of equals the new.
fn fittest(old: Vec<Individual>, children: Vec<Individual>) -> Vec<Individual> {
    let size = old.len();
    let mut all = old;
    all.extend(children);
    let places = ranking(&all);
    pick(all, places.into_iter().take(size))
}

/// The individuals at these indices, in this order.
fn pick(from: Vec<Individual>, places: impl ExactSizeIterator<Item = usize>) -> Vec<Individual> {
    let mut from: Vec<Option<Individual>> = from.into_iter().map(Some).collect();
    let mut picked = Vec::with_capacity(places.len());
    picked.extend(places.filter_map(|place| from[place].take()));
    picked
}
