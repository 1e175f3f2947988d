//! The moves worth trying at a node, with the threats they make, the most promising first.

use arrayvec::ArrayVec;
use games::connect::Bits;

use super::node::{Choice, Node};
use super::shape::{Geometry, Shape};
use super::word::Word;

/// A move and what it brings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Move<W> {
    /// Where the stone falls.
    pub(super) cell: W,
    /// All threats of the mover afterwards.
    pub(super) threats: W,
    /// The higher, the earlier it is tried.
    pub(super) promise: i32,
}

/// How many moves are weighed side by side: the compiler makes vector instructions of it.
const LANES: usize = 8;

/// Whether a choice of moves still has to be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prospect {
    /// One of the moves leaves the opponent no reply that prevents a line with the next stone.
    WinInThree,
    /// None does.
    Open,
}

/// Puts the moves on `cells` into `moves`, from the centre outwards, with their threats; or finds one
/// that makes the rest superfluous.
#[inline]
pub(super) fn weigh<S: Shape, const MOST: usize>(
    shape: &S,
    node: &Node<S::Word>,
    cells: S::Word,
    moves: &mut ArrayVec<Move<S::Word>, MOST>,
) -> Prospect {
    let chunks = shape.geometry().columns.chunks(LANES);
    for columns in chunks {
        if weigh_some(shape, node, cells, columns, moves) == Prospect::WinInThree {
            return Prospect::WinInThree;
        }
    }
    Prospect::Open
}

#[inline]
fn weigh_some<S: Shape, const MOST: usize>(
    shape: &S,
    node: &Node<S::Word>,
    cells: S::Word,
    columns: &[S::Word],
    moves: &mut ArrayVec<Move<S::Word>, MOST>,
) -> Prospect {
    let geometry = shape.geometry();
    let playable = geometry.playable(node.occupied);
    let empty = geometry.board & !node.occupied;
    let mut own = [S::Word::ZERO; LANES];
    for (lane, &column) in own.iter_mut().zip(columns) {
        *lane = cells & column;
    }
    let mut threats = own;
    for (threat, &cell) in threats.iter_mut().zip(&own) {
        *threat = shape.completions(node.own | cell) & empty & !cell;
    }
    for (&cell, &threats) in own.iter().zip(&threats) {
        if cell.is_empty() {
            continue;
        }
        let reach = (playable & !cell) | geometry.above(cell);
        if Choice::among(shape, reach, threats) == Choice::Lost {
            return Prospect::WinInThree;
        }
        moves.push(Move {
            cell,
            threats,
            promise: promise(node, geometry, cell, threats, reach),
        });
    }
    Prospect::Open
}

/// Threats count, more if the opponent has to answer at once or does not get the cell below them by a threat of their own; a move that lets the opponent
/// spoil one counts less. The weights are those with which the fewest nodes were searched.
#[inline]
fn promise<W: Word>(node: &Node<W>, geometry: &Geometry<W>, cell: W, threats: W, reach: W) -> i32 {
    let lasting = threats & !geometry.above(node.opponent_threats);
    let spends = cell.meets(geometry.below(node.own_threats));
    2 * threats.count() as i32 + lasting.count() as i32 + i32::from(threats.meets(reach))
        - 4 * i32::from(spends)
}

/// The most promising first; equally promising ones keep their order.
#[inline]
pub(super) fn sort<W: Word, const MOST: usize>(moves: &mut ArrayVec<Move<W>, MOST>) {
    for end in 1..moves.len() {
        let moved = moves[end];
        let mut place = end;
        while place > 0 && moves[place - 1].promise < moved.promise {
            moves[place] = moves[place - 1];
            place -= 1;
        }
        moves[place] = moved;
    }
}
