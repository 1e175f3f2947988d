//! The history of a run: every individual of every generation, with its parents, in a ledger.
//!
//! The head of an entry summarises its generation, so that charts of thousands of generations need not decompress individuals.

use std::path::Path;

use evolve::{Individual, Origin};
use serde::{Deserialize, Serialize};

use super::ledger::{Entry, Format, Ledger, LedgerError, Mark, Reader};
use super::outcome::OUTCOME;
use crate::evolution::Generation;
use crate::evolution::evaluator::Evaluator;

/// The file of the history.
pub const HISTORY: &str = "history";

const FORMAT: Format = Format {
    magic: b"GAMETEHI",
    name: "history",
    version: 1,
};

/// Summary of a generation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Its number and its best and mean fitness.
    pub generation: Generation,
    /// Lowest fitness, quartiles, and highest.
    pub quartiles: [f64; 5],
    /// The id of the fittest.
    pub best_id: u64,
    /// The weights of the fittest, if it encodes numbers.
    pub best_weights: Option<Vec<f64>>,
}

impl Summary {
    /// Whether the best fitness is the lowest, as of a program that minimises.
    #[must_use]
    pub fn lower_is_better(&self) -> bool {
        let [low, .., high] = self.quartiles;
        self.generation.best == low && low < high
    }

    /// The fitness at the other end of the population.
    #[must_use]
    pub fn worst(&self) -> f64 {
        let [low, .., high] = self.quartiles;
        if self.lower_is_better() { high } else { low }
    }
}

/// All individuals of a generation, one list per property.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Rows {
    /// Numbers of the individuals.
    pub id: Vec<u64>,
    /// Generations they were created in.
    pub born: Vec<u32>,
    /// How they were created.
    pub origin: Vec<Origin>,
    /// Their parents.
    pub parents: Vec<Vec<u64>>,
    /// Whether they were mutated.
    pub mutated: Vec<bool>,
    /// Games behind their fitness.
    pub games: Vec<u32>,
    /// Their fitness.
    pub fitness: Vec<f64>,
    /// Their weights, if they encode numbers.
    pub weights: Vec<Vec<f64>>,
    /// Their programs, if they encode programs.
    pub programs: Vec<String>,
    /// The lowest score of the games behind their fitness. Histories written before scores were kept have none, so new lists
    /// come last, and may be missing.
    #[serde(default)]
    pub lowest: Vec<f64>,
    /// The highest score of these games.
    #[serde(default)]
    pub highest: Vec<f64>,
    /// The classes of their results (largest tile, or who won), if each is a game of a training.
    #[serde(default)]
    pub classes: Vec<u64>,
}

impl Rows {
    /// The rows of a population.
    #[must_use]
    pub fn of(population: &[Individual], evaluator: &impl Evaluator) -> Self {
        let mut rows = Self::default();
        for one in population {
            rows.id.push(one.id);
            rows.born.push(one.born);
            rows.origin.push(one.origin);
            rows.parents.push(one.parents.clone());
            rows.mutated.push(one.mutated);
            rows.games.push(one.evidence.games);
            rows.fitness.push(evaluator.for_people(one.fitness()));
            let ends = [one.evidence.min, one.evidence.max].map(|end| evaluator.for_people(end));
            rows.lowest.push(ends[0].min(ends[1]));
            rows.highest.push(ends[0].max(ends[1]));
            match evaluator.weights(&one.genome) {
                Some(weights) => rows.weights.push(weights),
                None => rows.programs.extend(evaluator.values(&one.genome)),
            }
        }
        rows
    }

    fn summary(&self, generation: Generation) -> Summary {
        let mut fitness = self.fitness.clone();
        fitness.sort_by(f64::total_cmp);
        let quartile = |quarter: usize| fitness[quarter * (fitness.len() - 1) / 4];
        // The caller that found the best knows whether higher or lower is better.
        let is_best = |fitness: &f64| *fitness == generation.best;
        let best = self.fitness.iter().position(is_best).unwrap_or(0);
        Summary {
            generation,
            quartiles: [0, 1, 2, 3, 4].map(quartile),
            best_id: self.id[best],
            best_weights: self.weights.get(best).cloned(),
        }
    }
}

/// A history being written.
#[derive(Debug)]
pub struct History {
    ledger: Ledger,
}

