//! Suggested players for users who do not know the specs: strongest first, random last.

use games::{Options, registry};

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

/// Specs of players of this game; empty for an unknown game.
#[must_use]
pub fn suggested(game: &str) -> &'static [&'static str] {
    match game {
        "2048" => &[
            "expectimax(depth=2)",
            "expectimax(depth=3)",
            "expectimax(depth=1)",
            "mcts(iterations=1000)",
            "greedy",
            "random",
        ],
        "tetris" => &[
            "weighted(features=bcts)",
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

#[cfg(test)]
mod tests {
    use games::registry::FAMILIES;

    use super::*;
    use crate::seating::check;

    #[test]
    fn every_game_has_players_that_can_play_it() {
        for family in FAMILIES {
            let game = family.build(&"".parse().unwrap()).unwrap();
            let any_game = if game.seats() == 1 { FOR_ONE } else { FOR_TWO };
            for text in suggested(family.name).iter().chain(any_game) {
                let spec = text.parse().unwrap();
                let made = check(&game, &spec);
                assert!(made.is_ok(), "{}: {text}: {made:?}", family.name);
            }
        }
        assert!(suggested("chess").is_empty());
    }
}
