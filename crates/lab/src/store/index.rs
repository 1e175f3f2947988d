//! An index over all runs, so that lists stay fast with thousands of them. It holds nothing that is not in the run directories, and is rebuilt
//! when it is missing or damaged.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use rusqlite::{Connection, OpenFlags, params};
use serde::Serialize;

use super::folder::META;
use super::run_folder::RUN;
use super::{Folder, KEPT, RunFolder, STUDY, Store, StoreError};
use crate::run::file::{FileError, make_directory};
use crate::run::outcome::OUTCOME;
use crate::run::status::{STATUS, State, Status};

const FILE: &str = "index.sqlite";
/// An index of another version is rebuilt.
const VERSION: i64 = 3;

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS runs (
        id TEXT PRIMARY KEY, study TEXT NOT NULL, run TEXT NOT NULL, setting TEXT NOT NULL, repeat INTEGER NOT NULL, state TEXT NOT NULL,
        steps TEXT NOT NULL, done INTEGER NOT NULL, of_steps INTEGER NOT NULL, best REAL, mean REAL, games INTEGER NOT NULL, seconds REAL NOT NULL,
        started TEXT NOT NULL, updated TEXT NOT NULL, damage TEXT, stamp INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS runs_by_study ON runs (study, run);
    CREATE INDEX IF NOT EXISTS runs_by_update ON runs (updated);
    CREATE TABLE IF NOT EXISTS studies (
        id TEXT PRIMARY KEY, question TEXT NOT NULL, kind TEXT NOT NULL, game TEXT NOT NULL, damage TEXT, stamp INTEGER NOT NULL
    );
";

/// Why the index cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The database failed.
    #[error("the index {}: {error}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// Why.
        error: rusqlite::Error,
    },
    /// A run directory could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Row {
    /// `study/run`.
    pub id: String,
    /// The study.
    pub study: String,
    /// The setting.
    pub setting: String,
    /// The repeat, from 1.
    pub repeat: u32,
    /// Its state: waiting, running, interrupted, failed, finished, damaged.
    pub state: String,
    /// The name of its steps.
    pub steps: String,
    /// Steps done.
    pub done: u64,
    /// Maximum number of steps.
    pub of: u64,
    /// Best fitness so far.
    pub best: Option<f64>,
    /// Mean fitness of the last generation.
    pub mean: Option<f64>,
    /// Games played.
    pub games: u64,
    /// Time worked.
    pub seconds: f64,
    /// When it started.
    pub started: String,
    /// When it was last updated.
    pub updated: String,
    /// Which of its files are damaged, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<String>,
}

/// The index of a store.
#[derive(Debug)]
pub struct Index {
    pub(super) connection: Connection,
    path: PathBuf,
    store: Store,
}

impl Index {
    /// Opens the index of a store; one that is damaged or of another version is rebuilt. In a read-only directory it is kept in
    /// memory.
    pub fn open(store: &Store) -> Result<Self, IndexError> {
        let path = store.root().join(FILE);
        let opened = connect(&path);
        let connection = match opened {
            Ok(connection) => connection,
            Err(_) => {
                let _ = fs::remove_file(&path);
                connect(&path)
                    .or_else(|_| in_memory())
                    .map_err(|error| IndexError::Database {
                        path: path.clone(),
                        error,
                    })?
            }
        };
        let store = store.clone();
        Ok(Self {
            connection,
            path,
            store,
        })
    }

    /// Clears the index and reads all run directories again.
    pub fn rebuild(store: &Store) -> Result<Self, IndexError> {
        make_directory(store.root()).map_err(StoreError::from)?;
        for name in [
            FILE.to_owned(),
            format!("{FILE}-wal"),
            format!("{FILE}-shm"),
        ] {
            let path = store.root().join(name);
            crate::run::file::remove_if_there(&path).map_err(StoreError::from)?;
        }
        let mut index = Self::open(store)?;
        index.refresh()?;
        Ok(index)
    }

