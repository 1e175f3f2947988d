//! The games that measured a run: lists them from their CSV, and replays any of them.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::{Folder, RunFolder, StoreError};
use crate::run::sample::{GAMES, SAME_AS};
use play::measure::Plan;
use play::playing::{PlayError, Record};
use play::replay::Replay;
use players::Cancelled;

/// A game that measured a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Played {
    /// Its number, from 0.
    pub game: u64,
    /// Points of the measured player.
    pub score: i64,
    /// Moves of all players.
    pub moves: u32,
    /// Game-specific facts, by name.
    pub facts: BTreeMap<String, u64>,
    /// The seat that gave up, if any.
    pub forfeit: Option<u8>,
    /// The earlier game that it repeats, if any; it then does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<u64>,
}

/// Why a game cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum AgainError {
    /// It was not played.
    #[error("{run} has no game {number}; it has {known}")]
    NoGame {
        /// The run.
        run: String,
        /// The requested game.
        number: u64,
        /// The available ones.
        known: String,
    },
    /// Its players are nondeterministic.
    #[error(
        "game {0} is not reproducible: its players are nondeterministic (programs, or with a time limit)"
    )]
    Otherwise(u64),
    /// It was stopped.
    #[error("game {0} takes too long to replay")]
    Stopped(u64),
    /// The run cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its players cannot play.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// The games of a run, by number; empty if it is unfinished, or was not measured by games.
pub fn games(run: &Path) -> Result<Vec<Played>, StoreError> {
    let path = run.join(GAMES);
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let wrong = |problem: String| StoreError::Wrong {
        path: path.clone(),
        problem,
    };
    let damaged = |error: csv::Error| wrong(format!("is damaged: {error}"));
    let mut reader = csv::Reader::from_path(&path).map_err(damaged)?;
    let head = reader.headers().map_err(damaged)?.clone();
    let mut games = Vec::new();
    for row in reader.records() {
        let row = row.map_err(damaged)?;
        let game = game(&head, &row);
        games.push(
            game.ok_or_else(|| {
                wrong(format!("is damaged: row {} is not a game", games.len() + 1))
            })?,
        );
    }
    Ok(games)
}

/// The games of a run as records of its measurement, without times.
pub fn records(plan: &Plan, run: &Path) -> Result<Vec<Record>, StoreError> {
    let names = plan.game.facts();
    let record = |game: Played| Record {
        score: game.score,
        moves: game.moves,
        facts: names
            .iter()
            .map(|(name, _)| game.facts.get(&name.replace('_', " ")).copied())
            .map(Option::unwrap_or_default)
            .collect(),
        forfeit: game.forfeit.map(|seat| (seat, String::new())),
        seconds: 0.0,
        move_seconds: Box::default(),
        same: Some(game.same_as.unwrap_or(game.game)),
        origin: None,
    };
    Ok(games(run)?.into_iter().map(record).collect())
}

/// Parses a row. The columns between moves and forfeit are game-specific.
fn game(head: &csv::StringRecord, row: &csv::StringRecord) -> Option<Played> {
    let text = |name: &str| row.get(head.iter().position(|column| column == name)?);
    let is_fact = |name: &str| !["game", "score", "moves", "forfeit", SAME_AS].contains(&name);
    let facts = head.iter().zip(row).filter(|(name, _)| is_fact(name));
    let facts = facts.map(|(name, value)| Some((name.replace('_', " "), value.parse().ok()?)));
    Some(Played {
        game: text("game")?.parse().ok()?,
        score: text("score")?.parse().ok()?,
        moves: text("moves")?.parse().ok()?,
        facts: facts.collect::<Option<_>>()?,
        forfeit: text("forfeit").and_then(|seat| seat.parse().ok()),
        same_as: text(SAME_AS).and_then(|game| game.parse().ok()),
    })
}

/// The plan of a run's games; `None` if it is unfinished, was not measured by games, or its study has changed since.
pub fn plan(folder: &Folder, run: &RunFolder) -> Result<Option<Plan>, StoreError> {
    let (Some(file), Some(outcome)) = (run.file()?, run.outcome()?) else {
        return Ok(None);
    };
    let study = folder.study()?;
    let setting = study.settings.get(file.setting_number - 1);
    let setting = setting.filter(|setting| setting.config == file.config);
    Ok(setting.and_then(|setting| setting.experiment.measured(file.seed, &outcome)))
}

/// Replays a game of a run with all its steps, until `stop` is true.
pub fn play_again(
    plan: &Plan,
    run: &RunFolder,
    number: u64,
    stop: &Cancelled,
) -> Result<Replay, AgainError> {
    let games = games(&run.path)?;
    let Some(before) = games.get(number as usize) else {
        let known = match games.len() {
            0 => "none".to_owned(),
            many => format!("0 to {}", many - 1),
        };
        let run = run.name.clone();
        return Err(AgainError::NoGame { run, number, known });
    };
    let replay = plan
        .replay(number, stop)?
        .ok_or(AgainError::Stopped(number))?;
    if plan.score_of(number, replay.score) != before.score {
        return Err(AgainError::Otherwise(number));
    }
    Ok(replay)
}
