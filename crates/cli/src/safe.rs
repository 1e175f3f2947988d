//! Studies kept in an object store, from where any machine can go on: `--store`, and `gamete resume s3://...`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lab::run::desk::STATUS;
use lab::run::event::{Event, Observer};
use lab::run::file::UNFINISHED;
use lab::store::{Folder, OUTCOME, StoreError};
use vault::{
    Care, Environment, Keeper, Notice, Place, Relation, Thrift, Vault, VaultError, View, Writer,
};

use crate::output::Failure;

/// Where a study is kept besides this machine.
#[derive(Debug, clap::Args)]
pub(crate) struct SafeArguments {
    /// Keep the study also in s3://bucket/prefix (or gs://, az://, a directory), from where any machine can go on with it
    #[arg(long, value_name = "PLACE")]
    store: Option<String>,
    /// Keep what has changed there at most this often
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = humantime::parse_duration)]
    store_every: Duration,
}

impl SafeArguments {
    /// Opens the place, if there is one, and makes the folder of the study what it is to be. What is wrong is told before anything begins.
    pub(crate) fn open(&self, folder: &Folder) -> Result<Option<Safe>, Failure> {
        let Some(place) = &self.store else {
            return Ok(None);
        };
        self.open_at(&place.parse().map_err(VaultError::from)?, folder)
            .map(Some)
    }

    /// Opens this place, whatever the arguments say.
    pub(crate) fn open_at(&self, place: &Place, folder: &Folder) -> Result<Safe, Failure> {
        if folder.is_locked() {
            return Err(StoreError::Locked(folder.name.clone()).into());
        }
        let vault = Vault::open(place, &Environment::of_process())?;
        let view = vault.shelf(&folder.name).look()?;
        let (view, notes) = settle(view, folder)?;
        let writer = Writer::new(view, folder.path(), CARE, Thrift::default());
        Ok(Safe {
            study: folder.name.clone(),
            place: place.join(&folder.name),
            every: self.store_every,
            notes,
            waiting: Mutex::new(Some(writer)),
            keeper: Mutex::new(None),
        })
    }

    /// Is a place given?
    pub(crate) fn is_given(&self) -> bool {
        self.store.is_some()
    }
}

/// What of a study's folder is kept, and in which order: an outcome says that all files of its run are final, and a checkpoint how far the history
/// must be good, so each is read before what it vouches for. A checkpoint that has not got its name yet is left for the next time.
const CARE: Care = Care {
    turns: 3,
    turn: |path| match path.rsplit('/').next().unwrap_or(path) {
        "lock" => None,
        name if name.ends_with(&format!(".{UNFINISHED}")) || name.ends_with(".next") => None,
        OUTCOME => Some(0),
        name if name.starts_with("checkpoint") => Some(1),
        _ => Some(2),
    },
    // Times, and what can be written again, do not make a state another one.
    is_state: |path| !path.ends_with(STATUS) && !path.starts_with("report/"),
};

/// Brings the study back if what is kept is newer than what is here. Gives sentences for people.
fn settle(mut view: View, folder: &Folder) -> Result<(View, Vec<String>), Failure> {
    let (path, name) = (folder.path(), &folder.name);
    match view.compare(path, &CARE)? {
        Relation::NothingKept | Relation::HereIsNewer => {
            let notes = view.damage.clone();
            Ok((view, notes))
        }
        Relation::ThereIsNewer => {
            let _lock = folder.lock()?;
            view.restore(path)?;
            let mut notes = view.damage.clone();
            let number = view.newest().map_or(0, |snapshot| snapshot.number);
            notes.push(format!("brought back from snapshot {number}"));
            Ok((view, notes))
        }
        Relation::Apart => {
            let (here, there) = (path.display(), view.place());
            Err(Failure::Usage(format!(
                "the study '{name}' has gone on in {here} and in {there}, each without the other; move {here} away to go on with what is kept there, \
                 or name another --store to go on here"
            )))
        }
    }
}

/// A study that is kept while it runs.
pub(crate) struct Safe {
    study: String,
    place: Place,
    every: Duration,
    /// What is told when the study begins.
    notes: Vec<String>,
    /// Keeps nothing before the study is this process's own.
    waiting: Mutex<Option<Writer>>,
    keeper: Mutex<Option<(Keeper, Arc<AtomicBool>)>>,
}

impl Safe {
    /// The observer of a study that is kept: keeping begins with the study.
    pub(crate) fn watch<'a>(
        &'a self,
        observer: &Arc<dyn Observer>,
        stop: &Arc<AtomicBool>,
    ) -> impl Observer + 'a {
        let (observer, stop) = (Arc::clone(observer), Arc::clone(stop));
        Watch {
            safe: self,
            observer,
            stop,
        }
    }

    fn begin(&self, observer: &Arc<dyn Observer>, stop: &Arc<AtomicBool>) {
        let note = {
            let (run, observer) = (self.study.clone(), Arc::clone(observer));
            move |text: String| {
                let run = run.clone();
                observer.hear(&Event::Note { run, text });
            }
        };
        self.notes.iter().cloned().for_each(&note);
        let waiting = self.waiting.lock().expect("nobody panics with it").take();
        let Some(writer) = waiting else { return };
        let (place, stop) = (self.place.to_string(), Arc::clone(stop));
        let is_lost = Arc::new(AtomicBool::new(false));
        let lost = Arc::clone(&is_lost);
        let keeper = Keeper::start(writer, self.every, move |notice| match notice {
            Notice::Away(error) => note(format!(
                "it goes on, but is not kept at the moment: {error}"
            )),
            Notice::Back => note(format!("everything is kept in {place} again")),
            Notice::Lost => {
                lost.store(true, Ordering::Relaxed);
                stop.store(true, Ordering::Relaxed);
            }
        });
        *self.keeper.lock().expect("nobody panics with it") = Some((keeper, is_lost));
    }

    /// Ends the study as `end` does, and keeps its last state. If another process has taken over there is nothing to end here.
    fn finish(self, end: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
        let keeper = self.keeper.into_inner().expect("nobody panics with it");
        let Some((keeper, is_lost)) = keeper else {
            return end();
        };
        if is_lost.load(Ordering::Relaxed) {
            return keeper
                .finish()
                .map_err(|error| Failure::Failed(error.into()));
        }
        let ended = end();
        let (study, place) = (&self.study, &self.place);
        let kept = keeper.finish().map_err(|error| match error.is_race() {
            true => anyhow::Error::from(error),
            false => anyhow::anyhow!(
                "the last state of {study} is not kept: {error}. 'gamete resume {place}' keeps it"
            ),
        });
        match (ended, kept) {
            (Ok(()) | Err(Failure::Interrupted | Failure::ClosedPipe), Err(error)) => {
                Err(Failure::Failed(error))
            }
            (ended, _) => ended,
        }
    }
}

