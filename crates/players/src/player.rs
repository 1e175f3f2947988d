//! What a player is, and how a kind of player is described and made.

use std::sync::Arc;

use games::{Game, Stream};

use crate::spec::{Spec, SpecError};

/// Chooses moves in games of the type `G`.
pub trait Player<G: Game>: Send {
    /// A legal move for the position, in which it is this player's turn.
    ///
    /// What is drawn at random comes from `rng` alone, so the same generator gives the same choice.
    fn choose(&mut self, game: &G, position: &G::Position, rng: &mut Stream) -> G::Move;

    /// What this player thinks of every legal move, in the order of the moves; higher is better for the
    /// player to move. Empty for a player that does not compare moves by numbers.
    fn judge(
        &mut self,
        _game: &G,
        _position: &G::Position,
        _rng: &mut Stream,
    ) -> Vec<(G::Move, f64)> {
        Vec::new()
    }

    /// From now on, stop thinking about a move as soon as `stop` says so. A player whose thinking has a fixed
    /// length takes no notice.
    fn limit(&mut self, _stop: Stop) {}

    /// Why this player cannot go on, if so; asked after every choice. It then loses the game, and what it chose
    /// does not count. Only players outside of this program have a reason.
    fn forfeit(&self) -> Option<String> {
        None
    }
}

/// Says when to stop. Whoever has a clock makes one; this crate has none.
pub type Stop = Arc<dyn Fn() -> bool + Send + Sync>;

/// The move of the highest value; of equals the first.
pub(crate) fn best<M: Copy>(judged: &[(M, f64)]) -> M {
    let mut best = judged[0];
    for &(chosen, value) in &judged[1..] {
        if value > best.1 {
            best = (chosen, value);
        }
    }
    best.0
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
    /// A few lines more, for someone who has not met it before.
    pub more: &'static str,
    /// What may be set.
    pub parameters: &'static [Parameter],
}

/// A kind of player, whatever games it plays.
pub trait Named {
    /// Its description.
    const KIND: Kind;
}

/// Makes players of one kind for games of the type `G`.
pub trait Recipe<G: Game>: Named {
    /// The player that `spec` describes; its parameters all stand in [`KIND`](Named::KIND).
    fn make(game: &G, spec: &Spec) -> Result<Box<dyn Player<G>>, SpecError>;
}
