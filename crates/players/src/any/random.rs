//! `random`: every legal move is equally likely. The reference for all others.

use games::{Game, Stream};

use crate::player::{Named, Player, PlayerFactory, Prepared};
use spec::{Kind, Spec, SpecError};

/// The random player.
#[derive(Debug, Clone, Copy)]
pub struct Random;

impl<G: Game> Player<G> for Random {
    fn choose(&mut self, game: &G, position: &G::Position, rng: &mut Stream) -> G::Move {
        game.random_move(position, rng)
    }

    fn is_random(&self) -> bool {
        true
    }
}

impl Named for Random {
    const KIND: Kind = Kind {
        name: "random",
        about: "chooses among the legal moves at random",
        more: "Every legal move is equally likely. The reference for all others.",
        parameters: &[],
    };
    const DRAWS: bool = true;
}

impl<G: Game> PlayerFactory<G> for Random {
    fn prepare(_: &G, _: &Spec) -> Result<Prepared<G>, SpecError> {
        Ok(Prepared::copies(Self))
    }
}
