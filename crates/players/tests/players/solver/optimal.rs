//! The optimality check: the perfect player against every line of play of its opponent.

use std::collections::HashSet;

use games::connect::{Connect, Position, Rules};
use games::{Game, Stream, Turn, stream};
use players::Player;
use players::solver::{Budget, Perfect, Verdict};

use super::plain::Plain;
use super::{rules, solver};

/// All games that the perfect player at a seat can be led into.
struct Walk {
    game: Connect<u64>,
    player: Perfect,
    seat: u8,
    rng: Stream,
    seen: HashSet<[u64; 2]>,
    worst: i64,
}

impl Walk {
    fn go(&mut self, position: Position<u64>) {
        if !self.seen.insert(self.game.key(&position)) {
            return;
        }
        match self.game.turn(&position) {
            Turn::Over => self.note(&position),
            Turn::Player(seat) if seat == self.seat => {
                let chosen = self.player.choose(&self.game, &position, &mut self.rng);
                self.reply(position, chosen);
            }
            _ => {
                let mut moves = Vec::new();
                self.game.moves(&position, &mut moves);
                for chosen in moves {
                    self.reply(position, chosen);
                }
            }
        }
    }

    fn reply(&mut self, mut position: Position<u64>, chosen: games::connect::Column) {
        self.game
            .play(&mut position, chosen)
            .expect("players choose legal moves");
        self.go(position);
    }

    fn note(&mut self, position: &Position<u64>) {
        let result = self.game.score(position);
        let own = if self.seat == 0 { result } else { -result };
        self.worst = self.worst.min(own);
    }
}

/// The worst result of the perfect player at a seat, over everything the opponent may do.
fn worst(rules: Rules, seat: u8) -> i64 {
    let mut walk = Walk {
        game: Connect::new(rules),
        player: Perfect::default(),
        seat,
        rng: stream(0, &[]),
        seen: HashSet::new(),
        worst: i64::MAX,
    };
    walk.go(walk.game.start());
    walk.worst
}

/// The value of the board for the first player.
fn value(rules: Rules) -> i64 {
    let start = Connect::<u64>::new(rules).start();
    let weak = solver(rules).weak(&start, &Budget::default());
    let value = match weak.expect("no limit").verdict {
        Verdict::Loss => -1,
        Verdict::Draw => 0,
        Verdict::Win => 1,
    };
    if rules.cells() <= 12 {
        let plain = Plain::new(rules).score(&start).signum();
        assert_eq!(value, i64::from(plain), "{rules:?}");
    }
    value
}

fn check(rows: u8, cols: u8) {
    let cells = rows * cols;
    for connect in (2..=4).filter(|&connect| connect <= rows.max(cols)) {
        for pieces in [2, 3, 4].map(|share| (cells / share).max(1)) {
            let rules = rules(rows, cols, connect, pieces);
            let value = value(rules);
            // It can always hold the value; best play of the opponent is among all lines, so it is met.
            assert_eq!(worst(rules, 0), value, "{rules:?}, starting");
            assert_eq!(worst(rules, 1), -value, "{rules:?}, answering");
        }
    }
}

#[test]
fn holds_the_value_of_boards_of_connect_n() {
    for (rows, cols) in [
        (2, 2),
        (3, 3),
        (2, 3),
        (3, 2),
        (2, 4),
        (4, 2),
        (3, 4),
        (4, 3),
    ] {
        check(rows, cols);
    }
}

#[test]
fn holds_the_value_of_larger_boards_of_connect_n() {
    for (rows, cols) in [(4, 4), (3, 5), (5, 3), (4, 5), (5, 4), (3, 6), (3, 7)] {
        check(rows, cols);
    }
}
