//! Counts of paths and positions, as chess programs do to prove their rules right.
//!
//! Every move and every act of chance is one ply.

use std::collections::HashMap;

use crate::game::{Game, Turn};

/// The number of paths of exactly `depth` plies from `position`. A path that ends earlier does not count.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u128 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return count_successors(game, position);
    }
    let mut total = 0;
    each_successor(game, position, |next| {
        total += perft(game, &next, depth - 1);
    });
    total
}

/// The number of different positions (see [`Game::key`]) that paths of exactly `depth` plies reach.
pub fn distinct<G: Game>(game: &G, position: &G::Position, depth: u32) -> u128 {
    let mut level = HashMap::from([(game.key(position), position.clone())]);
    for _ in 0..depth {
        let mut next_level = HashMap::new();
        for position in level.values() {
            each_successor(game, position, |next| {
                next_level.entry(game.key(&next)).or_insert(next);
            });
        }
        level = next_level;
    }
    level.len() as u128
}

fn count_successors<G: Game>(game: &G, position: &G::Position) -> u128 {
    match game.turn(position) {
        Turn::Over => 0,
        Turn::Chance => {
            let mut chances = Vec::new();
            game.chances(position, &mut chances);
            chances.len() as u128
        }
        Turn::Player(_) => {
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            moves.len() as u128
        }
    }
}

fn each_successor<G: Game>(game: &G, position: &G::Position, mut visit: impl FnMut(G::Position)) {
    match game.turn(position) {
        Turn::Over => {}
        Turn::Chance => {
            let mut chances = Vec::new();
            game.chances(position, &mut chances);
            for (chance, _) in chances {
                let mut next = position.clone();
                game.happen(&mut next, chance);
                visit(next);
            }
        }
        Turn::Player(_) => {
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            for chosen in moves {
                let mut next = position.clone();
                game.play_unchecked(&mut next, chosen);
                visit(next);
            }
        }
    }
}
