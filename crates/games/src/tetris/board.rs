//! The board: one word a column, so that drops, holes and full rows are a few operations each.

use super::column::ColumnBits;
use super::oriented::Oriented;
use super::rules::MAX_COLUMNS;

/// The filled cells. Bit `r` of a column is the cell in row `r`, counted from the floor.
///
/// Columns beyond the board's width are all ones: what is common to all sixteen words are the full
/// rows, whatever the width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board<C> {
    columns: [C; MAX_COLUMNS],
    width: u8,
    rows: u8,
}

impl<C: ColumnBits> Board<C> {
    /// A board without a filled cell.
    ///
    /// # Panics
    /// If it has more columns than [`MAX_COLUMNS`] or more rows than the word has bits.
    #[must_use]
    pub fn empty(width: u8, rows: u8) -> Self {
        assert!(u32::from(rows) <= C::ROWS, "the rows do not fit the word");
        let mut columns = [C::ALL; MAX_COLUMNS];
        columns[..usize::from(width)].fill(C::NONE);
        Self {
            columns,
            width,
            rows,
        }
    }

    /// Columns of the board.
    #[inline]
    #[must_use]
    pub fn width(&self) -> u32 {
        u32::from(self.width)
    }

    /// Rows of the board.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> u32 {
        u32::from(self.rows)
    }

    /// The columns of the board, from the left.
    #[inline]
    #[must_use]
    pub fn columns(&self) -> &[C] {
        &self.columns[..usize::from(self.width).min(MAX_COLUMNS)]
    }

    /// The columns and, up to sixteen, words of all ones.
    #[inline]
    #[must_use]
    pub fn padded_columns(&self) -> &[C; MAX_COLUMNS] {
        &self.columns
    }

    /// Is the cell in this column and row (from the floor) filled?
    #[must_use]
    pub fn is_filled(&self, column: u32, row: u32) -> bool {
        !(self.columns[column as usize] & C::from_mask(1).up(row)).is_empty()
    }

    /// Fills a cell.
    pub(super) fn fill(&mut self, column: u32, row: u32) {
        self.columns[column as usize] |= C::from_mask(1).up(row);
    }

    /// The height of each column: one more than the row of its highest filled cell.
    #[inline]
    pub fn heights(&self) -> impl Iterator<Item = u32> {
        self.columns().iter().map(|column| column.height())
    }

    /// The height of the highest column.
    #[inline]
    #[must_use]
    pub fn height(&self) -> u32 {
        self.columns()
            .iter()
            .fold(C::NONE, |rows, &column| rows | column)
            .height()
    }

    /// Empty cells that have a filled one above them in their column.
    #[inline]
    #[must_use]
    pub fn holes(&self) -> u32 {
        // Columns beyond the board are full to the top of the word: they have none.
        self.columns
            .iter()
            .map(|column| column.height() - column.count())
            .sum()
    }

    /// The rows in which every cell is filled.
    #[inline]
    #[must_use]
    pub fn full_rows(&self) -> C {
        self.columns
            .iter()
            .fold(C::ALL, |rows, &column| rows & column)
    }

    /// The row in which the lowest row of the piece's box comes to lie, dropped with its left edge in
    /// `column`.
    ///
    /// # Panics
    /// If the piece reaches beyond the last column.
    #[inline]
    #[must_use]
    pub fn landing(&self, piece: &Oriented, column: u32) -> u32 {
        let under = &self.columns[column as usize..][..piece.bottoms().len()];
        let rests = under.iter().zip(piece.bottoms());
        // A column below the overhang by more than its height would be negative: it does not matter.
        rests
            .map(|(cells, &bottom)| cells.height().saturating_sub(bottom.into()))
            .max()
            .unwrap_or(0)
    }

    /// Does the piece lie wholly inside the board when it has landed in `row`?
    #[inline]
    #[must_use]
    pub fn fits(&self, piece: &Oriented, row: u32) -> bool {
        row + piece.height() <= self.rows()
    }

    /// Fills the cells of a piece whose box begins at `row` and `column`; full rows stay.
    ///
    /// # Panics
    /// If the piece reaches beyond the last column.
    #[inline]
    pub fn put(&mut self, piece: &Oriented, row: u32, column: u32) {
        let under = &mut self.columns[column as usize..][..piece.masks().len()];
        for (cells, &mask) in under.iter_mut().zip(piece.masks()) {
            *cells |= C::from_mask(mask).up(row);
        }
    }

    /// Puts a piece, removes the full rows, lets the rows above move down, and returns how many they were.
    ///
    /// # Panics
    /// If the piece reaches beyond the last column.
    #[inline]
    pub fn place(&mut self, piece: &Oriented, row: u32, column: u32) -> u32 {
        self.put(piece, row, column);
        let full = self.full_rows();
        if !full.is_empty() {
            self.remove_rows(full);
        }
        full.count()
    }

    /// Takes these rows out; the rows above move down.
    pub fn remove_rows(&mut self, mut taken: C) {
        while !taken.is_empty() {
            let below = C::below(taken.height() - 1);
            for column in &mut self.columns {
                *column = (*column & below) | (column.down() & !below);
            }
            taken &= below;
        }
        self.columns[usize::from(self.width)..].fill(C::ALL);
    }

    /// Empties the full rows and lets fall what then floats, until no row is full. Calls `each` with
    /// the lines of every step.
    pub fn cascade(&mut self, mut each: impl FnMut(u32)) {
        loop {
            let full = self.full_rows();
            if full.is_empty() {
                return;
            }
            each(full.count());
            for column in &mut self.columns[..usize::from(self.width)] {
                *column &= !full;
            }
            self.settle();
        }
    }

    /// Is a filled cell not connected to the floor?
    #[must_use]
    pub fn floats(&self) -> bool {
        self.grounded()[..] != *self.columns()
    }

    /// Moves what is not connected to the floor down together, row by row, until all is.
    fn settle(&mut self) {
        while self.floats() {
            let grounded = self.grounded();
            for (column, ground) in self.columns.iter_mut().zip(grounded) {
                *column = ground | (*column & !ground).down();
            }
        }
    }

    /// The cells that a way of filled cells, side by side, connects to the floor.
    fn grounded(&self) -> arrayvec::ArrayVec<C, MAX_COLUMNS> {
        let floor = C::from_mask(1);
        let mut grounded: arrayvec::ArrayVec<C, MAX_COLUMNS> = self
            .columns()
            .iter()
            .map(|&column| column & floor)
            .collect();
        loop {
            let before = grounded.clone();
            for (place, &column) in self.columns().iter().enumerate() {
                let own = grounded[place];
                let left = place.checked_sub(1).map_or(C::NONE, |left| grounded[left]);
                let right = grounded.get(place + 1).copied().unwrap_or(C::NONE);
                grounded[place] |= (own.up(1) | own.down() | left | right) & column;
            }
            if grounded == before {
                return grounded;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tetris::{Position, Shape, ShapeSet};

    fn board(rows: &str) -> Board<u32> {
        *format!("4x32 {rows} -")
            .parse::<Position<u32>>()
            .unwrap()
            .board()
    }

    fn upright_s() -> Oriented {
        let set: ShapeSet = "S".parse().unwrap();
        Shape::new(&set.drawings()[0], 4).rotations()[1]
    }

    #[test]
    fn heights_and_holes_are_counted() {
        let board = board("#.../.#../#..#");
        assert_eq!(board.heights().collect::<Vec<_>>(), [3, 2, 0, 1]);
        assert_eq!((board.height(), board.holes()), (3, 2));
    }

    #[test]
    fn a_piece_lands_on_what_is_highest_below_it() {
        let board = board("#.../.#../#..#");
        let landings = [0, 1, 2].map(|column| board.landing(&upright_s(), column));
        assert_eq!(landings, [2, 1, 1]);
    }

    #[test]
    fn full_rows_are_found_up_to_the_top_of_the_word() {
        let text = "###./".repeat(31) + "###.";
        let mut board = board(&text);
        for row in 0..32 {
            board.fill(3, row);
        }
        assert_eq!(board.full_rows(), u32::MAX);
        board.remove_rows(0xf000_000f);
        assert_eq!(board.full_rows().count(), 24);
        board.remove_rows(board.full_rows());
        assert_eq!(board, Board::empty(4, 32));
    }
}
