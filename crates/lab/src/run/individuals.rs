//! The individuals of a generation, the fittest first: their genes, their parents, and how far apart their games were.

use std::path::Path;

use evolve::Origin;
use serde::Serialize;

use super::history::{HistoryReader, Rows};
use super::ledger::LedgerError;

/// A generation of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Individuals {
    /// Its number; 0 is the first.
    pub generation: u32,
    /// The last generation so far.
    pub last: u32,
    /// Names of the genes; empty for programs.
    pub genes: Vec<String>,
    /// The fittest first; of equals in the order of the population.
    pub individuals: Vec<RankedIndividual>,
}

/// An individual of a generation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RankedIndividual {
    /// Its number, unique within the run.
    pub id: u64,
    /// The generation it was created in.
    pub born: u32,
    /// How it was created: random, guest, copied, crossed, sampled or listed.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub origin: Origin,
    /// Numbers of its parents.
    pub parents: Vec<u64>,
    /// Whether it was mutated when it was created.
    pub mutated: bool,
    /// Games behind its fitness.
    pub games: u32,
    /// The mean of these games.
    pub fitness: f64,
    /// The lowest score of these games; older runs did not keep it.
    pub lowest: Option<f64>,
    /// The highest score of these games; older runs did not keep it.
    pub highest: Option<f64>,
    /// Its genes, if they are numbers.
    pub genes: Vec<f64>,
    /// Its program, if it is one.
    pub program: Option<String>,
}

/// Why a generation cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum IndividualsError {
    /// The history cannot be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// There are no individuals.
    #[error("has no individuals: it is not an evolution, or its first generation is not over")]
    Nobody,
    /// There is no such generation.
    #[error("has no generation {asked}, only 0 to {last}")]
    Generation {
        /// The number asked for.
        asked: u32,
        /// The last one.
        last: u32,
    },
}

impl Individuals {
    /// A generation of the run in this directory; without a number, the last one.
    pub fn read(run: &Path, generation: Option<u32>) -> Result<Self, IndividualsError> {
        let history = HistoryReader::of_run(run)?.ok_or(IndividualsError::Nobody)?;
        let numbers = || history.generations.iter().map(|of| of.generation.number);
        let last = numbers().next_back().ok_or(IndividualsError::Nobody)?;
        let asked = generation.unwrap_or(last);
        let place = numbers()
            .position(|number| number == asked)
            .ok_or(IndividualsError::Generation { asked, last })?;
        Self::at(&history, place).map_err(IndividualsError::from)
    }

    /// The generation at an index of the history.
    pub fn at(history: &HistoryReader, place: usize) -> Result<Self, LedgerError> {
        let rows = history.rows(place)?;
        let summary = &history.generations[place];
        let mut order: Vec<usize> = (0..rows.id.len()).collect();
        order.sort_by(|&a, &b| match summary.lower_is_better() {
            true => rows.fitness[a].total_cmp(&rows.fitness[b]),
            false => rows.fitness[b].total_cmp(&rows.fitness[a]),
        });
        let last = history
            .generations
            .last()
            .map_or(0, |last| last.generation.number);
        Ok(Self {
            generation: summary.generation.number,
            last,
            genes: match rows.weights.is_empty() {
                true => Vec::new(),
                false => history.columns.clone(),
            },
            individuals: order.iter().map(|&one| ranked(&rows, one)).collect(),
        })
    }
}

fn ranked(rows: &Rows, one: usize) -> RankedIndividual {
    RankedIndividual {
        id: rows.id[one],
        born: rows.born[one],
        origin: rows.origin[one],
        parents: rows.parents[one].clone(),
        mutated: rows.mutated[one],
        games: rows.games[one],
        fitness: rows.fitness[one],
        lowest: rows.lowest.get(one).copied(),
        highest: rows.highest.get(one).copied(),
        genes: rows.weights.get(one).cloned().unwrap_or_default(),
        program: rows.programs.get(one).cloned(),
    }
}
