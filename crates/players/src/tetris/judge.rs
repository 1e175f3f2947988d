//! Judges placements: finds those of a piece on a board, and what each is worth.

use std::array::from_fn;
use std::marker::PhantomData;

use games::tetris::{Board, ColumnBits, Gravity, MAX_COLUMNS, Piece, Placement, Tetris};

use super::features::Features;
use super::ground::{Drop, Drops, Ground};
use super::lanes::{LOST, highest, lanes_where, larger, values};
use super::turned::Turned;

/// Lanes for pieces that have at most so many columns to begin in: the fewer, the faster.
const FEW: usize = 8;
const SOME: usize = 12;

/// Judges by the first `F` features of the family `S`, in the game it was made for.
#[derive(Debug, Clone)]
pub(super) struct Judge<S, const F: usize> {
    shapes: Vec<Vec<Turned>>,
    weights: [f64; F],
    gravity: Gravity,
    family: PhantomData<S>,
}

/// A board with everything that judging needs of it.
pub(super) struct Ready<C: ColumnBits, S: Features<F>, const F: usize> {
    ground: Ground<C>,
    before: S::Before<C>,
}

/// A legal placement, judged.
#[derive(Debug, Clone, Copy)]
pub(super) struct Judged<C, const F: usize> {
    pub(super) placement: Placement,
    pub(super) value: f64,
    drop: Drop<C>,
    features: [i32; F],
}

/// All placements of one rotation, judged.
struct Lanes<const F: usize, const N: usize> {
    drops: Drops<N>,
    features: [[i32; N]; F],
    values: [f64; N],
}

impl<S: Features<F>, const F: usize> Judge<S, F> {
    /// A judge with these weights.
    pub(super) fn new<C: ColumnBits>(game: &Tetris<C>, weights: [f64; F]) -> Self {
        Self {
            shapes: Turned::all(game),
            weights: S::of_whole_numbers(weights),
            gravity: game.rules().gravity,
            family: PhantomData,
        }
    }

    /// Makes a board ready.
    pub(super) fn ready<C: ColumnBits>(&self, board: &Board<C>) -> Ready<C, S, F> {
        let ground = Ground::of(board);
        Ready {
            before: S::before(&ground),
            ground,
        }
    }

    /// Makes the board ready that a placement of the piece leads to.
    #[inline]
    pub(super) fn after<C: ColumnBits>(
        &self,
        game: &Tetris<C>,
        ready: &Ready<C, S, F>,
        piece: Piece,
        judged: &Judged<C, F>,
    ) -> Ready<C, S, F> {
        let rotation = usize::from(judged.placement.rotation);
        let turned = &self.shapes[game.place(piece)][rotation];
        let ground = ready.ground.after(turned, judged.drop, self.gravity);
        Ready {
            before: S::before_next(&ready.before, &judged.features, &ground),
            ground,
        }
    }

    /// Calls `each` with every legal placement of the piece, in the order of moves.
    #[inline]
    pub(super) fn placements<C: ColumnBits>(
        &self,
        game: &Tetris<C>,
        ready: &Ready<C, S, F>,
        piece: Piece,
        mut each: impl FnMut(Judged<C, F>),
    ) {
        for (rotation, turned) in (0..).zip(&self.shapes[game.place(piece)]) {
            match turned.lanes(ready.ground.width()) {
                0..=FEW => self.lanes::<C, FEW>(ready, turned).each(rotation, &mut each),
                ..=SOME => self.lanes::<C, SOME>(ready, turned).each(rotation, &mut each),
                _ => {
                    let lanes = self.lanes::<C, MAX_COLUMNS>(ready, turned);
                    lanes.each(rotation, &mut each);
                }
            }
        }
    }

    /// The value of the best placement of the piece; [`LOST`] if there is none.
    #[inline]
    pub(super) fn best_value<C: ColumnBits>(
        &self,
        game: &Tetris<C>,
        ready: &Ready<C, S, F>,
        piece: Piece,
    ) -> f64 {
        let mut best = LOST;
        for turned in &self.shapes[game.place(piece)] {
            let value = match turned.lanes(ready.ground.width()) {
                0..=FEW => highest(&self.lanes::<C, FEW>(ready, turned).values),
                ..=SOME => highest(&self.lanes::<C, SOME>(ready, turned).values),
                _ => highest(&self.lanes::<C, MAX_COLUMNS>(ready, turned).values),
            };
            best = larger(best, value);
        }
        best
    }

    /// Judges all placements of one rotation.
    #[inline(always)]
    fn lanes<C: ColumnBits, const N: usize>(
        &self,
        ready: &Ready<C, S, F>,
        piece: &Turned,
    ) -> Lanes<F, N> {
        let Ready { ground, before } = ready;
        let drops = ground.drops::<N>(piece);
        let mut features = S::of_drops(ground, before, piece, &drops);
        let mut with_lines = lanes_where::<N>(|lane| drops.full[lane] != 0);
        while with_lines != 0 {
            let lane = with_lines.trailing_zeros() as usize % N;
            let mut own = from_fn(|feature| features[feature][lane]);
            let cleared = ground.cleared(piece, drops.at(lane), self.gravity);
            S::with_lines(&mut own, before, &cleared);
            for feature in 0..F {
                features[feature][lane] = own[feature];
            }
            with_lines &= with_lines - 1;
        }
        let values = values(&self.weights, &features, &drops.rows, ground.highest(piece));
        Lanes {
            drops,
            features,
            values,
        }
    }
}

impl<const F: usize, const N: usize> Lanes<F, N> {
    #[inline(always)]
    fn each<C: ColumnBits>(&self, rotation: u8, each: &mut impl FnMut(Judged<C, F>)) {
        for lane in 0..N {
            if self.values[lane] != LOST {
                let column = lane as u8;
                each(Judged {
                    placement: Placement { rotation, column },
                    value: self.values[lane],
                    drop: self.drops.at(lane),
                    features: from_fn(|feature| self.features[feature][lane]),
                });
            }
        }
    }
}
