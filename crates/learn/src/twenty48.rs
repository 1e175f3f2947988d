//! 2048 as a learner plays it.

use games::twenty48::{Direction, Tiles, Twenty48};
use games::{Game, Stream};
use players::network::twenty48::BoardLookup;
use streams::stream;

use crate::course::{Course, Option as MoveOption};

/// Games of 2048 under standard rules.
pub struct Course2048 {
    game: Twenty48,
    lookup: BoardLookup,
    seed: u64,
}

/// A game in progress: the board before a move.
#[derive(Debug, Clone)]
pub struct Episode {
    tiles: Tiles,
    score: i64,
    rng: Stream,
}

impl Course2048 {
    /// Games whose tiles come from streams of this seed.
    #[must_use]
    pub fn new(game: Twenty48, lookup: BoardLookup, seed: u64) -> Self {
        Self { game, lookup, seed }
    }
}

impl Course for Course2048 {
    type After = Tiles;
    type Episode = Episode;
    type Lookup = BoardLookup;
    const TURN: f32 = 1.0;

    fn lookup(&self) -> &BoardLookup {
        &self.lookup
    }

    fn begin(&self, game: u64) -> Episode {
        let mut rng = stream(self.seed, &[game]);
        let mut tiles = self.game.start().tiles();
        self.game.spawn(&mut tiles, &mut rng);
        self.game.spawn(&mut tiles, &mut rng);
        Episode {
            tiles,
            score: 0,
            rng,
        }
    }

    #[inline]
    fn options(&self, episode: &Episode, options: &mut Vec<MoveOption<Tiles>>) {
        let slides = self.game.slides(episode.tiles);
        for (direction, (after, gain)) in Direction::ALL.into_iter().zip(slides) {
            if after != episode.tiles {
                options.push(MoveOption {
                    number: direction as u8,
                    after,
                    reward: gain as f32,
                    is_last: false,
                });
            }
        }
    }

    #[inline]
    fn advance(&self, episode: &mut Episode, chosen: &MoveOption<Tiles>) {
        episode.tiles = chosen.after;
        episode.score += chosen.reward as i64;
        self.game.spawn(&mut episode.tiles, &mut episode.rng);
    }

    fn score(&self, episode: &Episode) -> i64 {
        episode.score
    }
}
