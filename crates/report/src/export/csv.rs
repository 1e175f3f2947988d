//! A tidy table: one row per individual and generation of an evolution, or per game of a measurement or a training.

use std::io::Write;

use super::{ExportError, Exported, Format, values};
use crate::results::Results;
use lab::evolution::start::column_name;
use lab::run::history::{HistoryReader, Rows};
use lab::run::sample::GAMES;
use lab::store::StoreError;

pub(super) const FORMAT: Format = Format {
    name: "csv",
    about: "one row per individual and generation (or per game), for pandas, polars, R, DuckDB",
    write,
};

/// Which run a row is of; the keys that the study varies come between setting and repeat.
const RUN: [&str; 2] = ["run_id", "setting"];
const REPEAT: &str = "repeat";
const INDIVIDUAL: [&str; 11] = [
    "generation",
    "place",
    "id",
    "born",
    "origin",
    "parents",
    "mutated",
    "games",
    "fitness",
    "lowest",
    "highest",
];
/// A game of a training: games at the end of its block, its number, its score, and its largest tile or who won.
const TRAINING: [&str; 4] = ["games", "game", "score", "result"];

fn write(results: &Results, runs: &[Exported<'_>], out: &mut dyn Write) -> Result<(), ExportError> {
    let mut table = ::csv::Writer::from_writer(out);
    let mut columns: Option<Vec<String>> = None;
    for exported in runs {
        match exported.history()? {
            Some(history) if results.is_training() => {
                training(exported, &history, &mut columns, &mut table)?;
            }
            Some(history) => individuals(exported, &history, &mut columns, &mut table)?,
            None => games(exported, &mut columns, &mut table)?,
        }
    }
    Ok(table.flush()?)
}

type CsvWriter<'a> = ::csv::Writer<&'a mut dyn Write>;

/// The first run determines the columns; runs with other ones (another number of weights) leave theirs out.
fn head(
    own: Vec<String>,
    columns: &mut Option<Vec<String>>,
    table: &mut CsvWriter<'_>,
) -> Result<bool, ExportError> {
    if columns.is_none() {
        table.write_record(&own).map_err(refused)?;
        *columns = Some(own);
        return Ok(true);
    }
    Ok(columns.as_ref() == Some(&own))
}

fn individuals(
    exported: &Exported<'_>,
    history: &HistoryReader,
    columns: &mut Option<Vec<String>>,
    table: &mut CsvWriter<'_>,
) -> Result<(), ExportError> {
    let names = history.columns.iter().map(|name| column_name(name));
    let own = INDIVIDUAL.map(str::to_owned).into_iter().chain(names);
    let own = run_columns(exported).chain(own).collect();
    let same = head(own, columns, table)?;
    for place in 0..history.generations.len() {
        let generation = history.generations[place].generation.number;
        let rows = history.rows(place)?;
        for one in 0..rows.id.len() {
            let mut row = individual(exported, generation, &rows, one);
            if same {
                row.extend(values(&rows, one));
            } else {
                row.resize(columns.as_ref().map_or(0, Vec::len), String::new());
            }
            table.write_record(row).map_err(refused)?;
        }
    }
    Ok(())
}

/// The games of a training.
fn training(
    exported: &Exported<'_>,
    history: &HistoryReader,
    columns: &mut Option<Vec<String>>,
    table: &mut CsvWriter<'_>,
) -> Result<(), ExportError> {
    let own = run_columns(exported).chain(TRAINING.map(str::to_owned));
    head(own.collect(), columns, table)?;
    for place in 0..history.generations.len() {
        let block = history.generations[place].generation.games.to_string();
        let rows = history.rows(place)?;
        for ((game, score), result) in rows.id.iter().zip(&rows.fitness).zip(&rows.classes) {
            let own = [
                block.clone(),
                game.to_string(),
                score.to_string(),
                result.to_string(),
            ];
            let row = run_values(exported).chain(own);
            table.write_record(row).map_err(refused)?;
        }
    }
    Ok(())
}

fn individual(exported: &Exported<'_>, generation: u32, rows: &Rows, one: usize) -> Vec<String> {
    let parents: Vec<String> = rows.parents[one].iter().map(u64::to_string).collect();
    let own = [
        generation.to_string(),
        one.to_string(),
        rows.id[one].to_string(),
        rows.born[one].to_string(),
        rows.origin[one].word().to_owned(),
        parents.join(" "),
        rows.mutated[one].to_string(),
        rows.games[one].to_string(),
        rows.fitness[one].to_string(),
        kept(&rows.lowest, one),
        kept(&rows.highest, one),
    ];
    run_values(exported).chain(own).collect()
}

fn run_columns<'a>(exported: &'a Exported<'_>) -> impl Iterator<Item = String> + 'a {
    let keys = exported.values.iter().map(|(key, _)| key.clone());
    let run = RUN.map(str::to_owned).into_iter();
    run.chain(keys).chain([REPEAT.to_owned()])
}

fn run_values<'a>(exported: &'a Exported<'_>) -> impl Iterator<Item = String> + 'a {
    let run = [exported.run.id.clone(), exported.setting.to_owned()];
    let values = exported.values.iter().map(|(_, value)| value.clone());
    let repeat = exported.run.repeat.to_string();
    run.into_iter().chain(values).chain([repeat])
}

/// A score that older histories do not have.
fn kept(scores: &[f64], one: usize) -> String {
    scores.get(one).map(f64::to_string).unwrap_or_default()
}

/// The games of a measurement.
fn games(
    exported: &Exported<'_>,
    columns: &mut Option<Vec<String>>,
    table: &mut CsvWriter<'_>,
) -> Result<(), ExportError> {
    let path = exported.run.path.join(GAMES);
    if !path.exists() {
        return Ok(());
    }
    let damaged = |error: ::csv::Error| StoreError::Wrong {
        path: path.clone(),
        problem: format!("is damaged: {error}"),
    };
    let mut reader = ::csv::Reader::from_path(&path).map_err(damaged)?;
    let names = reader.headers().map_err(damaged)?.clone();
    let own = run_columns(exported).chain(names.iter().map(str::to_owned));
    head(own.collect(), columns, table)?;
    for row in reader.records() {
        let row = row.map_err(damaged)?;
        let row = run_values(exported).chain(row.iter().map(str::to_owned));
        table.write_record(row).map_err(refused)?;
    }
    Ok(())
}

/// The original I/O error, so that a closed pipe is recognised.
fn refused(error: ::csv::Error) -> std::io::Error {
    match error.into_kind() {
        ::csv::ErrorKind::Io(error) => error,
        other => std::io::Error::other(format!("{other:?}")),
    }
}
