//! The opening book: scores of all positions of the classic board (6 rows, 7 columns, lines of four) with a certain number of stones.
//!
//! `book.bin` is the number of stones, then a score for every position in the order of [`openings`], four in three bytes. Positions
//! themselves need no room: they are enumerated again when the book is first opened. The scores are this solver's own, found by
//! `cargo run --release -p gamete-players --example opening_book`; the tests below solve some of them again, an ignored one all.
//!
//! Fewer stones need no entries: the search ends where the book begins.

use std::sync::OnceLock;

use games::connect::{Position, Rules};

use super::node::Node;
use super::search::Search;
use super::shape::{Four, Shape};
use super::word::Word;

/// The board of the book.
pub const CLASSIC: Rules = Rules {
    rows: 6,
    cols: 7,
    connect: 4,
    pieces: 21,
};

/// Is there an opening book for these rules? More pieces than fill the board change nothing.
#[must_use]
pub fn has_book(rules: Rules) -> bool {
    let Rules {
        rows,
        cols,
        connect,
        pieces,
    } = rules;
    (rows, cols, connect) == (CLASSIC.rows, CLASSIC.cols, CLASSIC.connect)
        && pieces >= CLASSIC.pieces
}

const BYTES: &[u8] = include_bytes!("book.bin");
/// A score is written as this much more, in six bits.
const ZERO_SCORE: i32 = 32;

/// Scores of openings.
#[derive(Debug)]
pub(super) struct Book {
    stones: i32,
    /// The keys of the positions, ascending; their scores stand in the same order.
    keys: Vec<u64>,
    packed: &'static [u8],
}

impl Book {
    /// The book of this program, whose positions are enumerated the first time.
    pub(super) fn open() -> &'static Self {
        static BOOK: OnceLock<Book> = OnceLock::new();
        BOOK.get_or_init(|| {
            let (&stones, packed) = BYTES.split_first().expect("the book is not empty");
            let keys = openings(stones.into()).iter().map(Opening::key).collect();
            Self {
                stones: stones.into(),
                keys,
                packed,
            }
        })
    }

    fn score(&self, key: u64) -> Option<i32> {
        let place = self.keys.binary_search(&key).ok()?;
        Some(unpacked(self.packed, place))
    }
}

/// The stones of the positions in the book.
pub(super) fn stones() -> u32 {
    BYTES[0].into()
}

/// The bytes of a book with the scores of these openings, in their order.
#[must_use]
pub fn book_bytes(stones: u8, scores: &[i32]) -> Vec<u8> {
    let mut bytes = vec![stones];
    for four in scores.chunks(4) {
        let word = (0..).zip(four).fold(0_u32, |word, (place, score)| {
            word | ((score + ZERO_SCORE) as u32) << (6 * place)
        });
        bytes.extend(&word.to_le_bytes()[..3]);
    }
    bytes
}

fn unpacked(packed: &[u8], place: usize) -> i32 {
    let four = &packed[place / 4 * 3..][..3];
    let word = u32::from_le_bytes([four[0], four[1], four[2], 0]);
    (word >> (6 * (place % 4)) & 63) as i32 - ZERO_SCORE
}

/// A position of the book, in the solver's layout of the classic board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    own: u64,
    occupied: u64,
}

impl Opening {
    /// What distinguishes it from all others.
    #[must_use]
    pub fn key(&self) -> u64 {
        u64::key(self.own, self.occupied)
    }

    /// The position as the game has it.
    #[must_use]
    pub fn position(&self) -> Position<u64> {
        let turn = if self.occupied.count_ones().is_multiple_of(2) {
            ['x', 'o']
        } else {
            ['o', 'x']
        };
        let cell = |row: u8, column: u8| {
            let bit = 1 << (column * (CLASSIC.rows + 1) + row);
            match (self.own & bit != 0, self.occupied & bit != 0) {
                (true, _) => turn[0],
                (false, true) => turn[1],
                (false, false) => '.',
            }
        };
        let row = |row| (0..CLASSIC.cols).map(|column| cell(row, column)).collect();
        let rows: Vec<String> = (0..CLASSIC.rows).rev().map(row).collect();
        let position = rows.join("/").parse();
        position.expect("stones that were dropped make a board")
    }
}

