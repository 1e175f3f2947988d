//! Positions, moves, player specs, player files, replays and lines of bots as they come from outside.

use std::time::Duration;

use fixtures::fuzz::{cases, fuzz, fuzz_times};
use fixtures::scripts::{AMPLE, Folder};
use games::{AnyGame, registry};
use play::any::AnyPosition;
use play::player_file::PlayerFile;
use play::playing::Table;
use play::replay::{Replay, record};
use play::seating::check;
use players::Spec;
use streams::stream;

use crate::bots::{Bots, play};

fn games() -> Vec<AnyGame> {
    let rules = [
        ("2048", ""),
        ("2048", "rules=fer size=3x3"),
        ("tetris", ""),
        ("tetris", "board=6x12 shapes=pentominoes"),
        ("connect", ""),
        ("connect", "rows=3 cols=4 connect=3"),
        ("tic-tac-toe", ""),
    ];
    let game = |(name, rules): &(&str, &str)| {
        let options = rules.parse().expect("options");
        registry::build(name, &options).expect("rules")
    };
    rules.iter().map(game).collect()
}

/// A position some steps from the start.
fn later(game: &AnyGame) -> AnyPosition {
    let (mut position, mut rng) = (AnyPosition::start(game), stream(3, &[]));
    for _ in 0..9 {
        match position.turn() {
            games::Turn::Chance => drop(position.draw_from(&mut rng)),
            games::Turn::Over => break,
            games::Turn::Player(_) => drop(position.play_at_random(&mut rng)),
        }
    }
    position
}

#[test]
fn any_text_is_a_position_or_refused() {
    for game in games() {
        let positions = [AnyPosition::start(&game), later(&game)];
        let valid = positions.map(|position| position.to_string());
        fuzz("positions", &valid, |bytes| {
            let text = String::from_utf8_lossy(bytes);
            let _ = AnyPosition::after_moves(&game, &text);
            let Ok(mut position) = AnyPosition::parse(&game, &text) else {
                return;
            };
            // What was accepted can be played on.
            let _ = (
                position.to_string(),
                position.sketch(),
                position.facts(),
                position.score(),
            );
            if let Some(chosen) = position.moves().first() {
                position.play(chosen).expect("a listed move is legal");
            }
        });
    }
}

#[test]
fn any_text_is_a_move_or_refused() {
    for game in games() {
        let position = later(&game);
        let valid = ["left", "3", "I0@4", "up", "2@0,0", "a1"];
        fuzz("moves", &valid, |bytes| {
            let text = String::from_utf8_lossy(bytes);
            let _ = position.clone().play(&text);
            let _ = position.clone().happen(&text);
        });
    }
}

#[test]
fn any_text_is_a_player_or_refused() {
    let valid = [
        "random",
        "minimax(depth=3, eval=score)",
        "alphabeta(depth=2, eval=lines)",
        "mcts(iterations=50)",
        "expectimax(depth=1)",
        "astar(nodes=100)",
        "weighted(features=bcts, weights='1 2 3 4 5 6 7 8')",
        "eight(weights='1 -2 0.5 1e3 0 0 0 1', chromosome=real)",
        "perfect(table=10)",
        "program(program='1 0 1; 2 3 4', set='add sub mul')",
        "beam(width=3)",
    ];
    for game in games() {
        fuzz("players", &valid, |bytes| {
            let text = String::from_utf8_lossy(bytes);
            let Ok(spec) = text.parse::<Spec>() else {
                return;
            };
            let again: Spec = spec.to_string().parse().expect("a spec's own text");
            assert_eq!(again, spec);
            if !play::seating::is_bot(&spec) {
                let _ = check(&game, &spec);
            }
        });
    }
}

#[test]
fn any_file_is_a_player_file_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("player.json");
    let game = registry::build("2048", &"".parse().expect("options")).expect("rules");
    let spec: Spec = "eight".parse().expect("a spec");
    let mut file = PlayerFile::new(&game, &spec);
    let plain = file.text();
    file.weights = Some(vec![1.0, -2.5, 3.0, 0.0, 1e-3, 1e300, 7.0, 8.0]);
    let weighted = file.text();
    file.program = Some("0 1 2; 3 4 5; 6".to_owned());
    fuzz("player files", &[plain, weighted, file.text()], |bytes| {
        std::fs::write(&path, bytes).expect("a file");
        if let Ok(file) = PlayerFile::read(&path) {
            let _ = (file.program(), file.spec().map(|spec| check(&game, &spec)));
        }
    });
}

#[test]
fn any_text_is_a_replay_or_refused() {
    let valid: Vec<String> = games().iter().map(replay).collect();
    fuzz("replays", &valid, |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Ok(replay) = Replay::from_text(&text) {
            let _ = replay.write(Vec::new());
        }
    });
}

fn replay(game: &AnyGame) -> String {
    let random: Spec = "random".parse().expect("a spec");
    let specs = vec![random; usize::from(game.seats())];
    let replay = record(game, &Table::new(specs, None), 1, 0).expect("a game");
    let mut text = Vec::new();
    replay.write(&mut text).expect("memory");
    String::from_utf8(text).expect("text")
}

#[test]
fn any_lines_of_a_bot_are_understood_or_refused() {
    let valid = [
        "{\"type\":\"info\",\"name\":\"a\"}\n{\"type\":\"ready\"}\n{\"type\":\"suggestion\",\"moves\":[0,1,2,3]}\n",
        "{\"type\":\"info\"}\n{\"type\":\"ready\"}\n{\"type\":\"suggestion\",\"moves\":[\"left\",{\"a\":[]}]}\n{\"type\":\"error\",\"reason\":\"no\"}\n",
        "{\"type\":\"info\"}\n\n{\"type\":\"other\"}\n{\"type\":\"ready\"}\n{\"type\":\"suggestion\",\"moves\":[{\"location\":{\"type\":\"I\",\"x\":3,\"y\":0,\"orientation\":\"north\"},\"spin\":\"none\"}]}\n",
    ];
    let folder = Folder::new();
    let lines = folder.file("lines");
    // A process is started for every case.
    let cases = (cases() / 20).max(1);
    for game in ["2048", "tetris", "connect"] {
        fuzz_times("lines of bots", cases, &valid, |bytes| {
            std::fs::write(&lines, bytes).expect("a file");
            let bot = folder.bot_in_time("cat lines; sleep 0.05", AMPLE, Duration::from_secs(60));
            let specs = vec![bot; if game == "connect" { 2 } else { 1 }];
            let _ = play(game, "", specs, 1, 1);
        });
    }
}
