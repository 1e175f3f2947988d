//! Positions, moves and legal moves as numbers, as other environments write them.

use games::Game;
use games::connect::{Bits, Column, Connect};
use games::tetris::{ColumnBits, Piece, Placement, Tetris};
use games::twenty48::{Direction, Tiles, Twenty48};
use players::Playable;

use crate::planes::Planes;

/// The most actions a game can have.
pub(crate) const MOST_ACTIONS: usize = 128;

/// What is seen of one game.
pub(crate) struct Seen<'a> {
    pub(crate) board: &'a mut [u8],
    pub(crate) pieces: &'a mut [u8],
}

/// A game whose positions and moves have numbers.
pub(crate) trait Encoded: Playable {
    /// What looking at its positions needs of the rules, found once.
    type Sight: Send;

    fn sight(&self) -> Self::Sight;

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
    fn observe(&self, sight: &Self::Sight, position: &Self::Position, seat: u8, seen: Seen<'_>);

    /// The legal actions, one bit each, where a player is to move.
    fn legal(&self, sight: &Self::Sight, position: &Self::Position) -> u128;

    /// Points of the first player so far.
    fn points(&self, position: &Self::Position, _over: bool) -> i64 {
        self.score(position)
    }

    /// The move of an action.
    fn decode(&self, action: usize) -> Self::Move;
}

/// Exponents row by row; actions up, right, down, left.
impl Encoded for Twenty48 {
    type Sight = ();

    fn sight(&self) {}

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
    fn observe(&self, (): &(), position: &Self::Position, _: u8, Seen { board, .. }: Seen<'_>) {
        match position.tiles() {
            Tiles::Packed(packed) => {
                let (low, high) = board.split_at_mut(8);
                low.copy_from_slice(&spread(packed.0 as u32).to_le_bytes());
                high.copy_from_slice(&spread((packed.0 >> 32) as u32).to_le_bytes());
            }
            tiles => board
                .iter_mut()
                .zip(tiles.exponents())
                .for_each(|(cell, exponent)| *cell = exponent),
        }
    }

    #[inline]
    fn legal(&self, (): &(), position: &Self::Position) -> u128 {
        Twenty48::legal(self, position.tiles()).into()
    }

    #[inline]
    fn decode(&self, action: usize) -> Direction {
        Direction::ALL[action]
    }
}

/// Eight numbers of four bits as eight bytes.
#[inline]
fn spread(cells: u32) -> u64 {
    let cells = u64::from(cells);
    let cells = (cells | cells << 16) & 0x0000_ffff_0000_ffff;
    let cells = (cells | cells << 8) & 0x00ff_00ff_00ff_00ff;
    (cells | cells << 4) & 0x0f0f_0f0f_0f0f_0f0f
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
    type Sight = Planes;

    fn sight(&self) -> Planes {
        Planes::new(self.rules().rows, self.rules().cols)
    }

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
    fn observe(
        &self,
        planes: &Planes,
        position: &Self::Position,
        seat: u8,
        Seen { board, .. }: Seen<'_>,
    ) {
        let [own, other] = [seat, 1 - seat].map(|seat| position.stones(seat).wide());
        planes.draw(own, other, board);
    }

    #[inline]
    fn legal(&self, planes: &Planes, position: &Self::Position) -> u128 {
        planes.open_columns(position.occupied().wide())
    }

    /// Nobody has won before the end, which spares looking for lines.
    #[inline]
    fn points(&self, position: &Self::Position, over: bool) -> i64 {
        if over { self.score(position) } else { 0 }
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
    type Sight = ();

    fn sight(&self) {}

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
    fn observe(&self, (): &(), position: &Self::Position, _: u8, seen: Seen<'_>) {
        let Seen { board, pieces } = seen;
        let width = usize::from(self.rules().columns);
        for (row, cells) in (0..u32::from(self.rules().rows))
            .rev()
            .zip(board.chunks_exact_mut(width))
        {
            for (&column, cell) in position.board().columns().iter().zip(cells) {
                *cell = column.window(row) as u8 & 1;
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
    fn legal(&self, (): &(), position: &Self::Position) -> u128 {
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
