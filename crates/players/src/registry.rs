//! The list of players. Whoever wants one by its spec asks here.

use std::any::Any;

use games::connect::Connect;
use games::tetris::Tetris;
use games::twenty48::Twenty48;
use games::{Game, nearest};

use crate::connect::PerfectRecipe;
use crate::player::{Kind, Named, Player, Recipe};
use crate::random::Random;
use crate::search::{AlphaBetaRecipe, GreedyRecipe, Mcts, MinimaxRecipe, NegamaxRecipe};
use crate::spec::{Spec, SpecError};
use crate::tetris::{Beam, Weighted};
use crate::twenty48::{AStar, AStarFull, BestFirst, Expectimax, HillClimbing, IdaStar};

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

/// Returns the player, if the game is one of these types.
macro_rules! return_if_of_type {
    ([$($game:ty),+], $recipe:ty, $any:ident, $spec:ident) => {
        $(if let Some(game) = $any.downcast_ref::<$game>() {
            return <$recipe as Recipe<$game>>::make(game, $spec).map(of_game);
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

        /// The player that the spec describes, for this game.
        pub fn build<G: Game>(game: &G, spec: &Spec) -> Result<Box<dyn Player<G>>, SpecError> {
            check(spec)?;
            $(if spec.name() == <$any as Named>::KIND.name {
                return <$any as Recipe<G>>::make(game, spec);
            })*
            let game: &dyn Any = game;
            $($(if spec.name() == <$special as Named>::KIND.name {
                return_if_of_type!($games, $special, game, spec);
            })*)*
            Err(other_game(spec))
        }
    };
}

players! {
    any { Random, GreedyRecipe, MinimaxRecipe, AlphaBetaRecipe, NegamaxRecipe, Mcts }
    "2048" [Twenty48] { Expectimax, AStar, AStarFull, BestFirst, IdaStar, HillClimbing }
    "connect" [Connect<u64>, Connect<u128>] { PerfectRecipe }
    "tetris" [Tetris<u32>, Tetris<u64>] { Weighted, Beam }
}

/// A player of `A` as a player of `B`, which are the same type.
fn of_game<A: Game, B: Game>(player: Box<dyn Player<A>>) -> Box<dyn Player<B>> {
    let any: Box<dyn Any> = Box::new(player);
    *any.downcast()
        .expect("the game was found to be of this type")
}

fn other_game(spec: &Spec) -> SpecError {
    let games = PLAYERS
        .iter()
        .filter(|entry| entry.kind.name == spec.name())
        .flat_map(|entry| entry.games);
    let games: Vec<&str> = games.copied().collect();
    spec.at_name(format!("{} plays only {}", spec.name(), games.join(", ")))
}

/// The kind of player that a spec names, with its games.
pub fn find(spec: &Spec) -> Result<&'static Entry, SpecError> {
    find_among(PLAYERS.iter(), spec)
}

/// The kind of player that a spec names among these, for whoever knows players that are not pure.
pub fn find_among<'a>(
    mut players: impl Iterator<Item = &'a Entry> + Clone,
    spec: &Spec,
) -> Result<&'a Entry, SpecError> {
    let names: Vec<&str> = players.clone().map(|entry| entry.kind.name).collect();
    let found = players.find(|entry| entry.kind.name == spec.name());
    found.ok_or_else(|| {
        spec.at_name(format!(
            "there is no player '{}'{}; the players are {}",
            spec.name(),
            did_you_mean(spec.name(), names.iter().copied()),
            names.join(", ")
        ))
    })
}

/// Refuses names of players and parameters that do not exist.
fn check(spec: &Spec) -> Result<(), SpecError> {
    check_parameters(&find(spec)?.kind, spec)
}

/// Refuses parameters that this kind of player does not have.
pub fn check_parameters(kind: &Kind, spec: &Spec) -> Result<(), SpecError> {
    let parameters = || kind.parameters.iter().map(|parameter| parameter.name);
    match spec
        .names()
        .find(|name| !parameters().any(|known| known == *name))
    {
        None => Ok(()),
        Some(unknown) if kind.parameters.is_empty() => Err(spec.at(
            unknown,
            format!("{} has no parameter '{unknown}'; it takes none", kind.name),
        )),
        Some(unknown) => Err(spec.at(
            unknown,
            format!(
                "{} has no parameter '{unknown}'{}; its parameters are {}",
                kind.name,
                did_you_mean(unknown, parameters()),
                parameters().collect::<Vec<_>>().join(", ")
            ),
        )),
    }
}

/// ` (did you mean '...'?)` when a known name is close, else nothing.
pub(crate) fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(word, known)
        .map(|name| format!(" (did you mean '{name}'?)"))
        .unwrap_or_default()
}
