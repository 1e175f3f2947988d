//! `gamete runs`: all runs, with their state.

use lab::store::{Index, Row};
use lab::study::ONLY_SETTING;

use crate::backup::{self, StoredStudy, is_location};
use crate::output::{Failure, Table, number, print, print_json, print_to_stderr};
use crate::progress::brief;
use crate::runs_dir::RunsDir;

const EXAMPLES: &str = "\
States: waiting, running, interrupted ('gamete resume' resumes it), failed ('gamete show' says why), finished.

Examples:
  gamete runs
  gamete runs my-study
  gamete runs --json
  gamete runs --reindex
  gamete runs s3://bucket/studies";

/// Arguments of `gamete runs`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Only the runs of this study; or a location, to list the studies backed up there
    study: Option<String>,
    #[command(flatten)]
    runs_dir: RunsDir,
    /// Print a JSON list
    #[arg(long)]
    json: bool,
    /// Build the index again from the run directories
    #[arg(long)]
    reindex: bool,
}

/// Prints the list.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(location) = arguments.study.as_deref().filter(|name| is_location(name)) {
        let stored = backup::list(location)?;
        return match arguments.json {
            true => print_json(&stored),
            false => print(&list_stored(&stored)),
        };
    }
    let store = arguments.runs_dir.store();
    let mut index = if arguments.reindex {
        Index::rebuild(&store)?
    } else {
        Index::open(&store)?
    };
    index.refresh()?;
    if let Some(study) = &arguments.study {
        store.find(study)?;
    }
    let rows = index.rows(arguments.study.as_deref())?;
    let damage = damage(&index, &rows, arguments.study.as_deref())?;
    if arguments.json {
        print_json(&rows)?;
        return check_whole(&damage);
    }
    if rows.is_empty() {
        print_to_stderr(format_args!(
            "There are no runs in {}; 'gamete run STUDY' or 'gamete evolve GAME' starts one.",
            store.root().display()
        ));
        return check_whole(&damage);
    }
    print(&list(&rows))?;
    check_whole(&damage)
}

/// What is damaged among the listed runs and their studies, a line each.
fn damage(index: &Index, rows: &[Row], only: Option<&str>) -> Result<Vec<String>, Failure> {
    let studies = index.studies("", 0, u32::MAX)?.rows.into_iter();
    let studies = studies.filter(|study| only.is_none_or(|name| study.name == name));
    let of_studies = studies.filter_map(|study| Some(format!("{}: {}", study.name, study.damage?)));
    let of_run = |row: &Row| Some(format!("{}: {}", row.id, row.damage.as_ref()?));
    Ok(of_studies.chain(rows.iter().filter_map(of_run)).collect())
}

fn check_whole(damage: &[String]) -> Result<(), Failure> {
    if damage.is_empty() {
        return Ok(());
    }
    let text = format!(
        "files are damaged; 'gamete fsck' says what can be repaired\n{}",
        damage.join("\n")
    );
    Err(Failure::Failed(anyhow::anyhow!(text)))
}

fn list_stored(studies: &[StoredStudy]) -> String {
    let mut table = Table::new(["study", "snapshot", "files", "bytes"]);
    for study in studies {
        table.row([
            study.name.clone(),
            study.snapshot.to_string(),
            study.files.to_string(),
            number(study.bytes as f64, 0),
        ]);
    }
    table.render()
}

/// The only setting of a study needs no name.
fn setting(row: &Row) -> String {
    match row.setting.as_str() {
        ONLY_SETTING => "-".to_owned(),
        name => name.to_owned(),
    }
}

fn list(rows: &[Row]) -> String {
    let mut table = Table::new(["run", "setting", "state", "done", "best", "mean", "time"]);
    for row in rows {
        let value = |value: Option<f64>| value.map_or("-".to_owned(), brief);
        let done = if row.of == 0 {
            "-".to_owned()
        } else {
            format!("{}/{} {}", row.done, row.of, row.steps)
        };
        table.row([
            row.id.clone(),
            setting(row),
            row.state.clone(),
            done,
            value(row.best),
            value(row.mean),
            format!("{} s", number(row.seconds, 1)),
        ]);
    }
    table.render()
}
