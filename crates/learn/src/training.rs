//! A learner of any game and method, between steps.

use std::ops::Range;

use players::network::Floats;

/// A game that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Finished {
    /// Its number.
    pub game: u64,
    /// Its score.
    pub score: i64,
    /// Its moves.
    pub moves: u32,
    /// The class of its result: its largest tile, or who won.
    pub class: u64,
    /// Whether it was played from the start.
    pub is_whole: bool,
}

/// Tells learners that share a network what the tables of the others add.
pub trait Exchange {
    /// `sums` has a row for every position and in it a column for every table; those of the own tables are filled. Fills the others.
    fn exchange(&mut self, sums: &mut [f32], own: Range<usize>, tables: usize);
}

/// A learner that has all tables.
#[derive(Debug, Clone, Copy)]
pub struct Alone;

impl Exchange for Alone {
    fn exchange(&mut self, _: &mut [f32], _: Range<usize>, _: usize) {}
}

/// The saved games cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("the games of a training cannot be read: {0}")]
pub struct RestoreError(pub(crate) String);

/// A learner of any game and method. All there is of it are its games and its tables.
pub trait Training: Send {
    /// Makes moves: until this many games have ended since the beginning, or for so many steps. Games that end are added to `finished`.
    fn advance(
        &mut self,
        steps: u64,
        games: u64,
        exchange: &mut dyn Exchange,
        finished: &mut Vec<Finished>,
    );

    /// Games that have ended so far.
    fn ended(&self) -> u64;

    /// Moves made so far.
    fn moves(&self) -> u64;

    /// Its games, to be saved.
    fn games(&self) -> Vec<u8>;

    /// Goes on with saved games.
    fn restore_games(&mut self, games: &[u8]) -> Result<(), RestoreError>;

    /// The tables that are its own.
    fn own(&self) -> Range<usize>;

    /// One of its tables, as bytes.
    fn table(&self, table: usize) -> &[u8];

    /// The same, to be filled with a saved one.
    fn table_mut(&mut self, table: usize) -> &mut [u8];

    /// Writes the weights of one of its tables.
    fn weights(&self, table: usize, to: &mut [f32]);

    /// Gives away all tables, in their order; those that were not its own are empty.
    fn take_tables(&mut self) -> Vec<Floats<f32>>;

    /// Takes over tables; those outside of `own` are empty.
    fn set_tables(&mut self, own: Range<usize>, tables: Vec<Floats<f32>>);
}
