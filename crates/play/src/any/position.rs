//! A position of any game, with its rules.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use games::connect::{self, Bits, Connect};
use games::{
    AnyGame, Facts, Game, IllegalMove, NotAMove, Options, PositionError, Stream, Turn, with_game,
};
use players::arena::Dice;

use crate::record::score;

/// A position of any game, with its rules. Moves and chances are texts.
#[derive(Clone)]
pub struct AnyPosition(Box<dyn Erased>);

/// A text that is not a move of this position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// It does not name a move.
    #[error(transparent)]
    Text(#[from] NotAMove),
    /// The rules do not allow it here.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

/// A text that is not something chance can do in this position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChanceError {
    /// It does not name an act of chance.
    #[error(transparent)]
    Text(#[from] NotAMove),
    /// Chance cannot do it here.
    #[error("{chance} cannot happen in {position}")]
    Impossible {
        /// The text.
        chance: String,
        /// The position.
        position: String,
    },
}

/// What happened: a move, or an act of chance, as the game's own text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A player moved.
    Move(String),
    /// Chance acted.
    Chance(String),
}

impl AnyPosition {
    /// The position before anything has happened; chance may be the first to act.
    #[must_use]
    pub fn start(game: &AnyGame) -> Self {
        let name = game.family().name;
        with_game!(game, game => At::boxed(name, game.clone(), game.start()))
    }

    /// The position of a text, if it can be under the rules.
    pub fn parse(game: &AnyGame, text: &str) -> Result<Self, PositionError> {
        let name = game.family().name;
        with_game!(game, game => {
            let position = text.parse()?;
            game.check(&position)?;
            Ok(At::boxed(name, game.clone(), position))
        })
    }

    /// The position after these moves from the start, for games in which that is a way to write one.
    #[must_use]
    pub fn after_moves(game: &AnyGame, moves: &str) -> Option<Result<Self, PositionError>> {
        fn at<B: Bits>(game: &Connect<B>, moves: &str) -> Result<AnyPosition, PositionError>
        where
            Connect<B>: Game<Position = connect::Position<B>>,
        {
            let position = game.position_after(moves)?;
            Ok(At::boxed(connect::FAMILY.name, game.clone(), position))
        }
        match game {
            AnyGame::Connect(game) => Some(at(game, moves)),
            AnyGame::WideConnect(game) => Some(at(game, moves)),
            _ => None,
        }
    }

    /// The name of the game.
    #[must_use]
    pub fn game(&self) -> &'static str {
        self.0.name()
    }

    /// The rules as options, every one with its value.
    #[must_use]
    pub fn options(&self) -> Options {
        self.0.options()
    }

    /// How many players sit at the board.
    #[must_use]
    pub fn seats(&self) -> u8 {
        self.0.seats()
    }

    /// Who acts.
    #[must_use]
    pub fn turn(&self) -> Turn {
        self.0.turn()
    }

    /// Is the game over?
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.turn() == Turn::Over
    }

    /// Points so far of the player at seat 0; for a game that is won or lost 1, 0 or -1.
    #[must_use]
    pub fn score(&self) -> i64 {
        self.0.score_after(None)
    }

    /// The score if the player at the seat of a forfeit could not go on: a game for two is lost for it.
    #[must_use]
    pub fn score_after(&self, forfeit: Option<&(u8, String)>) -> i64 {
        self.0.score_after(forfeit)
    }

    /// What the position tells beside its score.
    #[must_use]
    pub fn facts(&self) -> Facts {
        self.0.facts()
    }

    /// The legal moves, in the game's order; none if it is not a player's turn.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        self.0.moves()
    }

    /// Makes a legal move; anything else changes nothing.
    pub fn play(&mut self, chosen: &str) -> Result<(), MoveError> {
        self.0.play(chosen)
    }

    /// Makes a move drawn uniformly from the legal ones; a player's turn it must be.
    pub fn play_at_random(&mut self, rng: &mut Stream) -> String {
        self.0.play_at_random(rng)
    }

    /// What chance may do, with probabilities that sum to 1; nothing if it is not its turn.
    #[must_use]
    pub fn chances(&self) -> Vec<(String, f64)> {
        self.0.chances()
    }

    /// Makes one of the chances happen; anything else changes nothing.
    pub fn happen(&mut self, chance: &str) -> Result<(), ChanceError> {
        self.0.happen(chance)
    }

    /// Lets chance act by its own generator; its turn it must be.
    pub fn draw(&mut self, dice: &mut Dice) -> String {
        self.0.draw(dice)
    }

    /// Makes a step that was tried before.
    ///
    /// # Panics
    /// If it cannot be made here.
    pub fn make(&mut self, step: &Step) {
        match step {
            Step::Move(chosen) => self.play(chosen).expect("the move was tried"),
            Step::Chance(chance) => self.happen(chance).expect("the chance was tried"),
        }
    }

    /// The game and the position by their own types, for drawings made for one game; none if it is another game.
    #[must_use]
    pub fn typed<G: Game>(&self) -> Option<(&G, &G::Position)> {
        let at: &At<G> = self.0.as_any().downcast_ref()?;
        Some((&at.game, &at.position))
    }
}

impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text())
    }
}

impl fmt::Debug for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {self}", self.game())
    }
}

impl PartialEq for AnyPosition {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(other)
    }
}

impl Clone for Box<dyn Erased> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

/// A game and a position of it.
struct At<G: Game> {
    name: &'static str,
    game: Arc<G>,
    position: G::Position,
}

impl<G: Game> At<G> {
    fn boxed(name: &'static str, game: G, position: G::Position) -> AnyPosition {
        let game = Arc::new(game);
        AnyPosition(Box::new(Self {
            name,
            game,
            position,
        }))
    }
}

/// What can be asked of a position without knowing its type.
trait Erased: Send + Sync {
    fn name(&self) -> &'static str;
    fn options(&self) -> Options;
    fn seats(&self) -> u8;
    fn turn(&self) -> Turn;
    fn score_after(&self, forfeit: Option<&(u8, String)>) -> i64;
    fn facts(&self) -> Facts;
    fn moves(&self) -> Vec<String>;
    fn play(&mut self, chosen: &str) -> Result<(), MoveError>;
    fn play_at_random(&mut self, rng: &mut Stream) -> String;
    fn chances(&self) -> Vec<(String, f64)>;
    fn happen(&mut self, chance: &str) -> Result<(), ChanceError>;
    fn draw(&mut self, dice: &mut Dice) -> String;
    fn text(&self) -> String;
    fn equals(&self, other: &AnyPosition) -> bool;
    fn copy(&self) -> Box<dyn Erased>;
    fn as_any(&self) -> &dyn Any;
}

impl<G: Game> Erased for At<G> {
    fn name(&self) -> &'static str {
        self.name
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

    fn draw(&mut self, dice: &mut Dice) -> String {
        dice.draw(&*self.game, &mut self.position).to_string()
    }

    fn text(&self) -> String {
        self.position.to_string()
    }

    fn equals(&self, other: &AnyPosition) -> bool {
        let other = other.typed::<G>();
        other.is_some_and(|(game, position)| {
            *position == self.position && game.options() == self.game.options()
        })
    }

    fn copy(&self) -> Box<dyn Erased> {
        Box::new(Self {
            name: self.name,
            game: Arc::clone(&self.game),
            position: self.position.clone(),
        })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
