//! Which cells the tuples of a network look at: a named set, or a list.

use std::fmt;

use spec::did_you_mean;

use super::ShapeError;

/// The named sets, with cells of the 4x4 board of 2048 counted row by row from 0.
///
/// `4x6` is that of Yeh et al. (2016), `8x6` the first eight of Matsuzaki (2016), `5x4` and `lines` those of Szubert and Jaskowski
/// (2014), where every tuple stands for its symmetric ones.
const NAMED: [(&str, &[&[u8]]); 5] = [
    (
        "4x6",
        &[
            &[0, 1, 2, 3, 4, 5],
            &[4, 5, 6, 7, 8, 9],
            &[0, 1, 2, 4, 5, 6],
            &[4, 5, 6, 8, 9, 10],
        ],
    ),
    (
        "8x6",
        &[
            &[0, 1, 2, 4, 5, 6],
            &[4, 5, 6, 7, 8, 9],
            &[0, 1, 2, 3, 4, 5],
            &[2, 3, 4, 5, 6, 9],
            &[0, 1, 2, 5, 9, 10],
            &[3, 4, 5, 6, 7, 8],
            &[1, 3, 4, 5, 6, 7],
            &[0, 1, 4, 8, 9, 10],
        ],
    ),
    ("5x4", SMALL),
    ("lines", &[&[0, 1, 2, 3], &[4, 5, 6, 7]]),
    ("small", SMALL),
];

/// Its file is smaller than a megabyte.
const SMALL: &[&[u8]] = &[
    &[0, 1, 2, 3],
    &[4, 5, 6, 7],
    &[0, 1, 4, 5],
    &[1, 2, 5, 6],
    &[5, 6, 9, 10],
];

/// The names of the named sets.
pub const NAMES: [&str; NAMED.len()] = {
    let mut names = [""; NAMED.len()];
    let mut place = 0;
    while place < names.len() {
        names[place] = NAMED[place].0;
        place += 1;
    }
    names
};

/// The board that the named sets are written for has four columns.
const NAMED_COLS: u8 = 4;

/// A larger tuple would need more than four gigabytes.
const MOST_CELLS: usize = 7;

/// Tuples of cells of a board, each in ascending order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tuples {
    rows: u8,
    cols: u8,
    tuples: Vec<Vec<u8>>,
}

/// What tuples there are for the boards of a game.
pub(super) struct Sets<'a> {
    /// The names of the named sets.
    pub(super) names: &'a [&'a str],
    /// Whether a tuple is small enough, on a board of so many rows and columns.
    pub(super) check: fn(&[u8], u8, u8) -> Result<(), ShapeError>,
}

impl Tuples {
    /// The tuples that a text names, on a board of 2048 of this size: a named set, or tuples separated by blanks, each a list of cells
    /// separated by commas (`0,1,2,3 4,5,6,7`), counted row by row from 0.
    pub fn read(text: &str, rows: u8, cols: u8) -> Result<Self, ShapeError> {
        if let Some((name, tuples)) = NAMED.iter().find(|(name, _)| *name == text) {
            let tuples = tuples.iter().map(|tuple| moved(name, tuple, rows, cols));
            return Ok(Self::of(rows, cols, tuples.collect::<Result<_, _>>()?));
        }
        let sets = Sets {
            names: &NAMES,
            check: |tuple, _, _| check(tuple),
        };
        Self::listed(text, rows, cols, &sets)
    }

    /// The tuples that a text lists.
    pub(super) fn listed(
        text: &str,
        rows: u8,
        cols: u8,
        sets: &Sets<'_>,
    ) -> Result<Self, ShapeError> {
        let tuples = text
            .split_whitespace()
            .map(|tuple| sets.listed(tuple, rows, cols));
        let tuples: Vec<Vec<u8>> = tuples.collect::<Result<_, _>>()?;
        if tuples.is_empty() {
            return Err(ShapeError(format!(
                "no tuple is named; {}",
                sets.expected()
            )));
        }
        Ok(Self { rows, cols, tuples })
    }

    /// These tuples of a board.
    #[must_use]
    pub(super) fn of(rows: u8, cols: u8, tuples: Vec<Vec<u8>>) -> Self {
        Self { rows, cols, tuples }
    }

    /// Rows and columns of the board.
    #[must_use]
    pub fn size(&self) -> (u8, u8) {
        (self.rows, self.cols)
    }

    /// The cells of each tuple.
    #[must_use]
    pub fn cells(&self) -> &[Vec<u8>] {
        &self.tuples
    }
}

/// A tuple of a named set on a board of another size.
fn moved(name: &str, tuple: &[u8], rows: u8, cols: u8) -> Result<Vec<u8>, ShapeError> {
    tuple
        .iter()
        .map(|cell| {
            let (row, col) = (cell / NAMED_COLS, cell % NAMED_COLS);
            (row < rows && col < cols)
                .then_some(row * cols + col)
                .ok_or_else(|| {
                    ShapeError(format!(
                        "{name} looks at row {} and column {}, which a board of {rows}x{cols} does not have; list cells that it has",
                        row + 1,
                        col + 1
                    ))
                })
        })
        .collect()
}

impl Sets<'_> {
    fn expected(&self) -> String {
        format!(
            "expected one of {}, or cells like '0,1,2,3 4,5,6,7'",
            self.names.join(", ")
        )
    }

    fn listed(&self, tuple: &str, rows: u8, cols: u8) -> Result<Vec<u8>, ShapeError> {
        let last = rows * cols - 1;
        let mut cells = Vec::new();
        for word in tuple.split(',') {
            let cell = word.parse().ok().filter(|&cell: &u8| cell <= last);
            let Some(cell) = cell else {
                let nearest = did_you_mean(word, self.names.iter().copied());
                return Err(ShapeError(format!(
                    "'{word}'{nearest}: not a cell from 0 to {last}; {}",
                    self.expected()
                )));
            };
            if cells.contains(&cell) {
                return Err(ShapeError(format!("'{tuple}' has the cell {cell} twice")));
            }
            cells.push(cell);
        }
        (self.check)(&cells, rows, cols)?;
        cells.sort_unstable();
        Ok(cells)
    }
}

/// A tuple of 2048 must not be too large.
fn check(tuple: &[u8]) -> Result<(), ShapeError> {
    match tuple.len() > MOST_CELLS {
        true => Err(ShapeError(format!(
            "a tuple of {} cells is too large; one has at most {MOST_CELLS}",
            tuple.len()
        ))),
        false => Ok(()),
    }
}

/// The list, which reads back as the same tuples.
impl fmt::Display for Tuples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tuples = self.tuples.iter().map(|tuple| {
            let cells: Vec<String> = tuple.iter().map(u8::to_string).collect();
            cells.join(",")
        });
        f.write_str(&tuples.collect::<Vec<_>>().join(" "))
    }
}
