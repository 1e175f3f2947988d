//! What the tables of a network of Connect-N look at, as text: a named set, or a list. A tuple stands for its mirror image too.

use std::fmt;

use games::connect::Rules;

use super::super::tuples::Sets;
use super::super::{ShapeError, Tuples};
use super::{places, threats, tops};

/// The names of the named sets.
pub const NAMES: [&str; 3] = ["small", "windows", "lines"];

/// A larger tuple would need more than half a gigabyte while it learns.
const MOST_BITS: usize = 24;

/// The word for tables of threats in a list of tuples.
const THREATS: &str = "threats";

/// What the tables of a network look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sights {
    /// The rules of the game.
    pub rules: Rules,
    /// Cells, counted row by row from the top left.
    pub tuples: Tuples,
    /// Whether there are tables of threats.
    pub threats: bool,
}

/// What a text names on a board with these rules: a named set, or a list of tuples, with the word `threats` for tables of threats.
///
/// `lines` are the lines of C that are not upright, each with the cells below it; `small` are these, all windows of C rows and two
/// columns, all of three by three, and threats if the board is not too large for them; `windows` has those of three by four and four by
/// three besides.
pub fn read(text: &str, rules: Rules) -> Result<Sights, ShapeError> {
    let mut board = Board::new(rules);
    match text {
        "lines" => board.add_lines(),
        "small" => board.add_small(),
        "windows" => {
            board.add_small();
            board.add_windows(3, 4);
            board.add_windows(4, 3);
        }
        list => return read_list(list, rules),
    }
    Ok(Sights {
        rules,
        tuples: board.tuples(text)?,
        threats: text != "lines" && threats::fit(rules),
    })
}

fn read_list(list: &str, rules: Rules) -> Result<Sights, ShapeError> {
    let named = Sets {
        names: &NAMES,
        check,
    };
    let words = || list.split_whitespace();
    let has_threats = words().any(|word| word == THREATS);
    if has_threats {
        threats::check(rules)?;
    }
    let tuples: Vec<&str> = words().filter(|&word| word != THREATS).collect();
    Ok(Sights {
        rules,
        tuples: Tuples::listed(&tuples.join(" "), rules.rows, rules.cols, &named)?,
        threats: has_threats,
    })
}

/// The list, which reads back as the same.
impl fmt::Display for Sights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.threats {
            write!(f, "{THREATS} ")?;
        }
        write!(f, "{}", self.tuples)
    }
}

/// A tuple must not be too large.
fn check(tuple: &[u8], rows: u8, cols: u8) -> Result<(), ShapeError> {
    let places = places(tuple, rows, cols);
    let (cells, runs) = (places.len(), tops(&places).count());
    match cells + runs > MOST_BITS {
        true => Err(ShapeError(format!(
            "a tuple of {cells} cells in {runs} runs of columns is too large: cells and runs may be at most {MOST_BITS} together"
        ))),
        false => Ok(()),
    }
}

/// A board on which tuples are laid out.
struct Board {
    rows: u8,
    cols: u8,
    connect: u8,
    tuples: Vec<Vec<u8>>,
}

/// A cell by row and column, both from the top left.
type Place = (u8, u8);

impl Board {
    fn new(rules: Rules) -> Self {
        Self {
            rows: rules.rows,
            cols: rules.cols,
            connect: rules.connect,
            tuples: Vec::new(),
        }
    }

    /// Adds the tuple of these cells unless it or its mirror image is there.
    fn add(&mut self, places: &[Place]) {
        let cells = |at: &dyn Fn(u8) -> u8| {
            let mut cells: Vec<u8> = places
                .iter()
                .map(|&(row, col)| row * self.cols + at(col))
                .collect();
            cells.sort_unstable();
            cells.dedup();
            cells
        };
        let (tuple, mirrored) = (cells(&|col| col), cells(&|col| self.cols - 1 - col));
        if !self.tuples.contains(&tuple) && !self.tuples.contains(&mirrored) {
            self.tuples.push(tuple);
        }
    }

    /// Adds all lines that are not upright, each with the cells below it.
    fn add_lines(&mut self) {
        let length = self.connect - 1;
        for row in 0..self.rows {
            for col in 0..self.cols.saturating_sub(length) {
                let level = |step| (row, col + step);
                self.add_line(level);
                if row + length < self.rows {
                    self.add_line(|step| (row + step, col + step));
                    self.add_line(|step| (row + length - step, col + step));
                }
            }
        }
    }

    fn add_small(&mut self) {
        self.add_lines();
        self.add_windows(self.connect, 2);
        self.add_windows(3, 3);
    }

    fn add_line(&mut self, place: impl Fn(u8) -> Place) {
        let line: Vec<Place> = (0..self.connect).map(place).collect();
        let below = line.iter().map(|&(row, col)| (row + 1, col));
        let below = below.filter(|&(row, _)| row < self.rows);
        let cells: Vec<Place> = line.iter().copied().chain(below).collect();
        self.add(&cells);
    }

    /// Adds all windows of this size that fit.
    fn add_windows(&mut self, height: u8, width: u8) {
        for row in 0..(self.rows + 1).saturating_sub(height) {
            for col in 0..(self.cols + 1).saturating_sub(width) {
                let places = (row..row + height).flat_map(|row| {
                    let cols = col..col + width;
                    cols.map(move |col| (row, col))
                });
                self.add(&places.collect::<Vec<_>>());
            }
        }
    }

    /// All tuples, unless one is too large or there is none.
    fn tuples(self, name: &str) -> Result<Tuples, ShapeError> {
        let (rows, cols) = (self.rows, self.cols);
        let instead = "list cells, like '0,1,2,3'";
        if self.tuples.is_empty() {
            let problem = format!("{name} has no tuple on a board of {rows}x{cols}; {instead}");
            return Err(ShapeError(problem));
        }
        for tuple in &self.tuples {
            check(tuple, rows, cols).map_err(|ShapeError(problem)| {
                ShapeError(format!(
                    "{name}, with lines of {}: {problem}; {instead}",
                    self.connect
                ))
            })?;
        }
        Ok(Tuples::of(rows, cols, self.tuples))
    }
}
