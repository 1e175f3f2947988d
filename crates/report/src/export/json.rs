//! One JSON object per run, one per line: its settings, its outcome, and a summary of its generations.

use std::io::Write;

use serde_json::json;

use super::{ExportError, Exported, Format};
use crate::results::Results;

pub(super) const FORMAT: Format = Format {
    name: "json",
    about: "one object per run, one per line: numbers, champion, generations",
    write,
};

fn write(results: &Results, runs: &[Exported<'_>], out: &mut dyn Write) -> Result<(), ExportError> {
    for exported in runs {
        let run = exported.run;
        let history = exported.history()?;
        let object = json!({
            "study": results.study,
            "run_id": run.id,
            "setting": exported.setting,
            "repeat": run.repeat,
            "seed": run.seed,
            "state": run.state,
            "metrics": run.metrics,
            "outcome": run.outcome,
            "columns": history.as_ref().map(|history| &history.columns),
            "generations": history.as_ref().map(|history| &history.generations),
        });
        writeln!(out, "{object}")?;
    }
    Ok(())
}
