//! Backups of studies in an object store, so that any machine can resume them: `--store`, and `gamete resume s3://...`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lab::run::event::{Event, Observer};
use lab::run::file::UNFINISHED;
use lab::run::status::STATUS;
use lab::store::{Folder, OUTCOME, StoreError};
use snapshot::{
    CapturePolicy, Environment, Location, Notice, Relation, Retention, SnapshotError,
    SnapshotStore, Uploader, View, Writer,
};

use crate::output::Failure;

/// Where a study is backed up.
#[derive(Debug, clap::Args)]
pub(crate) struct BackupArguments {
    /// Also back up the study to s3://bucket/prefix (or gs://, az://, a directory), so that any machine can resume it
    #[arg(long, value_name = "LOCATION")]
    store: Option<String>,
    /// Back up changes at most this often
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = humantime::parse_duration)]
    store_every: Duration,
}

impl BackupArguments {
    /// Opens the location, if one is given, and brings the folder of the study up to date. Problems are reported before anything starts.
    pub(crate) fn open(&self, folder: &Folder) -> Result<Option<Backup>, Failure> {
        let location = self.store.as_deref().map(parse).transpose()?;
        location.map(|it| self.open_at(&it, folder)).transpose()
    }

    /// Opens this location, whatever the arguments say.
    pub(crate) fn open_at(&self, location: &Location, folder: &Folder) -> Result<Backup, Failure> {
        if folder.is_locked() {
            return Err(StoreError::Locked(folder.name.clone()).into());
        }
        let store = SnapshotStore::open(location, &Environment::of_process())?;
        let mut view = store.repository(&folder.name).view()?;
        let restored = update(&mut view, folder)?;
        Ok(Backup {
            study: folder.name.clone(),
            location: view.location(),
            interval: self.store_every,
            notes: view.damage.iter().cloned().chain(restored).collect(),
            writer: Mutex::new(Some(Writer::new(
                view,
                folder.path(),
                POLICY,
                Retention::default(),
            ))),
            uploader: Mutex::new(None),
        })
    }

    /// Is a location given?
    pub(crate) fn is_given(&self) -> bool {
        self.store.is_some()
    }
}

fn parse(location: &str) -> Result<Location, Failure> {
    Ok(location.parse().map_err(SnapshotError::from)?)
}

/// An outcome says that all files of its run are final, and a checkpoint up to where the history is valid, so each is captured before the files it
/// describes. A checkpoint that does not have its final name yet is left for the next snapshot.
const POLICY: CapturePolicy = CapturePolicy {
    phases: 3,
    phase: |path| match path.rsplit('/').next().unwrap_or(path) {
        "lock" => None,
        name if name.ends_with(&format!(".{UNFINISHED}")) || name.ends_with(".next") => None,
        OUTCOME => Some(0),
        name if name.starts_with("checkpoint") => Some(1),
        _ => Some(2),
    },
    // Times, and reports that can be written again, do not make two states differ.
    is_state: |path| !path.ends_with(STATUS) && !path.starts_with("report/"),
};

/// Restores the study if the backup is newer than the folder, and says so.
fn update(view: &mut View, folder: &Folder) -> Result<Option<String>, Failure> {
    let (path, name) = (folder.path(), &folder.name);
    match view.compare(path, &POLICY)? {
        Relation::NoSnapshot | Relation::LocalIsNewer => Ok(None),
        Relation::RemoteIsNewer => {
            let _lock = folder.lock()?;
            view.restore(path)?;
            let number = view.newest().map_or(0, |snapshot| snapshot.number);
            Ok(Some(format!("restored from snapshot {number}")))
        }
        Relation::Diverged => {
            let (local, remote) = (path.display(), view.location());
            Err(Failure::Usage(format!(
                "the study '{name}' has diverged: {local} and {remote} each have work that the other lacks; move {local} away to continue from \
                 {remote}, or use another --store to continue from {local}"
            )))
        }
    }
}

/// The backup of a study while it runs.
pub(crate) struct Backup {
    study: String,
    location: Location,
    interval: Duration,
    /// Shown when the study starts.
    notes: Vec<String>,
    /// Writes nothing until this process holds the study's lock.
    writer: Mutex<Option<Writer>>,
    uploader: Mutex<Option<(Uploader, Arc<AtomicBool>)>>,
}

impl Backup {
    /// The observer of a study with a backup: uploads start with the study.
    pub(crate) fn watch<'a>(
        &'a self,
        observer: &Arc<dyn Observer>,
        stop: &Arc<AtomicBool>,
    ) -> impl Observer + 'a {
        Watch {
            backup: self,
            observer: Arc::clone(observer),
            stop: Arc::clone(stop),
        }
    }

    fn start(&self, observer: &Arc<dyn Observer>, stop: &Arc<AtomicBool>) {
        let note = {
            let (run, observer) = (self.study.clone(), Arc::clone(observer));
            move |text: String| {
                let run = run.clone();
                observer.hear(&Event::Note { run, text });
            }
        };
        self.notes.iter().cloned().for_each(&note);
        let Some(writer) = self.writer.lock().expect("mutex poisoned").take() else {
            return;
        };
        let (location, stop) = (self.location.to_string(), Arc::clone(stop));
        let is_lost = Arc::new(AtomicBool::new(false));
        let lost = Arc::clone(&is_lost);
        let uploader = Uploader::start(writer, self.interval, move |notice| match notice {
            Notice::Unavailable(error) => {
                note(format!("backup unavailable; the run continues: {error}"));
            }
            Notice::Recovered => note(format!("backup to {location} is up to date again")),
            Notice::TakenOver => {
                lost.store(true, Ordering::Relaxed);
                stop.store(true, Ordering::Relaxed);
            }
        });
        *self.uploader.lock().expect("mutex poisoned") = Some((uploader, is_lost));
    }

    /// Ends the study with `end`, and backs up its final state. If another process has taken over there is nothing to end here.
    fn finish(self, end: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
        let uploader = self.uploader.into_inner().expect("mutex poisoned");
        let Some((uploader, is_lost)) = uploader else {
            return end();
        };
        if is_lost.load(Ordering::Relaxed) {
            return uploader
                .finish()
                .map_err(|error| Failure::Failed(error.into()));
        }
        let ended = end();
        let (study, location) = (&self.study, &self.location);
        let saved = uploader.finish().map_err(|error| match error.is_taken_over() {
            true => anyhow::Error::from(error),
            false => anyhow::anyhow!(
                "the final state of {study} is not backed up: {error}. 'gamete resume {location}' backs it up"
            ),
        });
        match (ended, saved) {
            (Ok(()) | Err(Failure::Interrupted | Failure::ClosedPipe), Err(error)) => {
                Err(Failure::Failed(error))
            }
            (ended, _) => ended,
        }
    }
}

