//! Studies that end in seconds, for people who begin: those of the directory `studies/quick`, and one for every game that has none there.

use std::fmt::Write;

use games::Options;
use games::registry::{FAMILIES, Family};
use play::suggested::suggested;

/// A quick study.
pub(crate) struct QuickStudy {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) game: &'static str,
    pub(crate) toml: String,
}

/// What is shipped: game, name, title and text.
const SHIPPED: [(&str, &str, &str, &str); 5] = [
    (
        "2048",
        "quick-2048",
        "2048: a quick study",
        include_str!("../../../studies/quick/2048.toml"),
    ),
    (
        "2048",
        "quick-2048-train",
        "2048: a network learns",
        include_str!("../../../studies/quick/2048-train.toml"),
    ),
    (
        "tetris",
        "quick-tetris",
        "tetris: a quick study",
        include_str!("../../../studies/quick/tetris.toml"),
    ),
    (
        "connect",
        "quick-connect",
        "connect: a quick study",
        include_str!("../../../studies/quick/connect.toml"),
    ),
    (
        "connect",
        "quick-connect-elo",
        "connect: players meet and are rated (Elo)",
        include_str!("../../../studies/quick/connect-elo.toml"),
    ),
];

/// Quick studies of all games, in the order of the games.
pub(crate) fn quick_studies() -> Vec<QuickStudy> {
    FAMILIES.iter().flat_map(of_game).collect()
}

fn of_game(family: &'static Family) -> Vec<QuickStudy> {
    let shipped = SHIPPED.iter().filter(|(game, ..)| *game == family.name);
    let studies: Vec<QuickStudy> = shipped
        .map(|(_, name, title, toml)| QuickStudy {
            name: (*name).to_owned(),
            title: (*title).to_owned(),
            game: family.name,
            toml: (*toml).to_owned(),
        })
        .collect();
    if studies.is_empty() {
        return vec![measurement(family)];
    }
    studies
}

/// The suggested players, measured; in a two-player game, each against each.
fn measurement(family: &'static Family) -> QuickStudy {
    let (game, name) = (family.name, format!("quick-{}", family.name));
    let is_for_two = family
        .build(&Options::default())
        .is_ok_and(|game| game.seats() == 2);
    let players: Vec<String> = suggested(game)
        .iter()
        .map(|player| format!("{player:?}"))
        .collect();
    let players = players.join(", ");
    let mut toml = format!(
        "name = \"{name}\"\nquestion = \"How well do these players play {game}?\"\nkind = \"measure\"\n\n\
         [game]\nname = \"{game}\"\n\n[measure]\ngames = 40\n"
    );
    if is_for_two {
        toml.push_str("both-seats = true\n");
    }
    let _ = write!(toml, "\n[[vary]]\nplayer = [{players}]\n");
    if is_for_two {
        let _ = writeln!(toml, "against = [{players}]");
    }
    toml.push_str("\n[short]\nmeasure.games = 4\n");
    QuickStudy {
        name,
        title: format!("{game}: players are measured"),
        game,
        toml,
    }
}
