//! One JSON object per run, one per line: its settings, its outcome, and a summary of its generations or its blocks of training games.

use std::io::Write;

use serde_json::{Value, json};

use super::{ExportError, Exported, Format};
use crate::results::Results;
use lab::evolution::Generation;
use lab::run::history::{HistoryReader, Summary};

pub(super) const FORMAT: Format = Format {
    name: "json",
    about: "one object per run, one per line: numbers, champion, generations or blocks of training games",
    write,
};

/// What was kept of a run's course, by name.
fn course(results: &Results, history: Option<&HistoryReader>) -> Vec<(&'static str, Value)> {
    let generations = history.map(|history| history.generations.as_slice());
    if results.is_training() {
        let blocks: Vec<Value> = generations.unwrap_or_default().iter().map(block).collect();
        return vec![("blocks", blocks.into())];
    }
    vec![
        ("columns", json!(history.map(|history| &history.columns))),
        ("generations", json!(generations)),
    ]
}

/// A block of training games.
fn block(block: &Summary) -> Value {
    let Generation {
        games, mean, best, ..
    } = block.generation;
    json!({"games": games, "mean": mean, "best": best, "quartiles": block.quartiles})
}

fn write(results: &Results, runs: &[Exported<'_>], out: &mut dyn Write) -> Result<(), ExportError> {
    for exported in runs {
        let run = exported.run;
        let history = exported.history()?;
        let mut object = json!({
            "study": results.study,
            "run_id": run.id,
            "setting": exported.setting,
            "repeat": run.repeat,
            "seed": run.seed,
            "state": run.state,
            "metrics": run.metrics,
            "outcome": run.outcome,
        });
        for (name, value) in course(results, history.as_ref()) {
            object[name] = value;
        }
        writeln!(out, "{object}")?;
    }
    Ok(())
}
