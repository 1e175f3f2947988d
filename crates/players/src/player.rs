//! What a player is, and how a kind of player is described and made.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use evolve::cgp::Grid;
use games::{Game, Stream};

use spec::{Kind, Spec, SpecError};

/// Chooses moves in games of the type `G`.
pub trait Player<G: Game>: Send {
    /// A legal move for the position, in which it is this player's turn.
    ///
    /// What is drawn at random comes from `rng` alone, so the same generator gives the same choice.
    fn choose(&mut self, game: &G, position: &G::Position, rng: &mut Stream) -> G::Move;

    /// Does it always choose by [`Game::random_move`]? Whole games of such players can be played faster.
    fn is_random(&self) -> bool {
        false
    }

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

    /// From now on, stop thinking about a move as soon as `stop` returns true. A fast player may ignore it.
    fn limit(&mut self, _stop: Stop) {}

    /// From now on, return as soon as `cancelled` is true; the move is then not made. Unlike a limit it changes no move as long as it
    /// is false. A fast player may ignore it.
    fn cancel_when(&mut self, _cancelled: &Cancelled) {}

    /// Positions visited so far, of a search that counts them.
    fn nodes(&self) -> Option<u64> {
        None
    }

    /// Why this player forfeits the game, if it does; checked after every choice, which then does not count.
    fn forfeit(&self) -> Option<String> {
        None
    }
}

/// Returns true when it is time to stop. The caller has the clock; this crate has none.
pub type Stop = Arc<dyn Fn() -> bool + Send + Sync>;

/// Becomes true when nobody needs the result any more, and never false again.
pub type Cancelled = Arc<AtomicBool>;

/// When a search returns before it is complete.
#[derive(Clone, Default)]
pub(crate) struct Interrupts {
    /// Time is up: what has been found so far counts.
    pub(crate) limit: Option<Stop>,
    /// What has been found does not count.
    pub(crate) cancelled: Option<Cancelled>,
}

impl Interrupts {
    pub(crate) fn is_cancelled(&self) -> bool {
        let cancelled = self.cancelled.as_ref();
        cancelled.is_some_and(|cancelled| cancelled.load(Ordering::Relaxed))
    }

    /// Is it time to return, for whatever reason?
    pub(crate) fn is_due(&self) -> bool {
        self.is_cancelled() || self.limit.as_ref().is_some_and(|stop| stop())
    }
}

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

/// A kind of player, whatever games it plays.
pub trait Named {
    /// Its description.
    const KIND: Kind;
    /// Whether it draws random numbers. Two players that draw none play the same game from the same position, however often.
    const DRAWS: bool = false;
}

/// What of a player evolution can find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tunable {
    /// Nothing.
    Nothing,
    /// The numbers of its parameter `weights`; their names.
    Weights(Vec<String>),
    /// Its parameter `program`.
    Program(Grid),
}

impl Tunable {
    /// Weights of these names.
    pub(crate) fn weights<S: ToString>(names: impl IntoIterator<Item = S>) -> Self {
        Self::Weights(names.into_iter().map(|name| name.to_string()).collect())
    }
}

/// Makes players of one kind for games of the type `G`.
pub trait PlayerFactory<G: Game>: Named {
    /// Reads the spec, whose parameters all stand in [`KIND`](Named::KIND), once; the result makes a fresh player per game, cheaply:
    /// weights are parsed, tables built and shared.
    fn prepare(game: &G, spec: &Spec) -> Result<Prepared<G>, SpecError>;

    /// What of the player that `spec` describes evolution can find.
    fn tunable(_game: &G, _spec: &Spec) -> Result<Tunable, SpecError> {
        Ok(Tunable::Nothing)
    }
}

/// A player whose spec has been read, for the rules of one game: makes a fresh player for every game that is played.
pub struct Prepared<G: Game>(Arc<dyn Fn() -> Box<dyn Player<G>> + Send + Sync>);

impl<G: Game> Prepared<G> {
    /// Players that the closure makes.
    pub fn new(make: impl Fn() -> Box<dyn Player<G>> + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    /// Copies of a player that has not played yet.
    pub(crate) fn copies<P: Player<G> + Clone + Sync + 'static>(player: P) -> Self {
        Self::new(move || Box::new(player.clone()))
    }

    /// A fresh player.
    #[must_use]
    pub fn player(&self) -> Box<dyn Player<G>> {
        (self.0)()
    }
}

impl<G: Game> Clone for Prepared<G> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}
