//! What a placement is weighed by: families of features, and the sets that have a name.

mod change;
mod named;
mod surface;
mod wells;

pub(crate) use change::Change;
pub(crate) use named::{FEATURES, Family, READING, Set, WEIGHTS, with_features};
pub(crate) use surface::Surface;

use games::tetris::ColumnBits;

use super::ground::{Cleared, Drops, Ground};
use super::turned::Turned;

/// A family of features, of which a set has the first `F`. All are whole numbers.
pub(crate) trait Features<const F: usize>: Clone + Send + Sync + 'static {
    /// What a board has before a piece is dropped.
    type Before<C: ColumnBits>: Clone + Send + Sync;

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

    /// The features of the piece dropped in every column, as if no full row vanished.
    fn of_drops<C: ColumnBits, const N: usize>(
        ground: &Ground<C>,
        before: &Self::Before<C>,
        piece: &Turned,
        drops: &Drops<N>,
    ) -> [[i32; N]; F];

    /// Puts right the features of a drop whose full rows did vanish.
    fn with_lines<C: ColumnBits>(
        features: &mut [i32; F],
        before: &Self::Before<C>,
        cleared: &Cleared<C>,
    );
}
