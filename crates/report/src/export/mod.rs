//! Exports run data for other programs. A new format is a file and a line in [`FORMATS`].

mod cgp;
mod csv;
mod individuals;
mod json;
mod optuna;

use std::io::{self, Write};

use evolve::cgp::Grid;

use crate::results::{Results, RunResults};
use crate::sweep;
use lab::run::history::{HistoryReader, Rows};
use lab::run::ledger::LedgerError;
use lab::store::StoreError;

/// A format.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its name.
    pub name: &'static str,
    /// One-line description.
    pub about: &'static str,
    write: fn(&Results, &[Exported<'_>], &mut dyn Write) -> Result<(), ExportError>,
}

/// All formats.
pub static FORMATS: &[Format] = &[
    csv::FORMAT,
    json::FORMAT,
    individuals::FORMAT,
    optuna::FORMAT,
    cgp::POPULATION,
    cgp::SCORES,
];

/// A run with the name of its setting.
#[derive(Debug, Clone, Copy)]
pub struct Exported<'a> {
    /// The setting.
    pub setting: &'a str,
    /// What it changes, by the keys that the study varies.
    pub values: &'a [(String, String)],
    /// The grid of its programs, if it evolves programs.
    pub grid: Option<&'a Grid>,
    /// The run.
    pub run: &'a RunResults,
}

/// Why runs were not exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The output cannot be written.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// A history cannot be read.
    #[error(transparent)]
    History(#[from] LedgerError),
    /// A file of a run cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Files of a run are damaged: a part of it would look like the whole.
    #[error("{run} is damaged: {damage}; 'gamete fsck {run} --repair' repairs it")]
    Damaged {
        /// The run.
        run: String,
        /// Which files.
        damage: String,
    },
    /// The format has place for one run.
    #[error("a file of this format holds one run; name it, e.g. {run}")]
    Several {
        /// The first of them.
        run: String,
    },
    /// The format does not support the data of these runs.
    #[error(
        "{run} has no {what}: it is not an evolution of that kind, or has not begun; try --format csv or json"
    )]
    Nothing {
        /// The run.
        run: String,
        /// What is missing.
        what: &'static str,
    },
}

/// Writes the runs of a study, or one of them.
pub fn export(
    results: &Results,
    only: Option<&str>,
    format: &Format,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let values = values_by_key(results);
    let runs: Vec<Exported<'_>> = results
        .settings
        .iter()
        .zip(&values)
        .flat_map(|(setting, values)| {
            let label = setting.label.as_str();
            setting.runs.iter().map(move |run| Exported {
                setting: label,
                values,
                grid: setting.grid.as_ref(),
                run,
            })
        })
        .filter(|exported| only.is_none_or(|id| exported.run.id == id))
        .collect();
    if let Some(Exported { run, .. }) = runs.iter().find(|exported| exported.run.is_damaged()) {
        return Err(ExportError::Damaged {
            run: run.id.clone(),
            damage: run.damage.join("; "),
        });
    }
    (format.write)(results, &runs, out)
}

/// For each setting its values of the keys that the study varies, by the names of their columns.
fn values_by_key(results: &Results) -> Vec<Vec<(String, String)>> {
    let varied = results.varied();
    let keys = sweep::varied(&varied);
    let values = |setting| {
        let keys = keys.iter();
        keys.map(|key| (sweep::column(key), sweep::value(setting, key)))
            .collect()
    };
    varied.iter().map(values).collect()
}

impl Exported<'_> {
    /// The history of the run, if it keeps one.
    fn history(&self) -> Result<Option<HistoryReader>, LedgerError> {
        HistoryReader::of_run(&self.run.path)
    }

    /// The history of its individuals; an error if it evolves none.
    fn individuals(&self, results: &Results) -> Result<HistoryReader, ExportError> {
        let history = self.history()?.filter(|_| !results.is_training());
        history.ok_or_else(|| ExportError::Nothing {
            run: self.run.id.clone(),
            what: "history of individuals",
        })
    }

    /// When the run started, for formats that need a time.
    fn started(&self) -> String {
        let status = self.run.status.as_ref();
        status
            .map(|status| status.started.clone())
            .unwrap_or_default()
    }
}

/// The decoded values of an individual, one text per column.
fn values(rows: &Rows, place: usize) -> Vec<String> {
    match rows.weights.get(place) {
        Some(weights) => weights.iter().map(f64::to_string).collect(),
        None => rows.programs.get(place).cloned().into_iter().collect(),
    }
}
