//! Judges placements: finds those of a piece on a board, and what each is worth.

use std::array::from_fn;
use std::marker::PhantomData;
use std::sync::Arc;

use games::tetris::{
    Board, Choice, ColumnBits, Gravity, Hand, MAX_COLUMNS, Piece, Placement, Tetris,
};

use super::features::Features;
use super::ground::{Drop, Drops, Ground};
use super::lanes::{LOST, highest, lanes_with, larger, values};
use super::turned::Turned;

/// Up to this many columns to begin in half the lanes suffice, which is twice as fast.
const FEW: usize = MAX_COLUMNS / 2;

/// Judges by the first `F` features of the family `S`, in the game it was made for.
#[derive(Debug, Clone)]
pub(crate) struct Judge<S, const F: usize> {
    shapes: Arc<[Vec<Turned>]>,
    weights: [f64; F],
    gravity: Gravity,
    family: PhantomData<S>,
}

/// A board with everything that judging needs of it.
#[derive(Clone)]
pub(crate) struct Ready<C: ColumnBits, S: Features<F>, const F: usize> {
    ground: Ground<C>,
    before: S::Before<C>,
}

/// A legal placement, judged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judged<C, const F: usize> {
    pub(crate) placement: Placement,
    pub(crate) value: f64,
    drop: Drop<C>,
    pub(crate) features: [i32; F],
}

impl<S: Features<F>, const F: usize> Judge<S, F> {
    /// A judge with these weights.
    pub(crate) fn new<C: ColumnBits>(game: &Tetris<C>, weights: [f64; F]) -> Self {
        Self {
            shapes: Turned::all(game).into(),
            weights: S::of_whole_numbers(weights),
            gravity: game.rules().gravity,
            family: PhantomData,
        }
    }

    /// Makes a board ready.
    pub(crate) fn ready<C: ColumnBits>(&self, board: &Board<C>) -> Ready<C, S, F> {
        let ground = Ground::of(board);
        Ready {
            before: S::before(&ground),
            ground,
        }
    }

    /// Makes of `next` the board that a placement of the piece leads to.
    #[inline]
    pub(crate) fn follow<C: ColumnBits>(
        &self,
        game: &Tetris<C>,
        ready: &Ready<C, S, F>,
        piece: Piece,
        judged: &Judged<C, F>,
        next: &mut Ready<C, S, F>,
    ) {
        let rotation = usize::from(judged.placement.rotation);
        let turned = &self.shapes[game.place(piece)][rotation];
        ready
            .ground
            .follow(turned, judged.drop, self.gravity, &mut next.ground);
        S::follow(
            &ready.before,
            &judged.features,
            &next.ground,
            &mut next.before,
        );
    }

    /// Calls `each` with every legal move, in their order, and the piece that it drops.
    #[inline]
    pub(crate) fn moves<C: ColumnBits>(
        &self,
        game: &Tetris<C>,
        ready: &Ready<C, S, F>,
        hand: Hand,
        mut each: impl FnMut(Piece, Judged<C, F>),
    ) {
        let mut any = false;
        for choice in hand.choices() {
            // When the current piece has no place, the game is over.
            if choice.hold && !any && !hand.queue.is_empty() {
                return;
            }
            self.placements(game, ready, choice, |judged| {
                any = true;
                each(choice.piece, judged);
            });
        }
    }

    /// Calls `each` with every legal placement of the piece, in the order of moves.
    #[inline]
    fn placements<C: ColumnBits>(
        &self,
        game: &Tetris<C>,
        ready: &Ready<C, S, F>,
        Choice { piece, hold }: Choice,
        mut each: impl FnMut(Judged<C, F>),
    ) {
        for (rotation, turned) in (0..).zip(&self.shapes[game.place(piece)]) {
            let first = Placement {
                hold,
                rotation,
                column: 0,
            };
            if turned.lanes(ready.ground.width()) <= FEW {
                self.lanes::<C, FEW>(ready, turned, |lanes| lanes.each(first, &mut each));
            } else {
                self.lanes::<C, MAX_COLUMNS>(ready, turned, |lanes| {
                    lanes.each(first, &mut each);
                });
            }
        }
    }

