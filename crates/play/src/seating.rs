//! The players of a game: prepared from their specs once, with a time limit where they have one.

use std::collections::HashMap;
use std::collections::hash_map::Entry::Vacant as Unknown;
use std::sync::Arc;
use std::time::{Duration, Instant};

use games::{AnyGame, Game, Stream, with_game};
use players::registry::{Entry, PLAYERS, check_of_game, find_among};
use players::{Cancelled, Playable, Player, Prepared, Spec, SpecError, Stop, Tunable};

use crate::bots::{EXEC, Exec, Settings};
use crate::error::PlayError;
use crate::functions;

/// The players, one per seat, and their time limit per move.
#[derive(Debug, Clone)]
pub struct Table {
    specs: Vec<Spec>,
    move_time: Option<Duration>,
}

impl Table {
    /// These players, one per seat, each with at most `move_time` per move where it can be limited.
    #[must_use]
    pub fn new(specs: Vec<Spec>, move_time: Option<Duration>) -> Self {
        Self { specs, move_time }
    }

    /// The players' specs, one per seat.
    #[must_use]
    pub fn specs(&self) -> &[Spec] {
        &self.specs
    }

    /// Time limit per move.
    #[must_use]
    pub fn move_time(&self) -> Option<Duration> {
        self.move_time
    }

    /// The same players with seats swapped.
    #[must_use]
    pub fn swapped(&self) -> Self {
        let specs = self.specs.iter().rev().cloned();
        Self::new(specs.collect(), self.move_time)
    }

    /// The players, ready for any number of games with these rules.
    pub(crate) fn prepare<G: Playable>(&self, game: &G) -> Result<Vec<Prepared<G>>, SpecError> {
        let prepared = |spec| prepare(game, spec, self.move_time);
        self.specs.iter().map(prepared).collect()
    }
}

/// New players for one game.
pub(crate) fn seated<G: Game>(prepared: &[Prepared<G>]) -> Vec<Box<dyn Player<G>>> {
    prepared.iter().map(Prepared::player).collect()
}

/// All kinds of players: the built-in ones, and bots.
pub fn all_players() -> impl Iterator<Item = &'static Entry> + Clone {
    PLAYERS.iter().chain([&EXEC])
}

/// The kinds of players that a spec names (one, or one per game), including bots.
pub fn find(spec: &Spec) -> Result<Vec<&'static Entry>, SpecError> {
    find_among(all_players(), spec)
}

/// Can these players play? Bots are started once: better one error before the first game than a thousand
/// lost games.
pub fn try_out(game: &AnyGame, specs: &[Spec]) -> Result<(), PlayError> {
    introduced(game, specs).map(drop)
}

/// Tries the players out, as [`try_out`] does, and labels bots by the names they introduce themselves by. Different bots
/// with one name keep their commands, which tell them apart.
pub fn introduced(game: &AnyGame, specs: &[Spec]) -> Result<Vec<Spec>, PlayError> {
    let mut names: HashMap<String, Option<String>> = HashMap::new();
    for spec in specs {
        if let Unknown(entry) = names.entry(spec.to_string()) {
            entry.insert(with_game!(game, game => try_out_one(game, spec))?);
        }
    }
    let labelled = |spec: &Spec| match &names[&spec.to_string()] {
        Some(name) if is_unique(name, &names) => spec.clone().with_label(name),
        _ => spec.clone(),
    };
    Ok(specs.iter().map(labelled).collect())
}

fn is_unique(name: &str, names: &HashMap<String, Option<String>>) -> bool {
    let same = |other: &&Option<String>| other.as_deref() == Some(name);
    names.values().filter(same).count() == 1
}

/// Can this player play? Returns the name that a bot introduces itself by.
pub(crate) fn try_out_one<G: Playable>(game: &G, spec: &Spec) -> Result<Option<String>, PlayError> {
    prepare(game, spec, None)?;
    if !is_bot(spec) {
        return Ok(None);
    }
    let bot = Exec::new(Settings::read(spec)?, None);
    bot.try_out(game).map_err(|error| PlayError::Bot {
        spec: spec.label(),
        error,
    })
}

/// Does the spec describe a player of this game? Bots are not started.
pub fn check(game: &AnyGame, spec: &Spec) -> Result<(), SpecError> {
    with_game!(game, game => prepare(game, spec, None).map(drop))
}

/// The part of this player that evolution can tune.
pub fn tunable(game: &AnyGame, spec: &Spec) -> Result<Tunable, SpecError> {
    with_game!(game, game => game.tunable(spec))
}

/// Does this player of the game draw random numbers, so that its games differ wherever they begin?
#[must_use]
pub fn draws(game: &AnyGame, spec: &Spec) -> bool {
    let game = game.family().name;
    let found = find(spec).unwrap_or_default();
    found.iter().any(|entry| entry.draws && entry.plays(game))
}

/// Is the player an external program?
#[must_use]
pub fn is_bot(spec: &Spec) -> bool {
    spec.name() == EXEC.kind.name
}

/// The player of a spec, with at most `move_time` per move where its thinking can be limited.
pub fn prepare<G: Playable>(
    game: &G,
    spec: &Spec,
    move_time: Option<Duration>,
) -> Result<Prepared<G>, SpecError> {
    if let Some(prepared) = functions::prepare(game, spec) {
        return Ok(prepared);
    }
    check_of_game(all_players(), game.family().name, spec)?;
    if is_bot(spec) {
        let settings = Settings::read(spec)?;
        return Ok(Prepared::new(move || {
            Box::new(Exec::new(settings.clone(), move_time))
        }));
    }
    let prepared = game.prepare(spec)?;
    Ok(match move_time {
        Some(time) => timed(prepared, time),
        None => prepared,
    })
}

fn timed<G: Game>(prepared: Prepared<G>, time: Duration) -> Prepared<G> {
    Prepared::new(move || {
        Box::new(Timed {
            player: prepared.player(),
            time,
        })
    })
}

/// A player with a time limit. Its moves may depend on the machine.
struct Timed<G: Game> {
    player: Box<dyn Player<G>>,
    time: Duration,
}

impl<G: Game> Timed<G> {
    fn start_clock(&mut self) {
        let deadline = Instant::now() + self.time;
        let stop: Stop = Arc::new(move || Instant::now() >= deadline);
        self.player.limit(stop);
    }
}

impl<G: Game> Player<G> for Timed<G> {
    fn choose(&mut self, game: &G, position: &G::Position, rng: &mut Stream) -> G::Move {
        self.start_clock();
        self.player.choose(game, position, rng)
    }

    fn judge(&mut self, game: &G, position: &G::Position, rng: &mut Stream) -> Vec<(G::Move, f64)> {
        self.start_clock();
        self.player.judge(game, position, rng)
    }

    fn cancel_when(&mut self, cancelled: &Cancelled) {
        self.player.cancel_when(cancelled);
    }

    fn nodes(&self) -> Option<u64> {
        self.player.nodes()
    }

    fn forfeit(&self) -> Option<String> {
        self.player.forfeit()
    }
}
