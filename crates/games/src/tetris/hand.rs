//! The pieces that a player can choose from: the current one, and with the rule `hold` another.
//!
//! The other is the piece that is held; while none is, it is the next one. Placing it leaves the current piece held. That is the hold of the
//! usual game, where a piece can be exchanged once before it is placed, written as one move.

use super::piece::{Piece, Queue};

/// The known pieces and the one that is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hand {
    /// The known pieces, the current one first.
    pub queue: Queue,
    /// The piece that is held.
    pub held: Option<Piece>,
    /// Whether the rules allow it.
    pub may_hold: bool,
}

/// A piece that may be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The piece.
    pub piece: Piece,
    /// Whether the current piece is held instead of placed.
    pub hold: bool,
}

impl Hand {
    /// The piece that is placed, if the current one is held instead, or if it is not.
    #[inline]
    #[must_use]
    pub fn piece(&self, hold: bool) -> Option<Piece> {
        if !hold {
            self.queue.first()
        } else if self.may_hold {
            self.held.or_else(|| self.queue.iter().nth(1))
        } else {
            None
        }
    }

    /// What may be placed, the current piece first.
    #[inline]
    pub fn choices(self) -> impl Iterator<Item = Choice> {
        let choice = move |hold| self.piece(hold).map(|piece| Choice { piece, hold });
        [false, true].into_iter().filter_map(choice)
    }

    /// What is left when a piece was placed.
    #[inline]
    #[must_use]
    pub fn after(mut self, hold: bool) -> Self {
        if hold {
            let is_next = self.held.is_none();
            self.held = self.queue.first();
            self.queue.advance();
            if !is_next {
                return self;
            }
        }
        self.queue.advance();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(queue: &str, held: &str) -> Hand {
        let mut hand = Hand {
            queue: Queue::default(),
            held: held.chars().next().and_then(Piece::new),
            may_hold: true,
        };
        for piece in queue.chars().filter_map(Piece::new) {
            hand.queue.push(piece);
        }
        hand
    }

    fn choices(hand: Hand) -> String {
        let choices = hand.choices();
        let text =
            |choice: Choice| format!("{}{}", choice.piece, if choice.hold { "h" } else { "" });
        choices.map(text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_other_piece_is_the_held_one_or_the_next() {
        assert_eq!(choices(hand("TI", "")), "T Ih");
        assert_eq!(choices(hand("TI", "S")), "T Sh");
        assert_eq!(choices(hand("T", "")), "T");
        assert_eq!(choices(hand("", "S")), "Sh");
        let strict = Hand {
            may_hold: false,
            ..hand("TI", "")
        };
        assert_eq!(choices(strict), "T");
    }

    #[test]
    fn the_current_piece_is_held_in_exchange() {
        assert_eq!(hand("TIO", "").after(false), hand("IO", ""));
        assert_eq!(hand("TIO", "").after(true), hand("O", "T"));
        assert_eq!(hand("TIO", "S").after(false), hand("IO", "S"));
        assert_eq!(hand("TIO", "S").after(true), hand("IO", "T"));
    }
}
