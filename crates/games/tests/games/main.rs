//! Tests of the rules, all over the registry: a new game is tested by being in the list.

mod conformance;
mod connect;
mod fuzz;
mod lockstep;
mod perft;
mod playthrough;
mod randomness;
mod rules;
mod twenty48;

use games::{AnyGame, registry};

/// Every game with every example of its rules.
fn all_games() -> impl Iterator<Item = (String, AnyGame)> {
    registry::FAMILIES.iter().flat_map(|family| {
        family.examples.iter().map(move |example| {
            let options = example.parse().expect("examples are options");
            let game = family.build(&options).expect("examples are allowed");
            (format!("{} {example}", family.name), game)
        })
    })
}

/// The game of this name with the rules of a text like `size=3x3`.
fn game(name: &str, rules: &str) -> AnyGame {
    registry::build(name, &rules.parse().expect("options")).expect("allowed rules")
}