/// The positions with so many stones that an opening book needs: none in which the game is over or the player to move wins at once, and of two
/// mirror images only that of the smaller key; by their keys.
#[must_use]
pub fn openings(stones: u32) -> Vec<Opening> {
    let shape = Four::<6>::new(CLASSIC);
    let empty = Opening {
        own: 0,
        occupied: 0,
    };
    let mut openings = vec![empty];
    for _ in 0..stones {
        openings = openings
            .iter()
            .flat_map(|from| after(&shape, from))
            .collect();
        openings.sort_unstable_by_key(Opening::key);
        openings.dedup();
    }
    let playable = |occupied| shape.geometry().playable(occupied);
    openings
        .retain(|Opening { own, occupied }| !shape.completions(*own).meets(playable(*occupied)));
    openings
}

/// The positions after a move that does not end the game.
fn after(shape: &Four<6>, from: &Opening) -> impl Iterator<Item = Opening> {
    let Opening { own, occupied } = *from;
    let playable = shape.geometry().playable(occupied);
    let cells = shape.geometry().columns.iter();
    cells
        .map(move |column| column & playable)
        .filter(move |&cell| cell != 0 && !shape.has_line(own | cell))
        .map(move |cell| one_image(shape, occupied & !own, occupied | cell))
}

/// Of a position and its mirror image the one of the smaller key.
fn one_image<S: Shape<Word = u64>>(shape: &S, own: u64, occupied: u64) -> Opening {
    let mirrored = |word| shape.geometry().mirrored(word);
    let opening = Opening { own, occupied };
    let mirror = Opening {
        own: mirrored(own),
        occupied: mirrored(occupied),
    };
    if mirror.key() < opening.key() {
        mirror
    } else {
        opening
    }
}

impl<S: Shape, const MOST: usize> Search<S, MOST> {
    /// The score of a node by the book, if it is open and has it. The book must be about boards of this shape.
    #[inline]
    pub(super) fn in_book(&self, node: &Node<S::Word>) -> Option<i32> {
        let book = self.book?;
        if node.plies != book.stones {
            return None;
        }
        let geometry = self.shape.geometry();
        let key = S::Word::key(node.own, node.occupied);
        let mirror = S::Word::key(
            geometry.mirrored(node.own),
            geometry.mirrored(node.occupied),
        );
        book.score(S::Word::book_key(if mirror < key { mirror } else { key })?)
    }
}

#[cfg(test)]
mod tests {
    use games::connect::Connect;
    use games::{below, stream};

    use super::super::Solver;
    use super::super::answer::{Budget, Config};
    use super::*;

    fn with_book() -> Solver {
        let config = Config {
            book: true,
            ..Config::default()
        };
        Solver::new(CLASSIC, config)
    }

    fn position(moves: &str) -> Position<u64> {
        let position = Connect::new(CLASSIC).position_after(moves);
        position.expect("legal moves")
    }

    /// Every sequence of that many columns; four stones never fill one.
    fn sequences(stones: u32) -> impl Iterator<Item = String> {
        let digit = |number: u32, place| char::from(b'1' + (number / 7_u32.pow(place) % 7) as u8);
        (0..7_u32.pow(stones)).map(move |n| (0..stones).map(|place| digit(n, place)).collect())
    }

    /// The moves with left and right exchanged.
    fn mirrored(moves: &str) -> String {
        let column = |number: u8| char::from(b'1' + b'7' - number);
        moves.bytes().map(column).collect()
    }

    fn entries() -> impl Iterator<Item = (Opening, i32)> {
        let score = |opening: &Opening| Book::open().score(opening.key());
        openings(stones())
            .into_iter()
            .map(move |opening| (opening, score(&opening).expect("every opening has a score")))
    }

