//! One JSON object per individual and generation, one per line, the fittest of a generation first.

use std::io::Write;

use serde::Serialize;

use super::{ExportError, Exported, Format};
use crate::results::Results;
use lab::run::individuals::{Individuals, RankedIndividual};

pub(super) const FORMAT: Format = Format {
    name: "individuals",
    about: "one JSON object per individual and generation, one per line: scores, parents, genes",
    write,
};

/// An individual and where it belongs.
#[derive(Serialize)]
struct Line<'a> {
    run_id: &'a str,
    setting: &'a str,
    repeat: u32,
    generation: u32,
    rank: usize,
    #[serde(flatten)]
    individual: &'a RankedIndividual,
}

fn write(results: &Results, runs: &[Exported<'_>], out: &mut dyn Write) -> Result<(), ExportError> {
    for exported in runs {
        let history = exported.individuals(results)?;
        for place in 0..history.generations.len() {
            let generation = Individuals::at(&history, place)?;
            for (rank, individual) in (1..).zip(&generation.individuals) {
                let line = Line {
                    run_id: &exported.run.id,
                    setting: exported.setting,
                    repeat: exported.run.repeat,
                    generation: generation.generation,
                    rank,
                    individual,
                };
                let line = serde_json::to_string(&line).expect("plain data");
                writeln!(out, "{line}")?;
            }
        }
    }
    Ok(())
}
