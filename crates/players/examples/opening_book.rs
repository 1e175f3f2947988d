//! Continues the opening book of the solver: writes the exact scores of those positions of the classic board with four stones that it
//! lacks, of two mirror images only of one, as lines `moves score`. All 568 take over half an hour and up to a gigabyte; a line is
//! written as soon as it is found, so it may be stopped at any time.
//!
//! `cargo run --release -p gamete-players --example opening_book >> crates/players/src/solver/book.txt`

use std::collections::HashSet;

use games::Game;
use games::connect::{Connect, Position, Rules};
use players::solver::{Budget, Config, Solver};

const CLASSIC: Rules = Rules {
    rows: 6,
    cols: 7,
    connect: 4,
    pieces: 21,
};

/// From the centre outwards: good moves first, so that what is learnt helps later.
const COLUMNS: &str = "4352617";

const STONES: usize = 4;

const KNOWN: &str = include_str!("../src/solver/book.txt");

fn main() {
    let game = Connect::new(CLASSIC);
    let config = Config {
        table: 26,
        remember: true,
        book: false,
    };
    let mut solver = Solver::new(CLASSIC, config);
    let known: HashSet<Position<u64>> = KNOWN
        .lines()
        .filter_map(|line| line.split_once(' '))
        .flat_map(|(moves, _)| [after(&game, moves), after(&game, &mirrored(moves))])
        .collect();
    let missing = positions(&game)
        .into_iter()
        .filter(|(_, position)| !known.contains(position));
    for (moves, position) in missing {
        let solved = solver.solve(&position, &Budget::default());
        println!("{moves} {}", solved.expect("no limit").score);
    }
}

/// All positions, each with moves that lead to it. So few stones end no game and fill no column.
fn positions(game: &Connect<u64>) -> Vec<(String, Position<u64>)> {
    let mut positions = vec![(String::new(), game.start())];
    for _ in 0..STONES {
        let mut seen = HashSet::new();
        let longer = positions.iter().flat_map(|(moves, _)| {
            COLUMNS
                .chars()
                .map(move |column| format!("{moves}{column}"))
        });
        positions = longer
            .map(|moves| (after(game, &moves), after(game, &mirrored(&moves)), moves))
            .filter(|(position, mirror, _)| !seen.contains(mirror) && seen.insert(*position))
            .map(|(position, _, moves)| (moves, position))
            .collect();
    }
    positions
}

fn after(game: &Connect<u64>, moves: &str) -> Position<u64> {
    game.position_after(moves).expect("legal moves")
}

fn mirrored(moves: &str) -> String {
    let column = |number: u8| char::from(b'1' + b'7' - number);
    moves.bytes().map(column).collect()
}
