//! Positions as the page draws them: what lies where, whose turn it is, what can be done. A game may have a drawing of its own, in a
//! file here; every other game is drawn as a grid of labelled cells. The rules are the games' own.

mod connect;
mod grid;
mod tetris;
mod twenty48;

use std::collections::BTreeMap;

use games::{Fact, Turn};
use play::any::AnyPosition;
use serde::Serialize;
use utoipa::ToSchema;

/// Rules of a game by name, as on the command line.
pub(crate) type Rules = BTreeMap<String, String>;

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
    /// Whose turn it is.
    turn: Whose,
    /// Points of the player who began.
    score: i64,
    /// What can be done, as texts.
    moves: Vec<String>,
    /// What else the position tells.
    facts: BTreeMap<&'static str, FactValue>,
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

impl View {
    /// The position with everything the page shows of it.
    pub(crate) fn of(position: &AnyPosition) -> Self {
        let (options, facts) = (position.options(), position.facts());
        let rules = options
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self {
            game: position.game().to_owned(),
            rules: rules.collect(),
            position: position.to_string(),
            turn: whose(position.turn()),
            score: position.score(),
            moves: position.moves(),
            facts: facts.into_iter().map(fact_value).collect(),
            result: standing(position),
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

fn whose(turn: Turn) -> Whose {
    match turn {
        Turn::Player(seat) => Whose::Player { seat },
        Turn::Chance => Whose::Chance,
        Turn::Over => Whose::Over,
    }
}

fn fact_value((name, fact): (&'static str, Fact)) -> (&'static str, FactValue) {
    let value = match fact {
        Fact::Count(value) | Fact::Class(value) => FactValue::Number(value),
        Fact::Flag(holds) => FactValue::Truth(holds),
    };
    (name, value)
}

fn standing(position: &AnyPosition) -> Option<Standing> {
    let is_over = position.is_over();
    match (position.seats(), position.score().signum()) {
        (2, _) if !is_over => None,
        (2, 1) => Some(Standing::Won),
        (2, 0) => Some(Standing::Drawn),
        (2, _) => Some(Standing::Lost),
        _ if position.facts().contains(&("won", Fact::Flag(true))) => Some(Standing::Won),
        _ => is_over.then_some(Standing::Over),
    }
}
