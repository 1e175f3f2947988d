//! What a placement is weighed by: families of features, and the sets that have a name.

mod change;
mod named;
mod points;
mod surface;
mod wells;

pub(crate) use change::Change;
pub(crate) use named::{FEATURES, Family, READING, Set, WEIGHTS, with_features};
pub(crate) use points::Points;
pub(crate) use surface::Surface;

use games::tetris::ColumnBits;

use super::ground::{Cleared, Drops, Ground};
use super::lanes::{Lanes, Values};
use super::turned::Turned;

/// What the rows of a board allow a piece that is dropped on it, at best.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hope {
    /// The lowest row in which it may land.
    pub(crate) row: i32,
    /// Lines it may complete, and cells of its own in them.
    pub(crate) lines: i32,
    pub(crate) own_cells: i32,
}

/// A family of features, of which a set has the first `F`. All are whole numbers.
pub(crate) trait Features<const F: usize>: Clone + Send + Sync + 'static {
    /// What a board has before a piece is dropped.
    type Before<C: ColumnBits>: Clone + Send + Sync;

    /// What the columns to the right of the board count as: full, like all walls, or empty.
    fn beyond<C: ColumnBits>() -> C {
        C::ALL
    }

    /// The weights of the features as whole numbers, which may be multiples of those of the set.
    fn of_whole_numbers(weights: [f64; F]) -> [f64; F] {
        weights
    }

    /// What this board has.
    fn before<C: ColumnBits>(ground: &Ground<C>) -> Self::Before<C>;

    /// Makes of `next` what the `ground` has that a placement with these features made of one that had
    /// `before`.
    fn follow<C: ColumnBits>(
        before: &Self::Before<C>,
        features: &[i32; F],
        ground: &Ground<C>,
        next: &mut Self::Before<C>,
    );

    /// The features of these drops of the piece, as if no full row vanished.
    fn of_drops<C: ColumnBits>(
        ground: &Ground<C>,
        before: &Self::Before<C>,
        piece: &Turned,
        drops: &Drops,
    ) -> [Lanes; F];

    /// Can [`most_of_drops`](Self::most_of_drops) tell anything with these weights?
    fn has_bounds(_weights: &[f64; F]) -> bool {
        false
    }

    /// Bounds on the values of these drops, none of which makes a row full; they are found sooner than the features.
    fn most_of_drops<C: ColumnBits>(
        _weights: &[f64; F],
        _ground: &Ground<C>,
        _before: &Self::Before<C>,
        _piece: &Turned,
        _drops: &Drops,
    ) -> Values {
        Values::ANY
    }

    /// A bound on the value of any drop of the piece on a board that has these features: with any of them, what its
    /// rows allow is at most `hope`. Infinite where there is no telling.
    fn most<C: ColumnBits>(
        _weights: &[f64; F],
        _before: &Self::Before<C>,
        _features: &[i32; F],
        _piece: &Turned,
        _hope: Hope,
    ) -> f64 {
        f64::INFINITY
    }

    /// Puts right the features of a drop whose full rows did vanish.
    fn with_lines<C: ColumnBits>(
        features: &mut [i32; F],
        before: &Self::Before<C>,
        cleared: &Cleared<C>,
    );
}
