//! Players by their specs: what kinds there are, and what makes them.

use std::any::Any;
use std::collections::BTreeSet;

use games::Game;
use spec::{Kind, Spec, SpecError};

pub use crate::PLAYERS;
use crate::player::{Prepared, Tunable};

/// A kind of player and the games it plays.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The kind.
    pub kind: Kind,
    /// Names of the games it plays; empty when it plays them all.
    pub games: &'static [&'static str],
    /// Whether it draws random numbers.
    pub draws: bool,
}

impl Entry {
    /// Does this kind play the game of that name? One of any game does unless the game has its own kind of that name.
    #[must_use]
    pub fn plays(&self, game: &str) -> bool {
        let own = |entry: &Self| entry.kind.name == self.kind.name && entry.games.contains(&game);
        match self.games {
            [] => !PLAYERS.iter().any(own),
            games => games.contains(&game),
        }
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
                crate::prepare(self, spec)
            }

            fn tunable(&self, spec: &Spec) -> Result<Tunable, SpecError> {
                crate::tunable(self, spec)
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
            return <$factory as PlayerFactory<$game>>::$method(game, $spec).map(registry::of_game);
        })+
    };
}

/// Declares the players: their modules, and what is asked of all of them. First those of any game, then by family those that need its
/// types.
macro_rules! players {
    (
        any { $($module:ident { $($any:ident),+ })* }
        $($family:ident [$($game:ident $(<$bits:ty>)?),+] { $($special_module:ident { $($special:ident),+ })* })*
    ) => {
        /// Players of any game.
        pub mod any {
            $(mod $module; pub use $module::{$($any),+};)*
        }

        $(
            #[doc = concat!("Players of `", stringify!($family), "` only.")]
            pub mod $family {
                $(pub(crate) mod $special_module; pub use $special_module::{$($special),+};)*
            }
        )*

        /// All kinds of players, in the order in which they are shown.
        pub static PLAYERS: &[registry::Entry] = &[
            $($(registry::Entry {
                kind: <any::$any as Named>::KIND,
                games: &[],
                draws: <any::$any as Named>::DRAWS,
            },)+)*
            $($($(registry::Entry {
                kind: <$family::$special as Named>::KIND,
                games: &[games::$family::FAMILY.name],
                draws: <$family::$special as Named>::DRAWS,
            },)+)*)*
        ];

        players! {
            @ask prepare -> Prepared<G>,
            [$($(any::$any),+),*],
            $([$(games::$family::$game $(<$bits>)?),+] [$($($family::$special),+),*])*
        }
        players! {
            @ask tunable -> Tunable,
            [$($(any::$any),+),*],
            $([$(games::$family::$game $(<$bits>)?),+] [$($($family::$special),+),*])*
        }
    };
    // Asks the factory that the spec names; one for this very game before one for any.
    (@ask $method:ident -> $answer:ty, [$($any:ty),*], $($games:tt [$($special:ty),*])*) => {
        pub(crate) fn $method<G: games::Game>(game: &G, spec: &Spec) -> Result<$answer, SpecError> {
            let any: &dyn std::any::Any = game;
            $($(if spec.name() == <$special as Named>::KIND.name {
                return_if_of_type!($games, $special, any, spec, $method);
            })*)*
            $(if spec.name() == <$any as Named>::KIND.name {
                <$any as Named>::KIND.check_parameters(spec)?;
                return <$any as PlayerFactory<G>>::$method(game, spec);
            })*
            Err(registry::not_of_game(registry::PLAYERS.iter(), game.family().name, spec))
        }
    };
}

/// An answer for one game as an answer for another, which are the same type.
pub(crate) fn of_game<A: 'static, B: 'static>(answer: A) -> B {
    let any: Box<dyn Any> = Box::new(answer);
    *any.downcast()
        .expect("the game was found to be of this type")
}

/// The error of a spec that names none of these players of a game: it is unknown, or plays only other games.
pub(crate) fn not_of_game<'a>(
    players: impl Iterator<Item = &'a Entry> + Clone,
    game: &str,
    spec: &Spec,
) -> SpecError {
    let own = players.clone().filter(|entry| entry.plays(game));
    let own = own.map(|entry| entry.kind.name);
    let elsewhere = players.filter(|entry| entry.kind.name == spec.name());
    let games: Vec<&str> = elsewhere.flat_map(|entry| entry.games).copied().collect();
    if games.is_empty() {
        return spec.unknown(own);
    }
    spec.at_name(format!(
        "{} plays only {}; players of {game} are {}",
        spec.name(),
        games.join(", "),
        own.collect::<Vec<_>>().join(", ")
    ))
}

/// Refuses a spec that names none of these players of a game; a caller may add players that are not pure.
pub fn check_of_game<'a>(
    players: impl Iterator<Item = &'a Entry> + Clone,
    game: &str,
    spec: &Spec,
) -> Result<(), SpecError> {
    let named = |entry: &Entry| entry.kind.name == spec.name() && entry.plays(game);
    match players.clone().any(named) {
        true => Ok(()),
        false => Err(not_of_game(players, game, spec)),
    }
}

/// The kinds of players that a spec names: one, or one per game.
pub fn find(spec: &Spec) -> Result<Vec<&'static Entry>, SpecError> {
    find_among(PLAYERS.iter(), spec)
}

/// The kinds of players that a spec names among these; a caller may add players that are not pure.
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