/// Ends a study as `end` does, kept or not.
pub(crate) fn finish(
    safe: Option<Safe>,
    end: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    match safe {
        Some(safe) => safe.finish(end),
        None => end(),
    }
}

/// Hears when the study begins.
struct Watch<'a> {
    safe: &'a Safe,
    observer: Arc<dyn Observer>,
    stop: Arc<AtomicBool>,
}

impl Observer for Watch<'_> {
    fn hear(&self, event: &Event) {
        self.observer.hear(event);
        if let Event::StudyBegan { .. } = event {
            self.safe.begin(&self.observer, &self.stop);
        }
    }

    fn game_over(&self, run: &str) {
        self.observer.game_over(run);
    }
}

/// Does a name stand for a place? Names of studies and runs neither begin like a path nor have a scheme.
pub(crate) fn is_place(name: &str) -> bool {
    let starts = ["/", "./", "../"];
    name.contains("://") || starts.iter().any(|start| name.starts_with(start))
}

/// The study that a place stands for: the place where it is kept, and its name there. The name may be left out where there is only one.
pub(crate) fn find(place: &str) -> Result<(Place, String), Failure> {
    let place: Place = place.parse().map_err(VaultError::from)?;
    let vault = Vault::look(&place, &Environment::of_process())?;
    if vault.is_shelf()?
        && let Some(found) = place.split()
    {
        return Ok(found);
    }
    let names = vault.shelves()?;
    match &names[..] {
        [name] => Ok((place, name.clone())),
        [] => Err(Failure::Usage(format!("no study is kept in {place}"))),
        [first, ..] => Err(Failure::Usage(format!(
            "several studies are kept in {place}: {}; name one, e.g. {}",
            names.join(", "),
            place.join(first)
        ))),
    }
}

/// A study that is kept at a place.
#[derive(Debug, serde::Serialize)]
pub(crate) struct KeptStudy {
    /// Its name.
    pub(crate) name: String,
    /// The number of its newest snapshot.
    pub(crate) snapshot: u64,
    /// Files it has there.
    pub(crate) files: usize,
    /// Their sizes together.
    pub(crate) bytes: u64,
}

/// All studies that are kept at a place.
pub(crate) fn list(place: &str) -> Result<Vec<KeptStudy>, Failure> {
    let place: Place = place.parse().map_err(VaultError::from)?;
    let vault = Vault::look(&place, &Environment::of_process())?;
    let mut kept = Vec::new();
    for name in vault.shelves()? {
        let view = vault.shelf(&name).look()?;
        kept.extend(view.newest().map(|snapshot| KeptStudy {
            name,
            snapshot: snapshot.number,
            files: snapshot.files.len(),
            bytes: snapshot.files.iter().map(|file| file.size).sum(),
        }));
    }
    Ok(kept)
}

/// Before a study begins, whatever is wrong with a place is for the person to put right; files of this machine are not.
impl From<VaultError> for Failure {
    fn from(error: VaultError) -> Self {
        match error {
            VaultError::File { .. } => Self::Failed(error.into()),
            other => Self::Usage(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(path: &str) -> Option<u8> {
        (CARE.turn)(path)
    }

    #[test]
    fn what_vouches_for_others_is_read_before_them() {
        let (outcome, state) = (turn("s1-r1/outcome.json"), turn("s1-r1/checkpoint"));
        assert!(outcome.is_some() && outcome < state);
        assert_eq!(turn("s1-r1/checkpoint.previous"), state);
        for later in [
            "s1-r1/history",
            "s1-r1/games.csv",
            "s1-r1/games.part",
            "study.toml",
        ] {
            assert!(turn(later) > state, "{later}");
        }
    }

    #[test]
    fn what_only_this_process_needs_is_left_out() {
        for path in ["lock", "s1-r1/status.json.new", "s1-r1/checkpoint.next"] {
            assert_eq!(turn(path), None, "{path}");
        }
    }

    #[test]
    fn times_and_reports_make_no_other_state() {
        let is_state = |path: &str| (CARE.is_state)(path);
        assert!(!is_state("s1-r1/status.json") && !is_state("report/report.html"));
        assert!(is_state("s1-r1/history") && is_state("study.toml"));
    }

    #[test]
    fn studies_are_told_from_places() {
        for place in [
            "s3://bucket",
            "gs://bucket/a",
            "/data",
            "./kept",
            "../kept",
            "file:///a",
        ] {
            assert!(is_place(place), "{place}");
        }
        for name in ["my-study", "my-study/s1-r1", "data"] {
            assert!(!is_place(name), "{name}");
        }
    }
}
