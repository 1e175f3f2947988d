//! Positions of Connect-N in which the choice of a move matters: some moves keep what the position is worth, others do not.
//!
//! How often a player keeps it tells more of its strength than games do: every position is a question with a known answer, whoever the
//! opponent is.

use std::cell::Cell;
use std::ops::RangeInclusive;
use std::sync::Mutex;

use games::{AnyGame, below, stream, with_game};
use players::solver::{AnySolver, Budget, Config, MoveScore, Order};
use players::{Cancelled, Playable, Prepared, Spec};

use crate::any::AnyPosition;
use crate::playing::{PlayError, Workers};
use crate::seating::prepare;

/// A position with the answer.
#[derive(Debug, Clone)]
pub struct Decisive {
    /// Its number among the random positions of its source.
    pub number: u64,
    /// The position.
    pub position: AnyPosition,
    /// Stones on the board.
    pub plies: u32,
    /// The moves after which it is still won, drawn or lost, as before.
    pub keeping: Vec<String>,
    /// How many moves there are.
    pub moves: usize,
}

/// Which positions are asked for: those after a number of random moves, drawn evenly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// How many random moves.
    pub plies: RangeInclusive<u32>,
    /// The seed that decides them.
    pub seed: u64,
}

/// Of so many random positions at least one is decisive on every board that is worth a question.
const TRIED_AT_MOST: u64 = 10_000;

/// Finds decisive positions, one after another, in an order that depends on nothing but the source.
#[derive(Debug)]
pub struct Finder<'a> {
    game: &'a AnyGame,
    source: Source,
    /// The number of the next random position.
    next: u64,
    solvers: Mutex<Vec<AnySolver>>,
}

impl<'a> Finder<'a> {
    /// Positions of this game from the one with this number on.
    #[must_use]
    pub fn new(game: &'a AnyGame, source: Source, next: u64) -> Self {
        Self {
            game,
            source,
            next,
            solvers: Mutex::default(),
        }
    }

    /// The number of the next random position.
    #[must_use]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Some more positions, as many as can be solved in a moment; empty if there are none to be found.
    pub fn find(&mut self, workers: &Workers) -> Result<Vec<Decisive>, PlayError> {
        let mut found = Vec::new();
        let last = self.next + TRIED_AT_MOST;
        while found.is_empty() && self.next < last {
            let numbers: Vec<u64> = (self.next..).take(4 * workers.threads()).collect();
            let solved = workers.map(&numbers, |&number| self.decisive(number, workers));
            if workers.is_stopped() {
                return Err(PlayError::Stopped);
            }
            found.extend(solved.into_iter().flatten());
            self.next += numbers.len() as u64;
        }
        Ok(found)
    }

    /// The random position of this number, if it is decisive.
    fn decisive(&self, number: u64, workers: &Workers) -> Option<Decisive> {
        let mut rng = stream(self.source.seed, &[number]);
        let (first, last) = (*self.source.plies.start(), *self.source.plies.end());
        let plies = first + below(&mut rng, last - first + 1);
        let mut position = AnyPosition::start(self.game);
        for _ in 0..plies {
            position.play_at_random(&mut rng);
            if position.is_over() {
                return None;
            }
        }
        let mut solver = self.solver();
        let judged = verdicts(&mut solver, &position, workers);
        self.solvers.lock().expect("mutex poisoned").push(solver);
        let highest = judged.iter().filter_map(MoveScore::verdict).max();
        let kept = judged.iter().filter(|one| one.verdict() == highest);
        let keeping: Vec<String> = kept.map(|one| one.column.to_string()).collect();
        (keeping.len() < judged.len()).then_some(Decisive {
            number,
            position,
            plies,
            keeping,
            moves: judged.len(),
        })
    }

    fn solver(&self) -> AnySolver {
        let idle = self.solvers.lock().expect("mutex poisoned").pop();
        idle.unwrap_or_else(|| {
            let config = Config {
                remember: true,
                book: true,
                ..Config::default()
            };
            AnySolver::new(self.game, config).expect("the game is Connect-N")
        })
    }
}

