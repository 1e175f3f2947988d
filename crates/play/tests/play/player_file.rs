//! Players as files: written, read back, and refused when they are not what they should be.

use std::fs;

use games::registry;
use play::batch::GameBatch;
use play::named_player::NamedPlayer;
use play::player_file::{PlayerFile, is_file};
use play::playing::Table;

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

#[test]
fn weights_read_back_exactly() {
    let game = registry::build("2048", &"".parse().expect("options")).expect("rules");
    let mut file = PlayerFile::new(&game, &"eight".parse().expect("a player"));
    let weights = [0.1, -1e-17, 12_345.678_9, 1.0 / 3.0, 0.0, 2.0, 3.0, -4.5];
    file.weights = Some(weights.to_vec());
    let directory = directory();
    let path = directory.path().join("champion.json");
    fs::write(&path, serde_json::to_string(&file).expect("JSON")).expect("written");
    let named = NamedPlayer::read("champion.json", directory.path(), "2048").expect("a player");
    assert_eq!(named.spec.label(), "champion.json");
    assert_eq!(named.made_for, Some(game.options()));
    let read: Vec<f64> = named
        .spec
        .get("weights")
        .expect("weights")
        .split(' ')
        .map(|word| word.parse().expect("a number"))
        .collect();
    assert_eq!(read, weights);
}

#[test]
fn a_wrong_value_is_pointed_at() {
    let game = registry::build("2048", &"".parse().expect("options")).expect("rules");
    let directory = directory();
    let named = NamedPlayer::read("minimax(depth=5, eval=scor)", directory.path(), "2048");
    let named = named.expect("it is written well");
    let error = play::seating::check(&game, &named.spec).expect_err("there is none");
    assert_eq!(error.place(), "minimax(depth=5, ".len());
    let text = error.to_string();
    assert!(
        text.contains("did you mean 'score'?") && text.contains("corner"),
        "{text}"
    );
}

#[test]
fn what_is_no_player_is_refused_with_the_reason() {
    let directory = directory();
    let check = |text: &str, expected: &str| {
        let path = directory.path().join("player.json");
        fs::write(&path, text).expect("written");
        let error = NamedPlayer::read("player.json", directory.path(), "2048")
            .expect_err("it is wrong")
            .to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("nonsense", "is not a player file");
    check("{}", "missing field");
    let player = |format: &str, version: u32, game: &str, spec: &str| {
        format!(r#"{{"format":"{format}","version":{version},"game":"{game}","player":"{spec}"}}"#)
    };
    check(&player("other", 1, "2048", "random"), "format is 'other'");
    check(
        &player("gamete-player", 2, "2048", "random"),
        "newer gamete",
    );
    check(
        &player("gamete-player", 1, "tetris", "random"),
        "a player of tetris, not of 2048",
    );
    check(&player("gamete-player", 1, "2048", "random("), "expected");
    let error =
        NamedPlayer::read("none.json", directory.path(), "2048").expect_err("it is not there");
    assert!(error.to_string().contains("cannot read the player"));
}

#[test]
fn files_are_known_by_their_ending() {
    assert!(is_file("champions/best.json") && is_file("x.JSON"));
    assert!(!is_file("random") && !is_file("exec(cmd='python3 bot.json')"));
}

#[test]
fn a_player_from_a_file_can_be_played_elsewhere() {
    let game = registry::build("2048", &"".parse().expect("options")).expect("rules");
    let mut file = PlayerFile::new(&game, &"eight".parse().expect("a player"));
    file.weights = Some(vec![1.0; 8]);
    let spec = file.spec().expect("a spec").with_label("champion.json");
    let table = Table::new(vec![spec], None);
    let mut batch = GameBatch::new(&game, 1);
    batch.add(table, [0]);
    let sent = serde_json::to_string(&batch).expect("JSON");
    let received: GameBatch = serde_json::from_str(&sent).expect("a batch");
    assert_eq!(received.play().expect("games").len(), 1);
}
