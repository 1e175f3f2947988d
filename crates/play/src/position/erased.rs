//! A game and one of its positions behind a type-erased interface.

use std::any::Any;
use std::sync::Arc;

use games::{Facts, Game, Options, Sketch, Stream, Turn, distinct, perft};

use super::any::{ChanceError, MoveError};
use crate::record::score;

impl Clone for Box<dyn Erased> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

/// A game and one of its positions.
pub(super) struct At<G: Game> {
    pub(super) game: Arc<G>,
    pub(super) position: G::Position,
}

impl<G: Game> At<G> {
    pub(super) fn boxed(game: G, position: G::Position) -> Box<dyn Erased> {
        let game = Arc::new(game);
        Box::new(Self { game, position })
    }
}

/// The operations on a position that do not need its type.
pub(super) trait Erased: Send + Sync {
    fn name(&self) -> &'static str;
    fn options(&self) -> Options;
    fn seats(&self) -> u8;
    fn turn(&self) -> Turn;
    fn score_after(&self, forfeit: Option<&(u8, String)>) -> i64;
    fn facts(&self) -> Facts;
    fn sketch(&self) -> Sketch;
    fn moves(&self) -> Vec<String>;
    fn play(&mut self, chosen: &str) -> Result<(), MoveError>;
    fn play_at_random(&mut self, rng: &mut Stream) -> String;
    fn chances(&self) -> Vec<(String, f64)>;
    fn happen(&mut self, chance: &str) -> Result<(), ChanceError>;
    fn draw(&mut self, rng: &mut Stream) -> String;
    fn perft(&self, depth: u32) -> u128;
    fn distinct(&self, depth: u32) -> u128;
    fn text(&self) -> String;
    fn equals(&self, other: &dyn Erased) -> bool;
    fn copy(&self) -> Box<dyn Erased>;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<G: Game> Erased for At<G> {
    fn name(&self) -> &'static str {
        self.game.family().name
    }

    fn options(&self) -> Options {
        self.game.options()
    }

    fn seats(&self) -> u8 {
        self.game.seats()
    }

    fn turn(&self) -> Turn {
        self.game.turn(&self.position)
    }

    fn score_after(&self, forfeit: Option<&(u8, String)>) -> i64 {
        score(&*self.game, &self.position, forfeit)
    }

    fn facts(&self) -> Facts {
        self.game.facts(&self.position)
    }

    fn sketch(&self) -> Sketch {
        self.game.sketch(&self.position)
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.game.moves(&self.position, &mut moves);
        moves.iter().map(ToString::to_string).collect()
    }

    fn play(&mut self, chosen: &str) -> Result<(), MoveError> {
        let chosen = chosen.parse()?;
        Ok(self.game.play(&mut self.position, chosen)?)
    }

    fn play_at_random(&mut self, rng: &mut Stream) -> String {
        let chosen = self.game.random_move(&self.position, rng);
        self.game.play_unchecked(&mut self.position, chosen);
        chosen.to_string()
    }

    fn chances(&self) -> Vec<(String, f64)> {
        let mut chances = Vec::new();
        self.game.chances(&self.position, &mut chances);
        let texts = chances
            .iter()
            .map(|(chance, share)| (chance.to_string(), *share));
        texts.collect()
    }

    fn happen(&mut self, text: &str) -> Result<(), ChanceError> {
        let (chance, mut chances) = (text.parse()?, Vec::new());
        self.game.chances(&self.position, &mut chances);
        if !chances.iter().any(|(possible, _)| *possible == chance) {
            return Err(ChanceError::Impossible {
                chance: text.to_owned(),
                position: self.position.to_string(),
            });
        }
        self.game.happen(&mut self.position, chance);
        Ok(())
    }

    fn draw(&mut self, rng: &mut Stream) -> String {
        self.game.draw(&mut self.position, rng).to_string()
    }

    fn perft(&self, depth: u32) -> u128 {
        perft(&*self.game, &self.position, depth)
    }

    fn distinct(&self, depth: u32) -> u128 {
        distinct(&*self.game, &self.position, depth)
    }

    fn text(&self) -> String {
        self.position.to_string()
    }

    fn equals(&self, other: &dyn Erased) -> bool {
        let other: Option<&Self> = other.as_any().downcast_ref();
        other.is_some_and(|other| {
            other.position == self.position && other.game.options() == self.game.options()
        })
    }

    fn copy(&self) -> Box<dyn Erased> {
        Box::new(Self {
            game: Arc::clone(&self.game),
            position: self.position.clone(),
        })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
