//! What every game of the registry can do without a line of its own in this crate.

use std::path::Path;
use std::process::Output;

use games::Options;
use games::registry::FAMILIES;

use crate::gamete::{gamete, json};

/// What the binary prints.
fn printed(arguments: &[&str]) -> String {
    let Output { stdout, stderr, .. } = gamete(arguments);
    let message = String::from_utf8_lossy(&stderr);
    assert!(message.is_empty(), "{arguments:?}: {message}");
    String::from_utf8(stdout).expect("text")
}

#[test]
fn every_game_is_listed_and_explained_with_its_players() {
    let all = printed(&["games"]);
    for family in FAMILIES {
        assert!(
            all.contains(family.name) && all.contains(family.about),
            "{all}"
        );
        assert!(printed(&["games", family.name]).contains(family.about));
        let players = printed(&["players", family.name]);
        for player in ["random", "greedy", "mcts"] {
            assert!(players.contains(player), "{}: {players}", family.name);
        }
    }
}

#[test]
fn every_game_is_measured_and_players_meet_in_it() {
    for family in FAMILIES {
        let game = family.build(&Options::default()).expect("the usual rules");
        let measured = json(&[
            "measure",
            family.name,
            "--player",
            "greedy",
            "--games",
            "3",
            "--json",
        ]);
        assert_eq!(measured["games"], 3);
        assert_eq!(measured["against"].is_null(), game.seats() == 1);
        let met = json(&[
            "match",
            family.name,
            "--players",
            "greedy",
            "random",
            "--games",
            "4",
            "--json",
        ]);
        assert_eq!(met["standings"].as_array().map(Vec::len), Some(2));
    }
}

#[test]
fn every_game_is_watched_kept_and_shown_again() {
    let folder = tempfile::tempdir().expect("a folder");
    for family in FAMILIES {
        let file = folder.path().join(family.name);
        let file = file.to_str().expect("text");
        let watched = printed(&["watch", family.name, "--save", file]);
        assert!(watched.contains("over after"), "{watched}");
        let again = printed(&["watch", "--replay", file]);
        assert_eq!(again.lines().next(), watched.lines().next());
    }
}

#[test]
fn positions_of_every_game_are_counted() {
    for family in FAMILIES {
        let count = |more: &[&str]| {
            let words = [&["perft", family.name, "2", "--json"], more].concat();
            json(&words)["count"].as_u64().expect("a count")
        };
        assert!(count(&[]) >= count(&["--distinct"]), "{}", family.name);
        assert!(count(&["--distinct"]) > 1, "{}", family.name);
    }
}

#[test]
fn a_program_is_evolved_for_every_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let runs = folder.path().to_str().expect("text");
    for family in FAMILIES {
        let evolved = json(&[
            "evolve",
            family.name,
            "--player",
            "program",
            "--runs-dir",
            runs,
            "--quiet",
            "--algorithm",
            "cgp",
            "--generations",
            "2",
            "--games",
            "2",
            "--final-games",
            "20",
            "--json",
        ]);
        assert!(evolved["champion"]["program"].is_string(), "{evolved}");
        let folder = Path::new(evolved["folder"].as_str().expect("a folder"));
        let champion = folder.join("champion.json");
        let champion = champion.to_str().expect("text");
        let measured = json(&[
            "measure",
            family.name,
            "--player",
            champion,
            "--games",
            "2",
            "--json",
        ]);
        assert_eq!(measured["games"], 2);
    }
}