    /// What is wrong with the file of the index; `None` if it is whole or does not exist.
    #[must_use]
    pub fn damage(store: &Store) -> Option<String> {
        let path = store.root().join(FILE);
        if !path.exists() {
            return None;
        }
        let check = |connection: Connection| -> rusqlite::Result<String> {
            connection.query_row("PRAGMA quick_check", [], |row| row.get(0))
        };
        let opened = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_WRITE);
        let problem = match opened.and_then(check) {
            Ok(answer) if answer == "ok" => return None,
            Ok(answer) => answer,
            Err(error) => error.to_string(),
        };
        Some(format!("{} is damaged: {problem}", path.display()))
    }

    pub(super) fn failed(&self, error: rusqlite::Error) -> IndexError {
        let path = self.path.clone();
        IndexError::Database { path, error }
    }

    /// Brings the index up to date: only runs whose status has changed are read.
    pub fn refresh(&mut self) -> Result<(), IndexError> {
        let known = self.known()?;
        let changes = Changes::since(&self.store, &known)?;
        self.apply(&changes)
    }

    /// A copy of what the index knows, to look for changes while others read the index.
    pub fn known(&self) -> Result<Known, IndexError> {
        let all = |table: &str| self.stamps(table).map_err(|error| self.failed(error));
        Ok(Known {
            runs: all("runs")?,
            studies: all("studies")?,
        })
    }

    /// Writes changes to the index.
    pub fn apply(&mut self, changes: &Changes) -> Result<(), IndexError> {
        if changes.is_empty() {
            return Ok(());
        }
        self.write(changes).map_err(|error| self.failed(error))
    }

    fn stamps(&self, table: &str) -> rusqlite::Result<BTreeMap<String, i64>> {
        let sql = format!("SELECT id, stamp FROM {table}");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect()
    }

    fn write(&mut self, changes: &Changes) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        for Changed { row, run, stamp } in &changes.runs {
            transaction.execute(
                "INSERT OR REPLACE INTO runs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
                params![
                    row.id, row.study, run, row.setting, row.repeat, row.state, row.steps, row.done as i64, row.of as i64, row.best,
                    row.mean, row.games as i64, row.seconds, row.started, row.updated, row.damage, stamp
                ],
            )?;
        }
        for (study, stamp) in &changes.studies {
            transaction.execute(
                "INSERT OR REPLACE INTO studies VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![
                    study.name,
                    study.question,
                    study.kind,
                    study.game,
                    study.damage,
                    stamp
                ],
            )?;
        }
        for (table, gone) in [("runs", &changes.gone), ("studies", &changes.gone_studies)] {
            for id in gone {
                transaction.execute(&format!("DELETE FROM {table} WHERE id = ?1"), [id])?;
            }
        }
        transaction.commit()
    }

    /// All runs, or those of one study, by study and run.
    pub fn rows(&self, study: Option<&str>) -> Result<Vec<Row>, IndexError> {
        self.select(study).map_err(|error| self.failed(error))
    }

    fn select(&self, study: Option<&str>) -> rusqlite::Result<Vec<Row>> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM runs WHERE ?1 IS NULL OR study = ?1 ORDER BY study, run"
        ))?;
        let rows = statement.query_map([study], read_row)?;
        rows.collect()
    }
}

/// In the order that [`read_row`] expects.
pub(super) const COLUMNS: &str = "id, study, setting, repeat, state, steps, done, of_steps, best, mean, games, seconds, started, updated, damage";

pub(super) fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    Ok(Row {
        id: row.get(0)?,
        study: row.get(1)?,
        setting: row.get(2)?,
        repeat: row.get(3)?,
        state: row.get(4)?,
        steps: row.get(5)?,
        done: row.get::<_, i64>(6)? as u64,
        of: row.get::<_, i64>(7)? as u64,
        best: row.get(8)?,
        mean: row.get(9)?,
        games: row.get::<_, i64>(10)? as u64,
        seconds: row.get(11)?,
        started: row.get(12)?,
        updated: row.get(13)?,
        damage: row.get(14)?,
    })
}

/// What an index knows: when each run and each study last changed.
#[derive(Debug, Clone, Default)]
pub struct Known {
    runs: BTreeMap<String, i64>,
    studies: BTreeMap<String, i64>,
}

/// Changes in a store since the last refresh of an index.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    runs: Vec<Changed>,
    studies: Vec<(About, i64)>,
    gone: Vec<String>,
    gone_studies: Vec<String>,
}

#[derive(Debug, Clone)]
struct Changed {
    row: Row,
    run: String,
    stamp: i64,
}

/// What a study is about.
#[derive(Debug, Clone)]
struct About {
    name: String,
    question: String,
    kind: String,
    game: String,
    damage: Option<String>,
}

impl Changes {
    /// Checks all run directories, and reads those that have changed.
    pub fn since(store: &Store, known: &Known) -> Result<Self, IndexError> {
        let mut changes = Self::default();
        let (mut seen, mut seen_studies) = (BTreeSet::new(), BTreeSet::new());
        for folder in store.folders()? {
            let is_locked = folder.is_locked();
            let study = study_stamp(&folder);
            if known.studies.get(&folder.name) != Some(&study) {
                changes.studies.push((about(&folder), study));
            }
            seen_studies.insert(folder.name.clone());
            // A study that cannot be listed is one of which only the name is known.
            for run in folder.runs().unwrap_or_default() {
                let id = format!("{}/{}", folder.name, run.name);
                let stamp = stamp(&run, is_locked);
                if known.runs.get(&id) != Some(&stamp) {
                    let row = row(&folder, &run, is_locked);
                    let run = run.name;
                    changes.runs.push(Changed { row, run, stamp });
                }
                seen.insert(id);
            }
        }
        let gone = known.runs.keys().filter(|id| !seen.contains(*id));
        changes.gone = gone.cloned().collect();
        let gone = known.studies.keys();
        let gone = gone.filter(|id| !seen_studies.contains(*id));
        changes.gone_studies = gone.cloned().collect();
        Ok(changes)
    }

