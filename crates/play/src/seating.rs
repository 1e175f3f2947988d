//! Players at a table: made from their specs, and given a clock where they have a limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use games::{Game, Stream};
use players::registry::{Entry, PLAYERS, find_among};
use players::{Playable, Player, Spec, SpecError, Stop};

use crate::bots::{EXEC, Exec, Settings};
use crate::playing::PlayError;

/// All kinds of players: the pure ones, and bots.
pub fn all_players() -> impl Iterator<Item = &'static Entry> + Clone {
    PLAYERS.iter().chain([&EXEC])
}

/// The kinds of players that a spec names (one, or one a game), bots among them.
pub fn find(spec: &Spec) -> Result<Vec<&'static Entry>, SpecError> {
    find_among(all_players(), spec)
}

/// Can the players of these specs play? A wrong spec is told, and bots are started once: better one message
/// before the first game than a thousand lost games.
pub fn try_out<G: Playable>(game: &G, specs: &[Spec]) -> Result<(), PlayError> {
    for (place, spec) in specs.iter().enumerate() {
        if specs[..place].contains(spec) {
            continue;
        }
        seat(game, spec, None)?;
        if is_bot(spec) {
            let bot = Exec::new(Settings::read(spec)?, None);
            bot.try_out(game).map_err(|error| PlayError::Bot {
                spec: spec.label(),
                error,
            })?;
        }
    }
    Ok(())
}

/// Is the player a program of its own, which would be started?
#[must_use]
pub fn is_bot(spec: &Spec) -> bool {
    spec.name() == EXEC.kind.name
}

/// The player of a spec, with at most `move_time` a move where its thinking can be limited.
pub fn seat<G: Playable>(
    game: &G,
    spec: &Spec,
    move_time: Option<Duration>,
) -> Result<Box<dyn Player<G>>, SpecError> {
    find(spec)?;
    if is_bot(spec) {
        return Ok(Box::new(Exec::new(Settings::read(spec)?, move_time)));
    }
    let player = game.prepare(spec)?.player();
    Ok(match move_time {
        Some(time) => Box::new(Timed {
            player,
            time,
            cancelled: Arc::default(),
        }),
        None => player,
    })
}

/// The player of a spec for somebody who may lose interest: it thinks about a move for at most `time`, and stops as soon as
/// `cancelled` is true, where its thinking can be limited.
pub fn seat_until<G: Playable>(
    game: &G,
    spec: &Spec,
    time: Duration,
    cancelled: &Arc<AtomicBool>,
) -> Result<Box<dyn Player<G>>, SpecError> {
    if is_bot(spec) {
        return seat(game, spec, Some(time));
    }
    let player = seat(game, spec, None)?;
    let cancelled = Arc::clone(cancelled);
    Ok(Box::new(Timed {
        player,
        time,
        cancelled,
    }))
}

/// A player with a clock. What it chooses may depend on the machine.
struct Timed<G: Game> {
    player: Box<dyn Player<G>>,
    time: Duration,
    cancelled: Arc<AtomicBool>,
}

impl<G: Game> Timed<G> {
    fn start_clock(&mut self) {
        let deadline = Instant::now() + self.time;
        let cancelled = Arc::clone(&self.cancelled);
        let stop: Stop =
            Arc::new(move || cancelled.load(Ordering::Relaxed) || Instant::now() >= deadline);
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

    fn forfeit(&self) -> Option<String> {
        self.player.forfeit()
    }
}
