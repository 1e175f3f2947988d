//! A position as the search sees it: from the side of the player to move, with both players' threats.

use super::shape::Shape;
use super::word::Word;

/// A position in which the player to move has no winning move.
///
/// The threats of a player are the empty cells that would complete a line of theirs, within reach
/// or not.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<W> {
    /// The stones of the player to move.
    pub(super) own: W,
    /// All stones.
    pub(super) occupied: W,
    /// Threats of the player to move.
    pub(super) own_threats: W,
    /// Threats of the opponent.
    pub(super) opponent_threats: W,
    /// Moves made so far.
    pub(super) plies: i32,
    /// Has a stone of one colour its mirror image covered by the other? Then no position that can
    /// follow is the mirror image of another, and looking for mirror images is in vain.
    pub(super) lopsided: bool,
}

/// What the threats on the board leave to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice<W> {
    /// Whatever is played, the opponent completes a line with the next move.
    Lost,
    /// Only this cell does not lose at once.
    Forced(W),
    /// These cells do not lose at once.
    Free(W),
}

impl<W: Word> Choice<W> {
    /// The choice among the `playable` cells, where the opponent has these `threats`.
    #[inline]
    pub(super) fn among<S: Shape<Word = W>>(shape: &S, playable: W, threats: W) -> Self {
        let safe = playable & !shape.geometry().below(threats);
        let blocks = playable & threats;
        if blocks.is_empty() {
            return if safe.is_empty() {
                Self::Lost
            } else {
                Self::Free(safe)
            };
        }
        if blocks.without_lowest().is_empty() && blocks.meets(safe) {
            Self::Forced(blocks)
        } else {
            Self::Lost
        }
    }
}

impl<W: Word> Node<W> {
    /// The position with these stones, `own` being those of the player to move.
    pub(super) fn new<S: Shape<Word = W>>(shape: &S, own: W, opponent: W) -> Self {
        let occupied = own | opponent;
        let empty = shape.geometry().board & !occupied;
        Self {
            own,
            occupied,
            own_threats: shape.completions(own) & empty,
            opponent_threats: shape.completions(opponent) & empty,
            plies: occupied.count() as i32,
            lopsided: shape.geometry().mirrored(own).meets(opponent),
        }
    }

    /// The opponent's stones.
    #[inline]
    pub(super) fn opponent(&self) -> W {
        self.occupied & !self.own
    }

    /// The cells that the player to move may play without losing at once.
    #[inline]
    pub(super) fn choice<S: Shape<Word = W>>(&self, shape: &S) -> Choice<W> {
        let playable = shape.geometry().playable(self.occupied);
        Choice::among(shape, playable, self.opponent_threats)
    }

    /// The position after a stone on `cell`, which gives the player who lays it these `threats`.
    #[inline]
    pub(super) fn play<S: Shape<Word = W>>(&self, shape: &S, cell: W, threats: W) -> Self {
        let own = self.opponent();
        let occupied = self.occupied | cell;
        let lopsided = self.lopsided || shape.geometry().mirrored(own).meets(self.own | cell);
        Self {
            own,
            occupied,
            own_threats: self.opponent_threats & !cell,
            opponent_threats: threats,
            plies: self.plies + 1,
            lopsided,
        }
    }

    /// The threats of the player to move after a stone on `cell`.
    #[inline]
    pub(super) fn threats_with<S: Shape<Word = W>>(&self, shape: &S, cell: W) -> W {
        shape.completions(self.own | cell) & shape.geometry().board & !(self.occupied | cell)
    }
}