    /// The best move, of equals the first, on a board where the current piece has a place.
    #[inline]
    pub(crate) fn best<C: ColumnBits>(
        &self,
        game: &Tetris<C>,
        ready: &Ready<C, S, F>,
        hand: Hand,
    ) -> Option<Placement> {
        let mut best = (None, LOST);
        for Choice { piece, hold } in hand.choices() {
            for (rotation, turned) in (0..).zip(&self.shapes[game.place(piece)]) {
                let first = Placement {
                    hold,
                    rotation,
                    column: 0,
                };
                if turned.lanes(ready.ground.width()) <= FEW {
                    self.lanes::<C, FEW>(ready, turned, |lanes| lanes.improve(first, &mut best));
                } else {
                    self.lanes::<C, MAX_COLUMNS>(ready, turned, |lanes| {
                        lanes.improve(first, &mut best);
                    });
                }
            }
        }
        best.0
    }

    /// The value of the best move; [`LOST`] if the current piece has no place.
    #[inline]
    pub(crate) fn best_value<C: ColumnBits>(
        &self,
        game: &Tetris<C>,
        ready: &Ready<C, S, F>,
        hand: Hand,
    ) -> f64 {
        let mut best = LOST;
        for Choice { piece, hold } in hand.choices() {
            if hold && best == LOST && !hand.queue.is_empty() {
                return LOST;
            }
            best = larger(best, self.best_value_of(game, ready, piece));
        }
        best
    }

    /// The value of the best placement of the piece; [`LOST`] if there is none.
    #[inline]
    fn best_value_of<C: ColumnBits>(
        &self,
        game: &Tetris<C>,
        ready: &Ready<C, S, F>,
        piece: Piece,
    ) -> f64 {
        let mut best = LOST;
        for turned in &self.shapes[game.place(piece)] {
            if turned.lanes(ready.ground.width()) <= FEW {
                self.lanes::<C, FEW>(ready, turned, |lanes| {
                    best = larger(best, highest(lanes.values));
                });
            } else {
                self.lanes::<C, MAX_COLUMNS>(ready, turned, |lanes| {
                    best = larger(best, highest(lanes.values));
                });
            }
        }
        best
    }

    /// Judges all placements of one rotation and hands them to `then`, which spares moving the arrays.
    #[inline(always)]
    fn lanes<C: ColumnBits, const N: usize>(
        &self,
        ready: &Ready<C, S, F>,
        piece: &Turned,
        then: impl FnOnce(&Lanes<F, N>),
    ) {
        let Ready { ground, before } = ready;
        let drops = ground.drops::<N>(piece);
        let mut features = S::of_drops(ground, before, piece, &drops);
        let mut with_lines = lanes_with(&drops.full);
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
        then(&Lanes {
            drops: &drops,
            features: &features,
            values: &values,
        });
    }
}

/// All placements of one rotation, judged.
struct Lanes<'a, const F: usize, const N: usize> {
    drops: &'a Drops<N>,
    features: &'a [[i32; N]; F],
    values: &'a [f64; N],
}

impl<const F: usize, const N: usize> Lanes<'_, F, N> {
    #[inline(always)]
    fn improve(&self, first: Placement, best: &mut (Option<Placement>, f64)) {
        let value = highest(self.values);
        if value > best.1 {
            let lane = self.values.iter().position(|&found| found == value);
            let column = lane.unwrap_or(0) as u8;
            *best = (Some(Placement { column, ..first }), value);
        }
    }

    #[inline(always)]
    fn each<C: ColumnBits>(&self, first: Placement, each: &mut impl FnMut(Judged<C, F>)) {
        for lane in 0..N {
            if self.values[lane] != LOST {
                let column = lane as u8;
                each(Judged {
                    placement: Placement { column, ..first },
                    value: self.values[lane],
                    drop: self.drops.at(lane),
                    features: from_fn(|feature| self.features[feature][lane]),
                });
            }
        }
    }
}
