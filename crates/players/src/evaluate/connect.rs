//! Evaluations of Connect-N.
//!
//! `lines`: lines of C cells that only one player can still complete, the fuller the better. Value = sum over all lines without a stone of the opponent of 4^(own stones - 1), own lines minus opposing
//! ones; a completed line outweighs everything else.

use std::sync::Arc;

use games::connect::{Bits, Connect, Position};
use spec::{Spec, SpecError};

use super::Evaluate;
use crate::connect::network::{self, CellNetwork};

/// The evaluation that was chosen; `None` if it is not one of Connect-N.
pub(super) fn build<B: Bits>(
    game: &Connect<B>,
    chosen: &Spec,
) -> Result<Option<Arc<dyn Evaluate<Connect<B>>>>, SpecError> {
    Ok(Some(match chosen.name() {
        "lines" => Arc::new(Lines::new(game)),
        "network" => Arc::new(Expected(network::of_spec(game, chosen)?)),
        _ => return Ok(None),
    }))
}

/// How a network expects the game to end.
struct Expected(CellNetwork);

impl<B: Bits> Evaluate<Connect<B>> for Expected {
    fn value(&self, game: &Connect<B>, position: &Position<B>) -> f64 {
        let value = network::value(&self.0, game, position);
        // The first player has just moved where the number of stones is odd.
        if position.plies() % 2 == 1 {
            value
        } else {
            -value
        }
    }
}

/// More than all open lines of the largest board together.
const WON: f64 = 1e15;

/// All lines of a board.
struct Lines<B> {
    lines: Vec<B>,
}

impl<B: Bits> Lines<B> {
    fn new(game: &Connect<B>) -> Self {
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
    fn value(&self, game: &Connect<B>, position: &Position<B>) -> f64 {
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
