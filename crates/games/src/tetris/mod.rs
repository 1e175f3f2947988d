//! Tetris as a game of placements: choose rotation and column, the piece drops straight down.
//!
//! Pieces come one after the other by chance. The player turns the current piece, chooses its column and
//! drops it from above the board; it cannot be moved sideways under an overhang, so only the skyline
//! matters. Full rows vanish. One to six lines at once score 10, 30, 60, 100, 150 and 210 points
//! (10 k (k + 1) / 2 for k). The rules are those of the work "Tetris by a real-valued genetic
//! algorithm" (2015), with the variants it names.
//!
//! **A placement is legal exactly if the dropped piece lies wholly inside the board before full rows are
//! removed**: lines do not save it. **The game is over when the current piece has no legal placement**,
//! or when the limit of pieces is reached. With uniform tetrominoes on ten columns every game ends some
//! time, for enough S and Z in turn leave no way out (Burgiel 1997). Other games need not end, even in
//! random play (I and O on four columns): they want a limit.
//!
//! Options: `board` (10x20, columns x rows), `known` (2: the current and the next piece), `limit` (none),
//! `shapes` (tetrominoes), `generator` (uniform), `gravity` (rows), `hold` (false).
//!
//! With `hold` a move may exchange the current piece before it drops: for the piece that is held, or, while none is, for the next one. The current
//! piece is then held. The game is still over when the current piece has no legal placement.
//!
//! Gravity `rows` moves all rows above a full one down by it. With `cascade` the full rows are emptied;
//! then all cells that no way of filled cells, side by side, connects to the floor move down together,
//! row by row, and whatever becomes connected stays, until nothing floats; then full rows are looked for
//! again. Every such step scores by its own number of lines.
//!
//! Moves are ordered by rotation, then column; those that hold come last. The board is one word per column; see [`Board`].

mod board;
mod check;
mod clears;
mod column;
mod falling;
mod generator;
mod grid;
mod hand;
mod judge;
mod oriented;
mod piece;
mod plain;
mod position;
mod rules;
mod shapes;
mod text;

pub use board::Board;
pub use clears::{Avalanches, Clears, points};
pub use column::ColumnBits;
pub use falling::{Falling, FallingPiece, Quarter, Side, Step};
pub use generator::{Generator, Kind, Weights};
pub use hand::{Choice, Hand};
pub use judge::{Drop, Drops, Judgement, Skyline};
pub use oriented::{Oriented, Shape};
pub use piece::{Piece, PieceSet, Placement, Queue};
pub use plain::Plain;
pub use position::Position;
pub use rules::{Gravity, MAX_COLUMNS, MAX_ROWS, Rules};
pub use shapes::{Cell, Drawing, MAX_SHAPES, MAX_SIDE, ShapeSet};

use crate::game::{Facts, Game, Generators, PositionError, Turn};
use crate::options::{Options, RulesError};
use crate::registry::{AnyGame, Family};
use crate::sketch::Sketch;
use streams::{Stream, below};

/// Tetris in the registry.
pub const FAMILY: Family = Family::new(
    "tetris",
    "Tetris by placements: any board up to 16x40, any shapes, any distribution of pieces",
    rules::OPTIONS,
    &[
        "",
        "known=1",
        "board=10x10 known=1",
        "board=4x4 known=1",
        "board=16x40 known=3",
        "board=9x32 known=8",
        "shapes=pentominoes",
        "shapes=pentominoes board=4x5 generator=bag known=1",
        "shapes=hexominoes board=7x9 generator=bag known=3",
        "shapes=SZ",
        "shapes=IOTJL limit=1000",
        "shapes=##/.#,### board=6x9",
        "shapes=#,#.#/### board=5x33 gravity=cascade limit=300",
        "generator=bag",
        "generator=bag shapes=TI known=4 limit=9",
        "generator=S=2,Z=0.5",
        "generator=I=0,O=0.001,T=1000 known=1",
        "gravity=cascade board=6x12",
        "gravity=cascade board=4x20 shapes=IO known=1 limit=300",
        "limit=50",
        "hold=true board=8x12",
        "hold=true board=6x10 known=3 generator=bag shapes=IOSZ limit=300",
        "hold=true board=5x34 gravity=cascade limit=200",
    ],
    build,
)
.with_move_name("piece");

