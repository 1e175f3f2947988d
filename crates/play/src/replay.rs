//! A game saved as a file: every move and every chance event, so that it can be shown again without its players.
//!
//! `{"format": "gamete-replay", "version": 1, "game": "connect", "rules": {...}, "players": ["random", "random"], "score": 1, "moves": 7,
//! "start": "......./...", "steps": ["4", "3", ...]}`. Steps are the game's own texts, in the order in which they happened; whose turn
//! it is determines whether the next one is a move or a chance event. An unfinished game has fewer steps.

mod script;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use games::{
    AnyGame, Game, IllegalMove, NotAMove, Options, PositionError, RulesError, registry, with_game,
};
use players::arena::{Dice, Observer, play_out};
use players::{Cancelled, Playable, Spec, SpecError};
use serde::{Deserialize, Serialize};

use crate::any::AnyPosition;
use crate::batch::start_of;
use crate::error::PlayError;
use crate::record::score;
use crate::seating::{Table, seated, try_out};

pub use script::Script;

const FORMAT: &str = "gamete-replay";
const VERSION: u32 = 1;

/// A game that was played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    format: String,
    version: u32,
    /// The game's name.
    pub game: String,
    /// Its rules.
    #[serde(default)]
    pub rules: Options,
    /// Names of the players, one per seat; for display only.
    pub players: Vec<String>,
    /// Points of the first player.
    pub score: i64,
    /// Moves of all players.
    pub moves: u64,
    /// The player that gave up, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<Forfeit>,
    /// Where it comes from, as free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    start: String,
    steps: Vec<String>,
}

/// A player that gave up; the game ended there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forfeit {
    /// Its seat.
    pub seat: u8,
    /// Why.
    pub reason: String,
}

/// Why a file is not a replay that can be shown.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It cannot be read.
    #[error("cannot read the replay {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Its content is wrong.
    #[error("{}: {damage}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        damage: Damage,
    },
}

/// What is wrong with a replay.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// It cannot be parsed.
    #[error("is not a replay: {0}")]
    NoReplay(#[from] serde_json::Error),
    /// It is another kind of file.
    #[error("format is '{0}', expected '{FORMAT}'")]
    Format(String),
    /// It is of a later version of the format.
    #[error(
        "was written by a newer gamete (version {0} of the format; this one knows up to {VERSION})"
    )]
    Newer(u32),
    /// There is no such game, or it has no such rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The game cannot start in this position.
    #[error("start: {0}")]
    Start(#[from] PositionError),
    /// A step is impossible.
    #[error("step {number}: {problem}")]
    Step {
        /// Its number, from 1.
        number: usize,
        /// Why not.
        problem: StepError,
    },
    /// Not one player per seat.
    #[error("has {given} players; the game needs {seats}")]
    Players {
        /// Players in the file.
        given: usize,
        /// Players in the game.
        seats: u8,
    },
    /// A player gave up when it was not its turn.
    #[error("the player in seat {0} cannot have given up: it was not its turn")]
    Forfeit(u8),
    /// The steps lead to another result.
    #[error("says {name} {said}, but its steps give {found}")]
    Result {
        /// `score` or `moves`.
        name: &'static str,
        /// The value in the file.
        said: i64,
        /// The value after all steps.
        found: i64,
    },
}

/// What is wrong with a step.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// The text is not a step.
    #[error(transparent)]
    Text(#[from] NotAMove),
    /// The rules do not allow the move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The chance event is impossible.
    #[error("{chance} cannot happen in {position}")]
    Impossible {
        /// The event.
        chance: String,
        /// The position.
        position: String,
    },
    /// The game is already over.
    #[error("'{0}' comes after the end of the game")]
    Over(String),
}

/// Records the steps of a game while it is played from its start.
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    steps: Vec<String>,
    moves: u64,
    forfeit: Option<Forfeit>,
}

impl Recorder {
    /// A player has moved.
    pub fn keep_move(&mut self, chosen: String) {
        self.steps.push(chosen);
        self.moves += 1;
    }

    /// Chance has acted.
    pub fn keep_chance(&mut self, chance: String) {
        self.steps.push(chance);
    }

    /// The player in `seat` gave up.
    pub fn keep_forfeit(&mut self, seat: u8, reason: &str) {
        let reason = reason.to_owned();
        self.forfeit = Some(Forfeit { seat, reason });
    }

