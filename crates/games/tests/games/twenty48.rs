//! 2048: merges of both rules, large tiles, spawns.

use games::twenty48::{Direction, Plain, Position, Rules, Twenty48};
use games::{Game, below, stream};
use proptest::prelude::*;

fn twenty48(rules: &str) -> Twenty48 {
    Twenty48::new(Rules::from_options(&rules.parse().expect("options")).expect("allowed rules"))
}

/// Slides the first row and checks what becomes of it; tiles as in the works.
fn check(rules: &str, direction: Direction, row: [u32; 4], expected: [u32; 4]) {
    let text = |row: [u32; 4]| -> String {
        row.iter()
            .map(|&tile| char::from_digit(if tile == 0 { 0 } else { tile.ilog2() }, 36).unwrap())
            .collect()
    };
    let rest = "/0000/0000/0000";
    let position: Position = format!("{}{rest}", text(row)).parse().expect("a position");
    let slid = twenty48(rules).slid(position.tiles(), direction);
    let expected: Position = format!("{}{rest}", text(expected))
        .parse()
        .expect("a position");
    assert_eq!(slid, expected.tiles(), "{row:?} {direction}");
}

#[test]
fn fer_keeps_merging_as_in_2048_cgp() {
    check("rules=fer", Direction::Right, [2, 2, 4, 8], [0, 0, 0, 16]);
    check("rules=fer", Direction::Right, [2, 2, 4, 4], [0, 0, 4, 8]);
    check("rules=fer", Direction::Left, [8, 4, 2, 2], [16, 0, 0, 0]);
    check("rules=fer", Direction::Left, [4, 4, 8, 16], [32, 0, 0, 0]);
    check("rules=fer", Direction::Left, [2, 2, 2, 2], [8, 0, 0, 0]);
}

#[test]
fn standard_rules_merge_a_tile_once() {
    check("", Direction::Right, [2, 2, 4, 8], [0, 4, 4, 8]);
    check("", Direction::Left, [2, 2, 2, 2], [4, 4, 0, 0]);
    check("", Direction::Left, [2, 2, 2, 0], [4, 2, 0, 0]);
    check("", Direction::Right, [2, 2, 2, 0], [0, 0, 2, 4]);
    check("", Direction::Left, [4, 2, 2, 4], [4, 4, 4, 0]);
    check("", Direction::Left, [0, 0, 0, 2], [2, 0, 0, 0]);
}

/// Boards of few different tiles, where slides in one direction only are common, packed and wide.
#[test]
fn legal_directions_are_those_that_change_the_board() {
    let mut seen = [0_u32; 16];
    for (rules, largest) in [("", 3), ("", 15), ("size=3x5", 4), ("rules=fer", 3)] {
        let game = twenty48(rules);
        let mut rng = stream(7, &[largest]);
        for _ in 0..5_000 {
            let (rows, cols) = (game.rules().rows, game.rules().cols);
            let cells: Vec<String> = (0..rows)
                .map(|_| {
                    let cell = |_| below(&mut rng, largest as u32 + 1);
                    let digits = (0..cols).map(cell).map(|cell| char::from_digit(cell, 36));
                    digits.map(|digit| digit.expect("a digit")).collect()
                })
                .collect();
            let position: Position = cells.join("/").parse().expect("a position");
            let tiles = position.tiles();
            let legal = game.legal(tiles);
            for (place, direction) in Direction::ALL.into_iter().enumerate() {
                let changes = game.slid(tiles, direction) != tiles;
                let expected = changes || game.may_pass();
                assert_eq!(legal >> place & 1 == 1, expected, "{position} {direction}");
            }
            seen[usize::from(legal)] += 1;
        }
    }
    assert!(
        seen.iter().filter(|&&count| count > 0).count() > 5,
        "{seen:?}"
    );
}

#[test]
fn tiles_beyond_32768_do_not_wrap() {
    check("", Direction::Left, [32768, 32768, 0, 0], [65536, 0, 0, 0]);
    check(
        "",
        Direction::Left,
        [65536, 65536, 32768, 32768],
        [131_072, 65536, 0, 0],
    );
    check(
        "rules=fer",
        Direction::Left,
        [65536, 32768, 16384, 16384],
        [131_072, 0, 0, 0],
    );
    check(
        "",
        Direction::Right,
        [32768, 2, 0, 32768],
        [0, 32768, 2, 32768],
    );
}

