//! Connect-N as a learner plays it: against itself.

use games::connect::{Bits, Column, Connect, Position, Rules};
use games::{Game, Stream, Turn};
use players::network::connect::{CellLookup, squash};
use serde::{Deserialize, Serialize};
use streams::{below, chance, stream};

use super::{Course, MoveOption};

/// What a learner tries out.
#[derive(Debug, Clone, Copy)]
pub struct Exploration {
    /// Games begin after a random number of random moves, at most so many.
    pub opening: u32,
    /// The share of later moves that are random.
    pub share: f64,
}

impl Exploration {
    /// What has served well: on the board of 6x7 games begin after up to 12 random moves, and one move in ten is random.
    #[must_use]
    pub fn of(rules: Rules) -> Self {
        Self {
            opening: rules.longest_game() * 2 / 7,
            share: 0.1,
        }
    }
}

/// Games of Connect-N of a player with itself.
#[derive(Debug)]
pub struct CourseConnect<B> {
    game: Connect<B>,
    lookup: CellLookup,
    exploration: Exploration,
    seed: u64,
}

/// A game in progress.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Episode<B: Bits> {
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
    type After = Position<B>;
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

    fn begin_from(&self, game: u64, from: &Episode<B>) -> Episode<B> {
        Episode {
            rng: stream(self.seed, &[game]),
            ..from.clone()
        }
    }

    #[inline]
    fn options(&self, episode: &Episode<B>, options: &mut Vec<MoveOption<Position<B>>>) {
        let position = &episode.position;
        let mover = (position.plies() % 2) as u8;
        let fills = position.plies() + 1 == self.game.rules().longest_game();
        let rows = u32::from(self.game.rules().rows);
        let mut playable = self.game.playable(position);
        while !playable.is_empty() {
            let cell = playable.lowest();
            playable &= !B::bit(cell);
            let mut after = *position;
            self.game
                .play_unchecked(&mut after, Column((cell / rows) as u8));
            let wins = self.game.has_line(after.stones(mover));
            options.push(MoveOption {
                after,
                reward: if wins { 1.0 } else { 0.0 },
                is_last: wins || fills,
            });
        }
    }

    fn explore(&self, episode: &mut Episode<B>, options: usize) -> Option<usize> {
        let rng = &mut episode.rng;
        chance(rng, self.exploration.share).then(|| below(rng, options as u32) as usize)
    }

    fn read(&self, position: &str) -> Option<Episode<B>> {
        let position: Position<B> = position.parse().ok()?;
        self.game.check(&position).ok()?;
        Some(Episode {
            position,
            rng: stream(self.seed, &[]),
        })
    }

    fn after(&self, episode: &Episode<B>, chosen: &str) -> Option<Position<B>> {
        let mut position = episode.position;
        let chosen: Column = chosen.parse().ok()?;
        self.game.play(&mut position, chosen).ok()?;
        Some(position)
    }

    fn advance(&self, episode: &mut Episode<B>, chosen: &MoveOption<Position<B>>) {
        episode.position = chosen.after;
    }

    fn stage(&self, _: &Position<B>) -> usize {
        0
    }

    fn score(&self, episode: &Episode<B>) -> i64 {
        self.game.score(&episode.position)
    }

    fn class(&self, episode: &Episode<B>) -> u64 {
        match self.game.winner(&episode.position) {
            Some(seat) => u64::from(seat) + 1,
            None => 0,
        }
    }
}
