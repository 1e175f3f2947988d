//! The contract of every game: rules as a value, positions as data, chance as a player.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use crate::options::Options;
use crate::registry::Family;
use crate::sketch::Sketch;
use streams::{Stream, below, stream};

/// Who acts next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// The player at this seat (0 moves first) chooses one of [`Game::moves`].
    Player(u8),
    /// Chance picks one of [`Game::chances`].
    Chance,
    /// Nobody: the game has ended.
    Over,
}

/// A game with its rules fixed. The value holds rules and tables; a position is plain data.
///
/// A game is played by one loop: ask [`turn`](Game::turn); let the player choose among
/// [`moves`](Game::moves) and [`play`](Game::play), or chance [`draw`](Game::draw); until it is over.
pub trait Game: Clone + Send + Sync + 'static {
    /// Everything that the future and the result of a game depend on. Its text parses back to it.
    type Position: Clone + Eq + Debug + Display + FromStr<Err = PositionError> + Send + Sync;
    /// What a player chooses.
    type Move: Copy + Eq + Ord + Hash + Debug + Display + FromStr<Err = NotAMove> + Send + Sync;
    /// What chance decides.
    type Chance: Copy + Eq + Hash + Debug + Display + FromStr<Err = NotAMove> + Send + Sync;
    /// What two positions share exactly if they have the same future, whatever was scored before.
    type Key: Clone + Eq + Hash + Send;

    /// The family this game is of.
    fn family(&self) -> &'static Family;

    /// The rules as options, every one with its value; `registry::build` makes the same game of them.
    fn options(&self) -> Options;

    /// How many players sit at the board.
    fn seats(&self) -> u8;

    /// No game has more moves; none if there is no such number.
    fn most_moves(&self) -> Option<u64> {
        None
    }

    /// The position before anything has happened; chance may be the first to act.
    fn start(&self) -> Self::Position;

    /// Who acts in this position.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// Puts the legal moves into `moves` (emptied first), in the game's fixed order.
    ///
    /// There is at least one when the turn is a player's, and none otherwise.
    fn moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// The same moves in the order in which searches try them; of equal moves a search plays the first.
    fn moves_to_search(&self, position: &Self::Position, moves: &mut Vec<Self::Move>) {
        self.moves(position, moves);
    }

    /// Makes a legal move. What an illegal one does is not defined (but never unsound).
    fn play_unchecked(&self, position: &mut Self::Position, chosen: Self::Move);

    /// Puts what chance may do into `chances` (emptied first), with probabilities that sum to 1.
    fn chances(&self, position: &Self::Position, chances: &mut Vec<(Self::Chance, f64)>);

    /// Makes one of the [`chances`](Game::chances) happen.
    fn happen(&self, position: &mut Self::Position, chance: Self::Chance);

    /// Lets chance act: draws one of the [`chances`](Game::chances) by its probability.
    fn draw(&self, position: &mut Self::Position, rng: &mut Stream) -> Self::Chance;

    /// Points so far of the player at seat 0; for a game that is won or lost 1, 0 or -1.
    fn score(&self, position: &Self::Position) -> i64;

    /// See [`Key`](Game::Key).
    fn key(&self, position: &Self::Position) -> Self::Key;

    /// What statistics of this game should show beside the score.
    fn facts(&self, position: &Self::Position) -> Facts;

    /// A picture of the position, shown where this game has no drawing of its own.
    fn sketch(&self, position: &Self::Position) -> Sketch;

    /// Puts the tones of the [`sketch`](Game::sketch) into `tones` (emptied first): what lies where, as numbers.
    ///
    /// A game may do it faster than by a sketch, never differently.
    fn tones(&self, position: &Self::Position, tones: &mut Vec<u8>) {
        tones.clear();
        tones.extend(self.sketch(position).cells.iter().map(|cell| cell.tone));
    }

    /// Refuses a position (read from text, for example) that is impossible under these rules.
    fn check(&self, position: &Self::Position) -> Result<(), PositionError>;

    /// Makes a move if it is legal; otherwise changes nothing.
    fn play(&self, position: &mut Self::Position, chosen: Self::Move) -> Result<(), IllegalMove> {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        if !moves.contains(&chosen) {
            return Err(IllegalMove::new(&chosen, &moves, position));
        }
        self.play_unchecked(position, chosen);
        Ok(())
    }

    /// A move drawn uniformly from the legal ones. The turn must be a player's.
    fn random_move(&self, position: &Self::Position, rng: &mut Stream) -> Self::Move {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves[below(rng, moves.len() as u32) as usize]
    }

    /// Plays random moves to the end of the game and returns how many.
    ///
    /// A game may do it faster than step by step, never differently: the same generators give the
    /// same game as [`playout_step_by_step`].
    fn playout(&self, position: &mut Self::Position, rngs: &mut impl Generators) -> u32 {
        playout_step_by_step(self, position, rngs)
    }

    /// Plays random moves to the end of each game, and returns how many in each.
    ///
    /// A game may do it faster than one by one, never differently: positions and moves are those of [`playout`](Self::playout). It
    /// may draw more random numbers than the games need.
    fn playouts(&self, games: &mut [(Self::Position, Dice)]) -> Vec<u32> {
        let play = |(position, dice): &mut (Self::Position, Dice)| self.playout(position, dice);
        games.iter_mut().map(play).collect()
    }
}

