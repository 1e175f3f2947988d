//! Populations to start from: individuals in files, as `gamete export` and 2048-cgp write them, or players.
//!
//! - a player file (`.json`): one individual;
//! - a table of `gamete export --format csv` with one run: the individuals of its last generation;
//! - `population.txt` of 2048-cgp: columns and rows of the grid, the generation, then one program a line.

use std::fmt::Display;
use std::fs;
use std::path::Path;

use evolve::Genome;

use super::encoding::Encoding;
use play::player_file::{PlayerFile, is_file};

/// The individuals in a file; the error names the file and what is wrong.
pub fn read(path: &Path, encoding: &Encoding) -> Result<Vec<Genome>, String> {
    let shown = path.display();
    let wrong = |problem: String| format!("{shown}: {problem}");
    if is_file(&path.to_string_lossy()) {
        let file = PlayerFile::read(path).map_err(|error| error.to_string())?;
        let genome = of_player(&file, encoding).map_err(wrong)?;
        return Ok(vec![genome]);
    }
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let genomes = match text.starts_with("run_id,") {
        true => of_table(&text, encoding),
        false => of_programs(&text, encoding),
    };
    genomes.map_err(wrong)
}

fn of_player(file: &PlayerFile, encoding: &Encoding) -> Result<Genome, String> {
    let game = encoding.game().family().name;
    if file.game != game {
        return Err(format!("is a player of {}, not of {game}", file.game));
    }
    let columns = encoding.columns();
    match (&file.weights, &file.program) {
        (Some(weights), _) => {
            if let Some(names) = file
                .weight_names
                .as_ref()
                .filter(|names| **names != columns)
            {
                let (found, needed) = (names.join(", "), columns.join(", "));
                return Err(format!("has the weights {found} instead of {needed}"));
            }
            let texts: Vec<String> = weights.iter().map(f64::to_string).collect();
            encoding.genome(&texts.iter().map(String::as_str).collect::<Vec<_>>())
        }
        (None, Some(program)) => encoding.genome(&[program]),
        (None, None) => Err("has neither weights nor a program".to_owned()),
    }
}

/// The last generation of a table of individuals.
fn of_table(text: &str, encoding: &Encoding) -> Result<Vec<Genome>, String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers().map_err(|error| error.to_string())?.clone();
    let place = |name: &str| {
        let found = head.iter().position(|column| column == name);
        found.ok_or_else(|| format!("has no column '{name}'"))
    };
    let (run, generation) = (place("run_id")?, place("generation")?);
    let columns = encoding.columns();
    let columns: Result<Vec<usize>, String> = columns
        .iter()
        .map(|name| place(&column_name(name)))
        .collect();
    let columns = columns?;
    let rows: Result<Vec<csv::StringRecord>, csv::Error> = reader.records().collect();
    let rows = rows.map_err(|error| error.to_string())?;
    let first = rows.first().map(|row| row[run].to_owned());
    if let Some(other) = rows.iter().find(|row| Some(&row[run]) != first.as_deref()) {
        let (first, other) = (first.unwrap_or_default(), &other[run]);
        return Err(format!(
            "has several runs ({first}, {other} ...); export one of them"
        ));
    }
    let number = |row: &csv::StringRecord| row[generation].parse::<u64>().ok();
    let last = rows.iter().map(number).max().flatten();
    let of_last = (2..).zip(&rows).filter(|(_, row)| number(row) == last);
    of_last
        .map(|(line, row)| {
            let values: Vec<&str> = columns.iter().map(|&column| &row[column]).collect();
            encoding.genome(&values).map_err(at(line))
        })
        .collect()
}

/// The name of a column in a table of individuals.
#[must_use]
pub fn column_name(name: &str) -> String {
    name.replace([' ', '-'], "_").to_lowercase()
}

/// The programs of a `population.txt`.
fn of_programs(text: &str, encoding: &Encoding) -> Result<Vec<Genome>, String> {
    let what =
        "is no player file, table of 'gamete export --format csv' or population.txt of 2048-cgp";
    let mut lines = text.lines();
    let mut numbers = |count: usize| {
        let words = lines.next().unwrap_or_default().split_whitespace();
        let numbers: Option<Vec<u32>> = words.map(|word| word.parse().ok()).collect();
        numbers
            .filter(|numbers| numbers.len() == count)
            .ok_or_else(|| what.to_owned())
    };
    let (shape, _generation) = (numbers(2)?, numbers(1)?);
    let Some(grid) = encoding.grid() else {
        return Err(format!(
            "has programs, but {} has weights to evolve",
            encoding.player().name()
        ));
    };
    let (columns, rows) = (shape[0], shape[1]);
    if (columns, rows) != (grid.columns(), grid.rows()) {
        return Err(format!(
            "has grids of {columns} columns and {rows} rows instead of {} and {}; evolve program(columns={columns}, rows={rows})",
            grid.columns(),
            grid.rows()
        ));
    }
    let programs = (3..).zip(lines).filter(|(_, line)| !line.trim().is_empty());
    programs
        .map(|(line, program)| encoding.genome(&[program]).map_err(at(line)))
        .collect()
}

fn at<E: Display>(line: u64) -> impl Fn(E) -> String {
    move |problem| format!("line {line}: {problem}")
}
