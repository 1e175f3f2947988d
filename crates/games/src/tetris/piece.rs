//! Pieces by their letters, queues and sets of them, and where a piece is put.

use std::fmt;
use std::str::FromStr;

use crate::game::NotAMove;

/// A piece, by the letter of its shape; hexominoes are more than there are letters, so digits count as such.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(u8);

impl Piece {
    /// The piece of this letter, if it is one (of the ASCII letters and digits).
    #[must_use]
    pub fn new(letter: char) -> Option<Self> {
        letter.is_ascii_alphanumeric().then_some(Self(letter as u8))
    }

    /// All there are, in alphabetical order: digits first, then capitals.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (b'0'..=b'z').filter(u8::is_ascii_alphanumeric).map(Self)
    }

    /// Its letter.
    #[must_use]
    pub fn letter(self) -> char {
        char::from(self.0)
    }

    /// A number below 128 that is this letter's alone.
    #[inline]
    pub(super) fn code(self) -> usize {
        usize::from(self.0) % 128
    }

    /// A number below 62 that is this letter's alone, in alphabetical order.
    #[inline]
    fn number(self) -> u32 {
        let gaps = 7 * u32::from(self.0 >= b'A') + 6 * u32::from(self.0 >= b'a');
        u32::from(self.0 - b'0') - gaps
    }

    /// The piece of this number.
    #[inline]
    fn of_number(number: u32) -> Self {
        let gaps = 7 * u32::from(number >= 10) + 6 * u32::from(number >= 36);
        Self(b'0' + (number + gaps) as u8)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Piece {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Self, NotAMove> {
        let mut letters = text.chars();
        match (letters.next().and_then(Self::new), letters.next()) {
            (Some(piece), None) => Ok(piece),
            _ => Err(NotAMove::new(text, "a piece by its letter, like T")),
        }
    }
}

/// Which piece is dropped where.
///
/// As text: `r` and the rotation, `c` and the leftmost column of the piece, both counted from 0:
/// `r1c4` is the piece turned clockwise once, its left edge in the fifth column. An `h` before it holds the current piece and
/// drops the other one: `hr1c4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// Whether the current piece is held and the other one dropped; only with the rule `hold`.
    pub hold: bool,
    /// The rotation, 0 for the shape as it is drawn.
    pub rotation: u8,
    /// The leftmost column that the piece fills.
    pub column: u8,
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hold = if self.hold { "h" } else { "" };
        write!(f, "{hold}r{}c{}", self.rotation, self.column)
    }
}

impl FromStr for Placement {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Self, NotAMove> {
        let number = |digits: &str, most: u8| {
            let all_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits
                .parse()
                .ok()
                .filter(|&number| all_digits && number <= most)
        };
        let held = text.strip_prefix('h');
        held.unwrap_or(text)
            .strip_prefix('r')
            .and_then(|rest| rest.split_once('c'))
            .and_then(|(rotation, column)| {
                Some(Self {
                    hold: held.is_some(),
                    rotation: number(rotation, 3)?,
                    column: number(column, 15)?,
                })
            })
            .ok_or_else(|| {
                NotAMove::new(
                    text,
                    "rotation and leftmost column, both counted from 0, like r1c4, or hr1c4 to hold the current piece",
                )
            })
    }
}

/// The pieces that are known to come, the current one first; at most [`Queue::MOST`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Queue(u64);

impl Queue {
    /// The most pieces a queue can hold: one byte of the word each, the first in the lowest.
    pub const MOST: usize = 8;

    /// The current piece.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<Piece> {
        (self.0 != 0).then_some(Piece(self.0 as u8))
    }

    /// How many pieces are known.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        (u64::BITS - self.0.leading_zeros()).div_ceil(8) as usize
    }

    /// Is no piece known?
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The pieces, the current one first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Piece> {
        self.0
            .to_le_bytes()
            .into_iter()
            .filter(|&letter| letter != 0)
            .map(Piece)
    }

    /// Puts a piece at the end; a full queue stays as it is.
    #[inline]
    pub(super) fn push(&mut self, piece: Piece) {
        if self.len() < Self::MOST {
            self.0 |= u64::from(piece.0) << (8 * self.len());
        }
    }

    /// Takes the current piece away.
    #[inline]
    pub(super) fn advance(&mut self) {
        self.0 >>= 8;
    }

    /// Puts another piece in the place of the current one.
    pub(super) fn replace_first(&mut self, piece: Piece) {
        self.0 = self.0 & !0xff | u64::from(piece.0);
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A set of pieces, one bit per letter: what is left in a bag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PieceSet(u64);

impl PieceSet {
    /// How many pieces are in the set.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Is no piece in the set?
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Is this piece in the set?
    #[inline]
    #[must_use]
    pub fn contains(self, piece: Piece) -> bool {
        self.0 >> piece.number() & 1 == 1
    }

    /// The pieces in alphabetical order: digits first, then capitals.
    pub fn iter(self) -> impl Iterator<Item = Piece> {
        Piece::all().filter(move |&p| self.contains(p))
    }

    /// The set without this piece.
    #[inline]
    #[must_use]
    pub(super) fn without(self, piece: Piece) -> Self {
        Self(self.0 & !(1 << piece.number()))
    }

    /// The piece that has `n` others of the set before it, which must exist.
    #[inline]
    #[must_use]
    pub(super) fn nth(self, n: u32) -> Piece {
        let rest = (0..n).fold(self.0, |rest, _| rest & rest.wrapping_sub(1));
        Piece::of_number(rest.trailing_zeros())
    }
}

impl FromIterator<Piece> for PieceSet {
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> Self {
        Self(
            pieces
                .into_iter()
                .fold(0, |set, piece| set | 1 << piece.number()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_read_and_write() {
        for number in 0..128 {
            let placement = Placement {
                hold: number >= 64,
                rotation: number / 16 % 4,
                column: number % 16,
            };
            assert_eq!(placement.to_string().parse(), Ok(placement));
        }
        for text in [
            "", "r", "r1", "c4", "r1c", "r4c0", "r0c16", "r+1c4", "r1c4 ", "1c4", "rrc", "h",
            "hhr1c4", "rh1c4",
        ] {
            assert!(text.parse::<Placement>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_queue_is_first_in_first_out() {
        let mut queue = Queue::default();
        assert_eq!((queue.first(), queue.len()), (None, 0));
        for letter in "IOTjlszA".chars() {
            queue.push(Piece::new(letter).unwrap());
        }
        assert_eq!(queue.len(), 8);
        queue.advance();
        assert_eq!(
            queue.iter().map(Piece::letter).collect::<String>(),
            "OTjlszA"
        );
        assert_eq!(queue.first(), Piece::new('O'));
    }

    #[test]
    fn a_set_knows_its_pieces_in_order() {
        let set: PieceSet = "zaZA90".chars().filter_map(Piece::new).collect();
        let letters = set.iter().map(Piece::letter).collect::<String>();
        assert_eq!(letters, "09AZaz");
        assert_eq!(Piece::all().collect::<PieceSet>().len(), 62);
        for (n, piece) in set.iter().enumerate() {
            assert_eq!(set.nth(n as u32), piece);
            assert!(!set.without(piece).contains(piece));
        }
    }
}
