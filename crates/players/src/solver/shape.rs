//! The board's geometry in one word, and how lines are found on it.
//!
//! Columns lie one after the other, cells from the bottom up. Boards of 64 bits keep a row free above
//! each column, boards of 128 bits do not: up to 128 cells leave no room for it.

use std::fmt::Debug;

use games::connect::Rules;

use super::word::Word;

/// The sets of cells that the search needs, and the length of the game.
#[derive(Debug, Clone)]
pub(super) struct Geometry<W> {
    /// From a cell to its right neighbour.
    pub(super) stride: u32,
    /// Columns of the board.
    pub(super) cols: u32,
    /// All cells.
    pub(super) board: W,
    /// The cells of the lowest row.
    pub(super) bottom: W,
    /// The cells that have one below them.
    pub(super) upper: W,
    /// The first, third, fifth ... row.
    pub(super) odd_rows: W,
    /// The cells of each column, from the centre outwards.
    pub(super) columns: Vec<W>,
    /// Is the number of rows even?
    pub(super) even_height: bool,
    /// May the board be filled up?
    pub(super) fills_up: bool,
    /// Moves of the longest game.
    pub(super) longest: i32,
}

impl<W: Word> Geometry<W> {
    /// Does a board of these rules fit the word?
    pub(super) fn fits(rules: Rules) -> bool {
        stride::<W>(rules) * u32::from(rules.cols) <= W::BITS
    }

    pub(super) fn new(rules: Rules) -> Self {
        let cols = u32::from(rules.cols);
        let stride = stride::<W>(rules);
        let cells = |keep: &dyn Fn(u32, u32) -> bool| cells::<W>(rules, keep);
        Self {
            stride,
            cols,
            board: cells(&|_, _| true),
            bottom: cells(&|row, _| row == 0),
            upper: cells(&|row, _| row > 0),
            odd_rows: cells(&|row, _| row % 2 == 0),
            columns: centre_out(cols)
                .map(|own| cells(&|_, column| column == own))
                .collect(),
            even_height: rules.rows.is_multiple_of(2),
            fills_up: rules.longest_game() == rules.cells(),
            longest: rules.longest_game() as i32,
        }
    }

    /// The lowest empty cell of each column that is not full.
    #[inline]
    pub(super) fn playable(&self, occupied: W) -> W {
        // A column's top stone shifts onto the next column's floor, which is in the set anyway.
        ((occupied << 1) | self.bottom) & !occupied & self.board
    }

    /// The cells right above these.
    #[inline]
    pub(super) fn above(&self, cells: W) -> W {
        (cells << 1) & self.upper
    }

    /// The cells right below these.
    #[inline]
    pub(super) fn below(&self, cells: W) -> W {
        (cells & self.upper) >> 1
    }

    /// Left and right exchanged; works for sets and for sums of sets that stay within the stride.
    #[inline]
    pub(super) fn mirrored(&self, word: W) -> W {
        if self.cols == 1 {
            return word;
        }
        let column = !(!W::ZERO << self.stride);
        (0..self.cols).fold(W::ZERO, |mirror, place| {
            let from = place * self.stride;
            let to = (self.cols - 1 - place) * self.stride;
            mirror | (((word >> from) & column) << to)
        })
    }
}

fn stride<W: Word>(rules: Rules) -> u32 {
    u32::from(rules.rows) + u32::from(W::SPARE_ROW)
}

/// The cells for whose row and column `keep` holds.
fn cells<W: Word>(rules: Rules, keep: &dyn Fn(u32, u32) -> bool) -> W {
    let stride = stride::<W>(rules);
    let columns = 0..u32::from(rules.cols);
    columns
        .flat_map(|column| (0..u32::from(rules.rows)).map(move |row| (row, column)))
        .filter(|&(row, column)| keep(row, column))
        .fold(W::ZERO, |set, (row, column)| {
            set | W::bit(column * stride + row)
        })
}

/// Columns from the centre outwards, of two equally far ones the left first.
pub(super) fn centre_out(cols: u32) -> impl Iterator<Item = u32> {
    let middle = (cols - 1) / 2;
    (0..cols).map(move |step| {
        let away = step.div_ceil(2);
        if step % 2 == 0 {
            middle - away
        } else {
            middle + away
        }
    })
}

/// A geometry together with the length of a winning line.
pub(super) trait Shape: Clone + Debug + Send {
    /// The word of the board.
    type Word: Word;

    /// A board of these rules, which must suit the shape.
    fn new(rules: Rules) -> Self;
    /// The sets of cells.
    fn geometry(&self) -> &Geometry<Self::Word>;
    /// The cells that would complete a line of these stones, whatever lies there now; cells outside
    /// the board may be among them.
    fn completions(&self, stones: Self::Word) -> Self::Word;
    /// Do these stones contain a line?
    fn has_line(&self, stones: Self::Word) -> bool;
}

