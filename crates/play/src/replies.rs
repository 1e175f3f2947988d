//! All games that a player can have against every reply of its opponent: not a sample but a proof.
//!
//! A player that draws no random numbers has one move in every position, so the games branch only where its opponent moves. They are
//! followed ply by ply; positions that are reached in several ways are looked at once, and count as often as there are ways. A new
//! player is asked in every position, so that its answer depends on nothing else.

use std::collections::HashMap;

use games::{AnyGame, Game, Turn, stream, with_game};
use players::{Cancelled, Playable, Prepared, Spec};

use crate::playing::{PlayError, Workers};
use crate::seating::prepare;

/// All games of a player from one seat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replies {
    /// Different positions that can come up, by the number of plies; the first and the last of every game are included.
    pub plies: Vec<u64>,
    /// Different games by their result for the player: lost, drawn, won.
    pub games: [u64; 3],
}

/// Follows all games of a player in this seat of a two-player game without chance; `None` if more than `most` positions can come up.
/// The player must draw no random numbers.
pub fn every_reply(
    game: &AnyGame,
    player: &Spec,
    seat: u8,
    most: u64,
    workers: &Workers,
) -> Result<Option<Replies>, PlayError> {
    with_game!(game, game => {
        let player = prepare(game, player, None)?;
        follow(game, &player, seat, most, workers)
    })
}

/// Positions after the same number of plies, each with the number of ways to it.
type Ply<G> = HashMap<<G as Game>::Key, (<G as Game>::Position, u64)>;

fn follow<G: Playable>(
    game: &G,
    player: &Prepared<G>,
    seat: u8,
    most: u64,
    workers: &Workers,
) -> Result<Option<Replies>, PlayError> {
    let mut found = Replies::default();
    let start = game.start();
    let mut ply: Ply<G> = HashMap::from([(game.key(&start), (start, 1))]);
    while !ply.is_empty() {
        found.plies.push(ply.len() as u64);
        if found.positions() > most {
            return Ok(None);
        }
        let positions: Vec<(G::Position, u64)> = ply.into_values().collect();
        let next = workers.map(&positions, |(position, _)| {
            after(game, player, seat, position, workers.stop())
        });
        if workers.is_stopped() {
            return Err(PlayError::Stopped);
        }
        ply = HashMap::new();
        for ((position, ways), next) in positions.iter().zip(next) {
            if game.turn(position) == Turn::Over {
                found.add(game.score(position), seat, *ways);
            }
            for position in next {
                let entry = ply.entry(game.key(&position));
                let (_, all) = entry.or_insert((position, 0));
                *all = all.saturating_add(*ways);
            }
        }
    }
    Ok(Some(found))
}

/// The positions after the next move: one where the player moves, all where its opponent does.
fn after<G: Game>(
    game: &G,
    player: &Prepared<G>,
    seat: u8,
    position: &G::Position,
    stop: &Cancelled,
) -> Vec<G::Position> {
    let mut moves = Vec::new();
    match game.turn(position) {
        Turn::Player(own) if own == seat => {
            let mut player = player.player();
            player.cancel_when(stop);
            moves.push(player.choose(game, position, &mut stream(0, &[])));
        }
        Turn::Player(_) => game.moves(position, &mut moves),
        Turn::Chance | Turn::Over => {}
    }
    let play = |chosen| {
        let mut next = position.clone();
        game.play_unchecked(&mut next, chosen);
        next
    };
    moves.into_iter().map(play).collect()
}

impl Replies {
    /// All different positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.plies.iter().sum()
    }

    /// Counts games that ended with this score of the first player.
    fn add(&mut self, score: i64, seat: u8, ways: u64) {
        let result = if seat == 0 { score } else { -score };
        let games = &mut self.games[(result.signum() + 1) as usize];
        *games = games.saturating_add(ways);
    }
}
