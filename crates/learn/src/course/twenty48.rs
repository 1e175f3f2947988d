//! 2048 as a learner plays it.

use games::twenty48::{Direction, Position, Tiles, Twenty48};
use games::{Game, Stream};
use players::network::twenty48::BoardLookup;
use serde::{Deserialize, Serialize};
use streams::stream;

use super::{Course, MoveOption};

/// Games of 2048 under standard rules.
#[derive(Debug)]
pub struct Course2048 {
    game: Twenty48,
    lookup: BoardLookup,
    seed: u64,
}

/// A game in progress: the board before a move.
#[derive(Debug, Clone, Serialize, Deserialize)]
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

    fn begin_from(&self, game: u64, position: &Episode) -> Episode {
        Episode {
            rng: stream(self.seed, &[game]),
            ..position.clone()
        }
    }

    #[inline]
    fn options(&self, episode: &Episode, options: &mut Vec<MoveOption<Tiles>>) {
        let rules = self.game.rules();
        for (after, gain) in self.game.slides(episode.tiles) {
            if after != episode.tiles {
                options.push(MoveOption {
                    after,
                    reward: gain as f32,
                    is_last: rules.stop_at_win && after.has_at_least(rules.win),
                });
            }
        }
    }

    fn read(&self, position: &str) -> Option<Episode> {
        let position: Position = position.parse().ok()?;
        self.game.check(&position).ok()?;
        Some(Episode {
            tiles: position.tiles(),
            score: self.game.score(&position),
            rng: stream(self.seed, &[]),
        })
    }

    fn after(&self, episode: &Episode, chosen: &str) -> Option<Tiles> {
        let chosen: Direction = chosen.parse().ok()?;
        Some(self.game.slid(episode.tiles, chosen))
    }

    #[inline]
    fn advance(&self, episode: &mut Episode, chosen: &MoveOption<Tiles>) {
        episode.tiles = chosen.after;
        episode.score += chosen.reward as i64;
        self.game.spawn(&mut episode.tiles, &mut episode.rng);
    }

    #[inline]
    fn stage(&self, after: &Tiles) -> usize {
        self.lookup.stage(*after)
    }

    fn score(&self, episode: &Episode) -> i64 {
        episode.score
    }

    fn class(&self, episode: &Episode) -> u64 {
        1 << episode.tiles.highest()
    }
}
