//! Suggested players for users who do not know the specs: strongest first, random last.

use std::path::Path;

use games::twenty48::{Rules, Twenty48, Variant};
use games::{AnyGame, Options, registry};

use crate::named_player::NamedPlayer;
use crate::seating::check;

/// Players of one-player games that have no list of their own.
const FOR_ONE: &[&str] = &["mcts(iterations=1000)", "greedy", "random"];

/// Players of two-player games that have no list of their own.
const FOR_TWO: &[&str] = &[
    "alphabeta(depth=9)",
    "mcts(iterations=5000)",
    "alphabeta(depth=3)",
    "greedy",
    "random",
];

/// Players of this game, as [`NamedPlayer`] reads them; empty for an unknown game.
#[must_use]
pub fn suggested(game: &str) -> &'static [&'static str] {
    match game {
        "2048" => &[
            "expectimax(depth=2)",
            "expectimax(depth=3)",
            "record:2048-expectimax",
            "record:2048-patches",
            "record:2048-lines",
            "mcts(iterations=1000)",
            "greedy",
            "random",
        ],
        "tetris" => &[
            "weighted(features=bcts)",
            "record:tetris-points",
            "record:tetris-lines",
            "beam",
            "weighted",
            "greedy",
            "random",
        ],
        "connect" => &[
            "perfect",
            "mcts(iterations=20000)",
            "alphabeta(depth=7)",
            "alphabeta(depth=5)",
            "alphabeta(depth=3)",
            "record:connect",
            "greedy",
            "random",
        ],
        _ => match registry::build(game, &Options::default()) {
            Ok(game) if game.seats() == 1 => FOR_ONE,
            Ok(_) => FOR_TWO,
            Err(_) => &[],
        },
    }
}

/// The player that is asked for hints if no other is wanted: one that answers at once. In 2048 that is not the strongest record: the
/// values of the network are points still to come, which a person can read.
#[must_use]
pub fn usual_hint(game: &AnyGame) -> &'static str {
    let name = game.family().name;
    let first: &[&str] = match (game, name) {
        (AnyGame::Twenty48(game), _) if fits_shipped_network(game) => {
            &["expectimax(depth=2, eval=network)"]
        }
        (_, "tetris") => &["record:tetris-points", "record:tetris-lines"],
        _ => &[],
    };
    first
        .iter()
        .chain(suggested(name))
        .find(|text| can_play(game, text))
        .unwrap_or(&"random")
}

/// A record may not know all rules of its game.
fn can_play(game: &AnyGame, player: &str) -> bool {
    let named = NamedPlayer::read(player, Path::new(""), game.family().name);
    named.is_ok_and(|named| check(game, &named.spec).is_ok())
}

/// The network that comes with the program knows the usual board and rules.
fn fits_shipped_network(game: &Twenty48) -> bool {
    let Rules {
        rows,
        cols,
        variant,
        ..
    } = game.rules();
    (rows, cols, variant) == (4, 4, Variant::Standard)
}

#[cfg(test)]
mod tests {
    use games::registry::FAMILIES;

    use super::*;

    #[test]
    fn every_game_has_players_that_can_play_it() {
        for family in FAMILIES {
            let game = family.build(&"".parse().unwrap()).unwrap();
            let any_game = if game.seats() == 1 { FOR_ONE } else { FOR_TWO };
            let hints = family.examples.iter().map(|rules| {
                let game = family.build(&rules.parse().unwrap()).unwrap();
                let hint = usual_hint(&game);
                assert!(can_play(&game, hint), "{rules}: {hint}");
                hint
            });
            assert!(hints.count() > 0);
            for text in suggested(family.name).iter().chain(any_game) {
                assert!(can_play(&game, text), "{}: {text}", family.name);
            }
        }
        assert!(suggested("chess").is_empty());
    }
}
