//! The template of a training.

use games::registry::Family;
use games::{AnyGame, Options};
use players::network::{AnyLookup, NAMES, Shape, connect};

use crate::evolution::request::MEASURE_AGAINST;

/// The ending of the template's name.
pub(super) const ENDING: &str = "-train";

/// Can networks learn this game?
pub(super) fn suits(family: &Family) -> bool {
    game(family).is_some_and(|game| AnyLookup::new(&game, &Shape::of("small")).is_ok())
}

fn game(family: &Family) -> Option<AnyGame> {
    family.build(&Options::default()).ok()
}

/// What is trained and how it is measured.
pub(super) fn sections(family: &Family) -> String {
    let is_for_two = game(family).is_some_and(|game| game.seats() == 2);
    let names = match is_for_two {
        true => connect::NAMES.join(", "),
        false => NAMES.join(", "),
    };
    let stages = if is_for_two { "" } else { STAGES };
    let against = match is_for_two {
        true => {
            format!("# The opponent that measures the network.\nagainst = \"{MEASURE_AGAINST}\"\n")
        }
        false => String::new(),
    };
    let measured = if is_for_two { 40 } else { 200 };
    format!(
        "
[train]
# The cells that the tables of the network look at: {names}, or your own lists of cells, counted row by row from 0, like
# \"0,1,2,3 4,5,6,7\".
network = \"small\"
# How errors change weights: tc (temporal coherence) or td (temporal differences), both with rate and lambda: \"td(rate=0.1, lambda=0)\".
method = \"tc\"
# Games that the network learns from. A real study needs more, e.g. 100000.
games = 2000
# Games per point of the learning curve.
every = 100
# What the network expects of a position that it has never met. A high value makes it try such positions.
initial = 0.0
{stages}# Games played in turn, a move each, so that threads can share a run. The numbers depend on it.
# side-by-side = 8

[final]
# Fresh games that measure the network.
games = {measured}
# Moves of look-ahead with which it is measured as well, and the games of each of these measurements.
# plies = [2, 3]
# ply-games = 100
{against}"
    )
}

const STAGES: &str = "\
# Tiles from which on the network has other tables, ascending.
# stages = [4096, 8192]
# Where games begin: start, or carousel (in turn there and where later stages began, which needs stages).
# restart = \"start\"
";

/// What could be compared, and the short form.
pub(super) const TAIL: &str = "
# What is compared: every combination of the values is a setting. Remove the '#' in front of these lines.
# [[vary]]
# train.method = [\"tc\", \"td\"]
# train.games = [2000, 4000]

# Values for 'gamete run --short', which tries a study in seconds.
[short]
train.games = 100
train.every = 50
final.games = 20
";
