//! What a player is, and how a kind of player is described and made.

use games::{Game, Stream};

use crate::spec::{Spec, SpecError};

/// Chooses moves in games of the type `G`.
pub trait Player<G: Game>: Send {
    /// A legal move for the position, in which it is this player's turn.
    ///
    /// What is drawn at random comes from `rng` alone, so the same generator gives the same choice.
    fn choose(&mut self, game: &G, position: &G::Position, rng: &mut Stream) -> G::Move;
}

/// One parameter of a kind of player.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name in a spec.
    pub name: &'static str,
    /// The value when it is not given.
    pub default: &'static str,
    /// One line on what it does and what is allowed.
    pub help: &'static str,
}

/// A kind of player, before its parameters are fixed.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The name in a spec.
    pub name: &'static str,
    /// One line on how it chooses.
    pub about: &'static str,
    /// What may be set.
    pub parameters: &'static [Parameter],
}

/// Makes players of one kind for any game.
pub trait Recipe {
    /// The kind made.
    const KIND: Kind;

    /// The player that `spec` describes; its parameters all stand in [`KIND`](Self::KIND).
    fn make<G: Game>(game: &G, spec: &Spec) -> Result<Box<dyn Player<G>>, SpecError>;
}
