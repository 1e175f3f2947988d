//! A position of any game, with its rules.

use std::fmt;

use games::connect::{self, Bits, Connect};
use games::{
    AnyGame, Facts, Game, Generators, IllegalMove, NotAMove, Options, PositionError, Sketch,
    Stream, Turn, with_game,
};
use players::arena::Dice;

use super::erased::{At, Erased};

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

/// A text that is not a possible chance event in this position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChanceError {
    /// It does not name a chance event.
    #[error(transparent)]
    Text(#[from] NotAMove),
    /// It cannot happen here.
    #[error("{chance} cannot happen in {position}")]
    Impossible {
        /// The text.
        chance: String,
        /// The position.
        position: String,
    },
}

/// A move or a chance event, as the game's own text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A player moved.
    Move(String),
    /// Chance acted.
    Chance(String),
}

impl AnyPosition {
    /// The initial position; chance may be the first to act.
    #[must_use]
    pub fn start(game: &AnyGame) -> Self {
        with_game!(game, game => Self(At::boxed(game.clone(), game.start())))
    }

    /// This position of this game.
    #[must_use]
    pub fn of<G: Game>(game: &G, position: G::Position) -> Self {
        Self(At::boxed(game.clone(), position))
    }

    /// Parses a position, which must be possible under the rules.
    pub fn parse(game: &AnyGame, text: &str) -> Result<Self, PositionError> {
        with_game!(game, game => {
            let position = text.parse()?;
            game.check(&position)?;
            Ok(Self(At::boxed(game.clone(), position)))
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
            Ok(AnyPosition(At::boxed(game.clone(), position)))
        }
        match game {
            AnyGame::Connect(game) => Some(at(game, moves)),
            AnyGame::WideConnect(game) => Some(at(game, moves)),
            _ => None,
        }
    }

    /// The position of a text, by its board or, where that is a way to write one, by the moves that lead to it.
    pub fn read(game: &AnyGame, text: &str) -> Result<Self, PositionError> {
        let are_moves = |c: char| c.is_ascii_digit() || matches!(c, ',' | '-' | ' ');
        let by_moves = text
            .chars()
            .all(are_moves)
            .then(|| Self::after_moves(game, text));
        by_moves
            .flatten()
            .unwrap_or_else(|| Self::parse(game, text))
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

    /// The number of players.
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

    /// Points so far of the player in seat 0; 1, 0 or -1 in a game that is won or lost.
    #[must_use]
    pub fn score(&self) -> i64 {
        self.0.score_after(None)
    }

    /// The score if the player in this seat forfeits: it loses a two-player game.
    #[must_use]
    pub fn score_after(&self, forfeit: Option<&(u8, String)>) -> i64 {
        self.0.score_after(forfeit)
    }

    /// Facts about the position other than its score.
    #[must_use]
    pub fn facts(&self) -> Facts {
        self.0.facts()
    }

    /// A grid of labelled cells, to draw games that have no drawing of their own.
    #[must_use]
    pub fn sketch(&self) -> Sketch {
        self.0.sketch()
    }

    /// The legal moves, in the game's order; empty if it is not a player's turn.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        self.0.moves()
    }

    /// Makes a legal move; on error the position is unchanged.
    pub fn play(&mut self, chosen: &str) -> Result<(), MoveError> {
        self.0.play(chosen)
    }

    /// Makes a move drawn uniformly from the legal ones; it must be a player's turn.
    pub fn play_at_random(&mut self, rng: &mut Stream) -> String {
        self.0.play_at_random(rng)
    }

    /// The possible chance events with their probabilities, which sum to 1; empty if it is not chance's turn.
    #[must_use]
    pub fn chances(&self) -> Vec<(String, f64)> {
        self.0.chances()
    }

    /// Applies one of the chance events; on error the position is unchanged.
    pub fn happen(&mut self, chance: &str) -> Result<(), ChanceError> {
        self.0.happen(chance)
    }

    /// Draws a chance event from the dice; it must be chance's turn.
    pub fn draw(&mut self, dice: &mut Dice) -> String {
        self.draw_from(dice.chance())
    }

    /// Draws a chance event from this generator; it must be chance's turn.
    pub fn draw_from(&mut self, rng: &mut Stream) -> String {
        self.0.draw(rng)
    }

    /// Makes a step that is known to be possible here.
    ///
    /// # Panics
    /// If it is not.
    pub fn make(&mut self, step: &Step) {
        match step {
            Step::Move(chosen) => self.play(chosen).expect("the move is legal"),
            Step::Chance(chance) => self.happen(chance).expect("the chance event is possible"),
        }
    }

    /// The number of paths of exactly this many plies from here.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u128 {
        self.0.perft(depth)
    }

    /// The number of distinct positions exactly this many plies away.
    #[must_use]
    pub fn distinct(&self, depth: u32) -> u128 {
        self.0.distinct(depth)
    }

    /// The game and the position by their own types, for drawings made for one game; none if it is another game.
    #[must_use]
    pub fn typed<G: Game>(&self) -> Option<(&G, &G::Position)> {
        let at: &At<G> = self.0.as_any().downcast_ref()?;
        Some((&at.game, &at.position))
    }

    /// As [`typed`](Self::typed), for callers that know the game.
    ///
    /// # Panics
    /// If it is another game.
    #[must_use]
    pub fn own<G: Game>(&self) -> (&G, &G::Position) {
        self.typed().expect("the position is of another game")
    }

    /// Another position of the same game.
    ///
    /// # Panics
    /// If it is of another game.
    #[must_use]
    pub fn with<G: Game>(&self, position: G::Position) -> Self {
        let mut other = self.clone();
        let at: Option<&mut At<G>> = other.0.as_any_mut().downcast_mut();
        at.expect("the position is of another game").position = position;
        other
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
        self.0.equals(&*other.0)
    }
}
