//! `score`: the game's own score. In 2048-search this is H1.

use games::Game;

use super::Evaluate;

/// The score of the player at seat 0.
pub(super) struct Score;

impl<G: Game> Evaluate<G> for Score {
    fn value(&self, game: &G, position: &G::Position) -> f64 {
        game.score(position) as f64
    }
}
