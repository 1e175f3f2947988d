//! Bounds of the score that need no search: who can be kept from a line by answering move for move.
//!
//! *Evens*: on a board with an even number of rows, the player who moves when an odd number of cells
//! is left (the second player) can answer every stone right above it and so gets every cell of the
//! even rows (counted from 1) that is still above an even number of stones. Columns of odd height
//! come in pairs: when the other player takes the next cell of one, the answer is the next cell of
//! its partner. Thus the first player never gets more than the empty cells of the odd rows and the
//! playable ones. If they do not complete a line, the second player does not lose, whatever the
//! number of pieces; if moreover the even cells complete one of the second player's, and the board
//! will be filled, the second player wins.

use super::node::Node;
use super::shape::Shape;
use super::word::Word;

/// Sharpens the bounds of the score of the player to move, as far as it matters for the target.
#[inline]
pub(super) fn evens<S: Shape>(
    shape: &S,
    node: &Node<S::Word>,
    target: i32,
    (lower, upper): (i32, i32),
) -> (i32, i32) {
    let geometry = shape.geometry();
    if !geometry.even_height {
        return (lower, upper);
    }
    if node.plies % 2 == 0 {
        if target < 0 {
            return (lower, upper);
        }
        let reach = reach(shape, node);
        if shape.has_line(node.own | reach) {
            return (lower, upper);
        }
        let sure = geometry.board & !node.occupied & !reach;
        let wins = geometry.fills_up && shape.has_line(node.opponent() | sure);
        return (lower, upper.min(-i32::from(wins)));
    }
    if target > 1 {
        return (lower, upper);
    }
    let all = reach(shape, node);
    let mut firsts = geometry.playable(node.occupied) & !geometry.odd_rows;
    while !firsts.is_empty() {
        let rest = firsts.without_lowest();
        let first = firsts & !rest;
        firsts = rest;
        let reach = all & !first;
        if !shape.has_line(node.opponent() | reach) {
            let sure = geometry.board & !node.occupied & !reach;
            let wins = geometry.fills_up && shape.has_line(node.own | sure);
            return (lower.max(i32::from(wins)), upper);
        }
    }
    (lower, upper)
}

/// The cells that the first player may get.
#[inline]
fn reach<S: Shape>(shape: &S, node: &Node<S::Word>) -> S::Word {
    let geometry = shape.geometry();
    (geometry.odd_rows & !node.occupied) | geometry.playable(node.occupied)
}
