//! A journal of Optuna: one study per run, one trial per individual, in order of creation. `optuna-dashboard FILE` opens it.
//!
//! The format is that of `JournalFileBackend`: a JSON object per line, with the number of an operation (0 creates a study, 4 a trial).

use std::io::Write;

use serde_json::{Map, Value, json};

use super::{ExportError, Exported, Format};
use crate::results::Results;
use lab::run::history::{HistoryReader, Rows};
use play::stats::Better;

pub(super) const FORMAT: Format = Format {
    name: "optuna",
    about: "a journal of Optuna, one trial per individual; optuna-dashboard opens it",
    write,
};

/// Numbers of Optuna's operations, directions and states.
const CREATE_STUDY: u8 = 0;
const CREATE_TRIAL: u8 = 4;
const MINIMIZE: u8 = 1;
const MAXIMIZE: u8 = 2;
const COMPLETE: u8 = 1;
const WORKER: &str = "gamete";

fn write(results: &Results, runs: &[Exported<'_>], out: &mut dyn Write) -> Result<(), ExportError> {
    for (study, exported) in runs.iter().enumerate() {
        let history = exported.individuals(results)?;
        let direction = match results.better {
            Better::Higher => MAXIMIZE,
            Better::Lower => MINIMIZE,
        };
        let name = &exported.run.id;
        let create = json!({"op_code": CREATE_STUDY, "worker_id": WORKER, "study_name": name, "directions": [direction]});
        writeln!(out, "{create}")?;
        let ranges = ranges(&history)?;
        let distributions = distributions(&history.columns, &ranges);
        for place in 0..history.generations.len() {
            let generation = history.generations[place].generation.number;
            let rows = history.rows(place)?;
            for one in (0..rows.id.len()).filter(|&one| rows.born[one] == generation) {
                let trial = trial(
                    study,
                    exported,
                    &history.columns,
                    &distributions,
                    &rows,
                    one,
                );
                writeln!(out, "{trial}")?;
            }
        }
    }
    Ok(())
}

/// The minimum and maximum of every gene in the whole run.
fn ranges(history: &HistoryReader) -> Result<Vec<[f64; 2]>, ExportError> {
    let mut ranges: Vec<[f64; 2]> = Vec::new();
    for place in 0..history.generations.len() {
        for weights in history.rows(place)?.weights {
            ranges.resize(weights.len(), [f64::INFINITY, f64::NEG_INFINITY]);
            for ([low, high], weight) in ranges.iter_mut().zip(weights) {
                *low = low.min(weight);
                *high = high.max(weight);
            }
        }
    }
    Ok(ranges)
}

fn distributions(columns: &[String], ranges: &[[f64; 2]]) -> Map<String, Value> {
    let distribution = |[low, high]: &[f64; 2]| {
        json!({"name": "FloatDistribution", "attributes": {"step": null, "low": low, "high": high, "log": false}}).to_string()
    };
    let named = columns.iter().zip(ranges);
    named
        .map(|(name, range)| (name.clone(), distribution(range).into()))
        .collect()
}

fn trial(
    study: usize,
    exported: &Exported<'_>,
    columns: &[String],
    distributions: &Map<String, Value>,
    rows: &Rows,
    one: usize,
) -> Value {
    let weights = rows.weights.get(one).into_iter().flatten();
    let params: Map<String, Value> = columns
        .iter()
        .cloned()
        .zip(weights.map(|&weight| weight.into()))
        .collect();
    let attributes = json!({
        "id": rows.id[one],
        "generation": rows.born[one],
        "origin": rows.origin[one].word(),
        "parents": rows.parents[one],
        "mutated": rows.mutated[one],
        "games": rows.games[one],
        "lowest": rows.lowest.get(one),
        "highest": rows.highest.get(one),
        "program": rows.programs.get(one),
    });
    let time = exported.started();
    json!({
        "op_code": CREATE_TRIAL, "worker_id": WORKER, "study_id": study, "state": COMPLETE,
        "value": rows.fitness[one], "values": null, "params": params, "distributions": distributions,
        "user_attrs": attributes, "system_attrs": {}, "intermediate_values": {},
        "datetime_start": time, "datetime_complete": time,
    })
}