fn build(options: &Options) -> Result<AnyGame, RulesError> {
    let rules = Rules::from_options(options)?;
    Ok(if u32::from(rules.rows) <= u32::BITS {
        Tetris::<u32>::new(rules).into()
    } else {
        Tetris::<u64>::new(rules).into()
    })
}

/// Tetris with its rules fixed, on a board whose columns are words `C`.
#[derive(Debug, Clone)]
pub struct Tetris<C> {
    rules: Rules,
    shapes: Vec<Shape>,
    /// The place in `shapes` of the piece with this code; 0 for letters that have none.
    places: [u8; 128],
    word: std::marker::PhantomData<C>,
}

impl<C: ColumnBits> Tetris<C> {
    /// The game with these rules, which must fit the word.
    ///
    /// # Panics
    /// If the board has more rows than `C` has bits.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        assert!(
            u32::from(rules.rows) <= C::ROWS,
            "the rows do not fit the word"
        );
        let draw = |drawing| Shape::new(drawing, rules.columns);
        let shapes: Vec<Shape> = rules.shapes.drawings().iter().map(draw).collect();
        let mut places = [0; 128];
        for (place, shape) in (0..).zip(&shapes) {
            places[shape.piece().code()] = place;
        }
        Self {
            rules,
            shapes,
            places,
            word: std::marker::PhantomData,
        }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The shapes, in their order.
    #[must_use]
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// The place of a piece's shape among the [`shapes`](Self::shapes); the piece must be the game's.
    #[inline]
    #[must_use]
    pub fn place(&self, piece: Piece) -> usize {
        usize::from(self.places[piece.code()])
    }

    /// The shape of a piece, which must be one of the game's.
    #[inline]
    #[must_use]
    pub fn shape(&self, piece: Piece) -> &Shape {
        &self.shapes[self.place(piece)]
    }

    /// The row in which the current piece would land there, if the placement is legal.
    #[inline]
    fn legal_row(board: &Board<C>, shape: &Shape, placement: Placement) -> Option<u32> {
        let oriented = &shape.rotations()[usize::from(placement.rotation)];
        let row = board.landing(oriented, placement.column.into());
        board.fits(oriented, row).then_some(row)
    }

    /// Has this shape a legal placement?
    #[inline]
    #[must_use]
    pub fn has_placement(&self, board: &Board<C>, shape: &Shape) -> bool {
        // On top of the highest column there is nearly always room, which saves looking further.
        board.height() + shape.flattest() <= board.rows()
            || shape
                .placements()
                .iter()
                .any(|&p| Self::legal_row(board, shape, p).is_some())
    }

    /// The pieces that may come after the known ones, and how likely each is.
    pub fn next_pieces(&self, position: &Position<C>, chances: &mut Vec<(Piece, f64)>) {
        self.rules.generator.chances(position.bag, chances);
    }

    /// What may come after that, if this piece is drawn, and how likely.
    pub fn pieces_after(
        &self,
        position: &Position<C>,
        drawn: Piece,
        chances: &mut Vec<(Piece, f64)>,
    ) {
        let generator = &self.rules.generator;
        generator.chances(generator.left_after(position.bag, drawn), chances);
    }

    /// The pieces to choose from.
    #[inline]
    #[must_use]
    pub fn hand(&self, position: &Position<C>) -> Hand {
        Hand {
            queue: position.queue,
            held: position.held,
            may_hold: self.rules.hold,
        }
    }

    /// The shape that a move drops, if it is one of this position.
    #[inline]
    fn dropped(&self, position: &Position<C>, hold: bool) -> Option<&Shape> {
        let piece = self.hand(position).piece(hold);
        piece.map(|piece| self.shape(piece))
    }

    /// Fills the cells of a piece and clears lines; the pieces to come stay as they are.
    #[inline]
    fn put(&self, position: &mut Position<C>, oriented: &Oriented, row: u32, column: u32) {
        match self.rules.gravity {
            Gravity::Rows => {
                let lines = position.board.place(oriented, row, column);
                position.clears.add(lines);
            }
            Gravity::Cascade => {
                position.board.put(oriented, row, column);
                position.board.cascade(|lines| position.clears.add(lines));
            }
        }
        position.pieces += 1;
    }

    /// Takes the piece that was placed out of the hand.
    #[inline]
    fn take(&self, position: &mut Position<C>, hold: bool) {
        let left = self.hand(position).after(hold);
        (position.queue, position.held) = (left.queue, left.held);
    }

    /// A placement drawn from all of the shape's until one is legal, with its row. One must be.
    #[inline]
    fn random_placement(board: &Board<C>, shape: &Shape, rng: &mut Stream) -> (Placement, u32) {
        let all = shape.placements();
        loop {
            let placement = all[below(rng, all.len() as u32) as usize];
            if let Some(row) = Self::legal_row(board, shape, placement) {
                return (placement, row);
            }
        }
    }

    /// The same for all pieces to choose from. The current one must have a legal placement.
    fn random_choice(&self, position: &Position<C>, rng: &mut Stream) -> (Placement, u32) {
        let placements = |hold| {
            let shape = self.dropped(position, hold);
            shape.map_or(&[][..], Shape::placements)
        };
        let [current, other] = [false, true].map(placements);
        loop {
            let place = below(rng, (current.len() + other.len()) as u32) as usize;
            let hold = place >= current.len();
            let placement = if hold {
                let placement = other[place - current.len()];
                Placement { hold, ..placement }
            } else {
                current[place]
            };
            let shape = self.dropped(position, hold).expect("it has this placement");
            if let Some(row) = Self::legal_row(&position.board, shape, placement) {
                return (placement, row);
            }
        }
    }

    #[inline]
    fn is_at_limit(&self, position: &Position<C>) -> bool {
        self.rules
            .limit
            .is_some_and(|limit| position.pieces >= limit)
    }

    #[inline]
    fn knows_enough(&self, position: &Position<C>) -> bool {
        position.queue.len() >= usize::from(self.rules.known)
    }
}

