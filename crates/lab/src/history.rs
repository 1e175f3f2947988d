//! The history of an evolution as the documents have it: a CSV with one row an individual and generation.
//!
//! Header `Generation,Fitness,` and the weights (or `Program`); generation 0 is the first. Every generation is written as soon as it
//! is over.

use std::fs::File;
use std::path::Path;

use evolve::Individual;

use crate::evolution::encoding::Subject;

/// A CSV that grows by a generation at a time.
pub struct History {
    writer: csv::Writer<File>,
}

impl History {
    /// Begins the file.
    pub fn create(path: &Path, subject: &Subject) -> Result<Self, csv::Error> {
        let mut writer = csv::Writer::from_path(path)?;
        let head = ["Generation", "Fitness"].map(str::to_owned);
        writer.write_record(head.into_iter().chain(subject.columns()))?;
        writer.flush()?;
        Ok(Self { writer })
    }

    /// Adds a generation.
    pub fn add(
        &mut self,
        generation: u32,
        population: &[Individual],
        subject: &Subject,
    ) -> Result<(), csv::Error> {
        for individual in population {
            let head = [generation.to_string(), individual.fitness().to_string()];
            let values = subject.values(&individual.genome);
            self.writer.write_record(head.into_iter().chain(values))?;
        }
        Ok(self.writer.flush()?)
    }
}
