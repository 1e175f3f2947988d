//! The individuals of a generation as a table, the fittest first.

use std::path::Path;
use std::str::FromStr;

use lab::run::individuals::{Individuals, IndividualsError, RankedIndividual};
use play::numbers::figure;

use crate::output::{Failure, Table, print, print_json};

/// A generation of a run.
#[derive(Debug, Clone, Copy)]
pub(super) enum Which {
    Number(u32),
    Last,
}

impl FromStr for Which {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "last" => Ok(Self::Last),
            number => number
                .parse()
                .map(Self::Number)
                .map_err(|_| "must be a number from 0, or last"),
        }
    }
}

/// Prints them.
pub(super) fn show(
    id: &str,
    run: &Path,
    which: Which,
    top: Option<usize>,
    json: bool,
) -> Result<(), Failure> {
    let number = match which {
        Which::Number(number) => Some(number),
        Which::Last => None,
    };
    let mut shown = Individuals::read(run, number).map_err(|error| failure(id, error))?;
    let all = shown.individuals.len();
    shown.individuals.truncate(top.unwrap_or(all));
    if json {
        return print_json(&shown);
    }
    let head = format!(
        "{id}: generation {} of 0 to {}, {} of {all} individuals, the fittest first\n\n",
        shown.generation,
        shown.last,
        shown.individuals.len()
    );
    print(&(head + &table(&shown).render()))
}

fn failure(id: &str, error: IndividualsError) -> Failure {
    match error {
        IndividualsError::Ledger(error) => Failure::Failed(error.into()),
        other => Failure::Usage(format!("{id} {other}")),
    }
}

fn table(shown: &Individuals) -> Table {
    let mut head = vec![
        "rank", "id", "lowest", "mean", "highest", "games", "born", "origin", "parents",
    ];
    match shown.genes.is_empty() {
        true => head.push("program"),
        false => head.extend(shown.genes.iter().map(String::as_str)),
    }
    let mut table = Table::with_head(&head);
    for (rank, one) in (1..).zip(&shown.individuals) {
        table.add(row(rank, one));
    }
    table
}

fn row(rank: usize, one: &RankedIndividual) -> Vec<String> {
    let kept = |score: Option<f64>| score.map_or_else(|| "-".to_owned(), figure);
    let parents: Vec<String> = one.parents.iter().map(u64::to_string).collect();
    let mutated = if one.mutated { ", mutated" } else { "" };
    let mut row = vec![
        rank.to_string(),
        one.id.to_string(),
        kept(one.lowest),
        figure(one.fitness),
        kept(one.highest),
        one.games.to_string(),
        one.born.to_string(),
        format!("{}{mutated}", one.origin.word()),
        parents.join(" "),
    ];
    row.extend(one.genes.iter().map(|gene| format!("{gene:.4}")));
    row.extend(one.program.clone());
    row
}
