//! Positions and players of any game, as used by every crate above this one.
//!
//! Generics end here. [`AnyPosition`] and [`AnyPlayer`] hide a game's own types; moves and chances are the game's own
//! texts. Only drawings made for one game look inside, with [`AnyPosition::typed`].

use std::time::Duration;

use games::{AnyGame, Stream, with_game};
use players::{Cancelled, Playable, Player, Spec, SpecError};

use crate::advice::{self, Advice};
pub use crate::position::{AnyPosition, ChanceError, MoveError, Step};
use crate::seating::prepare;

/// A player of any game. It plays positions of the game it was made for.
pub struct AnyPlayer(Box<dyn Erased>);

impl AnyPlayer {
    /// The player of a spec, with at most `move_time` per move where its thinking can be limited.
    pub fn new(
        game: &AnyGame,
        spec: &Spec,
        move_time: Option<Duration>,
    ) -> Result<Self, SpecError> {
        with_game!(game, game => Ok(boxed(prepare(game, spec, move_time)?.player())))
    }

    /// From now on it returns as soon as `cancelled` is true; its move then does not count.
    #[must_use]
    pub fn until(mut self, cancelled: &Cancelled) -> Self {
        self.0.cancel_when(cancelled);
        self
    }

    /// Its move, or why it has to give up.
    ///
    /// # Panics
    /// If the position is of another game.
    pub fn choose(&mut self, position: &AnyPosition, rng: &mut Stream) -> Result<String, String> {
        self.0.choose(position, rng)
    }

    /// Chooses a move and discards it, to measure how long that takes.
    pub fn think(&mut self, position: &AnyPosition, rng: &mut Stream) {
        self.0.think(position, rng);
    }

    /// Its value for every legal move; empty if it does not evaluate moves.
    pub fn judge(&mut self, position: &AnyPosition, rng: &mut Stream) -> Vec<(String, f64)> {
        self.0.judge(position, rng)
    }

    /// Its move and its value for every move. It has been limited to `time`.
    pub fn advise(&mut self, position: &AnyPosition, rng: &Stream, time: Duration) -> Advice {
        self.0.advise(position, rng, time)
    }

    /// Positions visited so far, for a search that counts them.
    #[must_use]
    pub fn nodes(&self) -> Option<u64> {
        self.0.nodes()
    }
}

fn boxed<G: Playable>(player: Box<dyn Player<G>>) -> AnyPlayer {
    AnyPlayer(Box::new(Of(player)))
}

/// A player of one type of game.
struct Of<G: Playable>(Box<dyn Player<G>>);

/// The operations on a player that do not need its game's type.
trait Erased: Send {
    fn choose(&mut self, position: &AnyPosition, rng: &mut Stream) -> Result<String, String>;
    fn think(&mut self, position: &AnyPosition, rng: &mut Stream);
    fn judge(&mut self, position: &AnyPosition, rng: &mut Stream) -> Vec<(String, f64)>;
    fn advise(&mut self, position: &AnyPosition, rng: &Stream, time: Duration) -> Advice;
    fn nodes(&self) -> Option<u64>;
    fn cancel_when(&mut self, cancelled: &Cancelled);
}

impl<G: Playable> Erased for Of<G> {
    fn choose(&mut self, position: &AnyPosition, rng: &mut Stream) -> Result<String, String> {
        let (game, position) = position.own::<G>();
        let chosen = self.0.choose(game, position, rng);
        self.0.forfeit().map_or(Ok(chosen.to_string()), Err)
    }

    fn think(&mut self, position: &AnyPosition, rng: &mut Stream) {
        let (game, position) = position.own::<G>();
        std::hint::black_box(self.0.choose(game, std::hint::black_box(position), rng));
    }

    fn judge(&mut self, position: &AnyPosition, rng: &mut Stream) -> Vec<(String, f64)> {
        let (game, position) = position.own::<G>();
        let judged = self.0.judge(game, position, rng).into_iter();
        judged
            .map(|(chosen, value)| (chosen.to_string(), value))
            .collect()
    }

    fn advise(&mut self, position: &AnyPosition, rng: &Stream, time: Duration) -> Advice {
        let (game, position) = position.own::<G>();
        advice::advise(game, &mut *self.0, rng, position, time)
    }

    fn nodes(&self) -> Option<u64> {
        self.0.nodes()
    }

    fn cancel_when(&mut self, cancelled: &Cancelled) {
        self.0.cancel_when(cancelled);
    }
}