/// Ends a study with `end`, with or without a backup.
pub(crate) fn finish(
    backup: Option<Backup>,
    end: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    match backup {
        Some(backup) => backup.finish(end),
        None => end(),
    }
}

/// Starts the uploads when the study starts.
struct Watch<'a> {
    backup: &'a Backup,
    observer: Arc<dyn Observer>,
    stop: Arc<AtomicBool>,
}

impl Observer for Watch<'_> {
    fn hear(&self, event: &Event) {
        self.observer.hear(event);
        if let Event::StudyBegan { .. } = event {
            self.backup.start(&self.observer, &self.stop);
        }
    }

    fn game_over(&self, run: &str) {
        self.observer.game_over(run);
    }
}

/// Is this a location rather than the name of a study or run? Those neither start like a path nor have a scheme.
pub(crate) fn is_location(name: &str) -> bool {
    let starts = ["/", "./", "../"];
    name.contains("://") || starts.iter().any(|start| name.starts_with(start))
}

/// The study at a location: the store, and the study's name there. The name may be omitted if there is only one.
pub(crate) fn find(location: &str) -> Result<(Location, String), Failure> {
    let location = parse(location)?;
    let store = SnapshotStore::open_read_only(&location, &Environment::of_process())?;
    if store.is_repository()?
        && let Some(found) = location.split()
    {
        return Ok(found);
    }
    let names = store.repositories()?;
    match &names[..] {
        [name] => Ok((location, name.clone())),
        [] => Err(Failure::Usage(format!("there is no study in {location}"))),
        [first, ..] => Err(Failure::Usage(format!(
            "there are several studies in {location}: {}; name one, e.g. {}",
            names.join(", "),
            location.join(first)
        ))),
    }
}

/// The backup of a study, as listed by `gamete runs`.
#[derive(Debug, serde::Serialize)]
pub(crate) struct StoredStudy {
    /// Its name.
    pub(crate) name: String,
    /// The number of its newest snapshot.
    pub(crate) snapshot: u64,
    /// Number of files.
    pub(crate) files: usize,
    /// Their total size.
    pub(crate) bytes: u64,
}

/// All studies at a location.
pub(crate) fn list(location: &str) -> Result<Vec<StoredStudy>, Failure> {
    let store = SnapshotStore::open_read_only(&parse(location)?, &Environment::of_process())?;
    let mut studies = Vec::new();
    for name in store.repositories()? {
        let view = store.repository(&name).view()?;
        studies.extend(view.newest().map(|snapshot| StoredStudy {
            name,
            snapshot: snapshot.number,
            files: snapshot.files.len(),
            bytes: snapshot.files.iter().map(|file| file.size).sum(),
        }));
    }
    Ok(studies)
}

/// Before a study starts, problems with a location are for the user to fix; problems with local files are not.
impl From<SnapshotError> for Failure {
    fn from(error: SnapshotError) -> Self {
        match error {
            SnapshotError::File { .. } => Self::Failed(error.into()),
            other => Self::Usage(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(path: &str) -> Option<u8> {
        (POLICY.phase)(path)
    }

    #[test]
    fn files_that_describe_others_are_captured_before_them() {
        let (outcome, state) = (phase("s1-r1/outcome.json"), phase("s1-r1/checkpoint"));
        assert!(outcome.is_some() && outcome < state);
        assert_eq!(phase("s1-r1/checkpoint.previous"), state);
        for later in [
            "s1-r1/history",
            "s1-r1/games.csv",
            "s1-r1/games.part",
            "study.toml",
        ] {
            assert!(phase(later) > state, "{later}");
        }
    }

    #[test]
    fn files_that_only_this_process_needs_are_excluded() {
        for path in ["lock", "s1-r1/status.json.new", "s1-r1/checkpoint.next"] {
            assert_eq!(phase(path), None, "{path}");
        }
    }

    #[test]
    fn times_and_reports_are_not_state() {
        let is_state = |path: &str| (POLICY.is_state)(path);
        assert!(!is_state("s1-r1/status.json") && !is_state("report/report.html"));
        assert!(is_state("s1-r1/history") && is_state("study.toml"));
    }

    #[test]
    fn names_are_told_from_locations() {
        for location in [
            "s3://bucket",
            "gs://bucket/a",
            "/data",
            "./backups",
            "../backups",
            "file:///a",
        ] {
            assert!(is_location(location), "{location}");
        }
        for name in ["my-study", "my-study/s1-r1", "data"] {
            assert!(!is_location(name), "{name}");
        }
    }
}
