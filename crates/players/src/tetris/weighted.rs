//! `weighted`: the placement whose weighed features are best, of one known piece or of two.
//!
//! With `look=1` the placement of the current piece with the highest value is played. With `look=2` all pairs
//! of placements of the current and the next piece are tried, and the first of the best pair is played; a
//! pair is worth the sum of its two values. A placement after which the next piece has no place is lost: worse
//! than any that lives, but played when there is nothing else. Of equals the first in the order of moves
//! (rotation, then column) is played.

use games::Stream;
use games::tetris::{ColumnBits, Placement, Position, Tetris};

use super::features::{Change, FEATURES, Family, Features, Set, Surface, WEIGHTS};
use super::judge::Judge;
use super::lanes::LOST;
use crate::player::{Kind, Named, Parameter, Player, Recipe};
use crate::spec::{Spec, SpecError};

/// The recipe of the players that weigh features.
#[derive(Debug, Clone, Copy)]
pub struct Weighted;

const LOOK: Parameter = Parameter {
    name: "look",
    default: "1",
    help: "known pieces looked at, 1 or 2",
};

impl Named for Weighted {
    const KIND: Kind = Kind {
        name: "weighted",
        about: "plays the placement whose weighed features are best",
        more: "A placement is worth the sum of its features, each times its weight.\n\
               Sets of features: five (what a placement changes: height, edges at the pile, edges at walls and\n\
               floor, gaps, lines), ten (those and their squares), and what a placement leaves as seen by\n\
               dellacherie, bcts, dt10 and dt20. Their published weights are the defaults.\n\
               With look=2 all pairs of placements of the current and the next piece are tried; a pair is\n\
               worth the sum of the two.",
        parameters: &[FEATURES, LOOK, WEIGHTS],
    };
}

impl<C: ColumnBits> Recipe<Tetris<C>> for Weighted {
    fn make(game: &Tetris<C>, spec: &Spec) -> Result<Box<dyn Player<Tetris<C>>>, SpecError> {
        let set = Set::read(spec)?;
        let look: u8 = spec.number(&LOOK, 1..=2)?;
        if look > game.rules().known {
            return Err(spec.at(
                LOOK.name,
                "look = 2 needs two known pieces, but the game shows one: play it with --known 2"
                    .to_owned(),
            ));
        }
        Ok(match (set.family, set.weights.len()) {
            (Family::Change, 5) => weigher::<C, Change, 5>(game, &set, look),
            (Family::Change, _) => weigher::<C, Change, 10>(game, &set, look),
            (Family::Surface, 6) => weigher::<C, Surface, 6>(game, &set, look),
            (Family::Surface, 8) => weigher::<C, Surface, 8>(game, &set, look),
            (Family::Surface, _) => weigher::<C, Surface, 9>(game, &set, look),
        })
    }
}

fn weigher<C: ColumnBits, S: Features<F>, const F: usize>(
    game: &Tetris<C>,
    set: &Set,
    look: u8,
) -> Box<dyn Player<Tetris<C>>> {
    let judge = Judge::<S, F>::new(game, set.weights());
    match look {
        1 => Box::new(Weigher::<S, F, 1> { judge }),
        _ => Box::new(Weigher::<S, F, 2> { judge }),
    }
}

/// Weighs the placements of the current piece, or with `LOOK` = 2 those of the next as well.
struct Weigher<S, const F: usize, const LOOK: usize> {
    judge: Judge<S, F>,
}

impl<S: Features<F>, const F: usize, const LOOK: usize> Weigher<S, F, LOOK> {
    /// Calls `each` with the value of every legal placement, in the order of moves.
    #[inline]
    fn each<C: ColumnBits>(
        &self,
        game: &Tetris<C>,
        position: &Position<C>,
        mut each: impl FnMut(Placement, f64),
    ) {
        let mut queue = position.queue().iter();
        let piece = queue.next().expect("it is the player's turn");
        let next = queue.next().filter(|_| LOOK == 2);
        let (judge, board) = (&self.judge, position.board());
        judge.placements(game, board, piece, |judged| {
            let ahead = next.map_or(0.0, |next| {
                let after = judge.board_after(game, board, piece, &judged);
                judge.best_value(game, &after, next)
            });
            each(judged.placement, judged.value + ahead);
        });
    }
}

impl<C, S, const F: usize, const LOOK: usize> Player<Tetris<C>> for Weigher<S, F, LOOK>
where
    C: ColumnBits,
    S: Features<F>,
{
    fn choose(&mut self, game: &Tetris<C>, position: &Position<C>, _: &mut Stream) -> Placement {
        let mut best = None;
        let mut highest = LOST;
        self.each(game, position, |placement, value| {
            if value > highest || best.is_none() {
                (best, highest) = (Some(placement), value);
            }
        });
        best.expect("it is the player's turn, so there is a move")
    }

    fn judge(
        &mut self,
        game: &Tetris<C>,
        position: &Position<C>,
        _: &mut Stream,
    ) -> Vec<(Placement, f64)> {
        let mut judged = Vec::new();
        self.each(game, position, |placement, value| {
            judged.push((placement, value));
        });
        judged
    }
}
