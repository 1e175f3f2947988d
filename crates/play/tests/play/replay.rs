//! Games as files: the game that was measured, written, read back, and refused when they are damaged.

use std::fs;
use std::path::Path;

use games::registry::FAMILIES;
use games::{AnyGame, registry, with_game};
use play::batch::GameBatch;
use play::playing::{Table, Workers};
use play::replay::{Replay, record};
use serde_json::{Value, json};

fn game(name: &str, rules: &str) -> AnyGame {
    registry::build(name, &rules.parse().expect("options")).expect("rules")
}

fn random_table(game: &AnyGame) -> Table {
    let seats = with_game!(game, game => games::Game::seats(game));
    let player = "random".parse().expect("a player");
    Table::new(vec![player; usize::from(seats)], None)
}

fn written(replay: &Replay, path: &Path) {
    let file = fs::File::create(path).expect("a file");
    replay.write(file).expect("written");
}

#[test]
fn it_is_the_game_that_was_measured_under_all_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.json");
    let workers = Workers::new(1).expect("a thread");
    for family in FAMILIES {
        for rules in family.examples {
            let game = game(family.name, rules);
            let table = random_table(&game);
            let mut batch = GameBatch::new(&game, 7);
            batch.add(table.clone(), 0..3);
            let records = workers.play_all(&batch, &|| {});
            for (number, measured) in (0..).zip(records.expect("played")) {
                let replay = record(&game, &table, 7, number).expect("played");
                assert_eq!(replay.score, measured.score, "{} {rules}", family.name);
                assert_eq!(replay.moves, u64::from(measured.moves));
                written(&replay, &path);
                assert_eq!(Replay::read(&path).expect("a replay"), replay);
            }
        }
    }
}

#[test]
fn positions_come_without_players() {
    for family in FAMILIES {
        let game = game(family.name, "");
        let mut replay = record(&game, &random_table(&game), 1, 0).expect("played");
        replay.players.fill("long forgotten".to_owned());
        let script = replay.script().expect("steps");
        assert!(script.positions().count() as u64 > replay.moves);
    }
}

#[test]
fn a_long_game_stays_small() {
    let game = game("2048", "");
    let table = Table::new(vec!["expectimax(depth=1)".parse().expect("a player")], None);
    let replay = record(&game, &table, 1, 0).expect("played");
    let mut text = Vec::new();
    replay.write(&mut text).expect("written");
    let bytes_a_move = text.len() as f64 / replay.moves as f64;
    assert!(bytes_a_move < 20.0, "{bytes_a_move} bytes a move");
}

/// A game of 2048 that is read as it is.
fn right() -> Value {
    json!({
        "format": "gamete-replay", "version": 1, "game": "2048", "rules": {"size": "3x3"}, "players": ["random"],
        "score": 4, "moves": 2, "start": "000/000/000 due 2", "steps": ["2@0", "2@3", "up", "2@8", "left", "2@2"],
    })
}

#[test]
fn what_is_no_replay_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.json");
    let check = |text: &str, expected: &str| {
        fs::write(&path, text).expect("written");
        let error = Replay::read(&path).expect_err("it is wrong").to_string();
        assert!(
            error.contains(expected) && error.contains("game.json"),
            "{error}"
        );
    };
    let check_with = |key: &str, value: Value, expected: &str| {
        let mut replay = right();
        replay[key] = value;
        check(&replay.to_string(), expected);
    };
    check("nonsense", "is not a replay");
    check("{}", "missing field");
    check_with(
        "format",
        json!("gamete-player"),
        "format is 'gamete-player'",
    );
    check_with("version", json!(2), "newer gamete");
    check_with("game", json!("chess"), "unknown game 'chess'");
    check_with("rules", json!({"size": "9x9"}), "3x3 to 5x5");
    check_with("start", json!("nonsense"), "start: not a position");
    check_with("start", json!("0000/0000/0000/0000 due 2"), "should be 3x3");
    check_with("players", json!([]), "has 0 players");
    check_with("score", json!(5), "says score 5, but its steps give 4");
    check_with("moves", json!(3), "says moves 3, but its steps give 2");
    check_with("forfeit", json!({"seat": 1, "reason": "?"}), "not its turn");
    let missing = Replay::read(&folder.path().join("none.json")).expect_err("it is not there");
    assert!(missing.to_string().contains("cannot read the replay"));
}

#[test]
fn a_damaged_step_is_refused_by_its_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.json");
    let check = |place: usize, step: &str, expected: &str| {
        let mut replay = right();
        replay["steps"][place] = json!(step);
        fs::write(&path, replay.to_string()).expect("written");
        let error = Replay::read(&path).expect_err("it is wrong").to_string();
        let start = format!("step {}: ", place + 1);
        assert!(
            error.contains(&start) && error.contains(expected),
            "{error}"
        );
    };
    check(1, "8@8", "expected 2@CELL");
    check(1, "2@0", "cannot happen");
    check(1, "2@9", "cannot happen");
    check(2, "sideways", "expected up, right, down or left");
    check(2, "left", "not legal");
    check(3, "2@0", "cannot happen");
    let over = json!({
        "format": "gamete-replay", "version": 1, "game": "connect", "rules": {"rows": "2", "cols": "2", "connect": "2"},
        "players": ["random", "random"], "score": 1, "moves": 3, "start": "../..", "steps": ["1", "2", "1", "2"],
    });
    fs::write(&path, over.to_string()).expect("written");
    let error = Replay::read(&path).expect_err("it is over").to_string();
    assert!(
        error.contains("step 4: '2' comes after the end of the game"),
        "{error}"
    );
}
