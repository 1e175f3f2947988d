//! Judges placements: finds those of a piece on a board, and what each is worth.

use std::array::from_fn;
use std::marker::PhantomData;
use std::sync::Arc;

use games::tetris::{Board, Choice, ColumnBits, Gravity, Hand, Piece, Placement, Tetris};

use super::features::{Features, Hope};
use super::ground::{Drop, Drops, Ground};
use super::lanes::{LANES, LOST, Lanes, Values, lanes_with, larger};
use super::turned::Turned;

/// Judges by the first `F` features of the family `S`, in the game it was made for.
#[derive(Debug, Clone)]
pub(crate) struct Judge<S, const F: usize> {
    shapes: Arc<[Vec<Turned>]>,
    weights: [f64; F],
    /// The sum of their sizes.
    heaviest: f64,
    has_bounds: bool,
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

/// What of a board limits the value of the placement after the next.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outlook<C> {
    /// The rows that have holes: no piece completes them.
    holed: C,
    /// The height of the lowest column.
    lowest: i32,
    /// Whether every row below the highest cell has one.
    is_packed: bool,
}

impl<C: ColumnBits, S: Features<F>, const F: usize> Ready<C, S, F> {
    /// The board.
    pub(crate) fn board(&self) -> &Board<C> {
        &self.ground.board
    }

    pub(crate) fn outlook(&self) -> Outlook<C> {
        let columns = self.ground.board.columns();
        let used = columns.iter().fold(C::NONE, |rows, &column| rows | column);
        let holed = |rows, &column: &C| rows | (column.covered() & !column);
        Outlook {
            holed: columns.iter().fold(C::NONE, holed),
            lowest: self.ground.board.heights().min().unwrap_or(0) as i32,
            is_packed: used.solid() == used.height(),
        }
    }
}

impl<S: Features<F>, const F: usize> Judge<S, F> {
    /// A judge with these weights.
    pub(crate) fn new<C: ColumnBits>(game: &Tetris<C>, weights: [f64; F]) -> Self {
        let weights = S::of_whole_numbers(weights);
        Self {
            shapes: Turned::all(game).into(),
            weights,
            has_bounds: S::has_bounds(&weights),
            heaviest: weights.iter().map(|weight| weight.abs()).sum(),
            gravity: game.rules().gravity,
            family: PhantomData,
        }
    }

    /// Makes a board ready.
    pub(crate) fn ready<C: ColumnBits>(&self, board: &Board<C>) -> Ready<C, S, F> {
        let ground = Ground::of(board, S::beyond());
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
    pub(crate) fn placements<C: ColumnBits>(
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
            self.drop(ready, turned, |drops| {
                self.judged(ready, turned, drops).each(first, &mut each);
            });
        }
    }

