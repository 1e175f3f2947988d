//! `beam`: looks through all known pieces, but continues from the best positions only.
//!
//! All placements of the current piece are tried; from the `width` best boards all placements of the
//! next piece, and so on to the last known piece. A board is worth the sum of the values of the placements
//! that led to it, as with two pieces in `weighted`; of equals the one found first is kept. The first
//! placement of the best board is played, of equals the first in the order of moves. When no piece can
//! follow any board, the best so far counts. With two known pieces and a width that keeps all it plays as
//! `weighted(look=2)`. With the rule `hold` the held piece, or the next, is tried as well, each time.

use games::Stream;
use games::tetris::{ColumnBits, Hand, Piece, Placement, Position, Tetris};

use crate::placement::{
    Change, FEATURES, Family, Features, Judge, Judged, LOST, Points, READING, Ready, Set, Surface,
    WEIGHTS, with_features,
};
use crate::player::{Named, Player, PlayerFactory, Prepared, Tunable};
use spec::{Kind, Parameter, Spec, SpecError};

/// Makes the players that search through all known pieces.
#[derive(Debug, Clone, Copy)]
pub struct Beam;

const WIDTH: Parameter = Parameter {
    name: "width",
    default: "20",
    help: "boards kept after each piece, 1 to 10000",
};

impl Named for Beam {
    const KIND: Kind = Kind {
        name: "beam",
        about: "looks through all known pieces, and keeps only the best boards at each step",
        more: "Weighs features as the player weighted does, over as many pieces as the game shows (--known 5).\n\
               After each piece only the `width` best boards are kept: time grows with width x pieces, not with\n\
               the number of all sequences. In a hint, placements that were dropped on the way count as lost.",
        parameters: &[FEATURES, READING, WIDTH, WEIGHTS],
    };
}

impl<C: ColumnBits> PlayerFactory<Tetris<C>> for Beam {
    fn tunable(_: &Tetris<C>, spec: &Spec) -> Result<Tunable, SpecError> {
        Ok(Tunable::weights(Set::names(spec)?))
    }

    fn prepare(game: &Tetris<C>, spec: &Spec) -> Result<Prepared<Tetris<C>>, SpecError> {
        let set = Set::read(spec)?;
        let width = spec.number(&WIDTH, 1..=10_000)?;
        Ok(with_features!(set, searcher(game, &set, width)))
    }
}

fn searcher<C: ColumnBits, S: Features<F>, const F: usize>(
    game: &Tetris<C>,
    set: &Set,
    width: usize,
) -> Prepared<Tetris<C>> {
    Prepared::copies(Searcher::<C, S, F> {
        judge: Judge::<S, F>::new(game, set.weights()),
        width,
        kept: Vec::new(),
        found: Vec::new(),
    })
}

/// Keeps the `width` best boards.
#[derive(Clone)]
struct Searcher<C: ColumnBits, S: Features<F>, const F: usize> {
    judge: Judge<S, F>,
    width: usize,
    kept: Vec<Node<C, S, F>>,
    found: Vec<Found<C, F>>,
}

/// A board on the way.
#[derive(Clone)]
struct Node<C: ColumnBits, S: Features<F>, const F: usize> {
    board: Ready<C, S, F>,
    /// The pieces that are left.
    hand: Hand,
    /// The placement of the current piece that led here.
    first: Placement,
    /// The sum of the values of all placements on the way.
    value: f64,
}

/// A placement found on a board that was kept: its board is only made if it is kept in turn.
#[derive(Clone)]
struct Found<C, const F: usize> {
    parent: usize,
    piece: Piece,
    judged: Judged<C, F>,
    value: f64,
}

impl<C: ColumnBits, S: Features<F>, const F: usize> Searcher<C, S, F> {
    /// Leaves the best boards after all known pieces in `kept`, the best first.
    fn search(&mut self, game: &Tetris<C>, position: &Position<C>) {
        let nowhere = Placement {
            hold: false,
            rotation: 0,
            column: 0,
        };
        self.kept.clear();
        self.kept.push(Node {
            board: self.judge.ready(position.board()),
            hand: game.hand(position),
            first: nowhere,
            value: 0.0,
        });
        for depth in 0..position.queue().len() {
            self.find(game);
            if self.found.is_empty() {
                return;
            }
            self.keep(game, depth == 0);
        }
    }

    /// Finds all moves on the boards that were kept, the best first.
    fn find(&mut self, game: &Tetris<C>) {
        let Self {
            judge, kept, found, ..
        } = self;
        found.clear();
        for (parent, node) in kept.iter().enumerate() {
            judge.moves(game, &node.board, node.hand, |piece, judged| {
                found.push(Found {
                    parent,
                    piece,
                    value: node.value + judged.value,
                    judged,
                });
            });
        }
        // The sort is stable: equals stay in the order in which they were found.
        found.sort_by(|a, b| b.value.total_cmp(&a.value));
    }

    /// Makes the boards of the best placements found.
    fn keep(&mut self, game: &Tetris<C>, is_first: bool) {
        let make = |found: &Found<C, F>| {
            let parent = &self.kept[found.parent];
            let mut board = parent.board.clone();
            let judged = &found.judged;
            self.judge
                .follow(game, &parent.board, found.piece, judged, &mut board);
            Node {
                board,
                hand: parent.hand.after(judged.placement.hold),
                first: if is_first {
                    judged.placement
                } else {
                    parent.first
                },
                value: found.value,
            }
        };
        self.kept = self.found.iter().take(self.width).map(make).collect();
    }
}

impl<C: ColumnBits, S: Features<F>, const F: usize> Player<Tetris<C>> for Searcher<C, S, F> {
    fn choose(&mut self, game: &Tetris<C>, position: &Position<C>, _: &mut Stream) -> Placement {
        self.search(game, position);
        let best = self.kept[0].value;
        let equals = self.kept.iter().take_while(|node| node.value == best);
        equals
            .map(|node| node.first)
            .min()
            .expect("there is a best")
    }

    fn judge(
        &mut self,
        game: &Tetris<C>,
        position: &Position<C>,
        _: &mut Stream,
    ) -> Vec<(Placement, f64)> {
        self.search(game, position);
        let value = |placement| {
            let best = self.kept.iter().find(|node| node.first == placement);
            best.map_or(LOST, |node| node.value)
        };
        let mut judged = Vec::new();
        let (board, hand) = (self.judge.ready(position.board()), game.hand(position));
        self.judge.moves(game, &board, hand, |_, found| {
            judged.push((found.placement, value(found.placement)));
        });
        judged
    }
}