    /// Are there no changes?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Self {
            runs,
            studies,
            gone,
            gone_studies,
        } = self;
        runs.is_empty() && studies.is_empty() && gone.is_empty() && gone_studies.is_empty()
    }

    /// The new and changed runs.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.runs.iter().map(|changed| &changed.row)
    }
}

/// For a study that cannot be read, only the name is known.
fn about(folder: &Folder) -> About {
    let name = folder.name.clone();
    match folder.study() {
        Ok(study) => About {
            name,
            question: study.question,
            kind: study.kind.name.to_owned(),
            game: study.settings[0]
                .experiment
                .game()
                .map_or(String::new(), |game| game.family().name.to_owned()),
            damage: folder.runs().err().map(|error| error.to_string()),
        },
        Err(error) => About {
            name,
            question: String::new(),
            kind: String::new(),
            game: String::new(),
            damage: Some(error.to_string()),
        },
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // It can be rebuilt: speed matters more than durability.
    connection.pragma_update(None, "synchronous", "OFF")?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version != VERSION {
        connection.execute_batch("DROP TABLE IF EXISTS runs; DROP TABLE IF EXISTS studies;")?;
        connection.pragma_update(None, "user_version", VERSION)?;
    }
    connection.execute_batch(SCHEMA)?;
    connection.query_row("SELECT count(*) FROM runs", [], |_| Ok(()))?;
    Ok(connection)
}

fn in_memory() -> rusqlite::Result<Connection> {
    let connection = Connection::open_in_memory()?;
    connection.execute_batch(SCHEMA)?;
    Ok(connection)
}

/// Changes whenever a file of the run does. The last bit distinguishes a running run from one whose process is gone.
fn stamp(run: &RunFolder, is_locked: bool) -> i64 {
    let names = KEPT.iter().chain(&[RUN, STATUS, OUTCOME]);
    (stamp_of(names.map(|name| run.path.join(name))) << 1) | i64::from(is_locked)
}

fn study_stamp(folder: &Folder) -> i64 {
    stamp_of([STUDY, META].iter().map(|name| folder.path().join(name)))
}

/// Changes whenever one of the files is written, made or removed.
fn stamp_of(files: impl Iterator<Item = PathBuf>) -> i64 {
    let mut hasher = blake3::Hasher::new();
    for path in files {
        let (time, length) = written(&path);
        hasher.update(&time.to_le_bytes());
        hasher.update(&length.to_le_bytes());
    }
    let first = hasher.finalize().as_bytes()[..8].try_into();
    i64::from_le_bytes(first.expect("a hash has more than eight bytes"))
}

/// When a file was last written, in nanoseconds, and its length; zeros if it does not exist.
fn written(path: &Path) -> (u128, u64) {
    let Ok(file) = fs::metadata(path) else {
        return (0, 0);
    };
    let time = file.modified().ok();
    let time = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    (time.unwrap_or_default().as_nanos(), file.len())
}

/// A run whose files are damaged is listed with what is known of it.
fn row(folder: &Folder, run: &RunFolder, is_locked: bool) -> Row {
    let file = run.file().ok().flatten();
    let status = run.status(is_locked).ok().flatten();
    let damage = damage(run, status.as_ref());
    let state = match (&damage, &status) {
        (Some(_), _) => State::Damaged,
        (None, Some(status)) => status.state,
        (None, None) => State::Waiting,
    };
    let of_status = |value: fn(&Status) -> u64| status.as_ref().map_or(0, value);
    Row {
        id: format!("{}/{}", folder.name, run.name),
        study: folder.name.clone(),
        setting: file
            .as_ref()
            .map(|file| file.setting.clone())
            .unwrap_or_default(),
        repeat: file.as_ref().map_or(0, |file| file.repeat),
        steps: file.map(|file| file.steps).unwrap_or_default(),
        state: state.word().to_owned(),
        done: of_status(|status| status.done),
        of: of_status(|status| status.of),
        best: status.as_ref().and_then(|status| status.best),
        mean: status.as_ref().and_then(|status| status.mean),
        games: of_status(|status| status.games),
        seconds: status.as_ref().map_or(0.0, |status| status.seconds),
        started: status
            .as_ref()
            .map(|status| status.started.clone())
            .unwrap_or_default(),
        updated: status.map(|status| status.updated).unwrap_or_default(),
        damage,
    }
}

/// What is damaged. The history of a run that goes on changes all the time and is checked when it is read.
fn damage(run: &RunFolder, status: Option<&Status>) -> Option<String> {
    if status.is_some_and(|status| status.state == State::Running) {
        return run.file().err().map(|error| error.to_string());
    }
    let found = run.damage();
    let texts: Vec<String> = found.into_iter().map(|damage| damage.text).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

impl From<FileError> for IndexError {
    fn from(error: FileError) -> Self {
        Self::Store(error.into())
    }
}
