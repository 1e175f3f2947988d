//! Tetris as people play it: the piece falls row by row and can be moved and turned on its way.
//!
//! The pieces, the lines, the points and the end are those of the placement game: a new piece appears
//! at the top, in the legal placement nearest to the middle, so the game is over for a person exactly
//! when it is over for a player. Only a person can move a piece sideways under an overhang.
//!
//! A turned piece keeps the middle of its box; where that is not free it is moved by up to two cells
//! ([`KICKS`]). A piece that cannot fall any further is locked by the next step down.
//!
//! With the rule `hold` the piece can be exchanged once ([`Falling::hold`]): for the piece that is held, or for the next one while none is.

use super::{ColumnBits, Oriented, Piece, Position, Tetris};
use crate::game::{Game, Turn};
use streams::Stream;

/// Where a turned piece is tried, in this order: columns to the right, rows up.
const KICKS: [(i32, i32); 13] = [
    (0, 0),
    (-1, 0),
    (1, 0),
    (0, -1),
    (-1, -1),
    (1, -1),
    (-2, 0),
    (2, 0),
    (0, -2),
    (0, 1),
    (-1, 1),
    (1, 1),
    (0, 2),
];

/// A piece on its way down; column and row are those of its box's lower left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FallingPiece {
    /// Which piece.
    pub piece: Piece,
    /// Its rotation, as in a [`Placement`](super::Placement).
    pub rotation: u8,
    /// The leftmost column of its box.
    pub column: u32,
    /// The lowest row of its box, counted from the floor.
    pub row: u32,
}

/// To which side a piece is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Towards the first column.
    Left,
    /// Towards the last column.
    Right,
}

/// Which way a piece is turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quarter {
    /// To the right.
    Clockwise,
    /// To the left.
    Counterclockwise,
}

/// What a step down did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The piece is one row lower, or there is none.
    Fell,
    /// The piece came to lie here; full rows are gone and the next piece has appeared.
    Locked(FallingPiece),
}

/// A position and the piece that falls in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Falling<C> {
    position: Position<C>,
    piece: Option<FallingPiece>,
    /// Whether the piece was exchanged: once is all.
    exchanged: bool,
}

impl<C: ColumnBits> Falling<C> {
    /// Continues from a position of the placement game.
    pub fn from_position(game: &Tetris<C>, position: Position<C>, rng: &mut Stream) -> Self {
        let mut falling = Self {
            position,
            piece: None,
            exchanged: false,
        };
        falling.appear(game, rng);
        falling
    }

    /// A new game, its first piece at the top.
    pub fn start(game: &Tetris<C>, rng: &mut Stream) -> Self {
        Self::from_position(game, game.start(), rng)
    }

    /// Everything but the falling piece, which is the first of the queue.
    #[must_use]
    pub fn position(&self) -> &Position<C> {
        &self.position
    }

    /// The piece that falls; none when the game is over.
    #[must_use]
    pub fn piece(&self) -> Option<FallingPiece> {
        self.piece
    }

    /// Whether the piece was exchanged for a held one, so that it cannot be exchanged again.
    #[must_use]
    pub fn is_exchanged(&self) -> bool {
        self.exchanged
    }

    /// Where the piece would lie if it were dropped now.
    #[must_use]
    pub fn ghost(&self, game: &Tetris<C>) -> Option<FallingPiece> {
        let mut ghost = self.piece?;
        while let Some(lower) = self.moved(game, ghost, (0, -1)) {
            ghost = lower;
        }
        Some(ghost)
    }

    /// Moves the piece sideways, if there is room; says whether it moved.
    pub fn shift(&mut self, game: &Tetris<C>, side: Side) -> bool {
        let columns = match side {
            Side::Left => -1,
            Side::Right => 1,
        };
        let moved = self
            .piece
            .and_then(|piece| self.moved(game, piece, (columns, 0)));
        self.take(moved)
    }

    /// Turns the piece by a quarter, if there is room here or close by; says whether it turned.
    pub fn rotate(&mut self, game: &Tetris<C>, quarter: Quarter) -> bool {
        let turned = self
            .piece
            .and_then(|piece| self.turned(game, piece, quarter));
        self.take(turned)
    }

    /// One row down, or locks the piece if it cannot fall.
    pub fn step(&mut self, game: &Tetris<C>, rng: &mut Stream) -> Step {
        let Some(piece) = self.piece else {
            return Step::Fell;
        };
        match self.moved(game, piece, (0, -1)) {
            Some(lower) => {
                self.piece = Some(lower);
                Step::Fell
            }
            None => self.lock(game, piece, rng),
        }
    }