/// Lines of four on a board with a spare row: no line can run across the edge, so no masks are needed.
///
/// `ROWS` is the number of rows, so that shifts are constants; 0 is any.
#[derive(Debug, Clone)]
pub(super) struct Four<const ROWS: u32> {
    geometry: Geometry<u64>,
}

impl<const ROWS: u32> Four<ROWS> {
    /// Are these rules of this shape? Columns must be low enough for three steps within the word.
    pub(super) fn suits(rules: Rules) -> bool {
        rules.connect == 4
            && (ROWS == 0 || ROWS == u32::from(rules.rows))
            && rules.rows <= 19
            && Geometry::<u64>::fits(rules)
    }

    #[inline]
    fn stride(&self) -> u32 {
        match ROWS {
            0 => self.geometry.stride,
            _ => ROWS + 1,
        }
    }
}

impl<const ROWS: u32> Shape for Four<ROWS> {
    type Word = u64;

    fn new(rules: Rules) -> Self {
        Self {
            geometry: Geometry::new(rules),
        }
    }

    #[inline]
    fn geometry(&self) -> &Geometry<u64> {
        &self.geometry
    }

    #[inline]
    fn completions(&self, stones: u64) -> u64 {
        let stride = self.stride();
        let vertical = (stones << 1) & (stones << 2) & (stones << 3);
        [stride - 1, stride, stride + 1]
            .into_iter()
            .fold(vertical, |found, step| {
                let (left, right) = (stones << step, stones >> step);
                let left_pair = left & (stones << (2 * step));
                let right_pair = right & (stones >> (2 * step));
                let far_left = stones << (3 * step);
                let far_right = stones >> (3 * step);
                found | (left_pair & (far_left | right)) | (right_pair & (far_right | left))
            })
    }

    #[inline]
    fn has_line(&self, stones: u64) -> bool {
        let stride = self.stride();
        [1, stride - 1, stride, stride + 1].into_iter().any(|step| {
            let pairs = stones & (stones >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
    }
}

/// Lines of any length in any word: every line is known by the cell where it starts.
#[derive(Debug, Clone)]
pub(super) struct Any<W> {
    geometry: Geometry<W>,
    connect: u32,
    lines: Vec<Lines<W>>,
}

/// Lines in one direction: the step from cell to cell, and where lines may start.
#[derive(Debug, Clone, Copy)]
struct Lines<W> {
    step: u32,
    starts: W,
}

impl<W: Word> Any<W> {
    fn lines(rules: Rules) -> Vec<Lines<W>> {
        let [rows, cols, connect] = [rules.rows, rules.cols, rules.connect].map(u32::from);
        let stride = stride::<W>(rules);
        let up = move |row: u32| row + connect <= rows;
        let down = move |row: u32| row + 1 >= connect;
        let right = move |column: u32| column + connect <= cols;
        [
            (1, cells(rules, &|row, _| up(row))),
            (stride, cells(rules, &|_, column| right(column))),
            (
                stride + 1,
                cells(rules, &|row, column| up(row) && right(column)),
            ),
            (
                stride - 1,
                cells(rules, &|row, column| down(row) && right(column)),
            ),
        ]
        .into_iter()
        .map(|(step, starts)| Lines { step, starts })
        .filter(|lines: &Lines<W>| !lines.starts.is_empty())
        .collect()
    }

    /// The cells that one direction would need to complete a line.
    #[inline]
    fn missing(&self, stones: W, lines: Lines<W>) -> W {
        let at = |place: u32| stones >> (place * lines.step);
        let (mut whole, mut all_but_one) = (lines.starts, W::ZERO);
        for place in 0..self.connect {
            all_but_one = (all_but_one & at(place)) | (whole & !at(place));
            whole &= at(place);
        }
        if all_but_one.is_empty() {
            return W::ZERO;
        }
        (0..self.connect).fold(W::ZERO, |found, place| {
            found | ((all_but_one & !at(place)) << (place * lines.step))
        })
    }
}

impl<W: Word> Shape for Any<W> {
    type Word = W;

    fn new(rules: Rules) -> Self {
        Self {
            geometry: Geometry::new(rules),
            connect: u32::from(rules.connect),
            lines: Self::lines(rules),
        }
    }

    #[inline]
    fn geometry(&self) -> &Geometry<W> {
        &self.geometry
    }

    #[inline]
    fn completions(&self, stones: W) -> W {
        self.lines
            .iter()
            .fold(W::ZERO, |found, &lines| found | self.missing(stones, lines))
    }

    #[inline]
    fn has_line(&self, stones: W) -> bool {
        self.lines.iter().any(|lines| {
            let whole = (0..self.connect).fold(lines.starts, |whole, place| {
                whole & (stones >> (place * lines.step))
            });
            !whole.is_empty()
        })
    }
}
