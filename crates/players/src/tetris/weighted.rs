//! `weighted`: the placement whose weighed features are best, of one known piece or of two.
//!
//! With `look=1` the placement of the current piece with the highest value is played. With `look=2` all pairs
//! of placements of the current and the next piece are tried, and the first of the best pair is played; a
//! pair is worth the sum of its two values. A placement after which the next piece has no place is lost: worse
//! than any that lives, but played when there is nothing else. Of equals the first in the order of moves
//! (rotation, then column) is played. With the rule `hold` the held piece, or the next, is tried as well, at each of the two.

use games::Stream;
use games::tetris::{ColumnBits, Placement, Position, Tetris};

use crate::placement::{
    Change, FEATURES, Family, Features, Judge, LOST, READING, Set, Surface, WEIGHTS, with_features,
};
use crate::player::{Named, Player, PlayerFactory, Prepared, Tunable};
use spec::{Kind, Parameter, Spec, SpecError};

/// Makes the players that weigh features.
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
        about: "plays the placement with the highest sum of weighted features",
        more: "A placement is worth the sum of its features, each times its weight.\n\
               Sets of features: five (what a placement changes: height, edges at the pile, edges at walls and\n\
               floor, gaps, lines), six (those and the gaps under the piece over those elsewhere), ten (the five and their\n\
               squares), fifteen (and cubes), twenty (and logarithms), and what a placement leaves as seen by dellacherie, bcts,\n\
               dt10 and dt20. Their published weights are the defaults; of six, ten, fifteen and twenty those of five.\n\
               tetris-ga prints its weights with ETP and Lines exchanged: reading=as-published takes them as printed,\n\
               and counts as its listings do (height is the row where the piece lands, the floor is no wall).\n\
               With look=2 all pairs of placements of the current and the next piece are tried; a pair is\n\
               worth the sum of the two.",
        parameters: &[FEATURES, READING, LOOK, WEIGHTS],
    };
}

impl<C: ColumnBits> PlayerFactory<Tetris<C>> for Weighted {
    fn tunable(_: &Tetris<C>, spec: &Spec) -> Result<Tunable, SpecError> {
        Ok(Tunable::weights(Set::names(spec)?))
    }

    fn prepare(game: &Tetris<C>, spec: &Spec) -> Result<Prepared<Tetris<C>>, SpecError> {
        let set = Set::read(spec)?;
        let look: u8 = spec.number(&LOOK, 1..=2)?;
        if look > game.rules().known {
            let problem = "look = 2: the game shows one piece; two need --known 2";
            return Err(spec.at(LOOK.name, problem.to_owned()));
        }
        Ok(with_features!(set, weigher(game, &set, look)))
    }
}

fn weigher<C: ColumnBits, S: Features<F>, const F: usize>(
    game: &Tetris<C>,
    set: &Set,
    look: u8,
) -> Prepared<Tetris<C>> {
    let judge = Judge::<S, F>::new(game, set.weights());
    match look {
        1 => Prepared::copies(Weigher::<S, F, 1> { judge }),
        _ => Prepared::copies(Weigher::<S, F, 2> { judge }),
    }
}

/// Weighs the placements of the current piece, or with `LOOK` = 2 those of the next as well.
#[derive(Clone)]
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
        let hand = game.hand(position);
        let judge = &self.judge;
        let ready = judge.ready(position.board());
        let mut after = ready.clone();
        judge.moves(game, &ready, hand, |piece, judged| {
            let ahead = if LOOK == 2 {
                judge.follow(game, &ready, piece, &judged, &mut after);
                judge.best_value(game, &after, hand.after(judged.placement.hold))
            } else {
                0.0
            };
            each(judged.placement, judged.value + ahead);
        });
    }

    /// The best placement when two pieces are looked at; none if all are lost.
    fn best_of_pairs<C: ColumnBits>(
        &self,
        game: &Tetris<C>,
        position: &Position<C>,
    ) -> Option<Placement> {
        let mut best = (None, LOST);
        self.each(game, position, |placement, value| {
            if value > best.1 {
                best = (Some(placement), value);
            }
        });
        best.0
    }
}

impl<C, S, const F: usize, const LOOK: usize> Player<Tetris<C>> for Weigher<S, F, LOOK>
where
    C: ColumnBits,
    S: Features<F>,
{
    fn choose(&mut self, game: &Tetris<C>, position: &Position<C>, rng: &mut Stream) -> Placement {
        let best = if LOOK == 1 {
            let ready = self.judge.ready(position.board());
            self.judge.best(game, &ready, game.hand(position))
        } else {
            self.best_of_pairs(game, position)
        };
        // When all are lost they are equals, and the first is played.
        best.unwrap_or_else(|| self.judge(game, position, rng)[0].0)
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
