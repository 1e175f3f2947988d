//! The list of players. Whoever wants one by its spec asks here.

use std::any::Any;
use std::collections::BTreeSet;

use games::Game;
use games::connect::Connect;
use games::tetris::Tetris;
use games::twenty48::Twenty48;
use spec::{Kind, Spec, SpecError};

use crate::connect::{PerfectFactory, WeightedLines};
use crate::player::{Named, PlayerFactory, Prepared, Tunable};
use crate::random::Random;
use crate::search::{AlphaBeta, GreedyFactory, Mcts, Minimax, Negamax};
use crate::tetris::{Beam, PlacementProgram, Weighted};
use crate::twenty48::{
    AStar, AStarFull, BestFirst, DirectionProgram, EightWeights, Expectimax, HillClimbing, IdaStar,
};

/// A kind of player and the games it plays.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The kind.
    pub kind: Kind,
    /// Names of the games it plays; empty when it plays them all.
    pub games: &'static [&'static str],
}

impl Entry {
    /// Does this kind play the game of that name?
    #[must_use]
    pub fn plays(&self, game: &str) -> bool {
        self.games.is_empty() || self.games.contains(&game)
    }
}

/// A game with its players, all of which are compiled here, once: the functions are not generic.
pub trait Playable: Game {
    /// The player that the spec describes, ready to play any number of games of these rules.
    fn prepare(&self, spec: &Spec) -> Result<Prepared<Self>, SpecError>;

    /// What of the player that the spec describes evolution can find.
    fn tunable(&self, spec: &Spec) -> Result<Tunable, SpecError>;
}

macro_rules! playable {
    ($($game:ty),+ $(,)?) => {
        $(impl Playable for $game {
            fn prepare(&self, spec: &Spec) -> Result<Prepared<Self>, SpecError> {
                prepare(self, spec)
            }

            fn tunable(&self, spec: &Spec) -> Result<Tunable, SpecError> {
                tunable(self, spec)
            }
        })+
    };
}

games::game_types!(playable);

/// Returns what the factory's `$method` gives, if the game is one of these types.
macro_rules! return_if_of_type {
    ([$($game:ty),+], $factory:ty, $any:ident, $spec:ident, $method:ident) => {
        $(if let Some(game) = $any.downcast_ref::<$game>() {
            <$factory as Named>::KIND.check_parameters($spec)?;
            return <$factory as PlayerFactory<$game>>::$method(game, $spec).map(of_game);
        })+
    };
}

/// The players of any game, then by family those that need its types.
macro_rules! players {
    (
        any { $($any:ty),* $(,)? }
        $($family:literal $games:tt { $($special:ty),* $(,)? })*
    ) => {
        /// All kinds of players, in the order in which they are shown.
        pub static PLAYERS: &[Entry] = &[
            $(Entry { kind: <$any as Named>::KIND, games: &[] },)*
            $($(Entry { kind: <$special as Named>::KIND, games: &[$family] },)*)*
        ];

        players! { @ask prepare -> Prepared<G>, [$($any),*], $($games [$($special),*])* }
        players! { @ask tunable -> Tunable, [$($any),*], $($games [$($special),*])* }
    };
    // Asks the factory that the spec names; one for this very game before one for any.
    (@ask $method:ident -> $answer:ty, [$($any:ty),*], $($games:tt [$($special:ty),*])*) => {
        fn $method<G: Game>(game: &G, spec: &Spec) -> Result<$answer, SpecError> {
            let any: &dyn Any = game;
            $($(if spec.name() == <$special as Named>::KIND.name {
                return_if_of_type!($games, $special, any, spec, $method);
            })*)*
            $(if spec.name() == <$any as Named>::KIND.name {
                <$any as Named>::KIND.check_parameters(spec)?;
                return <$any as PlayerFactory<G>>::$method(game, spec);
            })*
            Err(other_game(spec))
        }
    };
}

players! {
    any { Random, GreedyFactory, Minimax, AlphaBeta, Negamax, Mcts }
    "2048" [Twenty48] { EightWeights, DirectionProgram, Expectimax, AStar, AStarFull, BestFirst, IdaStar, HillClimbing }
    "connect" [Connect<u64>, Connect<u128>] { PerfectFactory, WeightedLines }
    "tetris" [Tetris<u32>, Tetris<u64>] { Weighted, PlacementProgram, Beam }
}

/// An answer for one game as an answer for another, which are the same type.
fn of_game<A: 'static, B: 'static>(answer: A) -> B {
    let any: Box<dyn Any> = Box::new(answer);
    *any.downcast()
        .expect("the game was found to be of this type")
}

/// The error of a spec that names no player of the game: there is none of that name, or it plays other games.
fn other_game(spec: &Spec) -> SpecError {
    let found = match find(spec) {
        Ok(found) => found,
        Err(error) => return error,
    };
    let games: Vec<&str> = found
        .iter()
        .flat_map(|entry| entry.games)
        .copied()
        .collect();
    spec.at_name(format!("{} plays only {}", spec.name(), games.join(", ")))
}

/// The kinds of players that a spec names: one, or one per game.
pub fn find(spec: &Spec) -> Result<Vec<&'static Entry>, SpecError> {
    find_among(PLAYERS.iter(), spec)
}

/// The kinds of players that a spec names among these, for whoever knows players that are not pure.
pub fn find_among<'a>(
    players: impl Iterator<Item = &'a Entry> + Clone,
    spec: &Spec,
) -> Result<Vec<&'a Entry>, SpecError> {
    let named = |entry: &&Entry| entry.kind.name == spec.name();
    let found: Vec<&Entry> = players.clone().filter(named).collect();
    if found.is_empty() {
        let mut seen = BTreeSet::new();
        let names = players.map(|entry| entry.kind.name);
        let names: Vec<&str> = names.filter(|&name| seen.insert(name)).collect();
        return Err(spec.unknown(names.into_iter()));
    }
    Ok(found)
}