/// The random numbers of a game: those of chance, and those of each player.
pub trait Generators {
    /// The generator of chance.
    fn chance(&mut self) -> &mut Stream;

    /// The generator of the player at a seat.
    fn seat(&mut self, seat: u8) -> &mut Stream;
}

/// One generator for all.
impl Generators for Stream {
    #[inline]
    fn chance(&mut self) -> &mut Stream {
        self
    }

    #[inline]
    fn seat(&mut self, _: u8) -> &mut Stream {
        self
    }
}

/// The generators of one game. Chance has its own, so that all players meet the same chances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dice {
    chance: Stream,
    seats: [Stream; 2],
}

impl Dice {
    /// The generators of game number `game` under `seed`.
    #[must_use]
    pub fn of(seed: u64, game: u64) -> Self {
        let [chance, first, second] = [0, 1, 2].map(|role| stream(seed, &[game, role]));
        Self {
            chance,
            seats: [first, second],
        }
    }

    /// Lets chance act in a position where it is its turn.
    pub fn draw<G: Game>(&mut self, game: &G, position: &mut G::Position) -> G::Chance {
        game.draw(position, &mut self.chance)
    }
}

impl Generators for Dice {
    #[inline]
    fn chance(&mut self) -> &mut Stream {
        &mut self.chance
    }

    #[inline]
    fn seat(&mut self, seat: u8) -> &mut Stream {
        &mut self.seats[usize::from(seat)]
    }
}

/// The plain way to play random moves to the end: what [`Game::playout`] must agree with.
pub fn playout_step_by_step<G: Game>(
    game: &G,
    position: &mut G::Position,
    rngs: &mut impl Generators,
) -> u32 {
    let mut moves = 0;
    loop {
        match game.turn(position) {
            Turn::Over => return moves,
            Turn::Chance => {
                game.draw(position, rngs.chance());
            }
            Turn::Player(seat) => {
                let chosen = game.random_move(position, rngs.seat(seat));
                game.play_unchecked(position, chosen);
                moves += 1;
            }
        }
    }
}

/// A fact about a finished game, for statistics over many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// A quantity: its mean and spread are shown.
    Count(u64),
    /// A kind: its distribution is shown.
    Class(u64),
    /// True or false: its share is shown.
    Flag(bool),
}

/// Facts by name, in the order in which they should be shown; names are snake_case.
pub type Facts = arrayvec::ArrayVec<(&'static str, Fact), 8>;

/// The chance of a game without chance: a type without values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoChance {}

impl Display for NoChance {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {}
    }
}

impl FromStr for NoChance {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Self, NotAMove> {
        Err(NotAMove::new(text, "nothing: this game has no chance"))
    }
}

/// A move that the rules do not allow here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{chosen} is not legal in {position}; legal moves: {legal}")]
pub struct IllegalMove {
    chosen: String,
    legal: String,
    position: String,
}

impl IllegalMove {
    fn new<M: Display>(chosen: &M, legal: &[M], position: &impl Display) -> Self {
        let legal: Vec<String> = legal.iter().map(ToString::to_string).collect();
        let legal = if legal.is_empty() {
            "none".to_owned()
        } else {
            legal.join(" ")
        };
        Self {
            chosen: chosen.to_string(),
            legal,
            position: position.to_string(),
        }
    }
}

/// Text that does not name a move (or an act of chance).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a move; expected {expected}")]
pub struct NotAMove {
    text: String,
    expected: &'static str,
}

impl NotAMove {
    /// `expected` is what would be right, as the end of a sentence.
    #[must_use]
    pub fn new(text: &str, expected: &'static str) -> Self {
        Self {
            text: text.to_owned(),
            expected,
        }
    }
}

/// Text that is not a position, or a position that is impossible under the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a position: {0}")]
pub struct PositionError(pub String);
