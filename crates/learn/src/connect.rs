//! Connect-N as a learner plays it: against itself.

use games::connect::{Bits, Column, Connect, Position};
use games::{Game, Stream, Turn};
use players::network::connect::{CellLookup, Moved, squash};
use streams::{below, chance, stream};

use crate::course::{Course, Option as MoveOption};

/// What a learner tries out.
#[derive(Debug, Clone, Copy)]
pub struct Exploration {
    /// Games begin after a random number of random moves, at most so many.
    pub opening: u32,
    /// The share of later moves that are random.
    pub share: f64,
}

/// Games of Connect-N of a player with itself.
pub struct CourseConnect<B> {
    game: Connect<B>,
    lookup: CellLookup,
    exploration: Exploration,
    seed: u64,
}

/// A game in progress.
#[derive(Debug, Clone)]
pub struct Episode<B> {
    position: Position<B>,
    rng: Stream,
}

impl<B: Bits> CourseConnect<B> {
    /// Games whose random moves come from streams of this seed.
    #[must_use]
    pub fn new(game: Connect<B>, lookup: CellLookup, exploration: Exploration, seed: u64) -> Self {
        Self {
            game,
            lookup,
            exploration,
            seed,
        }
    }

    /// The position after so many random moves, if the game is not over by then.
    fn opening(&self, plies: u32, rng: &mut Stream) -> Option<Position<B>> {
        let mut position = self.game.start();
        for _ in 0..plies {
            let column = self.game.random_move(&position, rng);
            self.game.play_unchecked(&mut position, column);
            if self.game.turn(&position) == Turn::Over {
                return None;
            }
        }
        Some(position)
    }
}

impl<B: Bits> Course for CourseConnect<B> {
    type After = Moved<B>;
    type Episode = Episode<B>;
    type Lookup = CellLookup;
    const TURN: f32 = -1.0;

    #[inline]
    fn squash(sum: f32) -> f32 {
        squash(sum)
    }

    #[inline]
    fn slope(value: f32) -> f32 {
        1.0 - value * value
    }

    fn lookup(&self) -> &CellLookup {
        &self.lookup
    }

    fn begin(&self, game: u64) -> Episode<B> {
        let mut rng = stream(self.seed, &[game]);
        loop {
            let plies = below(&mut rng, self.exploration.opening + 1);
            if let Some(position) = self.opening(plies, &mut rng) {
                return Episode { position, rng };
            }
        }
    }

    fn options(&self, episode: &Episode<B>, options: &mut Vec<MoveOption<Moved<B>>>) {
        let position = &episode.position;
        let to_move = (position.plies() % 2) as u8;
        let (own, other) = (position.stones(to_move), position.stones(1 - to_move));
        let rules = self.game.rules();
        let is_full = position.plies() + 1 == rules.longest_game();
        let mut playable = self.game.playable(position);
        while !playable.is_empty() {
            let cell = playable.lowest();
            playable &= !B::bit(cell);
            let own = own | B::bit(cell);
            let wins = self.game.has_line(own);
            options.push(MoveOption {
                number: (cell / u32::from(rules.rows)) as u8,
                after: Moved { own, other },
                reward: if wins { 1.0 } else { 0.0 },
                is_last: wins || is_full,
            });
        }
    }

    fn explore(&self, episode: &mut Episode<B>, options: usize) -> Option<usize> {
        let rng = &mut episode.rng;
        chance(rng, self.exploration.share).then(|| below(rng, options as u32) as usize)
    }

    fn advance(&self, episode: &mut Episode<B>, chosen: &MoveOption<Moved<B>>) {
        self.game.play_unchecked(&mut episode.position, Column(chosen.number));
    }

    fn score(&self, episode: &Episode<B>) -> i64 {
        self.game.score(&episode.position)
    }
}
