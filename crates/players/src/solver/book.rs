//! The opening book: scores of positions of the classic board (6 rows, 7 columns, lines of four) with four stones.
//!
//! `book.txt` has lines `moves score`, all of them, of two mirror images only one. The scores are this solver's own, written by `cargo run
//! --release -p gamete-players --example opening_book`, which continues a book that is not complete; the tests below solve some of
//! them again, an ignored one all.
//!
//! They go into the transposition table before a question about an early position. Thus fewer stones need no entries: the
//! search ends where the book begins.

use games::connect::{Connect, Position, Rules};

use super::search::Search;
use super::shape::Shape;
use super::slot::{MOST_WORK, Record};

/// The stones of the positions in the book.
pub(super) const STONES: u32 = 4;

const TEXT: &str = include_str!("book.txt");

/// Is there an opening book for these rules? More pieces than fill the board change nothing.
#[must_use]
pub fn has_book(rules: Rules) -> bool {
    let Rules {
        rows,
        cols,
        connect,
        pieces,
    } = rules;
    (rows, cols, connect) == (6, 7, 4) && pieces >= 21
}

const CLASSIC: Rules = Rules {
    rows: 6,
    cols: 7,
    connect: 4,
    pieces: 21,
};

/// The lines of the book: moves and the score after them.
fn entries() -> impl Iterator<Item = (&'static str, i32)> {
    TEXT.lines().map(|line| {
        let entry = line.split_once(' ');
        let entry = entry.and_then(|(moves, score)| Some((moves, score.parse().ok()?)));
        entry.expect("a line of the book is moves and a score")
    })
}

fn position(moves: &str) -> Position<u64> {
    let position = Connect::new(CLASSIC).position_after(moves);
    position.expect("the book has only legal moves")
}

/// The moves with left and right exchanged.
fn mirrored(moves: &str) -> String {
    let column = |number: u8| char::from(b'1' + b'7' - number);
    moves.bytes().map(column).collect()
}

impl<S: Shape, const MOST: usize> Search<S, MOST> {
    /// Reads the book, which must be about boards of this shape.
    pub(super) fn take_book(&mut self) {
        let openings = entries().flat_map(|(moves, score)| {
            let record = Record {
                lower: score,
                upper: score,
                work: MOST_WORK,
            };
            // A lopsided position and its mirror image have different keys.
            let images = [position(moves), position(&mirrored(moves))];
            images.map(|position| (self.table.mix(self.key(&self.node(&position))), record))
        });
        self.openings = openings.collect();
    }

    /// Puts the entries of the book into the table.
    pub(super) fn open_book(&mut self) {
        self.table.make_room(self.openings.len());
        for &(mixed, record) in &self.openings {
            self.table.put(mixed, record);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::Solver;
    use super::super::answer::{Budget, Config};
    use super::super::shape::Four;
    use super::*;

    fn with_book() -> Solver {
        let config = Config {
            book: true,
            ..Config::default()
        };
        Solver::new(CLASSIC, config)
    }

    /// Every sequence of that many columns; four stones never fill one.
    fn sequences(stones: u32) -> impl Iterator<Item = String> {
        let digit = |number: u32, place| char::from(b'1' + (number / 7_u32.pow(place) % 7) as u8);
        (0..7_u32.pow(stones)).map(move |n| (0..stones).map(|place| digit(n, place)).collect())
    }

    #[test]
    fn the_book_has_every_opening_and_nothing_twice() {
        let mut search = Search::<Four<6>, 8>::new(CLASSIC, Config::default());
        search.take_book();
        search.open_book();
        for moves in sequences(STONES) {
            let node = search.node(&position(&moves));
            assert!(search.looked_up(&node).is_some(), "{moves}");
        }
        let images = entries().map(|(moves, _)| {
            let texts =
                [position(moves), position(&mirrored(moves))].map(|image| image.to_string());
            texts.into_iter().min()
        });
        assert_eq!(images.collect::<BTreeSet<_>>().len(), entries().count());
    }

    /// The first move wins in the middle, draws beside it and loses further out: Victor Allis and James Allen showed it in 1988.
    #[test]
    fn the_first_moves_have_their_known_scores() {
        for (moves, score) in [
            ("1", 2),
            ("2", 1),
            ("3", 0),
            ("4", -1),
            ("5", 0),
            ("6", 1),
            ("7", 2),
        ] {
            let solved = with_book().solve(&position(moves), &Budget::default());
            let solved = solved.expect("no limit");
            assert_eq!(solved.score, score, "{moves}");
            assert!(solved.nodes < 10_000, "{} nodes", solved.nodes);
        }
    }

    #[test]
    fn a_score_is_that_of_the_best_move_and_of_the_mirror_image() {
        let mut solver = with_book();
        let mut score = |moves: &str| {
            let solved = solver.solve(&position(moves), &Budget::default());
            solved.expect("no limit").score
        };
        for moves in sequences(3) {
            let children = (1..=7).map(|column| -score(&format!("{moves}{column}")));
            let best = children.max();
            assert_eq!(Some(score(&moves)), best, "{moves}");
            assert_eq!(score(&mirrored(&moves)), score(&moves), "{moves}");
        }
    }

    #[test]
    fn the_book_is_only_for_its_board() {
        for (rules, expected) in [
            (CLASSIC, true),
            (
                Rules {
                    pieces: 30,
                    ..CLASSIC
                },
                true,
            ),
            (
                Rules {
                    pieces: 20,
                    ..CLASSIC
                },
                false,
            ),
            (
                Rules {
                    connect: 5,
                    ..CLASSIC
                },
                false,
            ),
            (Rules { cols: 6, ..CLASSIC }, false),
            (Rules { rows: 7, ..CLASSIC }, false),
        ] {
            assert_eq!(has_book(rules), expected, "{rules:?}");
        }
        assert!(with_book().uses_book(&position("4444")));
        assert!(!with_book().uses_book(&position("44444")));
        let without = Solver::new(CLASSIC, Config::default());
        assert!(!without.uses_book(&position("")));
    }

    /// Solves entries of the book again.
    fn check(keep: impl Fn(i32) -> bool, table: u32) {
        let config = Config {
            table,
            remember: true,
            book: false,
        };
        let mut solver = Solver::new(CLASSIC, config);
        for (moves, score) in entries().filter(|&(_, score)| keep(score)) {
            let solved = solver.solve(&position(moves), &Budget::default());
            assert_eq!(solved.expect("no limit").score, score, "{moves}");
        }
    }

    /// Quick wins are quickly found.
    #[test]
    fn short_games_of_the_book_are_solved_again() {
        check(|score| score.abs() >= 8, 20);
    }

    #[test]
    #[ignore = "takes half an hour: the whole book"]
    fn the_whole_book_is_solved_again() {
        check(|_| true, 26);
    }
}
