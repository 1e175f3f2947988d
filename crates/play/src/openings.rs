//! Openings: the positions from which games begin.
//!
//! Players that draw no random numbers play one game, however often it is repeated. So two players of a game without chance begin in
//! different positions, as engine testers have them do; each is played twice, once by either side, so that a position that favours
//! one of them favours none of the players. The n-th opening follows from the seed and n alone.

use std::any::TypeId;
use std::collections::HashSet;
use std::fmt;

use games::{AnyGame, Game, NoChance, PositionError, Stream, Turn, stream, with_game};
use players::{Spec, SpecError};

/// The most different openings of one batch; later games begin with the first again.
pub const MOST: u64 = 1000;
/// The most random moves of an opening.
const MOST_PLIES: u32 = 100;
/// Neither side can force a win within this many plies.
const LOOK: u32 = 4;
/// So many positions in a row that are known or unfit mean that there are no others.
const MISSES: u32 = 1000;
/// The part of the seed from which openings are drawn.
const PURPOSE: u64 = 0x006f_7065_6e69_6e67;

/// Where games begin.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Openings {
    /// At the start of the game.
    #[default]
    None,
    /// After random moves, a fifth of a random game: an even number from 2 to 8. Positions are different, and neither side can force a
    /// win within four plies. In a game with chance, or for one player, at the start.
    Balanced,
    /// The same after this many random moves.
    Random {
        /// How many.
        plies: u32,
    },
    /// In these positions, in turn.
    List(Vec<String>),
}

/// Why games cannot begin so.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The text names no openings.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// There is another kind of openings.
    #[error("'{0}' are no openings; expected balanced, none or random(plies=N)")]
    Unknown(String),
    /// A position is wrong.
    #[error("opening {number}: {problem}")]
    Position {
        /// Its number, from 1.
        number: usize,
        /// What is wrong.
        problem: PositionError,
    },
    /// A game is over where it should begin.
    #[error("opening {0}: the game is over there")]
    Over(usize),
    /// There is no position.
    #[error("there are no openings; expected one position per line")]
    Empty,
    /// The game needs none.
    #[error("{0} has no openings: its games differ by chance")]
    Chance(&'static str),
    /// No position was found.
    #[error("no position after {plies} plies lets both sides play on; try fewer")]
    NotFound {
        /// After how many random moves.
        plies: u32,
    },
}

impl Openings {
    /// The usual ones: two different players need them; how a player plays against itself is asked from the start.
    #[must_use]
    pub fn between(players: &[Spec]) -> Self {
        match players {
            [first, second] if first != second => Self::Balanced,
            _ => Self::None,
        }
    }

    /// Reads `balanced`, `none` or `random(plies=N)`.
    pub fn read(text: &str) -> Result<Self, OpeningsError> {
        // What names none of them may be the path of a file, which need not be a spec.
        let name = text.split('(').next().unwrap_or_default().trim();
        let Some(kind) = RULES.iter().find(|kind| kind.name == name) else {
            return Err(OpeningsError::Unknown(text.to_owned()));
        };
        let spec = Spec::read("openings", text)?;
        kind.check_parameters(&spec)?;
        Ok(match kind.name {
            "balanced" => Self::Balanced,
            "none" => Self::None,
            _ => Self::Random {
                plies: spec.number(&PLIES, 1..=MOST_PLIES)?,
            },
        })
    }

    /// The positions in a text, one per line; empty lines and lines that begin with # do not count.
    #[must_use]
    pub fn list(text: &str) -> Self {
        let lines = text.lines().map(str::trim);
        let positions = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self::List(positions.map(str::to_owned).collect())
    }

    /// Can games begin so?
    pub fn check(&self, game: &AnyGame) -> Result<(), OpeningsError> {
        match self {
            Self::None | Self::Balanced => Ok(()),
            _ if !suits(game) => Err(OpeningsError::Chance(game.family().name)),
            Self::Random { plies } => match self.positions(game, 1, 1).is_empty() {
                true => Err(OpeningsError::NotFound { plies: *plies }),
                false => Ok(()),
            },
            Self::List(positions) if positions.is_empty() => Err(OpeningsError::Empty),
            Self::List(positions) => with_game!(game, game => check_all(game, positions)),
        }
    }

    /// Their text; `None` if games begin at the start, also for want of a fit position.
    #[must_use]
    pub fn named(&self, game: &AnyGame, seed: u64) -> Option<String> {
        let is_some = !self.positions(game, seed, 1).is_empty();
        is_some.then(|| self.to_string())
    }

