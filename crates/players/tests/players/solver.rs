//! The exact solver of Connect-N: against a plain one, against known values, and its player.

mod limits;
mod optimal;
mod perfect;
mod plain;
mod small;
mod team;
mod values;

use games::connect::{Connect, Position, Rules};
use players::solver::{Budget, Config, Solved, Solver};

fn rules(rows: u8, cols: u8, connect: u8, pieces: u8) -> Rules {
    Rules {
        rows,
        cols,
        connect,
        pieces,
    }
}

/// The well-known game.
fn classic() -> Rules {
    rules(6, 7, 4, 21)
}

fn solver(rules: Rules) -> Solver {
    Solver::new(rules, Config::default())
}

fn after(rules: Rules, moves: &str) -> Position<u64> {
    Connect::new(rules)
        .position_after(moves)
        .expect("legal moves")
}

fn solve(rules: Rules, moves: &str) -> Solved {
    solver(rules)
        .solve(&after(rules, moves), &Budget::default())
        .expect("no limit")
}