    /// Drops the piece to where its ghost is and locks it.
    pub fn drop(&mut self, game: &Tetris<C>, rng: &mut Stream) -> Step {
        match self.ghost(game) {
            Some(ghost) => self.lock(game, ghost, rng),
            None => Step::Fell,
        }
    }

    /// Holds the piece and lets the other one appear, if the rules allow it, the other one has a place, and the piece was not
    /// exchanged before; says whether it was.
    pub fn hold(&mut self, game: &Tetris<C>, rng: &mut Stream) -> bool {
        let other = game.hand(&self.position).piece(true);
        let (Some(piece), Some(other)) = (self.piece, other) else {
            return false;
        };
        if self.exchanged || !game.has_placement(&self.position.board, game.shape(other)) {
            return false;
        }
        match self.position.held.replace(piece.piece) {
            Some(_) => self.position.queue.replace_first(other),
            None => self.position.queue.advance(),
        }
        self.appear(game, rng);
        self.exchanged = true;
        true
    }

    fn lock(&mut self, game: &Tetris<C>, piece: FallingPiece, rng: &mut Stream) -> Step {
        let oriented = oriented(game, piece);
        game.put(&mut self.position, oriented, piece.row, piece.column);
        self.position.queue.advance();
        self.appear(game, rng);
        Step::Locked(piece)
    }

    /// Lets chance make the next pieces known and puts the current one at the top.
    fn appear(&mut self, game: &Tetris<C>, rng: &mut Stream) {
        self.exchanged = false;
        while game.turn(&self.position) == Turn::Chance {
            game.draw(&mut self.position, rng);
        }
        self.piece = self.position.queue.first().and_then(|piece| {
            let mut placements = Vec::new();
            game.moves(&self.position, &mut placements);
            let width = |rotation: u8| game.shape(piece).rotations()[usize::from(rotation)].width();
            let off_middle = |column: u8, rotation: u8| {
                (2 * u32::from(column) + width(rotation)).abs_diff(self.position.board.width())
            };
            let of_current = placements.into_iter().filter(|placement| !placement.hold);
            let nearest = of_current.min_by_key(|placement| {
                let rotation = placement.rotation;
                (rotation, off_middle(placement.column, rotation))
            })?;
            let height = game.shape(piece).rotations()[usize::from(nearest.rotation)].height();
            Some(FallingPiece {
                piece,
                rotation: nearest.rotation,
                column: nearest.column.into(),
                row: self.position.board.rows() - height,
            })
        });
    }

    fn take(&mut self, moved: Option<FallingPiece>) -> bool {
        self.piece = moved.or(self.piece);
        moved.is_some()
    }

    fn turned(
        &self,
        game: &Tetris<C>,
        piece: FallingPiece,
        quarter: Quarter,
    ) -> Option<FallingPiece> {
        let count = game.shape(piece.piece).rotations().len() as u8;
        let step = match quarter {
            Quarter::Clockwise => 1,
            Quarter::Counterclockwise => count - 1,
        };
        let turned = FallingPiece {
            rotation: (piece.rotation + step) % count,
            ..piece
        };
        let (old, new) = (oriented(game, piece), oriented(game, turned));
        // Division rounds towards zero, so that turning back leads back.
        let middle = |old: u32, new: u32| (old as i32 - new as i32) / 2;
        let (right, up) = (
            middle(old.width(), new.width()),
            middle(old.height(), new.height()),
        );
        KICKS
            .iter()
            .find_map(|kick| self.moved(game, turned, (right + kick.0, up + kick.1)))
    }

    /// The piece moved by columns to the right and rows up, if it is then free and inside the board.
    fn moved(
        &self,
        game: &Tetris<C>,
        piece: FallingPiece,
        (right, up): (i32, i32),
    ) -> Option<FallingPiece> {
        let moved = FallingPiece {
            column: piece.column.checked_add_signed(right)?,
            row: piece.row.checked_add_signed(up)?,
            ..piece
        };
        let (board, shape) = (&self.position.board, oriented(game, moved));
        let inside = moved.column + shape.width() <= board.width() && board.fits(shape, moved.row);
        let free = || {
            let columns = board.columns()[moved.column as usize..].iter();
            columns
                .zip(shape.masks())
                .all(|(&cells, &mask)| (cells & C::from_mask(mask).up(moved.row)).is_empty())
        };
        (inside && free()).then_some(moved)
    }
}