impl History {
    /// A new history; `columns` are the names of the decoded values.
    pub fn create(path: &Path, columns: &[String]) -> Result<Self, LedgerError> {
        let about = serde_json::to_string(columns).expect("names are texts");
        let ledger = Ledger::create(path, FORMAT, &about)?;
        Ok(Self { ledger })
    }

    /// Resumes after a mark.
    pub fn resume(path: &Path, mark: Mark) -> Result<Self, LedgerError> {
        let ledger = Ledger::resume(path, FORMAT, mark)?;
        Ok(Self { ledger })
    }

    /// Adds a generation.
    pub fn add(&mut self, generation: Generation, rows: &Rows) -> Result<(), LedgerError> {
        let head = rmp_serde::to_vec(&rows.summary(generation)).expect("plain data");
        let body = rmp_serde::to_vec(rows).expect("plain data");
        self.ledger.add(&head, &body)
    }

    /// Is the history unchanged up to a mark?
    pub fn check(path: &Path, mark: Mark) -> Result<(), LedgerError> {
        Ledger::check(path, FORMAT, mark)
    }

    /// Waits until everything is on disk, and returns the mark.
    pub fn sync(&mut self) -> Result<Mark, LedgerError> {
        self.ledger.sync()
    }
}

/// A history being read.
#[derive(Debug)]
pub struct HistoryReader {
    reader: Reader,
    /// Names of the decoded values.
    pub columns: Vec<String>,
    /// Summaries of all generations.
    pub generations: Vec<Summary>,
    entries: Vec<Entry>,
    /// What is wrong with the rest of the file, if anything.
    pub damage: Option<LedgerError>,
}

impl HistoryReader {
    /// Reads a history up to its end, or up to the first damage (a killed run may leave a partial last entry).
    pub fn read(path: &Path) -> Result<Self, LedgerError> {
        let mut reader = Reader::open(path, FORMAT)?;
        let other = |_| LedgerError::OtherFormat {
            path: path.to_owned(),
            name: FORMAT.name,
        };
        let columns = serde_json::from_str(reader.about()).map_err(other)?;
        let (mut generations, mut entries) = (Vec::new(), Vec::new());
        let damage = loop {
            let read = reader.next_entry().and_then(|entry| {
                let Some(entry) = entry else { return Ok(None) };
                let summary: Summary = reader.decode_head(&entry)?;
                Ok(Some((summary, entry)))
            });
            match read {
                Ok(Some((summary, entry))) => {
                    generations.push(summary);
                    entries.push(entry);
                }
                Ok(None) => break None,
                Err(damage) => break Some(damage),
            }
        };
        Ok(Self {
            reader,
            columns,
            generations,
            entries,
            damage,
        })
    }

    /// The history of the run in this directory, if it keeps one. Damage is an error; only an unfinished run may end with a partial entry.
    pub fn of_run(run: &Path) -> Result<Option<Self>, LedgerError> {
        let path = run.join(HISTORY);
        if !path.exists() {
            return Ok(None);
        }
        let mut history = Self::read(&path)?;
        let is_finished = run.join(OUTCOME).exists();
        let from_crash = |error: &LedgerError| !is_finished && error.is_torn();
        match history.damage.take_if(|error| !from_crash(error)) {
            Some(damage) => Err(damage),
            None => Ok(Some(history)),
        }
    }

    /// All individuals of the generation at an index.
    pub fn rows(&self, place: usize) -> Result<Rows, LedgerError> {
        self.reader.decode_body(&self.entries[place])
    }

    /// The checksum of the whole history.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.reader.mark().checksum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn individuals_from_before_their_scores_were_kept_are_read() {
        let before = (
            [7_u64],
            [0_u32],
            [Origin::Random],
            [[1_u64, 2]],
            [true],
            [3_u32],
            [5.0],
            [[0.5, 1.5]],
            [""; 0],
        );
        let bytes = rmp_serde::to_vec(&before).expect("plain data");
        let rows: Rows = rmp_serde::from_slice(&bytes).expect("rows");
        assert_eq!((rows.id, rows.fitness), (vec![7], vec![5.0]));
        assert_eq!(rows.weights, [[0.5, 1.5]]);
        assert!(rows.lowest.is_empty() && rows.highest.is_empty());
    }
}
