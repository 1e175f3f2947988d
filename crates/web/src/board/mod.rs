//! Positions as the page draws them: what lies where, whose turn it is, what can be done. A game may have a drawing of its own, in a
//! file here; every other game is drawn as a grid of labelled cells. The rules are the games' own.

mod connect;
mod grid;
mod tetris;
mod twenty48;

use std::collections::BTreeMap;

use games::{Fact, Options, Turn};
use play::any::AnyPosition;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Rules of a game by name, as on the command line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = BTreeMap<String, String>)]
pub(crate) struct Rules(pub(crate) Options);

/// Drawings made for one game; each gives none for positions of other games.
static DRAWINGS: &[fn(&AnyPosition) -> Option<Board>] =
    &[twenty48::draw, tetris::draw, connect::draw];

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
    /// Labelled cells.
    #[serde(rename = "grid")]
    Grid(grid::Grid),
}

/// TurnInfo turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum TurnInfo {
    /// A player's.
    Player {
        /// At this seat; 0 began.
        seat: u8,
    },
    /// Chance's: only in the middle of a list of steps.
    Chance,
    /// Nobody's: the game is over.
    Over,
}

/// How a game stands for the player who began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum GameResult {
    /// Won; a game of points may go on.
    Won,
    /// Lost.
    Lost,
    /// Neither.
    Drawn,
    /// A game of points has ended.
    Over,
}

/// A fact of a position beside its score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum FactValue {
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
    /// TurnInfo turn it is.
    turn: TurnInfo,
    /// Points of the player who began.
    score: i64,
    /// What can be done, as texts.
    moves: Vec<String>,
    /// Facts beside the score.
    facts: BTreeMap<&'static str, FactValue>,
    /// How the game stands; missing while it is undecided.
    result: Option<GameResult>,
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

impl View {
    /// The position with everything the page shows of it.
    pub(crate) fn of(position: &AnyPosition) -> Self {
        let facts = position.facts();
        Self {
            game: position.game().to_owned(),
            rules: Rules(position.options()),
            position: position.to_string(),
            turn: turn_info(position.turn()),
            score: position.score(),
            moves: position.moves(),
            facts: facts.into_iter().map(fact_value).collect(),
            result: result(position),
            board: draw(position),
        }
    }
}

impl Step {
    /// A step that led to this position.
    pub(crate) fn of(step: play::any::Step, position: &AnyPosition) -> Self {
        use play::any::Step::{Chance, Move};
        let (moved, chance) = match step {
            Move(chosen) => (Some(chosen), None),
            Chance(chance) => (None, Some(chance)),
        };
        Self {
            moved,
            chance,
            view: View::of(position),
        }
    }
}

fn draw(position: &AnyPosition) -> Board {
    let own = DRAWINGS.iter().find_map(|draw| draw(position));
    own.unwrap_or_else(|| Board::Grid(grid::draw(position)))
}

fn turn_info(turn: Turn) -> TurnInfo {
    match turn {
        Turn::Player(seat) => TurnInfo::Player { seat },
        Turn::Chance => TurnInfo::Chance,
        Turn::Over => TurnInfo::Over,
    }
}

fn fact_value((name, fact): (&'static str, Fact)) -> (&'static str, FactValue) {
    let value = match fact {
        Fact::Count(value) | Fact::Class(value) => FactValue::Number(value),
        Fact::Flag(holds) => FactValue::Truth(holds),
    };
    (name, value)
}

fn result(position: &AnyPosition) -> Option<GameResult> {
    let is_over = position.is_over();
    match (position.seats(), position.score().signum()) {
        (2, _) if !is_over => None,
        (2, 1) => Some(GameResult::Won),
        (2, 0) => Some(GameResult::Drawn),
        (2, _) => Some(GameResult::Lost),
        _ if position.facts().contains(&("won", Fact::Flag(true))) => Some(GameResult::Won),
        _ => is_over.then_some(GameResult::Over),
    }
}