    /// The first `count` openings under this seed as texts, or as many as there are; none if games begin at the start.
    #[must_use]
    pub fn positions(&self, game: &AnyGame, seed: u64, count: u64) -> Vec<String> {
        let count = count.min(MOST) as usize;
        let plies = match self {
            Self::None => return Vec::new(),
            Self::List(positions) => return positions.clone(),
            _ if !suits(game) => return Vec::new(),
            Self::Random { plies } => Some(*plies),
            Self::Balanced => None,
        };
        with_game!(game, game => {
            let plies = plies.unwrap_or_else(|| usual_plies(game));
            drawn(game, plies, seed, count)
        })
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Balanced => f.write_str("balanced"),
            Self::Random { plies } => write!(f, "random(plies={plies})"),
            Self::List(positions) => f.write_str(&positions.join(" ")),
        }
    }
}

const PLIES: players::Parameter = players::Parameter {
    name: "plies",
    default: "4",
    help: "how many random moves",
};

const RULES: [players::Kind; 3] = [
    kind("balanced", &[]),
    kind("none", &[]),
    kind("random", &[PLIES]),
];

const fn kind(name: &'static str, parameters: &'static [players::Parameter]) -> players::Kind {
    players::Kind {
        name,
        about: "",
        more: "",
        parameters,
    }
}

/// Is it a game for two without chance?
#[must_use]
pub fn suits(game: &AnyGame) -> bool {
    game.seats() == 2 && with_game!(game, game => is_without_chance(game))
}

fn is_without_chance<G: Game>(_: &G) -> bool {
    TypeId::of::<G::Chance>() == TypeId::of::<NoChance>()
}

fn check_all<G: Game>(game: &G, positions: &[String]) -> Result<(), OpeningsError> {
    for (number, text) in (1..).zip(positions) {
        let problem = |problem| OpeningsError::Position { number, problem };
        let position: G::Position = text.parse().map_err(problem)?;
        game.check(&position).map_err(problem)?;
        if game.turn(&position) == Turn::Over {
            return Err(OpeningsError::Over(number));
        }
    }
    Ok(())
}

/// A fifth of a random game, as an even number, so that the first player is to move.
fn usual_plies<G: Game>(game: &G) -> u32 {
    const GAMES: u32 = 64;
    let mut rng = stream(0, &[PURPOSE]);
    let moves: u32 = (0..GAMES)
        .map(|_| game.playout(&mut game.start(), &mut rng))
        .sum();
    (moves / (10 * GAMES) * 2).clamp(2, 8)
}

fn drawn<G: Game>(game: &G, plies: u32, seed: u64, count: usize) -> Vec<String> {
    let (mut positions, mut known, mut misses) = (Vec::new(), HashSet::new(), 0);
    for attempt in 0.. {
        if positions.len() == count || misses == MISSES {
            break;
        }
        misses += 1;
        let mut rng = stream(seed, &[PURPOSE, attempt]);
        let Some(position) = after(game, plies, &mut rng) else {
            continue;
        };
        if known.insert(game.key(&position)) && forced(game, &position, LOOK) == 0 {
            positions.push(position.to_string());
            misses = 0;
        }
    }
    positions
}

/// The position after random moves; `None` if the game is over by then.
fn after<G: Game>(game: &G, plies: u32, rng: &mut Stream) -> Option<G::Position> {
    let mut position = game.start();
    for _ in 0..plies {
        if game.turn(&position) == Turn::Over {
            return None;
        }
        let chosen = game.random_move(&position, rng);
        game.play_unchecked(&mut position, chosen);
    }
    (game.turn(&position) != Turn::Over).then_some(position)
}

/// What can be forced within this many plies: 1 if a win of the first player, -1 if one of the second, else 0.
fn forced<G: Game>(game: &G, position: &G::Position, plies: u32) -> i64 {
    let seat = match game.turn(position) {
        Turn::Over => return game.score(position).signum(),
        Turn::Player(seat) if plies > 0 => seat,
        _ => return 0,
    };
    let win = if seat == 0 { 1 } else { -1 };
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let mut best = -win;
    for chosen in moves {
        let mut next = position.clone();
        game.play_unchecked(&mut next, chosen);
        match forced(game, &next, plies - 1) {
            value if value == win => return win,
            0 => best = 0,
            _ => {}
        }
    }
    best
}
