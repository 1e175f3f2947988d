//! Best scores of people, kept between sessions in a small file.
//!
//! The file is `best.json` in the user's data directory, or in `GAMETE_DATA`. It never stops a game: what
//! cannot be read counts as empty, what cannot be written is not kept.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};

/// The version of the file that this program writes.
const VERSION: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
struct File {
    version: u32,
    scores: BTreeMap<String, i64>,
}

/// The best score of one game with its rules.
#[derive(Debug)]
pub(crate) struct Best {
    path: Option<PathBuf>,
    game: String,
    score: Option<i64>,
}

impl Best {
    /// The best score so far of this game, named together with its rules.
    pub(crate) fn of(game: String) -> Self {
        Self::in_file(
            directory().map(|directory| directory.join("best.json")),
            game,
        )
    }

    /// A best score that no file keeps.
    #[cfg(test)]
    pub(crate) fn unkept() -> Self {
        Self::in_file(None, String::new())
    }

    fn in_file(path: Option<PathBuf>, game: String) -> Self {
        let scores = path.as_deref().and_then(read).map(|file| file.scores);
        let score = scores.and_then(|scores| scores.get(&game).copied());
        Self { path, game, score }
    }

    /// The best score, if there is one yet, this one included.
    pub(crate) fn with(&self, score: i64) -> i64 {
        self.score.map_or(score, |best| best.max(score))
    }

    /// Keeps the score of a game that ended, if it is the best.
    pub(crate) fn keep(&mut self, score: i64) {
        if self.score.is_some_and(|best| best >= score) {
            return;
        }
        self.score = Some(score);
        if let Some(path) = &self.path {
            // A lost record must not end the game.
            let _ = write(path, &self.game, score);
        }
    }
}

fn directory() -> Option<PathBuf> {
    match std::env::var_os("GAMETE_DATA") {
        Some(directory) if !directory.is_empty() => Some(directory.into()),
        _ => {
            let strategy = etcetera::choose_base_strategy().ok()?;
            Some(strategy.data_dir().join("gamete"))
        }
    }
}

fn read(path: &Path) -> Option<File> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Adds the score to what the file holds now, which another window may have changed.
fn write(path: &Path, game: &str, score: i64) -> io::Result<()> {
    let mut file = read(path).unwrap_or(File {
        version: VERSION,
        scores: BTreeMap::new(),
    });
    if file.version != VERSION {
        return Err(io::Error::other("written by a newer gamete"));
    }
    let best = file.scores.entry(game.to_owned()).or_insert(score);
    *best = score.max(*best);
    let directory = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(directory)?;
    let mut written = tempfile::NamedTempFile::new_in(directory)?;
    written.write_all(&serde_json::to_vec_pretty(&file)?)?;
    written.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(directory: &Path, game: &str) -> Best {
        Best::in_file(Some(directory.join("deep/best.json")), game.to_owned())
    }

    #[test]
    fn the_best_of_each_game_is_kept() {
        let directory = tempfile::tempdir().unwrap();
        for (game, score) in [("a", 10), ("b", 5), ("a", 7), ("b", 6)] {
            best(directory.path(), game).keep(score);
        }
        assert_eq!(best(directory.path(), "a").with(0), 10);
        assert_eq!(best(directory.path(), "b").with(0), 6);
        assert_eq!(best(directory.path(), "b").with(9), 9);
        assert_eq!(best(directory.path(), "c").with(0), 0);
        let left = fs::read_dir(directory.path().join("deep")).unwrap();
        assert_eq!(left.count(), 1, "no temporary file is left");
    }

    #[test]
    fn two_windows_do_not_lose_each_others_scores() {
        let directory = tempfile::tempdir().unwrap();
        let (mut first, mut second) = (best(directory.path(), "a"), best(directory.path(), "a"));
        first.keep(10);
        second.keep(8);
        assert_eq!(best(directory.path(), "a").with(0), 10);
    }

    #[test]
    fn a_damaged_file_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("deep")).unwrap();
        let path = directory.path().join("deep/best.json");
        for damaged in [
            "",
            "{",
            "[]",
            "\u{0}",
            r#"{"version":1,"scores":{"a":"x"}}"#,
        ] {
            fs::write(&path, damaged).unwrap();
            let mut damaged = best(directory.path(), "a");
            assert_eq!(damaged.with(3), 3);
            damaged.keep(4);
            assert_eq!(best(directory.path(), "a").with(0), 4);
        }
    }

    #[test]
    fn a_file_of_a_newer_version_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("deep")).unwrap();
        let (path, newer) = (
            directory.path().join("deep/best.json"),
            r#"{"version":2,"scores":{}}"#,
        );
        fs::write(&path, newer).unwrap();
        best(directory.path(), "a").keep(4);
        assert_eq!(fs::read_to_string(path).unwrap(), newer);
    }

    #[test]
    fn what_cannot_be_written_is_no_error() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        fs::write(&file, "").unwrap();
        let mut best = best(&file, "a");
        best.keep(4);
        assert_eq!(best.with(0), 4);
    }
}