#[test]
fn a_merge_scores_the_new_tile_also_beyond_32768() {
    let game = twenty48("");
    let mut position: Position = "ff00/0000/0000/0000".parse().expect("a position");
    let before = game.score(&position);
    game.play(&mut position, Direction::Left)
        .expect("a legal move");
    assert_eq!(game.score(&position) - before, 65536);
}

#[test]
fn a_fer_move_that_changes_nothing_counts() {
    let game = twenty48("rules=fer");
    let mut position: Position = "1000/0000/0000/0000".parse().expect("a position");
    game.play(&mut position, Direction::Left)
        .expect("every move is legal");
    assert_eq!(position.to_string(), "1000/0000/0000/0000 due 1");
    assert_eq!(game.score(&position), 2);
}

/// A board of any tiles, many of them large.
fn boards() -> impl Strategy<Value = String> {
    let exponent = prop_oneof![Just(0_u32), 1..=3_u32, 13..=17_u32];
    prop::collection::vec(exponent, 16).prop_map(|cells| {
        let digits: Vec<char> = cells
            .iter()
            .map(|&e| char::from_digit(e, 36).unwrap())
            .collect();
        digits
            .chunks(4)
            .map(|row| row.iter().collect::<String>())
            .collect::<Vec<_>>()
            .join("/")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn boards_with_large_tiles_slide_as_the_plain_board(text in boards(), fer in any::<bool>()) {
        let fast = twenty48(if fer { "rules=fer" } else { "" });
        let plain = Plain::twin(&fast);
        for direction in Direction::ALL {
            let mut fast_at: Position = text.parse().expect("a position");
            let mut plain_at = text.parse().expect("a position");
            prop_assert_eq!(fast.turn(&fast_at), plain.turn(&plain_at));
            fast.play_unchecked(&mut fast_at, direction);
            plain.play_unchecked(&mut plain_at, direction);
            prop_assert_eq!(fast_at.to_string(), plain_at.to_string());
            prop_assert_eq!(fast.score(&fast_at), plain.score(&plain_at));
        }
    }
}

/// All rows there are, in the place of the first row and of the first column, under both rules.
#[test]
fn every_row_of_the_tables_is_right() {
    for rules in ["", "rules=fer"] {
        let fast = twenty48(rules);
        let plain = Plain::twin(&fast);
        for row in 0..0x10000_u32 {
            let digits: Vec<char> = (0..4)
                .map(|i| char::from_digit(row >> (4 * i) & 15, 16).unwrap())
                .collect();
            let as_row = format!("{}/0000/0000/0000", digits.iter().collect::<String>());
            let as_column = digits
                .iter()
                .map(|d| format!("{d}000"))
                .collect::<Vec<_>>()
                .join("/");
            let both = [
                (&as_row, [Direction::Left, Direction::Right]),
                (&as_column, [Direction::Up, Direction::Down]),
            ];
            for (text, directions) in both {
                for direction in directions {
                    let mut fast_at: Position = text.parse().expect("a position");
                    let mut plain_at = text.parse().expect("a position");
                    fast.play_unchecked(&mut fast_at, direction);
                    plain.play_unchecked(&mut plain_at, direction);
                    assert_eq!(
                        fast_at.to_string(),
                        plain_at.to_string(),
                        "{text} {direction} {rules}"
                    );
                }
            }
        }
    }
}

/// Playouts that cross from the packed to the wide board in their middle.
#[test]
fn a_playout_goes_on_past_the_packed_board() {
    let game = twenty48("");
    for seed in 0..200 {
        let start: Position = "ff00/0000/0000/0000".parse().expect("a position");
        let (mut fast, mut slow) = (start, start);
        game.playout(&mut fast, &mut stream(seed, &[]));
        games::playout_step_by_step(&game, &mut slow, &mut stream(seed, &[]));
        assert_eq!(fast, slow);
    }
}