    /// Removes the last move.
    fn take_back(&mut self) {
        self.moves -= u64::from(self.steps.pop().is_some());
    }
}

/// Records a game until it is cancelled.
struct Recording<'a> {
    recorder: Recorder,
    cancelled: &'a AtomicBool,
}

impl<G: Game> Observer<G> for Recording<'_> {
    fn happened(&mut self, chance: G::Chance) {
        self.recorder.keep_chance(chance.to_string());
    }

    fn chosen(&mut self, _: u8, chosen: G::Move) {
        self.recorder.keep_move(chosen.to_string());
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

/// Plays game `number` of a measurement with this seed again, and records it. Players with a time limit may choose
/// other moves than before.
pub fn record(game: &AnyGame, table: &Table, seed: u64, number: u64) -> Result<Replay, PlayError> {
    let replay = record_until(game, None, table, (seed, number), &Cancelled::default())?;
    Ok(replay.expect("it is never stopped"))
}

/// As [`record`], but from an opening, which has been checked, and `None` if `stop` became true before the game was over.
pub fn record_until(
    game: &AnyGame,
    opening: Option<&str>,
    table: &Table,
    (seed, number): (u64, u64),
    stop: &Cancelled,
) -> Result<Option<Replay>, PlayError> {
    try_out(game, table.specs())?;
    let dice = Dice::of(seed, number);
    let (score, recorder) = with_game!(game, game => {
        play_again(game, start_of(game, opening), table, dice, stop)
    })?;
    let players = table.specs().iter().map(Spec::label).collect();
    let mut replay = Replay::new(game, players, score, recorder);
    if let Some(opening) = opening {
        opening.clone_into(&mut replay.start);
    }
    replay.about = format!("seed {seed}, game {number}");
    Ok((!stop.load(Ordering::Relaxed)).then_some(replay))
}

fn play_again<G: Playable>(
    game: &G,
    mut position: G::Position,
    table: &Table,
    mut dice: Dice,
    stop: &Cancelled,
) -> Result<(i64, Recorder), SpecError> {
    let mut players = seated(&table.prepare(game)?);
    for player in &mut players {
        player.cancel_when(stop);
    }
    let mut recording = Recording {
        recorder: Recorder::default(),
        cancelled: stop,
    };
    let finished = play_out(game, &mut position, &mut players, &mut dice, &mut recording);
    let Recording { mut recorder, .. } = recording;
    let score = score(game, &position, finished.forfeit.as_ref());
    if let Some((seat, reason)) = finished.forfeit {
        recorder.take_back();
        recorder.keep_forfeit(seat, &reason);
    }
    Ok((score, recorder))
}

impl Replay {
    /// The replay of a game that was played from its start to this score.
    #[must_use]
    pub fn new(game: &AnyGame, players: Vec<String>, score: i64, recorder: Recorder) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: game.family().name.to_owned(),
            rules: game.options(),
            players,
            score,
            moves: recorder.moves,
            forfeit: recorder.forfeit,
            about: String::new(),
            start: AnyPosition::start(game).to_string(),
            steps: recorder.steps,
        }
    }

    /// The replay in a file; all its steps have been checked.
    pub fn read(path: &Path) -> Result<Self, ReplayError> {
        let text = std::fs::read_to_string(path).map_err(|error| ReplayError::Unreadable {
            path: path.to_owned(),
            error,
        })?;
        Self::from_text(&text).map_err(|damage| ReplayError::Wrong {
            path: path.to_owned(),
            damage,
        })
    }

    /// The replay in the text of a file; all its steps have been checked.
    pub fn from_text(text: &str) -> Result<Self, Damage> {
        let replay: Self = serde_json::from_str(text)?;
        if replay.format != FORMAT {
            return Err(Damage::Format(replay.format));
        }
        if replay.version > VERSION {
            return Err(Damage::Newer(replay.version));
        }
        replay.script()?;
        Ok(replay)
    }

    /// Writes it as one line.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut out, self)?;
        out.write_all(b"\n")?;
        out.flush()
    }

    /// The position it begins with, as text.
    pub(crate) fn start(&self) -> &str {
        &self.start
    }

    /// Its moves and chance events, as texts.
    pub(crate) fn steps(&self) -> &[String] {
        &self.steps
    }

    /// The game with its rules.
    pub fn build(&self) -> Result<AnyGame, RulesError> {
        registry::build(&self.game, &self.rules)
    }
}
