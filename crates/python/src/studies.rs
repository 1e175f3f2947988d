//! Studies: run, and what they kept.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use lab::run::event::{Event, Observer};
use lab::runner::{StudyRun, StudyRunner};
use lab::store::{Folder, Store};
use lab::study::{Form, Study};
use pyo3::exceptions::{PyFileNotFoundError, PyKeyboardInterrupt};
use pyo3::prelude::*;
use report::export::{FORMATS, export as write};
use report::results::Results;

use crate::errors::{failed, wrong};
use crate::measuring::json;
use crate::numbers;
use crate::work::{Watch, conduct};

/// A study as its file writes it, given as JSON.
#[pyfunction]
pub(crate) fn study_text(study: &str) -> PyResult<String> {
    let table: toml::Table = serde_json::from_str(study).map_err(wrong)?;
    Ok(table.to_string())
}

/// Runs or resumes the study of this text and returns its folder. Paths in it are relative to `base`.
#[pyfunction]
#[pyo3(signature = (text, *, file, base, short, runs_dir, threads, progress))]
#[expect(
    clippy::too_many_arguments,
    reason = "they are those of the command line"
)]
pub(crate) fn run(
    py: Python<'_>,
    text: &str,
    file: &str,
    base: PathBuf,
    short: bool,
    runs_dir: PathBuf,
    #[pyo3(from_py_with = numbers::threads)] threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<PathBuf> {
    let form = if short { Form::Short } else { Form::Whole };
    let base = std::path::absolute(base).map_err(failed)?;
    let study = Study::parse(text, file, &base, form).map_err(wrong)?;
    run_study(py, &study, &runs_dir, threads, progress)
}

/// Runs what `gamete evolve` or `gamete train` with these words runs, and returns its folder.
#[pyfunction]
#[pyo3(signature = (words, *, runs_dir, threads, progress))]
pub(crate) fn run_one(
    py: Python<'_>,
    words: Vec<OsString>,
    runs_dir: PathBuf,
    #[pyo3(from_py_with = numbers::threads)] threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<PathBuf> {
    let study = gamete_cli::study_of_one_run(&words).map_err(wrong)?;
    run_study(py, &study, &runs_dir, threads, progress)
}

fn run_study(
    py: Python<'_>,
    study: &Study,
    runs_dir: &Path,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<PathBuf> {
    let (store, watch) = (Store::new(runs_dir), Arc::new(Watch::default()));
    let ran = conduct(py, &watch, progress, || {
        let listener = Listener(&watch);
        let runner = StudyRunner {
            store: &store,
            threads,
            elsewhere: None,
            save_every: Duration::from_secs(1),
            observer: &listener,
            stop: &watch.stop,
        };
        let ran = runner.run(study).map_err(failed)?;
        let reported = notify::report_and_notify(study, &ran).map_err(failed)?;
        drop(reported);
        Ok::<StudyRun, PyErr>(ran)
    })??;
    if let Some((run, error)) = ran.failed.first() {
        return Err(failed(format!("{run} failed: {error}")));
    }
    match ran.interrupted {
        true => Err(PyKeyboardInterrupt::new_err(())),
        false => Ok(ran.folder.path().to_owned()),
    }
}

/// Counts games as they end.
struct Listener<'a>(&'a Watch);

impl Observer for Listener<'_> {
    fn hear(&self, _: &Event) {}

    fn game_over(&self, _: &str) {
        self.0.count();
    }
}

/// The folder of a study.
fn folder(path: &Path) -> PyResult<Folder> {
    let missing = || PyFileNotFoundError::new_err(format!("{} holds no study", path.display()));
    let path = std::path::absolute(path).map_err(failed)?;
    let (Some(root), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(missing());
    };
    let folder = Store::new(root).folder(&name.to_string_lossy());
    folder.is_there().then_some(folder).ok_or_else(missing)
}

/// The results of the study in this folder, as JSON.
#[pyfunction]
pub(crate) fn results(path: PathBuf) -> PyResult<String> {
    json(&Results::read(&folder(&path)?).map_err(failed)?)
}

/// What its runs kept, in a format of `gamete export`.
#[pyfunction]
pub(crate) fn export(path: PathBuf, format: &str) -> PyResult<String> {
    let results = Results::read(&folder(&path)?).map_err(failed)?;
    let format = FORMATS.iter().find(|known| known.name == format);
    let format = format.ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        wrong(format!("no such format; there are {}", names.join(", ")))
    })?;
    let mut text = Vec::new();
    write(&results, None, format, &mut text).map_err(failed)?;
    String::from_utf8(text).map_err(failed)
}
