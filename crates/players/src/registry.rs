//! The list of players. Whoever wants one by its spec asks here.

use games::{Game, nearest};

use crate::player::{Kind, Player, Recipe};
use crate::random::Random;
use crate::spec::{Spec, SpecError};

macro_rules! players {
    ($($recipe:ty),+ $(,)?) => {
        /// All kinds of players, in the order in which they are shown.
        pub static KINDS: &[Kind] = &[$(<$recipe as Recipe>::KIND),+];

        /// The player that the spec describes, for this game.
        pub fn build<G: Game>(game: &G, spec: &Spec) -> Result<Box<dyn Player<G>>, SpecError> {
            check(spec)?;
            $(if spec.name() == <$recipe as Recipe>::KIND.name {
                return <$recipe as Recipe>::make(game, spec);
            })+
            unreachable!("checked names are those of the list")
        }
    };
}

players! {
    Random,
}

/// The kind of this name.
#[must_use]
pub fn kind(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// Refuses names of players and parameters that do not exist.
fn check(spec: &Spec) -> Result<(), SpecError> {
    let names = || KINDS.iter().map(|kind| kind.name);
    let kind = kind(spec.name()).ok_or_else(|| {
        spec.at_name(format!(
            "there is no player '{}'{}; the players are {}",
            spec.name(),
            did_you_mean(spec.name(), names()),
            names().collect::<Vec<_>>().join(", ")
        ))
    })?;
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

fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(word, known)
        .map(|name| format!(" (did you mean '{name}'?)"))
        .unwrap_or_default()
}
