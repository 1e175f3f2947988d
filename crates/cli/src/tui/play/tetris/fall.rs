//! A falling piece on its stack, and how fast it falls.

use std::time::Duration;

use games::tetris::{ColumnBits, Falling, Position, Quarter, Side, Step, Tetris};
use games::{Game, Stream, stream};

use crate::tui::paint::tetris::Stack;

/// Time for a row at the first level.
pub(super) const FIRST_PACE: Duration = Duration::from_millis(800);
/// A row never takes less.
const LAST_PACE: Duration = Duration::from_millis(60);
/// The time per row of a level, as a share of that of the level before.
const FASTER: f64 = 0.85;
/// Lines per level.
const LEVEL_LINES: u64 = 10;

/// A game of Tetris as a person steers it.
#[derive(Debug)]
pub(super) struct Fall<C> {
    pub(super) game: Tetris<C>,
    start: Position<C>,
    seed: u64,
    number: u64,
    pub(super) falling: Falling<C>,
    pub(super) stack: Stack,
    chance: Stream,
}

impl<C: ColumnBits> Fall<C> {
    pub(super) fn new(game: Tetris<C>, start: Position<C>, seed: u64, number: u64) -> Self {
        let mut chance = stream(seed, &[number]);
        Self {
            falling: Falling::from_position(&game, start, &mut chance),
            start,
            game,
            seed,
            number,
            stack: Stack::default(),
            chance,
        }
    }

    pub(super) fn restart(&mut self) {
        *self = Self::new(self.game.clone(), self.start, self.seed, self.number + 1);
    }

    pub(super) fn shift(&mut self, side: Side) {
        self.falling.shift(&self.game, side);
    }

    pub(super) fn rotate(&mut self, quarter: Quarter) {
        self.falling.rotate(&self.game, quarter);
    }

    pub(super) fn hold(&mut self) {
        self.falling.hold(&self.game, &mut self.chance);
    }

    /// One row down.
    pub(super) fn step(&mut self) -> Step {
        self.let_fall(Falling::step)
    }

    /// Down to the ghost.
    pub(super) fn drop(&mut self) -> Step {
        self.let_fall(Falling::drop)
    }

    fn let_fall(
        &mut self,
        fall: impl FnOnce(&mut Falling<C>, &Tetris<C>, &mut Stream) -> Step,
    ) -> Step {
        let before = *self.falling.position().board();
        let step = fall(&mut self.falling, &self.game, &mut self.chance);
        if let Step::Locked(piece) = step {
            let oriented = &self.game.shape(piece.piece).rotations()[usize::from(piece.rotation)];
            let after = self.falling.position().board();
            self.stack.lock(&before, oriented, piece, after);
        }
        step
    }

    pub(super) fn is_over(&self) -> bool {
        self.falling.piece().is_none()
    }

    pub(super) fn score(&self) -> i64 {
        self.game.score(self.falling.position())
    }

    pub(super) fn level(&self) -> u64 {
        1 + self.falling.position().clears().lines() / LEVEL_LINES
    }
}

/// Time for a row at this level.
pub(super) fn pace(level: u64) -> Duration {
    let steps = i32::try_from(level - 1).unwrap_or(i32::MAX);
    FIRST_PACE.mul_f64(FASTER.powi(steps)).max(LAST_PACE)
}

#[cfg(test)]
pub(super) mod tests {
    use games::tetris::Rules;

    use super::*;

    pub(in super::super) fn fall(options: &str) -> Fall<u32> {
        let rules = Rules::from_options(&options.parse().unwrap()).unwrap();
        let game = Tetris::new(rules);
        let start = game.start();
        Fall::new(game, start, 1, 0)
    }

    #[test]
    fn dropping_everything_ends_the_game() {
        let mut fall = fall("");
        while !fall.is_over() {
            assert!(matches!(fall.drop(), Step::Locked(_)));
        }
        assert_eq!(fall.step(), Step::Fell, "nothing moves any more");
        fall.restart();
        assert!(!fall.is_over());
        assert_eq!(fall.falling.position().pieces(), 0);
    }

    #[test]
    fn a_row_takes_less_time_from_level_to_level() {
        assert_eq!(pace(1), Duration::from_millis(800));
        for level in 1..15 {
            assert!(pace(level + 1) < pace(level));
        }
        assert_eq!(pace(1000), LAST_PACE);
        assert_eq!(pace(u64::MAX), LAST_PACE);
    }

    #[test]
    fn lines_count_and_raise_the_level() {
        let mut fall = fall("board=4x8 shapes=I known=1");
        for _ in 0..10 {
            fall.drop();
        }
        assert_eq!((fall.score(), fall.level()), (100, 2));
    }
}