    /// The numbers of positions are John Tromp's. With so few stones nobody wins at once.
    #[test]
    fn openings_are_all_positions_but_mirror_images() {
        let shape = Four::<6>::new(CLASSIC);
        let mirrored = |word| shape.geometry().mirrored(word);
        let is_its_own_image = |&&Opening { own, occupied }: &&Opening| {
            (mirrored(own), mirrored(occupied)) == (own, occupied)
        };
        for (stones, positions) in [(0, 1), (1, 7), (2, 49), (3, 238), (4, 1120), (5, 4263)] {
            let openings = openings(stones);
            let symmetric = openings.iter().filter(is_its_own_image).count();
            assert_eq!(2 * openings.len() - symmetric, positions, "{stones} stones");
        }
    }

    #[test]
    fn an_opening_is_the_position_of_its_key() {
        let search = Search::<Four<6>, 8>::new(CLASSIC, Config::default());
        for opening in openings(5).iter().step_by(97) {
            let node = search.node(&opening.position());
            assert_eq!((node.own, node.occupied), (opening.own, opening.occupied));
        }
    }

    #[test]
    fn scores_are_read_as_they_were_written() {
        let scores: Vec<i32> = (-21..=21).chain([18, -18]).collect();
        let bytes = book_bytes(5, &scores);
        assert_eq!(bytes[0], 5);
        let read: Vec<i32> = (0..scores.len())
            .map(|place| unpacked(&bytes[1..], place))
            .collect();
        assert_eq!(read, scores);
    }

    #[test]
    fn the_book_has_a_score_for_each_of_its_positions() {
        let positions = openings(stones()).len();
        assert_eq!(BYTES.len(), 1 + positions.div_ceil(4) * 3);
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
            assert!(solved.nodes < 100_000, "{} nodes", solved.nodes);
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
    fn a_board_that_no_game_leads_to_is_not_in_the_book() {
        // Two of the second player's stones lie below all others: the first move has no cell.
        let board = "......./......./......./x....../o....../o.....x";
        let search = Search::<Four<6>, 8> {
            book: Some(Book::open()),
            ..Search::new(CLASSIC, Config::default())
        };
        let board: Position<u64> = board.parse().expect("a board");
        assert_eq!(search.in_book(&search.node(&board)), None);
    }

    #[test]
    fn the_book_is_only_for_its_board() {
        let more_pieces = Rules {
            pieces: 30,
            ..CLASSIC
        };
        let fewer_pieces = Rules {
            pieces: 20,
            ..CLASSIC
        };
        let longer_line = Rules {
            connect: 5,
            ..CLASSIC
        };
        let narrower = Rules { cols: 6, ..CLASSIC };
        let higher = Rules { rows: 7, ..CLASSIC };
        assert!([CLASSIC, more_pieces].into_iter().all(has_book));
        let others = [fewer_pieces, longer_line, narrower, higher];
        assert!(!others.into_iter().any(has_book));
        let most = "44".repeat(3) + "33" + "22";
        let (last, beyond) = most.split_at(stones() as usize);
        assert!(with_book().uses_book(&position(last)));
        assert!(!with_book().uses_book(&position(&format!("{last}{}", &beyond[..1]))));
        let without = Solver::new(CLASSIC, Config::default());
        assert!(!without.uses_book(&position("")));
    }

    /// Solves entries of the book again.
    fn check(entries: impl Iterator<Item = (Opening, i32)>, table: u32) {
        let config = Config {
            table,
            remember: true,
            book: false,
        };
        let mut solver = Solver::new(CLASSIC, config);
        for (opening, score) in entries {
            let solved = solver.solve(&opening.position(), &Budget::default());
            let solved = solved.expect("no limit");
            assert_eq!(solved.score, score, "{}", opening.position());
        }
    }

    /// Some entries, those of quick wins: they are quickly found.
    #[test]
    fn short_games_of_the_book_are_solved_again() {
        let mut rng = stream(1, &[]);
        let mut quick: Vec<_> = entries().filter(|(_, score)| score.abs() >= 8).collect();
        let wanted = quick.len().min(60);
        let mut draw = |_| quick.swap_remove(below(&mut rng, quick.len() as u32) as usize);
        let sample: Vec<_> = (0..wanted).map(&mut draw).collect();
        check(sample.into_iter(), 20);
    }

    #[test]
    #[ignore = "takes half an hour and more: the whole book"]
    fn the_whole_book_is_solved_again() {
        check(entries(), 26);
    }
}