/// Win, draw or loss of every move.
fn verdicts(solver: &mut AnySolver, position: &AnyPosition, workers: &Workers) -> Vec<MoveScore> {
    let board = solver.parse(&position.to_string());
    let board = board.expect("a position of the game");
    let known = Cell::new(false);
    let budget = Budget {
        cancelled: Some(workers.stop()),
        // Scores need not be exact.
        stop: Some(&|| known.get()),
        ..Budget::default()
    };
    let judged = solver.judge_moves(&board, Order::VerdictsFirst, &budget, &mut |moves, _| {
        known.set(moves.iter().all(|one| one.verdict().is_some()));
    });
    judged.moves
}

/// Which of the positions the player keeps the worth of, in their order. Each is given to a new player, with random numbers of its own, so
/// that an answer depends on nothing else.
pub fn kept(
    game: &AnyGame,
    player: &Spec,
    positions: &[Decisive],
    seed: u64,
    workers: &Workers,
) -> Result<Vec<bool>, PlayError> {
    with_game!(game, game => {
        let player = prepare(game, player, None)?;
        let kept = workers.map(positions, |one| keeps(game, &player, one, seed, workers.stop()));
        match workers.is_stopped() {
            true => Err(PlayError::Stopped),
            false => Ok(kept),
        }
    })
}

/// No move is thought less likely than this, so that one position does not outweigh all others.
const LEAST_LIKELY: f64 = 1e-4;

/// The logarithm of how likely it is in each of the positions that a move is drawn that keeps the worth, if moves are drawn by the player's
/// values as log odds: in proportion to e to the power of the value. A player that does not compare moves draws the one it chooses.
pub fn likely(
    game: &AnyGame,
    player: &Spec,
    positions: &[Decisive],
    seed: u64,
    workers: &Workers,
) -> Result<Vec<f64>, PlayError> {
    with_game!(game, game => {
        let player = prepare(game, player, None)?;
        let likely = |one: &Decisive| {
            let share = share_of_keeping(game, &player, one, seed, workers.stop());
            let share = share.unwrap_or_else(|| {
                f64::from(u8::from(keeps(game, &player, one, seed, workers.stop())))
            });
            libm::log(share.max(LEAST_LIKELY))
        };
        let likely = workers.map(positions, likely);
        match workers.is_stopped() {
            true => Err(PlayError::Stopped),
            false => Ok(likely),
        }
    })
}

/// The share of the moves that keep the worth, each move weighed by e to the power of its value; none of a player without values.
fn share_of_keeping<G: Playable>(
    game: &G,
    player: &Prepared<G>,
    one: &Decisive,
    seed: u64,
    stop: &Cancelled,
) -> Option<f64> {
    let mut player = player.player();
    player.cancel_when(stop);
    let (_, position) = one.position.own::<G>();
    let judged = player.judge(game, position, &mut stream(seed, &[one.number]));
    let best = judged.iter().map(|&(_, value)| value).reduce(f64::max)?;
    let odds = judged
        .iter()
        .map(|&(chosen, value)| (chosen, libm::exp(value - best)));
    let (mut keeping, mut all) = (0.0, 0.0);
    for (chosen, odds) in odds {
        all += odds;
        if one.keeping.contains(&chosen.to_string()) {
            keeping += odds;
        }
    }
    Some(keeping / all)
}

fn keeps<G: Playable>(
    game: &G,
    player: &Prepared<G>,
    one: &Decisive,
    seed: u64,
    stop: &Cancelled,
) -> bool {
    let mut player = player.player();
    player.cancel_when(stop);
    let (_, position) = one.position.own::<G>();
    let chosen = player.choose(game, position, &mut stream(seed, &[one.number]));
    // A player that gives up keeps nothing.
    player.forfeit().is_none() && one.keeping.contains(&chosen.to_string())
}
