//! Positions as the page draws them: what lies where, whose turn it is, what can be done. One file a game; the rules are the games' own.

mod connect;
mod tetris;
mod twenty48;

use std::collections::BTreeMap;

use games::{Fact, Game, PositionError, Turn};
use serde::Serialize;
use utoipa::ToSchema;

/// Rules of a game by name, as on the command line.
pub(crate) type Rules = BTreeMap<String, String>;

/// A game whose positions the page can draw.
pub(crate) trait Shown: Game {
    /// What lies where.
    fn board(&self, position: &Self::Position) -> Board;

    /// The position after these moves from the start, for games in which that is a way to write one.
    fn after(&self, _moves: &str) -> Option<Result<Self::Position, PositionError>> {
        None
    }

    /// Is the goal of a game of points reached?
    fn is_won(&self, _position: &Self::Position) -> bool {
        false
    }
}

/// What lies where.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(tag = "kind")]
pub(crate) enum Board {
    /// Tiles.
    #[serde(rename = "2048")]
    Twenty48(twenty48::Tiles),
    /// A stack and pieces.
    #[serde(rename = "tetris")]
    Tetris(tetris::Stack),
    /// Stones.
    #[serde(rename = "connect")]
    Connect(connect::Stones),
}

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Whose {
    /// A player's.
    Player {
        /// At this seat; 0 began.
        seat: u8,
    },
    /// That of chance: only in the middle of a list of steps.
    Chance,
    /// Nobody's: the game is over.
    Over,
}

/// How a game stands for the player who began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Standing {
    /// Won; a game of points may go on.
    Won,
    /// Lost.
    Lost,
    /// Neither.
    Drawn,
    /// A game of points has ended.
    Over,
}

/// Something a position tells beside its score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Told {
    /// A quantity or a kind.
    Number(u64),
    /// Something that holds or not.
    Truth(bool),
}

/// A position with everything the page shows of it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct View {
    /// The game.
    game: String,
    /// All its rules.
    rules: Rules,
    /// The position as text, which is read back.
    position: String,
    /// Whose turn it is.
    turn: Whose,
    /// Points of the player who began.
    score: i64,
    /// What can be done, as texts.
    moves: Vec<String>,
    /// What else the position tells.
    facts: BTreeMap<&'static str, Told>,
    /// How the game stands; missing while it is undecided.
    result: Option<Standing>,
    /// What lies where.
    board: Board,
}

/// Something that happened: a move, or an act of chance.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct Step {
    /// The move, if it was one.
    #[serde(rename = "move")]
    moved: Option<String>,
    /// What chance did, if it did.
    chance: Option<String>,
    /// The position after it.
    view: View,
}

/// The position with everything the page shows of it.
pub(crate) fn view<G: Shown>(game: &G, name: &str, position: &G::Position) -> View {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let turn = whose(game.turn(position));
    View {
        game: name.to_owned(),
        rules: game
            .options()
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        position: position.to_string(),
        turn,
        score: game.score(position),
        moves: moves.iter().map(ToString::to_string).collect(),
        facts: game.facts(position).into_iter().map(told).collect(),
        result: standing(game, position),
        board: game.board(position),
    }
}

fn whose(turn: Turn) -> Whose {
    match turn {
        Turn::Player(seat) => Whose::Player { seat },
        Turn::Chance => Whose::Chance,
        Turn::Over => Whose::Over,
    }
}

fn told((name, fact): (&'static str, Fact)) -> (&'static str, Told) {
    let value = match fact {
        Fact::Count(value) | Fact::Class(value) => Told::Number(value),
        Fact::Flag(holds) => Told::Truth(holds),
    };
    (name, value)
}

fn standing<G: Shown>(game: &G, position: &G::Position) -> Option<Standing> {
    let is_over = game.turn(position) == Turn::Over;
    match (game.seats(), game.score(position).signum()) {
        (2, _) if !is_over => None,
        (2, 1) => Some(Standing::Won),
        (2, 0) => Some(Standing::Drawn),
        (2, _) => Some(Standing::Lost),
        _ if game.is_won(position) => Some(Standing::Won),
        _ => is_over.then_some(Standing::Over),
    }
}

/// A step that a player made.
pub(crate) fn moved<G: Shown>(
    game: &G,
    name: &str,
    chosen: G::Move,
    position: &G::Position,
) -> Step {
    Step {
        moved: Some(chosen.to_string()),
        chance: None,
        view: view(game, name, position),
    }
}

/// A step that chance made.
pub(crate) fn happened<G: Shown>(
    game: &G,
    name: &str,
    chance: G::Chance,
    position: &G::Position,
) -> Step {
    Step {
        moved: None,
        chance: Some(chance.to_string()),
        view: view(game, name, position),
    }
}
