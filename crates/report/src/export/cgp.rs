//! The two files of 2048-cgp: its population, from which its program and `gamete evolve --start` go on, and its scores.
//!
//! `population.txt` is as its listing writes it: columns and rows of the grid, the generation, then one program a line. Of `scores.txt` the
//! work says only what is in it: time, settings and the results of every program, generation by generation.

use std::io::Write;

use evolve::cgp::Grid;

use super::{ExportError, Exported, Format};
use crate::results::Results;
use lab::run::history::{HistoryReader, Rows};

pub(super) const POPULATION: Format = Format {
    name: "cgp-txt",
    about: "population.txt of 2048-cgp: the programs of a run's last generation",
    write: population,
};

pub(super) const SCORES: Format = Format {
    name: "cgp-scores",
    about: "scores.txt of 2048-cgp: time, settings, and games and mean score of every program, by generation",
    write: scores,
};

fn population(_: &Results, runs: &[Exported<'_>], out: &mut dyn Write) -> Result<(), ExportError> {
    let (grid, history) = programs(runs)?;
    let last = history.generations.len() - 1;
    writeln!(out, "{} {}", grid.columns(), grid.rows())?;
    writeln!(out, "{}", history.generations[last].generation.number)?;
    for program in history.rows(last)?.programs {
        let genes: Vec<&str> = program.split_whitespace().collect();
        // The work has a space after every number.
        writeln!(out, "{} ", genes.join(" "))?;
    }
    Ok(())
}

fn scores(_: &Results, runs: &[Exported<'_>], out: &mut dyn Write) -> Result<(), ExportError> {
    let (grid, history) = programs(runs)?;
    let started = runs[0].started();
    for place in 0..history.generations.len() {
        let rows = history.rows(place)?;
        let number = history.generations[place].generation.number;
        write_generation(&started, number, grid, &rows, out)?;
    }
    Ok(())
}

fn write_generation(
    started: &str,
    number: u32,
    grid: &Grid,
    rows: &Rows,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let (columns, height, functions) = (grid.columns(), grid.rows(), grid.functions());
    writeln!(out, "{started}")?;
    writeln!(
        out,
        "generation {number}, columns {columns}, rows {height}, functions {functions}, population {}",
        rows.id.len()
    )?;
    for (games, mean) in rows.games.iter().zip(&rows.fitness) {
        writeln!(out, "{games} {mean}")?;
    }
    Ok(writeln!(out)?)
}

/// The grid and the history of the one run.
fn programs<'a>(runs: &[Exported<'a>]) -> Result<(&'a Grid, HistoryReader), ExportError> {
    let [exported] = runs else {
        let run = runs
            .first()
            .map_or_else(String::new, |one| one.run.id.clone());
        return Err(ExportError::Several { run });
    };
    let nothing = || ExportError::Nothing {
        run: exported.run.id.clone(),
        what: "programs",
    };
    let history = exported
        .history()?
        .filter(|history| !history.generations.is_empty());
    Ok((
        exported.grid.ok_or_else(nothing)?,
        history.ok_or_else(nothing)?,
    ))
}
