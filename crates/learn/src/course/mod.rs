//! A game as a learner plays it. One file per game.

pub mod connect;
mod recorded;
pub mod twenty48;

use players::network::Lookup;
pub(crate) use recorded::Recorded;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A move that can be made.
#[derive(Debug, Clone, Copy)]
pub struct MoveOption<A> {
    /// The position after it, before chance or the opponent acts.
    pub after: A,
    /// What it scores at once.
    pub reward: f32,
    /// The game is over with it.
    pub is_last: bool,
}

/// A game whose positions after a move are what a network values.
pub trait Course: Send + Sync + 'static {
    /// A position after a move.
    type After: Copy + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// A game in progress.
    type Episode: Clone + Send + Sync + Serialize + DeserializeOwned;
    /// Finds positions in the tables.
    type Lookup: Lookup<Self::After>;
    /// What the value of the next position means for this one: 1 if the same player moves again, -1 if it is the opponent.
    const TURN: f32;

    /// The value of a position by the sum of its weights.
    #[inline]
    #[must_use]
    fn squash(sum: f32) -> f32 {
        sum
    }

    /// How much a value changes with the sum of its weights.
    #[inline]
    #[must_use]
    fn slope(_value: f32) -> f32 {
        1.0
    }

    /// The tables.
    fn lookup(&self) -> &Self::Lookup;

    /// A new game, with a random stream of its own.
    fn begin(&self, game: u64) -> Self::Episode;

    /// A new game that goes on from a position of another, with a random stream of its own.
    fn begin_from(&self, game: u64, position: &Self::Episode) -> Self::Episode;

    /// All moves; none when the game is over.
    fn options(&self, episode: &Self::Episode, options: &mut Vec<MoveOption<Self::After>>);

    /// Which of so many moves is made to see what comes of it, if it is not to be the best one.
    #[inline]
    fn explore(&self, _episode: &mut Self::Episode, _options: usize) -> Option<usize> {
        None
    }

    /// Which of the moves was made, in a game that is not played but was.
    #[inline]
    fn recorded(&self, _episode: &Self::Episode) -> Option<usize> {
        None
    }

    /// The game in a position, given as text; `None` if it is none of this game.
    fn read(&self, position: &str) -> Option<Self::Episode>;

    /// The position after a move, given as text, if it can be made.
    fn after(&self, episode: &Self::Episode, chosen: &str) -> Option<Self::After>;

    /// Makes a move, and whatever chance does after it.
    fn advance(&self, episode: &mut Self::Episode, chosen: &MoveOption<Self::After>);

    /// The stage of the network that the position after a move belongs to.
    fn stage(&self, after: &Self::After) -> usize;

    /// The score so far.
    fn score(&self, episode: &Self::Episode) -> i64;

    /// The class of the game's result: its largest tile, or who won.
    fn class(&self, episode: &Self::Episode) -> u64;
}
