//! Players of 2048 without look-ahead: the move whose board, before the new tile comes, has the highest value.

use games::Stream;
use games::twenty48::{Direction, Position, Tiles, Twenty48};

use crate::player::Player;

/// Values the boards that the moves from one board lead to.
pub(crate) trait Afterstates: Clone + Send + Sync + 'static {
    /// The board that is looked at.
    #[inline]
    fn before(&self, position: &Position) -> Tiles {
        position.tiles()
    }

    /// What values all slides of a board, by the board after a slide and the points of it.
    fn value(&self, before: Tiles) -> impl Fn(Tiles, u32) -> f32;
}

/// Plays the move of the highest value, of equals the first.
#[derive(Clone)]
pub(crate) struct BestAfterstate<A>(pub(crate) A);

impl<A: Afterstates> BestAfterstate<A> {
    /// Calls `each` with the value of every legal move.
    #[inline]
    fn each(&self, game: &Twenty48, position: &Position, mut each: impl FnMut(Direction, f32)) {
        let before = self.0.before(position);
        let value = self.0.value(before);
        for (direction, (after, gain)) in Direction::ALL.into_iter().zip(game.slides(before)) {
            if after != before || game.may_pass() {
                each(direction, value(after, gain));
            }
        }
    }
}

impl<A: Afterstates> Player<Twenty48> for BestAfterstate<A> {
    fn choose(&mut self, game: &Twenty48, position: &Position, _: &mut Stream) -> Direction {
        let mut best = None;
        self.each(game, position, |direction, value| {
            if best.is_none_or(|(_, highest)| value > highest) {
                best = Some((direction, value));
            }
        });
        best.map_or(Direction::Up, |(direction, _)| direction)
    }

    fn judge(
        &mut self,
        game: &Twenty48,
        position: &Position,
        _: &mut Stream,
    ) -> Vec<(Direction, f64)> {
        let mut judged = Vec::with_capacity(4);
        self.each(game, position, |direction, value| {
            judged.push((direction, f64::from(value)));
        });
        judged
    }
}
