//! Games by name: every game with its options and its plain twin, for commands, tests, studies and pages.

use spec::nearest;

use crate::options::{OptionSpec, Options, RulesError};
pub use crate::{AnyGame, FAMILIES};

/// A game before its rules are fixed.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// The name on the command line, in studies and on the page.
    pub name: &'static str,
    /// One line that describes it.
    pub about: &'static str,
    /// What may be set.
    pub options: &'static [OptionSpec],
    /// Rules worth trying, as text that parses to [`Options`]; tests run over all of them.
    pub examples: &'static [&'static str],
    /// What people call a move: in Tetris, each places a piece.
    pub move_name: &'static str,
    build: fn(&Options) -> Result<AnyGame, RulesError>,
}

impl Family {
    /// Describes a game; `options` lists all that `build` reads.
    #[must_use]
    pub const fn new(
        name: &'static str,
        about: &'static str,
        options: &'static [OptionSpec],
        examples: &'static [&'static str],
        build: fn(&Options) -> Result<AnyGame, RulesError>,
    ) -> Self {
        Self {
            name,
            about,
            options,
            examples,
            move_name: "move",
            build,
        }
    }

    /// The same with another name for a move.
    #[must_use]
    pub const fn with_move_name(self, move_name: &'static str) -> Self {
        Self { move_name, ..self }
    }

    /// The game with these rules.
    pub fn build(&self, options: &Options) -> Result<AnyGame, RulesError> {
        options.check_names(self.name, self.options)?;
        (self.build)(options)
    }
}

/// Declares the games: their modules, the list of families, [`AnyGame`] and the macros over all of them.
macro_rules! games {
    // `$d` is a dollar sign: the macros made here need their own.
    (($d:tt) $($module:ident { $($variant:ident($game:ident $(<$bits:ty>)?)),+ $(,)? })+) => {
        $(pub mod $module;)+

        /// All games, in the order in which they are shown.
        pub static FAMILIES: &[Family] = &[$($module::FAMILY),+];

        /// Any game of the list with its rules fixed. `with_game!` gets at its type.
        #[derive(Debug, Clone)]
        pub enum AnyGame {
            $($(#[doc = concat!("Of the family `", stringify!($module), "`.")] $variant($module::$game $(<$bits>)?)),+),+
        }

        impl AnyGame {
            /// The family this game is of.
            #[must_use]
            pub fn family(&self) -> &'static Family {
                with_game!(self, game => game.family())
            }

            /// The rules as options, every one with its value.
            #[must_use]
            pub fn options(&self) -> Options {
                with_game!(self, game => game.options())
            }

            /// How many players sit at the board.
            #[must_use]
            pub fn seats(&self) -> u8 {
                with_game!(self, game => game.seats())
            }

            /// No game has more moves; none if there is no such number.
            #[must_use]
            pub fn most_moves(&self) -> Option<u64> {
                with_game!(self, game => game.most_moves())
            }

            /// The facts of this game (see [`Game::facts`]): names and kinds, with the values at the start.
            #[must_use]
            pub fn facts(&self) -> Facts {
                with_game!(self, game => game.facts(&game.start()))
            }
        }

        $($(impl From<$module::$game $(<$bits>)?> for AnyGame {
            fn from(game: $module::$game $(<$bits>)?) -> Self {
                Self::$variant(game)
            }
        })+)+

        /// `with_game!(&any, game => body)`: the body, compiled for every game's own type.
        #[macro_export]
        macro_rules! with_game {
            ($d any:expr, $d name:ident => $d body:expr) => {
                match $d any {
                    $($($crate::AnyGame::$variant($d name) => $d body),+),+
                }
            };
        }

        /// `game_types!(callback)`: invokes the macro `callback!` with the types of all games, then those of their plain twins, so
        /// that another crate can implement its trait for each.
        #[macro_export]
        macro_rules! game_types {
            ($d callback:ident) => {
                $d callback! {
                    $($($crate::$module::$game $(<$bits>)?,)+)+
                    $($crate::$module::Plain,)+
                }
            };
        }

        /// `with_twins!(&any, (fast, plain) => body)`: the body for a game and its plain, obviously
        /// right twin of the same rules.
        #[macro_export]
        macro_rules! with_twins {
            ($d any:expr, ($d fast:ident, $d plain:ident) => $d body:expr) => {
                match $d any {
                    $($($crate::AnyGame::$variant($d fast) => {
                        let $d plain = &$crate::$module::Plain::twin($d fast);
                        $d body
                    }),+),+
                }
            };
        }
    };
}

/// The family of this name.
pub fn family(name: &str) -> Result<&'static Family, RulesError> {
    FAMILIES
        .iter()
        .find(|family| family.name == name)
        .ok_or_else(|| RulesError::NoGame {
            name: name.to_owned(),
            nearest: nearest(name, FAMILIES.iter().map(|family| family.name)),
            known: FAMILIES
                .iter()
                .map(|family| family.name)
                .collect::<Vec<_>>()
                .join(", "),
        })
}

/// The game of this name with these rules.
pub fn build(name: &str, options: &Options) -> Result<AnyGame, RulesError> {
    family(name)?.build(options)
}
