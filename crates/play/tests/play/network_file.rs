//! Networks as files: what is written is read back, and what is damaged, foreign or of another game is refused by name.

use std::fs;
use std::path::Path;

use games::{AnyGame, Turn, registry, stream};
use play::any::{AnyPlayer, AnyPosition};
use play::named_player::NamedPlayer;
use play::network_file::{Measured, NetworkFile, Trained};
use players::network::Shape;
use tempfile::TempDir;

const TUPLES: &str = "0,1,2 0,1,4,5";

fn game(rules: &str) -> AnyGame {
    registry::build("2048", &rules.parse().expect("options")).expect("rules")
}

/// Weights that differ, so that no two boards are worth the same by chance.
fn weights() -> Vec<f32> {
    let entry = |number: u32| (number.wrapping_mul(2_654_435_761) >> 12) as f32 / 1000.0;
    (0..4096 + 65_536).map(entry).collect()
}

fn network() -> NetworkFile {
    let trained = Trained {
        network: TUPLES.to_owned(),
        method: "tc".to_owned(),
        games: 7,
        moves: 1234,
        seed: 1,
    };
    NetworkFile::new(&game(""), &Shape::of(TUPLES), &weights(), trained)
}

fn written(network: &NetworkFile) -> Vec<u8> {
    let mut bytes = Vec::new();
    network
        .write(&weights(), &mut bytes)
        .expect("it is written");
    bytes
}

/// A directory with a file of these bytes.
fn file(bytes: &[u8]) -> TempDir {
    let directory = TempDir::new().expect("a directory");
    fs::write(directory.path().join("a.network"), bytes).expect("written");
    directory
}

fn problem(bytes: &[u8]) -> String {
    let directory = file(bytes);
    let error = NamedPlayer::read("a.network", directory.path(), "2048").expect_err("it is wrong");
    let text = error.to_string();
    assert!(text.contains("a.network"), "{text}");
    text
}

/// The move that a player makes first.
fn first_move(player: &str, base: &Path) -> String {
    let named = NamedPlayer::read(player, base, "2048").expect("a player");
    let game = game("");
    let mut player = AnyPlayer::new(&game, &named.spec, None).expect("it plays");
    let mut position = AnyPosition::start(&game);
    let mut rng = stream(3, &[]);
    while position.turn() == Turn::Chance {
        position.draw_from(&mut rng);
    }
    player.choose(&position, &mut rng).expect("a move")
}

#[test]
fn what_is_written_is_read_back() {
    let mut network = network();
    network.measured = Some(Measured {
        games: 10,
        score: 1.5,
        ci95: Some([1.0, 2.0]),
    });
    let directory = file(&written(&network));
    let path = directory.path().join("a.network");
    assert_eq!(NetworkFile::open(&path).expect("a network"), network);
    let named = NamedPlayer::read("a.network", directory.path(), "2048").expect("a player");
    assert_eq!(named.spec.label(), "a.network");
    assert_eq!(
        named.spec.to_string(),
        format!("network(id={})", network.id)
    );
    // As evaluation of a search it is loaded just so.
    let within = "expectimax(depth=1, eval=network(file=a.network))";
    let searched = NamedPlayer::read(within, directory.path(), "2048").expect("a player");
    assert!(
        searched.spec.to_string().contains(&network.id),
        "{}",
        searched.spec
    );
    assert_eq!(searched.spec.label(), within);
    assert_eq!(
        first_move("a.network", directory.path()),
        first_move(within, directory.path())
    );
}

#[test]
fn the_id_says_what_is_inside() {
    let one = network();
    let mut weights = weights();
    weights[9] += 1.0;
    let other = NetworkFile::new(&game(""), &Shape::of(TUPLES), &weights, one.trained.clone());
    assert_ne!(one.id, other.id);
    let trained = Trained {
        games: 8,
        ..one.trained.clone()
    };
    let same = NetworkFile::new(&game(""), &Shape::of(TUPLES), &self::weights(), trained);
    assert_eq!(one.id, same.id);
}

#[test]
fn a_damaged_file_is_refused() {
    let good = written(&network());
    let line = good.iter().position(|&byte| byte == b'\n').expect("a line");
    for place in [line + 1, line + 100, good.len() / 2, good.len() - 1] {
        let mut bad = good.clone();
        bad[place] ^= 1;
        let text = problem(&bad);
        assert!(
            text.ends_with("is damaged: its checksum is wrong"),
            "{place}: {text}"
        );
    }
    for length in [line + 1, line + 10, line + 40, good.len() - 1] {
        let text = problem(&good[..length]);
        assert!(text.contains("is damaged"), "{length}: {text}");
    }
    for length in [0, 1, line / 2] {
        let text = problem(&good[..length]);
        assert!(text.ends_with("is not a network file"), "{length}: {text}");
    }
}

#[test]
fn foreign_and_future_files_are_refused() {
    assert!(problem(b"\x89PNG\r\n\x1a\n").ends_with("is not a network file"));
    assert!(
        problem(b"{\"format\": \"gamete-player\", \"version\": 1}\n")
            .ends_with("is not a network file")
    );
    let text = String::from_utf8_lossy(&written(&network())[..60]).into_owned();
    assert!(text.contains("\"version\":1"), "{text}");
    let good = written(&network());
    let place = text.find("\"version\":1").expect("a version") + "\"version\":".len();
    let mut future = good.clone();
    future[place] = b'9';
    assert!(problem(&future).contains("was written by a newer gamete (version 9"));
}

#[test]
fn a_network_of_another_game_or_size_is_refused() {
    let directory = file(&written(&network()));
    let error =
        NamedPlayer::read("a.network", directory.path(), "tetris").expect_err("another game");
    assert!(
        error
            .to_string()
            .ends_with("is a network of 2048, not of tetris"),
        "{error}"
    );
    let named = NamedPlayer::read("a.network", directory.path(), "2048").expect("a player");
    let Err(error) = AnyPlayer::new(&game("size=5x5"), &named.spec, None) else {
        panic!("it cannot play on a larger board");
    };
    assert!(
        error.to_string().contains("for a board of 4x4, not of 5x5"),
        "{error}"
    );
    let error = NamedPlayer::read("b.network", directory.path(), "2048").expect_err("no file");
    assert!(
        error.to_string().contains("cannot read the network"),
        "{error}"
    );
}

#[test]
fn a_network_says_that_it_is_not_the_one() {
    let mut network = network();
    network.id = "0".repeat(32);
    let text = problem(&written(&network));
    assert!(
        text.ends_with("is not the network that it says it is"),
        "{text}"
    );
}

#[test]
fn an_unloaded_network_is_loaded_again() {
    let mut weights = weights();
    weights[0] = 3.5;
    let network = NetworkFile::new(&game(""), &Shape::of(TUPLES), &weights, network().trained);
    let mut bytes = Vec::new();
    network.write(&weights, &mut bytes).expect("it is written");
    let directory = file(&bytes);
    let path = directory.path().join("a.network");
    NetworkFile::load(&path).expect("a network");
    let before = first_move("a.network", directory.path());
    network.unload(&path);
    let spec = network.player();
    AnyPlayer::new(&game(""), &spec, None).expect("it is loaded again");
    assert_eq!(first_move("a.network", directory.path()), before);
    network.unload(&path);
    fs::remove_file(&path).expect("removed");
    let Err(error) = AnyPlayer::new(&game(""), &spec, None) else {
        panic!("its file is gone");
    };
    assert!(
        error.to_string().contains("cannot read the network"),
        "{error}"
    );
}