    /// The best move, of equals the first, on a board where the current piece has a place, and the piece that it drops.
    #[inline]
    pub(crate) fn best<C: ColumnBits>(
        &self,
        game: &Tetris<C>,
        ready: &Ready<C, S, F>,
        hand: Hand,
    ) -> Option<(Piece, Judged<C, F>)> {
        let mut best = (None, LOST);
        for Choice { piece, hold } in hand.choices() {
            for (rotation, turned) in (0..).zip(&self.shapes[game.place(piece)]) {
                let first = Placement {
                    hold,
                    rotation,
                    column: 0,
                };
                self.drop(ready, turned, |drops| {
                    if self.is_at_most(ready, turned, &drops, best.1) {
                        return;
                    }
                    let dropped = self.judged(ready, turned, drops);
                    if let Some(judged) = dropped.better_than(best.1, first) {
                        best = (Some((piece, judged)), judged.value);
                    }
                });
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
    pub(crate) fn best_value_of<C: ColumnBits>(
        &self,
        game: &Tetris<C>,
        ready: &Ready<C, S, F>,
        piece: Piece,
    ) -> f64 {
        let mut best = LOST;
        for turned in &self.shapes[game.place(piece)] {
            self.drop(ready, turned, |drops| {
                if !self.is_at_most(ready, turned, &drops, best) {
                    best = larger(best, self.judged(ready, turned, drops).values.highest());
                }
            });
        }
        best
    }

    /// A bound on what [`best_value`](Self::best_value) can be after a placement of the piece; infinite where there is no
    /// telling.
    pub(crate) fn most_after<C: ColumnBits>(
        &self,
        game: &Tetris<C>,
        (ready, outlook): (&Ready<C, S, F>, &Outlook<C>),
        (piece, judged): (Piece, &Judged<C, F>),
        hand: Hand,
    ) -> f64 {
        if self.gravity == Gravity::Cascade || !outlook.is_packed || !judged.drop.full.is_empty() {
            return f64::INFINITY;
        }
        let turned = &self.shapes[game.place(piece)][usize::from(judged.placement.rotation)];
        let open = ready
            .ground
            .open_rows(turned, judged.drop.row, outlook.holed);
        let mut most = LOST;
        for Choice { piece, .. } in hand.choices() {
            for turned in &self.shapes[game.place(piece)] {
                let mut hope = Hope {
                    row: outlook.lowest,
                    lines: 0,
                    own_cells: 0,
                };
                for &(cells, own) in &turned.rows_of {
                    let lines = open[cells].min(own.count_ones()) as i32;
                    hope.lines += lines;
                    hope.own_cells += lines * cells as i32;
                }
                let (before, features) = (&ready.before, &judged.features);
                let of_turned = S::most(&self.weights, before, features, turned, hope);
                most = larger(most, of_turned);
            }
        }
        // Sums in another order differ by less than a billionth.
        most + 1e-9 * (judged.value.abs() + most.abs() + self.heaviest)
    }

    /// Calls `each` with all drops of one rotation, eight by eight.
    #[inline(always)]
    fn drop<C: ColumnBits>(
        &self,
        ready: &Ready<C, S, F>,
        piece: &Turned,
        mut each: impl FnMut(Drops),
    ) {
        let placements = piece.lanes(ready.ground.width());
        let mut start = 0;
        while start < placements {
            each(ready.ground.drops(piece, start));
            start += LANES;
        }
    }

    /// Is none of these drops worth more than this? It may be so without being found.
    #[inline(always)]
    fn is_at_most<C: ColumnBits>(
        &self,
        ready: &Ready<C, S, F>,
        piece: &Turned,
        drops: &Drops,
        value: f64,
    ) -> bool {
        if !self.has_bounds || value == LOST || lanes_with(drops.full) != 0 {
            return false;
        }
        let Ready { ground, before } = ready;
        let most = S::most_of_drops(&self.weights, ground, before, piece, drops);
        // Sums in another order differ by less than a billionth.
        most.highest() + 1e-9 * (value.abs() + self.heaviest) <= value
    }

    /// Judges eight drops.
    #[inline(always)]
    fn judged<C: ColumnBits>(
        &self,
        ready: &Ready<C, S, F>,
        piece: &Turned,
        drops: Drops,
    ) -> Dropped<F> {
        let Ready { ground, before } = ready;
        let mut features = S::of_drops(ground, before, piece, &drops);
        let mut with_lines = lanes_with(drops.full);
        while with_lines != 0 {
            let lane = with_lines.trailing_zeros() as usize % LANES;
            let mut own = features.map(|feature| feature.to_array()[lane]);
            let cleared = ground.cleared(piece, drops.at(lane), self.gravity);
            S::with_lines(&mut own, before, &cleared);
            for (feature, own) in features.iter_mut().zip(own) {
                feature.as_mut_array()[lane] = own;
            }
            with_lines &= with_lines - 1;
        }
        let highest = ground.highest(piece);
        Dropped {
            values: Values::weigh(&self.weights, &features, drops.rows, highest),
            drops,
            features,
        }
    }
}

/// Eight placements of one rotation, judged.
struct Dropped<const F: usize> {
    drops: Drops,
    features: [Lanes; F],
    values: Values,
}

impl<const F: usize> Dropped<F> {
    #[inline(always)]
    fn judged<C: ColumnBits>(&self, first: Placement, lane: usize, value: f64) -> Judged<C, F> {
        let column = (self.drops.start + lane) as u8;
        Judged {
            placement: Placement { column, ..first },
            value,
            drop: self.drops.at(lane),
            features: from_fn(|feature| self.features[feature].to_array()[lane]),
        }
    }

    /// The best of them, of equals the first, if it is better than this value.
    #[inline(always)]
    fn better_than<C: ColumnBits>(&self, least: f64, first: Placement) -> Option<Judged<C, F>> {
        let value = self.values.highest();
        if value <= least {
            return None;
        }
        let values = self.values.to_array();
        let lane = values.iter().position(|&found| found == value);
        Some(self.judged(first, lane.unwrap_or(0), value))
    }

    #[inline(always)]
    fn each<C: ColumnBits>(&self, first: Placement, each: &mut impl FnMut(Judged<C, F>)) {
        for (lane, value) in self.values.to_array().into_iter().enumerate() {
            if value != LOST {
                each(self.judged(first, lane, value));
            }
        }
    }
}
