//! Positions, moves and legal moves as numbers, as other environments write them.

use games::connect::{Bits, Column, Connect};
use games::tetris::{ColumnBits, Piece, Placement, Tetris};
use games::twenty48::{Direction, Tiles, Twenty48, Variant};
use games::{Game, Turn};
use players::Playable;

/// The most actions a game can have.
pub(crate) const MOST_ACTIONS: usize = 128;

/// A game whose positions and moves have numbers.
pub(crate) trait Encoded: Playable {
    /// The shape of the board.
    fn shape(&self) -> Vec<usize>;

    /// The highest number on it.
    fn highest(&self) -> u8;

    /// How many pieces are shown beside the board.
    fn pieces(&self) -> usize {
        0
    }

    /// How many kinds of them there are.
    fn kinds(&self) -> usize {
        0
    }

    /// How many actions there are.
    fn actions(&self) -> usize;

    /// The board and the pieces, as the player in this seat sees them.
    fn observe(&self, position: &Self::Position, seat: u8, board: &mut [u8], pieces: &mut [u8]);

    /// The legal actions, one bit each; none if the game is over.
    fn legal(&self, position: &Self::Position) -> u128;

    /// The move of an action.
    fn decode(&self, action: usize) -> Self::Move;
}

/// Exponents row by row; actions up, right, down, left.
impl Encoded for Twenty48 {
    fn shape(&self) -> Vec<usize> {
        vec![self.rules().rows.into(), self.rules().cols.into()]
    }

    fn highest(&self) -> u8 {
        self.rules().rows * self.rules().cols + 1
    }

    fn actions(&self) -> usize {
        4
    }

    #[inline]
    fn observe(&self, position: &Self::Position, _: u8, board: &mut [u8], _: &mut [u8]) {
        match position.tiles() {
            Tiles::Packed(packed) => {
                for (place, cells) in board.chunks_exact_mut(2).enumerate() {
                    let both = (packed.0 >> (8 * place)) as u8;
                    cells[0] = both & 15;
                    cells[1] = both >> 4;
                }
            }
            tiles => board
                .iter_mut()
                .zip(tiles.exponents())
                .for_each(|(cell, exponent)| *cell = exponent),
        }
    }

    #[inline]
    fn legal(&self, position: &Self::Position) -> u128 {
        if self.rules().variant == Variant::Fer || self.rules().stop_at_win {
            return by_moves(self, position, |direction| direction as usize);
        }
        let tiles = position.tiles();
        let slides = self.slides(tiles);
        (0..4).fold(0, |legal, place| {
            legal | u128::from(slides[place].0 != tiles) << place
        })
    }

    #[inline]
    fn decode(&self, action: usize) -> Direction {
        Direction::ALL[action]
    }
}

/// The legal actions by the list of moves.
fn by_moves<G: Game>(game: &G, position: &G::Position, action: impl Fn(G::Move) -> usize) -> u128 {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
        .into_iter()
        .fold(0, |legal, chosen| legal | 1 << action(chosen))
}

/// Two planes, the own stones and the opponent's, rows from the top; an action is a column.
impl<B: Bits> Encoded for Connect<B>
where
    Self: Playable<Move = Column, Position = games::connect::Position<B>>,
{
    fn shape(&self) -> Vec<usize> {
        vec![self.rules().rows.into(), self.rules().cols.into(), 2]
    }

    fn highest(&self) -> u8 {
        1
    }

    fn actions(&self) -> usize {
        self.rules().cols.into()
    }

    #[inline]
    fn observe(&self, position: &Self::Position, seat: u8, board: &mut [u8], _: &mut [u8]) {
        let (rows, cols) = (
            usize::from(self.rules().rows),
            usize::from(self.rules().cols),
        );
        let [own, other] =
            [position.stones(seat), position.stones(1 - seat)].map(|stones| stones.wide());
        let mut cells = board.chunks_exact_mut(2);
        for row in (0..rows).rev() {
            for (column, cell) in (0..cols).zip(&mut cells) {
                let bit = column * rows + row;
                cell[0] = (own >> bit) as u8 & 1;
                cell[1] = (other >> bit) as u8 & 1;
            }
        }
    }

    #[inline]
    fn legal(&self, position: &Self::Position) -> u128 {
        if self.turn(position) == Turn::Over {
            return 0;
        }
        let playable = self.playable(position);
        let columns = self.columns().iter().enumerate();
        columns.fold(0, |legal, (column, &cells)| {
            legal | u128::from(!(playable & cells).is_empty()) << column
        })
    }

    #[inline]
    fn decode(&self, action: usize) -> Column {
        Column(action as u8)
    }
}

/// Filled cells, rows from the top, and the known pieces by their number among the shapes, from 1; with the rule `hold`, the held one last.
/// An action is rotation x columns + column, with `hold` the same again for moves that hold.
impl<C: ColumnBits> Encoded for Tetris<C>
where
    Self: Playable<Move = Placement, Position = games::tetris::Position<C>>,
{
    fn shape(&self) -> Vec<usize> {
        vec![self.rules().rows.into(), self.rules().columns.into()]
    }

    fn highest(&self) -> u8 {
        1
    }

    fn pieces(&self) -> usize {
        usize::from(self.rules().known) + usize::from(self.rules().hold)
    }

    fn kinds(&self) -> usize {
        self.shapes().len()
    }

    fn actions(&self) -> usize {
        4 * usize::from(self.rules().columns) * (1 + usize::from(self.rules().hold))
    }

    #[inline]
    fn observe(&self, position: &Self::Position, _: u8, board: &mut [u8], pieces: &mut [u8]) {
        let width = usize::from(self.rules().columns);
        for (row, cells) in (0..u32::from(self.rules().rows))
            .rev()
            .zip(board.chunks_exact_mut(width))
        {
            for (column, cell) in (0..).zip(cells) {
                *cell = position.board().is_filled(column, row).into();
            }
        }
        let number = |piece: Piece| self.place(piece) as u8 + 1;
        let known = usize::from(self.rules().known);
        pieces.fill(0);
        pieces
            .iter_mut()
            .take(known)
            .zip(position.queue().iter())
            .for_each(|(place, piece)| *place = number(piece));
        if let (Some(last), Some(held)) = (pieces.get_mut(known), position.held()) {
            *last = number(held);
        }
    }

    #[inline]
    fn legal(&self, position: &Self::Position) -> u128 {
        let columns = usize::from(self.rules().columns);
        let action = |placed: Placement| {
            let turns = usize::from(placed.rotation) + 4 * usize::from(placed.hold);
            turns * columns + usize::from(placed.column)
        };
        by_moves(self, position, action)
    }

    #[inline]
    fn decode(&self, action: usize) -> Placement {
        let columns = usize::from(self.rules().columns);
        let turns = (action / columns) as u8;
        Placement {
            hold: turns >= 4,
            rotation: turns % 4,
            column: (action % columns) as u8,
        }
    }
}
