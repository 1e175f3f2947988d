//! Counts of paths and positions against known truths and against the plain boards.

use games::{Game, distinct, perft, with_game, with_twins};

use crate::game;

/// Connect Four, distinct positions a ply: integer sequence A212693.
#[test]
fn connect_four_has_the_known_number_of_positions() {
    let any = game("connect", "");
    for (depth, expected) in (0..).zip([1, 7, 49, 238, 1120, 4263, 16422, 54859, 184_275]) {
        let count = with_game!(&any, game => distinct(game, &game.start(), depth));
        assert_eq!(count, expected, "after {depth} plies");
    }
}

/// Each line of the file: game, rules, depth, paths, distinct positions.
#[test]
fn counts_are_those_of_the_golden_file() {
    for line in include_str!("perft.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [name, rules, depth, paths, positions] = fields[..] else {
            panic!("{line}")
        };
        let (any, depth) = (game(name, rules), depth.parse().expect("a depth"));
        let found = with_game!(&any, game => {
            let start = game.start();
            (perft(game, &start, depth).to_string(), distinct(game, &start, depth).to_string())
        });
        assert_eq!(found, (paths.to_owned(), positions.to_owned()), "{line}");
    }
}

#[test]
fn plain_boards_count_the_same() {
    for (name, any) in crate::all_games() {
        let (fast, plain) = with_twins!(&any, (fast, plain) => {
            // As deep as some ten thousand paths allow.
            let depth = (1..6).rev().find(|&depth| perft(fast, &fast.start(), depth) <= 20_000).unwrap_or(1);
            let counts = |paths: u128, positions: u128| (depth, paths, positions);
            (
                counts(perft(fast, &fast.start(), depth), distinct(fast, &fast.start(), depth)),
                counts(perft(plain, &plain.start(), depth), distinct(plain, &plain.start(), depth)),
            )
        });
        assert_eq!(fast, plain, "{name}");
    }
}