/// The shape of the piece in its rotation.
fn oriented<C: ColumnBits>(game: &Tetris<C>, piece: FallingPiece) -> &Oriented {
    &game.shape(piece.piece).rotations()[usize::from(piece.rotation)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tetris::{Placement, Rules};
    use streams::{Stream, below, stream};

    fn game(options: &str) -> Tetris<u32> {
        Tetris::new(Rules::from_options(&options.parse().unwrap()).unwrap())
    }

    fn falling(game: &Tetris<u32>, text: &str) -> Falling<u32> {
        Falling::from_position(game, text.parse().unwrap(), &mut stream(1, &[]))
    }

    fn place(falling: &Falling<u32>) -> (u8, u32, u32) {
        let piece = falling.piece().unwrap();
        (piece.rotation, piece.column, piece.row)
    }

    #[test]
    fn a_piece_appears_in_the_middle_of_the_top() {
        let check = |options: &str, text: &str, expected| {
            assert_eq!(place(&falling(&game(options), text)), expected, "{text}");
        };
        check("known=1", "10x20 - I", (0, 3, 19));
        check("known=1", "10x20 - O", (0, 4, 18));
        check("known=1", "10x20 - T", (0, 3, 18));
        check("known=1 board=4x4", "4x4 ##../##../##.. I", (0, 0, 3));
        check("known=1 board=4x4", "4x4 ##../##../##../##.. I", (1, 2, 0));
        check("known=1 board=4x5 shapes=pentominoes", "4x5 - I", (1, 1, 0));
    }

    #[test]
    fn pieces_stop_at_walls_and_cells() {
        let game = game("known=1 board=4x8");
        let mut piece = falling(&game, "4x8 - O");
        assert!(piece.shift(&game, Side::Left));
        assert!(!piece.shift(&game, Side::Left));
        assert_eq!(place(&piece), (0, 0, 6));
        assert!(piece.shift(&game, Side::Right));
        assert!(piece.shift(&game, Side::Right));
        assert!(!piece.shift(&game, Side::Right));
        assert_eq!(piece.ghost(&game).unwrap().row, 0);
    }

    #[test]
    fn a_piece_can_be_moved_under_an_overhang() {
        let game = game("known=1 board=4x6");
        let mut rng = stream(1, &[]);
        let mut piece = falling(&game, "4x6 ##../..../.... O");
        piece.shift(&game, Side::Right);
        while piece.piece().unwrap().row > 0 {
            assert_eq!(piece.step(&game, &mut rng), Step::Fell);
        }
        assert!(piece.shift(&game, Side::Left) && piece.shift(&game, Side::Left));
        let locked = piece.step(&game, &mut rng);
        assert!(matches!(locked, Step::Locked(at) if (at.column, at.row) == (0, 0)));
        assert_eq!(
            piece.position().to_string().split(' ').nth(1),
            Some("##../##../##..")
        );
    }

    #[test]
    fn turning_keeps_the_middle_and_leads_back() {
        let game = game("known=1");
        for letter in "IOTJLSZ".chars() {
            let mut piece = falling(&game, &format!("10x20 - {letter}"));
            for _ in 0..5 {
                piece.step(&game, &mut stream(1, &[]));
            }
            let before = place(&piece);
            for quarter in [Quarter::Clockwise, Quarter::Counterclockwise] {
                for _ in 0..4 {
                    assert!(piece.rotate(&game, quarter), "{letter}");
                }
                assert_eq!(place(&piece), before, "{letter}");
            }
        }
    }

    #[test]
    fn a_turned_piece_gives_way_to_walls_floor_and_top() {
        let game = game("known=1");
        let mut piece = falling(&game, "10x20 - I");
        assert!(piece.rotate(&game, Quarter::Clockwise), "at the top");
        while piece.shift(&game, Side::Left) {}
        assert!(piece.rotate(&game, Quarter::Clockwise), "at the wall");
        assert_eq!(place(&piece).1, 0);
        while piece.piece().unwrap().row > 0 {
            piece.step(&game, &mut stream(1, &[]));
        }
        assert!(piece.rotate(&game, Quarter::Clockwise), "on the floor");
        assert_eq!(place(&piece).2, 0);
    }

    #[test]
    fn a_piece_in_a_shaft_cannot_turn() {
        let game = game("known=1 board=4x8");
        let mut piece = falling(&game, "4x8 #.##/#.##/#.##/#.##/#.##/#.## I");
        piece.rotate(&game, Quarter::Clockwise);
        while piece.ghost(&game) != piece.piece() {
            piece.step(&game, &mut stream(1, &[]));
        }
        assert_eq!(place(&piece), (1, 1, 0));
        assert!(!piece.rotate(&game, Quarter::Clockwise));
    }

    #[test]
    fn lines_cascades_and_the_limit_are_those_of_the_placement_game() {
        let check = |options: &str, text: &str, points: i64, board: &str| {
            let game = game(options);
            let mut piece = falling(&game, text);
            piece.drop(&game, &mut stream(1, &[]));
            assert_eq!(game.score(piece.position()), points, "{options}");
            let text = piece.position().to_string();
            assert_eq!(text.split(' ').nth(1), Some(board), "{options}");
        };
        check("known=1 board=4x8", "4x8 #..#/#..#/#... O", 10, "#..#/###.");
        check(
            "known=1 board=4x8 gravity=cascade",
            "4x8 #..#/#..# O",
            30,
            "-",
        );
        let game = game("known=1 limit=1");
        let mut piece = falling(&game, "10x20 - O");
        piece.drop(&game, &mut stream(1, &[]));
        assert_eq!(piece.piece(), None);
    }

    fn random_step(falling: &mut Falling<u32>, game: &Tetris<u32>, rng: &mut Stream) {
        match below(rng, 5) {
            0 if below(rng, 4) == 0 => drop(falling.hold(game, rng)),
            0 => drop(falling.shift(game, Side::Left)),
            1 => drop(falling.shift(game, Side::Right)),
            2 => drop(falling.rotate(game, Quarter::Clockwise)),
            3 => drop(falling.rotate(game, Quarter::Counterclockwise)),
            _ => drop(falling.step(game, rng)),
        }
    }

    /// Whatever is pressed, positions stay possible, and it is over exactly when the placement game is.
    #[test]
    fn any_keys_give_positions_of_the_placement_game() {
        for options in [
            "",
            "board=5x9 gravity=cascade known=3",
            "shapes=pentominoes board=7x12",
            "hold=true",
            "hold=true board=5x9 known=3 generator=bag",
        ] {
            let game = game(options);
            for seed in 0..20 {
                let mut rng = stream(seed, &[]);
                let mut falling = Falling::start(&game, &mut rng);
                while falling.piece().is_some() {
                    assert_eq!(game.turn(falling.position()), Turn::Player(0));
                    random_step(&mut falling, &game, &mut rng);
                    assert_eq!(game.check(falling.position()), Ok(()));
                }
                assert_eq!(game.turn(falling.position()), Turn::Over);
            }
        }
    }

    #[test]
    fn a_piece_is_exchanged_once_for_the_next_or_the_held_one() {
        let game = game("hold=true");
        let mut rng = stream(1, &[]);
        let mut falling = falling(&game, "10x20 - TI");
        let letters = |falling: &Falling<u32>| {
            let held = falling.position().held().map(Piece::letter);
            (falling.piece().unwrap().piece.letter(), held)
        };
        assert!(falling.hold(&game, &mut rng));
        assert_eq!(letters(&falling), ('I', Some('T')));
        assert!(!falling.hold(&game, &mut rng), "once is all");
        falling.drop(&game, &mut rng);
        let (current, held) = letters(&falling);
        assert_eq!(held, Some('T'));
        assert!(falling.hold(&game, &mut rng));
        assert_eq!(letters(&falling), ('T', Some(current)));
        let strict = super::tests::game("");
        assert!(!super::tests::falling(&strict, "10x20 - TI").hold(&strict, &mut rng));
    }

    /// Holding, then dropping at once, is the move that holds.
    #[test]
    fn holding_and_dropping_is_one_move_of_the_placement_game() {
        let game = game("hold=true");
        for seed in 0..20 {
            let (mut rng, mut same_rng) = (stream(seed, &[]), stream(seed, &[]));
            let mut falling = Falling::start(&game, &mut rng);
            let mut position = game.start();
            for turn in 0..8 {
                while game.turn(&position) == Turn::Chance {
                    game.draw(&mut position, &mut same_rng);
                }
                assert_eq!(falling.position(), &position);
                let hold = below(&mut stream(seed, &[turn]), 2) == 0;
                assert!(!hold || falling.hold(&game, &mut rng));
                let column = falling.piece().unwrap().column as u8;
                falling.drop(&game, &mut rng);
                let placement = Placement {
                    hold,
                    rotation: 0,
                    column,
                };
                game.play(&mut position, placement).unwrap();
            }
        }
    }

    /// A person who only moves, turns and drops at the top plays the placement game, with the same pieces.
    #[test]
    fn dropped_from_the_top_it_is_the_placement_game() {
        let game = game("");
        let (mut rng, mut same_rng) = (stream(3, &[]), stream(3, &[]));
        let mut falling = Falling::start(&game, &mut rng);
        let mut position = game.start();
        while game.turn(&position) == Turn::Chance {
            game.draw(&mut position, &mut same_rng);
        }
        for _ in 0..8 {
            let column = falling.piece().unwrap().column as u8;
            falling.drop(&game, &mut rng);
            game.play(
                &mut position,
                Placement {
                    hold: false,
                    rotation: 0,
                    column,
                },
            )
            .unwrap();
            while game.turn(&position) == Turn::Chance {
                game.draw(&mut position, &mut same_rng);
            }
            assert_eq!(falling.position(), &position);
        }
    }
}
