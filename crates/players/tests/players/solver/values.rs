//! Values and scores from outside.

use std::fs;
use std::path::{Path, PathBuf};

use games::Game;
use games::connect::Connect;
use players::solver::Budget;

use super::{after, classic, rules, solve, solver};

const SMALL: &str = include_str!("../data/connect-small-values.csv");
const FOUR: &str = include_str!("../data/connect4-values.csv");

fn check_empty_board(rows: u8, cols: u8, connect: u8, pieces: u8, value: &str) {
    let rules = rules(rows, cols, connect, pieces);
    let weak = solver(rules).weak(&Connect::<u64>::new(rules).start(), &Budget::default());
    let verdict = weak.expect("no limit").verdict.to_string();
    assert_eq!(verdict, value, "{rules:?}");
}

fn rows(csv: &str) -> impl Iterator<Item = (Vec<u8>, &str)> {
    csv.lines().skip(1).map(|line| {
        let (numbers, value) = line.rsplit_once(',').expect("a value at the end");
        let numbers = numbers.split(',').map(|n| n.parse().expect("a number"));
        (numbers.collect(), value)
    })
}

#[test]
fn values_of_small_boards() {
    for (numbers, value) in rows(SMALL) {
        let &[rows, cols, connect, pieces] = numbers.as_slice() else {
            panic!("{numbers:?}");
        };
        check_empty_board(rows, cols, connect, pieces, value);
    }
}

fn check_four(sizes: impl Fn(u8, u8) -> bool) {
    for (numbers, value) in rows(FOUR) {
        let &[rows, cols] = numbers.as_slice() else {
            panic!("{numbers:?}");
        };
        if sizes(rows, cols) {
            check_empty_board(rows, cols, 4, (rows * cols).div_ceil(2), value);
        }
    }
}

#[test]
fn values_of_connect_four_boards() {
    check_four(|rows, cols| rows + cols <= 11);
}

#[test]
#[ignore = "takes minutes: boards of up to 42 cells"]
fn values_of_larger_connect_four_boards() {
    check_four(|rows, cols| [(8, 4), (9, 4), (10, 4), (6, 7)].contains(&(rows, cols)));
}

#[test]
fn scores_are_those_of_the_definition() {
    // Stacking into one's own columns: the first player wins with the fourth stone, 22 - 4.
    assert_eq!(solve(classic(), "121212").score, 18);
    assert_eq!(solve(classic(), "121212").moves, Some(1));
    // The line is complete: the player to move has lost to those four stones.
    assert_eq!(solve(classic(), "1212121").score, -18);
    assert_eq!(solve(classic(), "1212121").moves, Some(0));
    // Two open ends: lost with the next stone but one.
    assert_eq!(solve(classic(), "44553").score, -18);
    assert_eq!(solve(classic(), "44553").moves, Some(2));
}

fn positions() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/connect4-positions")
}

/// The lines of a file, each moves and the score after them; none if the file is not here.
pub(super) fn published(name: &str) -> Vec<(String, i32)> {
    let path = positions().join(name);
    let Ok(text) = fs::read_to_string(&path) else {
        let message = format!("{} is not here", path.display());
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{message}");
        eprintln!("skipped: {message}");
        return Vec::new();
    };
    let read = |line: &str| {
        let (moves, score) = line.split_once(' ').expect("moves and score");
        (moves.to_owned(), score.trim().parse().expect("a score"))
    };
    text.lines().map(read).collect()
}

/// On average a position must not take more nodes than given, so that a change for the worse is seen.
fn check_positions(name: &str, most_nodes: u64) {
    let mut solver = solver(classic());
    let (mut nodes, mut positions) = (0, 0);
    for (moves, score) in published(name) {
        let solved = solver.solve(&after(classic(), &moves), &Budget::default());
        let solved = solved.expect("no limit");
        assert_eq!(solved.score, score, "{moves}");
        (nodes, positions) = (nodes + solved.nodes, positions + 1);
    }
    assert!(
        nodes <= most_nodes * positions,
        "{nodes} nodes for {positions} positions"
    );
}

#[test]
fn published_positions_near_the_end() {
    check_positions("Test_L3_R1", 20);
}

#[test]
fn published_positions_in_the_middle() {
    check_positions("Test_L2_R1", 175);
}

#[test]
fn published_positions_near_the_beginning() {
    check_positions("Test_L1_R1", 1400);
}