/// The sketch of a board, and of the pieces that are known.
fn sketch(
    rows: u8,
    columns: u8,
    is_filled: impl Fn(usize, usize) -> bool,
    queue: impl Iterator<Item = Piece>,
    held: Option<Piece>,
) -> Sketch {
    let sketch = Sketch::new(rows, columns, |row, column| {
        is_filled(row, column).then(|| crate::Cell::new("#", 1))
    });
    let mut queue = queue.map(|piece| piece.letter().to_string());
    let current = queue.next().unwrap_or_default();
    let next: Vec<String> = queue.collect();
    let sketch = sketch.note("piece", current).note("next", next.join(" "));
    match held {
        Some(held) => sketch.note("held", held.to_string()),
        None => sketch,
    }
}

impl<C: ColumnBits> Game for Tetris<C> {
    type Position = Position<C>;
    type Move = Placement;
    type Chance = Piece;
    /// Board, queue, bag, the piece that is held and, if their number is limited, the pieces placed.
    type Key = (Board<C>, Queue, PieceSet, Option<Piece>, Option<u64>);

    fn family(&self) -> &'static Family {
        &FAMILY
    }

    fn options(&self) -> Options {
        self.rules.to_options()
    }

    fn seats(&self) -> u8 {
        1
    }

    fn most_moves(&self) -> Option<u64> {
        self.rules.limit
    }

    fn start(&self) -> Position<C> {
        Position::start(self.rules.columns, self.rules.rows)
    }

    #[inline]
    fn turn(&self, position: &Position<C>) -> Turn {
        if self.is_at_limit(position) {
            return Turn::Over;
        }
        match position.queue.first() {
            Some(piece) if self.knows_enough(position) => {
                let alive = self.has_placement(&position.board, self.shape(piece));
                if alive { Turn::Player(0) } else { Turn::Over }
            }
            _ => Turn::Chance,
        }
    }

    fn moves(&self, position: &Position<C>, moves: &mut Vec<Placement>) {
        moves.clear();
        if self.is_at_limit(position) || !self.knows_enough(position) {
            return;
        }
        for Choice { piece, hold } in self.hand(position).choices() {
            if hold && moves.is_empty() {
                return;
            }
            let shape = self.shape(piece);
            let legal = |placement: &Placement| {
                Self::legal_row(&position.board, shape, *placement).is_some()
            };
            let legal = shape.placements().iter().copied().filter(legal);
            moves.extend(legal.map(|placement| Placement { hold, ..placement }));
        }
    }

    #[inline]
    fn play_unchecked(&self, position: &mut Position<C>, chosen: Placement) {
        if let Some(shape) = self.dropped(position, chosen.hold) {
            let oriented = &shape.rotations()[usize::from(chosen.rotation)];
            let column = chosen.column.into();
            let row = position.board.landing(oriented, column);
            self.put(position, oriented, row, column);
            self.take(position, chosen.hold);
        }
    }

    fn chances(&self, position: &Position<C>, chances: &mut Vec<(Piece, f64)>) {
        chances.clear();
        if self.turn(position) == Turn::Chance {
            self.rules.generator.chances(position.bag, chances);
        }
    }

    #[inline]
    fn happen(&self, position: &mut Position<C>, chance: Piece) {
        position.queue.push(chance);
        position.bag = self.rules.generator.left_after(position.bag, chance);
    }

    #[inline]
    fn draw(&self, position: &mut Position<C>, rng: &mut Stream) -> Piece {
        let piece = self.rules.generator.draw(position.bag, rng);
        self.happen(position, piece);
        piece
    }

    fn score(&self, position: &Position<C>) -> i64 {
        position.clears.points() as i64
    }

    fn key(&self, position: &Position<C>) -> Self::Key {
        let pieces = self.rules.limit.map(|_| position.pieces);
        (
            position.board,
            position.queue,
            position.bag,
            position.held,
            pieces,
        )
    }

    fn facts(&self, position: &Position<C>) -> Facts {
        position
            .clears
            .facts(position.pieces, self.rules.most_lines())
    }

    fn sketch(&self, position: &Position<C>) -> Sketch {
        let (rows, columns) = (self.rules.rows, self.rules.columns);
        let is_filled = |row: usize, column: usize| {
            let row = usize::from(rows) - 1 - row;
            position.board.is_filled(column as u32, row as u32)
        };
        let (queue, held) = (position.queue.iter(), position.held);
        sketch(rows, columns, is_filled, queue, held)
    }

    fn check(&self, position: &Position<C>) -> Result<(), PositionError> {
        check::board(&self.rules, &position.board)?;
        check::pieces(&self.rules, position)
    }

    #[inline]
    fn random_move(&self, position: &Position<C>, rng: &mut Stream) -> Placement {
        if self.rules.hold {
            return self.random_choice(position, rng).0;
        }
        let piece = position.queue.first().expect("it is the player's turn");
        Self::random_placement(&position.board, self.shape(piece), rng).0
    }

    fn playout(&self, position: &mut Position<C>, rngs: &mut impl Generators) -> u32 {
        let mut moves = 0;
        while !self.is_at_limit(position) {
            while !self.knows_enough(position) {
                self.draw(position, rngs.chance());
            }
            let Some(piece) = position.queue.first() else {
                break;
            };
            let shape = self.shape(piece);
            if !self.has_placement(&position.board, shape) {
                break;
            }
            if self.rules.hold {
                let chosen = self.random_choice(position, rngs.seat(0)).0;
                self.play_unchecked(position, chosen);
            } else {
                let (placement, row) = Self::random_placement(&position.board, shape, rngs.seat(0));
                let oriented = &shape.rotations()[usize::from(placement.rotation)];
                self.put(position, oriented, row, placement.column.into());
                position.queue.advance();
            }
            moves += 1;
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use streams::stream;

    fn game(options: &str) -> Tetris<u32> {
        Tetris::new(Rules::from_options(&options.parse().unwrap()).unwrap())
    }

    fn position(game: &Tetris<u32>, text: &str) -> Position<u32> {
        let position = text.parse().unwrap();
        game.check(&position).unwrap();
        position
    }

    fn moves(game: &Tetris<u32>, text: &str) -> String {
        let mut moves = Vec::new();
        game.moves(&position(game, text), &mut moves);
        moves
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn a_piece_must_lie_wholly_inside_and_lines_do_not_save_it() {
        let game = game("board=4x4 known=1");
        assert_eq!(moves(&game, "4x4 ###./###./###./.... I"), "r1c3");
        assert_eq!(moves(&game, "4x4 ###./###./###./#.#. I"), "r1c3");
        // It would complete three lines, but with one cell above the ceiling.
        assert_eq!(moves(&game, "4x4 ###./###./###./..## I"), "");
        assert_eq!(moves(&game, "4x4 ..../##../##../##.. O"), "r0c2");
        assert_eq!(moves(&game, "4x4 .#../##.#/##.#/##.# S"), "");
    }

    #[test]
    fn the_game_is_over_only_when_the_current_piece_has_no_place() {
        let game = game("board=4x4 known=2");
        let turn = |text: &str| game.turn(&position(&game, text));
        assert_eq!(turn("4x4 ###./###./###./..## IO"), Turn::Over);
        assert_eq!(turn("4x4 ###./###./###./..## I"), Turn::Chance);
        assert_eq!(turn("4x4 ###./###./###./.... IO"), Turn::Player(0));
        assert_eq!(turn("4x4 ###./###./###./.... OI"), Turn::Over);
    }

    #[test]
    fn the_limit_ends_the_game_before_another_draw() {
        let game = game("limit=1");
        let mut position = position(&game, "10x20 - IO");
        game.play_unchecked(&mut position, "r0c0".parse().unwrap());
        assert_eq!(position.to_string(), "10x20 ####...... O pieces 1");
        assert_eq!(game.turn(&position), Turn::Over);
    }

    #[test]
    fn rows_above_lines_move_down_by_them() {
        let game = game("board=4x6 known=1");
        let mut position = position(&game, "4x6 ##../###./.##./###. I");
        game.play_unchecked(&mut position, "r1c3".parse().unwrap());
        assert_eq!(
            position.to_string(),
            "4x6 ##.#/.### - pieces 1 clears 0,1,0,0"
        );
        assert_eq!(game.score(&position), 30);
    }

    #[test]
    fn a_cascade_falls_and_clears_again() {
        let game = game("board=4x6 known=1 gravity=cascade shapes=#");
        // The cell on the upper line falls until it is connected again, and completes the line there.
        let mut position = position(&game, "4x6 ..#./###./##.#/##.# a");
        game.play_unchecked(&mut position, "r0c3".parse().unwrap());
        assert_eq!(position.to_string(), "4x6 ##.# - pieces 1 clears 2,0,0,0");
        assert_eq!(game.score(&position), 20);
    }

    #[test]
    fn a_cascade_can_clear_more_lines_at_once_than_any_piece() {
        let game = game("board=8x20 known=1 gravity=cascade shapes=#");
        // Stairs that hang from the top row fit those that stand on the floor.
        let stairs = "######.#/#####.##/####.###/###.####/##.#####/#.######/.#######";
        let mut position = position(&game, &format!("8x20 ###.####/{stairs} a"));
        game.play_unchecked(&mut position, "r0c3".parse().unwrap());
        let expected = "8x20 .......# - pieces 1 clears 1,0,0,0 avalanches 1,6,210";
        assert_eq!(position.to_string(), expected);
        assert_eq!(game.score(&position), 220);
    }

    #[test]
    fn s_and_z_alone_always_end() {
        let game = game("shapes=SZ");
        for seed in 0..200 {
            let mut position = game.start();
            let pieces = game.playout(&mut position, &mut stream(seed, &[]));
            assert_eq!(game.turn(&position), Turn::Over);
            assert!((8..1000).contains(&pieces), "seed {seed}: {pieces} pieces");
        }
    }
}
