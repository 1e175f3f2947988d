//! Bounds of the score that need no search.
//!
//! *Open lines*: a player all of whose lines hold a stone of the other cannot win.
//!
//! *Evens*: on a board with an even number of rows, the second player can answer every stone right above
//! it, and so gets every cell of the even rows (counted from 1) in columns of even height. Columns of odd
//! height come in pairs (when the second player is to move, one is over, and is begun with): when the
//! first player takes the next cell of one, the answer is the next cell of its partner, and then both
//! are of even height. Thus the first player never gets more than the empty cells of the odd rows and
//! those that can be played now. If they do not complete a line, the second player does not lose,
//! whatever the number of pieces; if moreover the other cells complete one of the second player's and the
//! board will be filled, the second player wins. For the idea, called claimeven, see Victor Allis, "A
//! Knowledge-based Approach of Connect-Four" (1988).

use games::connect::Bits;

use super::node::Node;
use super::shape::Shape;
use super::word::Word;

/// Scores between which the true one lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Between {
    /// The score is at least this.
    pub(super) lower: i32,
    /// The score is at most this.
    pub(super) upper: i32,
}

impl Between {
    /// The bound that decides whether the score is at least `target`, if one does.
    #[inline]
    pub(super) fn settles(self, target: i32) -> Option<i32> {
        if self.lower >= target {
            Some(self.lower)
        } else if self.upper < target {
            Some(self.upper)
        } else {
            None
        }
    }

    /// What follows when the score is also known to be at least this.
    #[inline]
    pub(super) fn at_least(self, lower: i32) -> Self {
        Self {
            lower: self.lower.max(lower),
            ..self
        }
    }

    /// What follows when the score is also known to be at most this.
    #[inline]
    pub(super) fn at_most(self, upper: i32) -> Self {
        Self {
            upper: self.upper.min(upper),
            ..self
        }
    }

    /// The same from the other player's side.
    pub(super) fn turned(self) -> Self {
        Self {
            lower: -self.upper,
            upper: -self.lower,
        }
    }
}

/// Sharpens the bounds of a node as far as it may tell whether the score reaches the target.
#[inline]
pub(super) fn without_search<S: Shape>(
    shape: &S,
    node: &Node<S::Word>,
    target: i32,
    known: Between,
) -> Between {
    let known = open_lines(shape, node, target, known);
    if known.settles(target).is_some() || !shape.geometry().even_height {
        return known;
    }
    match node.plies % 2 {
        0 if target >= 0 => first_to_move(shape, node, known),
        1 if target <= 1 => second_to_move(shape, node, known),
        _ => known,
    }
}

/// Who could not even make a line with all the cells that are left does not win.
#[inline]
fn open_lines<S: Shape>(shape: &S, node: &Node<S::Word>, target: i32, known: Between) -> Between {
    let empty = shape.geometry().board & !node.occupied;
    if target >= 1 && !shape.has_line(node.own | empty) {
        known.at_most(0)
    } else if target <= 0 && !shape.has_line(node.opponent() | empty) {
        known.at_least(0)
    } else {
        known
    }
}

#[inline]
fn first_to_move<S: Shape>(shape: &S, node: &Node<S::Word>, known: Between) -> Between {
    let reach = reach(shape, node);
    if shape.has_line(node.own | reach) {
        return known;
    }
    let loses = wins_with_the_rest(shape, node.occupied, node.opponent(), reach);
    known.at_most(-i32::from(loses))
}

/// The second player is free to begin in any column of odd height and so to keep its next cell.
#[inline]
fn second_to_move<S: Shape>(shape: &S, node: &Node<S::Word>, known: Between) -> Between {
    let geometry = shape.geometry();
    let all = reach(shape, node);
    let mut begins = geometry.playable(node.occupied) & !geometry.odd_rows;
    while !begins.is_empty() {
        let others = begins.without_lowest();
        let reach = all & !(begins & !others);
        if !shape.has_line(node.opponent() | reach) {
            let wins = wins_with_the_rest(shape, node.occupied, node.own, reach);
            return known.at_least(i32::from(wins));
        }
        begins = others;
    }
    known
}

/// The empty cells that the first player may get.
#[inline]
fn reach<S: Shape>(shape: &S, node: &Node<S::Word>) -> S::Word {
    let geometry = shape.geometry();
    (geometry.odd_rows & !node.occupied) | geometry.playable(node.occupied)
}

/// Does the second player, who is sure of what the first does not reach, win in the end?
#[inline]
fn wins_with_the_rest<S: Shape>(
    shape: &S,
    occupied: S::Word,
    stones: S::Word,
    reach: S::Word,
) -> bool {
    let geometry = shape.geometry();
    geometry.fills_up && shape.has_line(stones | (geometry.board & !occupied & !reach))
}
