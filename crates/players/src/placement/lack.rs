//! How many cells each row lacks to be full, counted for all rows at once.

use games::tetris::{Board, ColumnBits, MAX_SIDE};

/// Numbers of lacking cells that are told apart: as many as a piece can fill in a row, and one more.
pub(crate) const LACKS: usize = MAX_SIDE + 2;

/// Binary digits of a number of columns, up to sixteen.
const DIGITS: usize = 5;

/// The number of empty cells of every row, as binary digits: the rows whose number has the digit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lack<C>([C; DIGITS]);

impl<C: ColumnBits> Lack<C> {
    /// What the rows of this board lack.
    #[inline]
    pub(crate) fn of(board: &Board<C>) -> Self {
        let mut digits = [C::NONE; DIGITS];
        for &column in board.columns() {
            let mut carry = !column;
            for digit in &mut digits {
                let both = *digit & carry;
                *digit = *digit ^ carry;
                carry = both;
            }
        }
        Self(digits)
    }

    /// What they lack when a piece in this row has filled as many cells as its own `digits` say.
    #[inline]
    pub(crate) fn without(self, digits: [u8; 3], row: u32) -> Self {
        let Self(mut left) = self;
        let mut borrow = C::NONE;
        for (place, digit) in left.iter_mut().enumerate() {
            let filled = digits
                .get(place)
                .map_or(C::NONE, |&rows| C::from_mask(rows).up(row));
            let taken = filled ^ borrow;
            borrow = (filled & borrow) | (!*digit & taken);
            *digit = *digit ^ taken;
        }
        Self(left)
    }

    /// The rows that lack this many cells.
    #[inline]
    pub(crate) fn exactly(self) -> [C; LACKS] {
        let Self([one, two, four, eight, sixteen]) = self;
        let few = !(eight | sixteen | four);
        let more = !(eight | sixteen) & four;
        [
            few & !two & !one,
            few & !two & one,
            few & two & !one,
            few & two & one,
            more & !two & !one,
            more & !two & one,
            more & two & !one,
            more & two & one,
        ]
    }
}
