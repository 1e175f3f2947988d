//! A picture of any position: a grid of labelled cells. Screens, pages and reports show it for a game without a drawing of its own.

/// A grid of cells, and notes beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sketch {
    /// Rows of the grid; the same in all positions of a game.
    pub rows: usize,
    /// Columns of the grid; the same in all positions of a game.
    pub cols: usize,
    /// Row by row from the top.
    pub cells: Vec<Cell>,
    /// Lines beside the grid, a name and a text each; for example the pieces that come next.
    pub notes: Vec<(&'static str, String)>,
}

/// What lies in one place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cell {
    /// A few characters; none for an empty cell.
    pub label: String,
    /// What it is, as a number: cells that differ in kind differ in tone. 0 is an empty cell.
    pub tone: u8,
}

impl Cell {
    /// A cell that is not empty.
    #[must_use]
    pub fn new(label: impl Into<String>, tone: u8) -> Self {
        Self {
            label: label.into(),
            tone,
        }
    }
}

impl Sketch {
    /// A grid whose cells follow from row (0 is the top) and column; `None` is an empty cell.
    #[must_use]
    pub fn new(
        rows: impl Into<usize>,
        cols: impl Into<usize>,
        cell: impl Fn(usize, usize) -> Option<Cell>,
    ) -> Self {
        let (rows, cols) = (rows.into(), cols.into());
        let places = (0..rows * cols).map(|place| (place / cols, place % cols));
        Self {
            rows,
            cols,
            cells: places
                .map(|(row, col)| cell(row, col).unwrap_or_default())
                .collect(),
            notes: Vec::new(),
        }
    }

    /// The same with a line beside the grid, if there is anything to say.
    #[must_use]
    pub fn note(mut self, name: &'static str, text: String) -> Self {
        if !text.is_empty() {
            self.notes.push((name, text));
        }
        self
    }
}
