//! `lines`: lines of C cells that only one player can still complete, the fuller the better.
//!
//! Value = sum over all lines without a stone of the opponent of 4^(own stones - 1), own lines minus opposing
//! ones; a completed line outweighs everything else.

use games::Game;
use games::connect::{Bits, Connect};

use super::Evaluate;

/// More than all open lines of the largest board together.
const WON: f64 = 1e15;

/// All lines of a board.
pub(super) struct Lines<B> {
    lines: Vec<B>,
}

impl<B: Bits> Lines<B> {
    pub(super) fn new(game: &Connect<B>) -> Self {
        Self {
            lines: game.all_lines(),
        }
    }

    fn open_lines(&self, own: B, other: B) -> f64 {
        let open = self.lines.iter().filter(|&&line| (line & other).is_empty());
        open.map(|&line| match (line & own).count() {
            0 => 0.0,
            stones => libm::ldexp(1.0, 2 * (stones as i32 - 1)),
        })
        .sum()
    }
}

impl<B: Bits> Evaluate<Connect<B>> for Lines<B> {
    fn value(&self, game: &Connect<B>, position: &<Connect<B> as Game>::Position) -> f64 {
        match game.winner(position) {
            Some(0) => WON,
            Some(_) => -WON,
            None => {
                let [first, second] = [position.stones(0), position.stones(1)];
                self.open_lines(first, second) - self.open_lines(second, first)
            }
        }
    }
}
