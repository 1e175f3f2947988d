//! Shapes of pieces: how they are named and drawn.
//!
//! A shape is drawn row by row from the top, `/` between rows, `#` filled and `.` empty. Hexominoes, of which there are 60 without turning any
//! over, are found by adding cells.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use super::piece::Piece;

/// The longest side of the box a shape may have.
pub const MAX_SIDE: usize = 6;
/// The most shapes that may be drawn.
pub const MAX_SHAPES: usize = 26;

const TETROMINOES: [(char, &str); 7] = [
    ('I', "####"),
    ('O', "##/##"),
    ('T', ".#./###"),
    ('J', "#../###"),
    ('L', "..#/###"),
    ('S', ".##/##."),
    ('Z', "##./.##"),
];

/// The one-sided pentominoes by their usual letters; a small letter is the mirror image of the capital.
const PENTOMINOES: [(char, &str); 18] = [
    ('F', ".##/##./.#."),
    ('f', "##./.##/.#."),
    ('I', "#####"),
    ('L', "...#/####"),
    ('l', "#.../####"),
    ('N', "..##/###."),
    ('n', "##../.###"),
    ('P', ".##/###"),
    ('p', "##./###"),
    ('T', "###/.#./.#."),
    ('U', "#.#/###"),
    ('V', "#../#../###"),
    ('W', "#../##./.##"),
    ('X', ".#./###/.#."),
    ('Y', "..#./####"),
    ('y', ".#../####"),
    ('Z', "##./.#./.##"),
    ('z', ".##/.#./##."),
];

/// A cell of a shape: its column and its row, counted from the left and from below, within the box.
pub type Cell = (u8, u8);

/// A shape as it was drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// The letter of the shape.
    pub piece: Piece,
    /// The filled cells; the box begins at column 0 and row 0.
    pub cells: Vec<Cell>,
}

/// The shapes of a game, in their order, and the words that named them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShapeSet {
    text: String,
    drawings: Vec<Drawing>,
}

impl ShapeSet {
    /// The shapes, in their order.
    #[must_use]
    pub fn drawings(&self) -> &[Drawing] {
        &self.drawings
    }

    /// The letters of the shapes, in their order.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> {
        self.drawings.iter().map(|drawing| drawing.piece)
    }
}

impl fmt::Display for ShapeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The error says what is allowed, as the rest of a sentence.
impl FromStr for ShapeSet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let drawings = match text {
            "tetrominoes" => named(&TETROMINOES),
            "pentominoes" => named(&PENTOMINOES),
            "hexominoes" => Ok(polyominoes(6)),
            _ if text.contains(['#', '.', '/']) => drawn(text),
            _ => tetrominoes_of(text),
        }?;
        Ok(Self {
            text: text.to_owned(),
            drawings,
        })
    }
}

fn named(table: &[(char, &str)]) -> Result<Vec<Drawing>, String> {
    table
        .iter()
        .map(|&(letter, rows)| draw(letter, rows))
        .collect()
}

/// All shapes of this many cells, none of them the same as another one turned; named in the order of their cells.
fn polyominoes(cells: usize) -> Vec<Drawing> {
    let mut found = BTreeSet::from([vec![(0, 0)]]);
    for _ in 1..cells {
        found = found.iter().flat_map(|cells| grown(cells)).collect();
    }
    let drawing = |(piece, cells)| Drawing { piece, cells };
    Piece::all().zip(found).map(drawing).collect()
}

/// The shapes with one cell more than these.
fn grown(cells: &[Cell]) -> Vec<Vec<Cell>> {
    let beside = |&(column, row): &Cell| {
        // One further right and up than it is, so that nothing becomes negative.
        let (column, row) = (column + 1, row + 1);
        [
            (column - 1, row),
            (column + 1, row),
            (column, row - 1),
            (column, row + 1),
        ]
    };
    let moved: Vec<Cell> = cells.iter().map(|cell| (cell.0 + 1, cell.1 + 1)).collect();
    let new = cells.iter().flat_map(beside);
    let new = new.filter(|cell| !moved.contains(cell));
    new.map(|cell| first_rotation([moved.as_slice(), &[cell]].concat()))
        .collect()
}

/// The least of the four rotations, by its cells in order; it stands for all of them.
fn first_rotation(mut cells: Vec<Cell>) -> Vec<Cell> {
    let rotations = (0..4).map(|_| {
        let least = |of: fn(&Cell) -> u8| cells.iter().map(of).min().unwrap_or(0);
        let (left, lowest) = (least(|cell| cell.0), least(|cell| cell.1));
        let boxed = cells.iter().map(|cell| (cell.0 - left, cell.1 - lowest));
        let mut boxed: Vec<Cell> = boxed.collect();
        boxed.sort_unstable();
        let right = boxed.iter().map(|cell| cell.0).max().unwrap_or(0);
        cells = boxed.iter().map(|cell| (cell.1, right - cell.0)).collect();
        boxed
    });
    rotations.min().unwrap_or_default()
}

fn tetrominoes_of(letters: &str) -> Result<Vec<Drawing>, String> {
    let mut table: Vec<(char, &str)> = Vec::new();
    for letter in letters.chars() {
        if table.iter().any(|known| known.0 == letter) {
            return Err(format!(
                "names {letter} twice; give more of a piece by generator={letter}=2"
            ));
        }
        table.push(*TETROMINOES.iter().find(|known| known.0 == letter).ok_or(
            "must be tetrominoes, pentominoes, hexominoes, letters of tetrominoes (IOTJLSZ) like SZ, \
             or drawings like ##/.#,###",
        )?);
    }
    if table.is_empty() {
        Err("must name at least one shape".to_owned())
    } else {
        named(&table)
    }
}

fn drawn(text: &str) -> Result<Vec<Drawing>, String> {
    let drawings: Vec<&str> = text.split(',').collect();
    if drawings.len() > MAX_SHAPES {
        return Err(format!(
            "has {} shapes; at most {MAX_SHAPES} are allowed",
            drawings.len()
        ));
    }
    ('a'..='z')
        .zip(drawings)
        .map(|(letter, rows)| draw(letter, rows))
        .collect()
}

/// The shape of these rows, its box drawn tight round it.
fn draw(letter: char, rows: &str) -> Result<Drawing, String> {
    let piece = Piece::new(letter).expect("shapes are named by letters");
    let lines: Vec<&str> = rows.split('/').collect();
    if lines
        .iter()
        .any(|line| line.is_empty() || line.len() != lines[0].len())
    {
        return Err(format!(
            "the rows of '{rows}' must be of one length, like ##/.#"
        ));
    }
    let mut cells = Vec::new();
    for (row, line) in lines.iter().rev().enumerate() {
        for (column, mark) in line.chars().enumerate() {
            match mark {
                '#' => cells.push((column, row)),
                '.' => {}
                _ => {
                    return Err(format!(
                        "has '{mark}' in '{rows}'; a cell is # (filled) or ."
                    ));
                }
            }
        }
    }
    let left = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
    let lowest = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
    for (column, row) in &mut cells {
        (*column, *row) = (*column - left, *row - lowest);
    }
    if cells
        .iter()
        .any(|&(column, row)| column.max(row) >= MAX_SIDE)
    {
        return Err(format!(
            "'{rows}' is too large; {MAX_SIDE} rows and columns are allowed"
        ));
    }
    let cells: Vec<Cell> = cells
        .into_iter()
        .map(|(column, row)| (column as u8, row as u8))
        .collect();
    if !is_connected(&cells) {
        return Err(format!(
            "'{rows}' must be one piece, each # side by side with another"
        ));
    }
    Ok(Drawing { piece, cells })
}

fn is_connected(cells: &[Cell]) -> bool {
    let mut reached: Vec<Cell> = cells.first().copied().into_iter().collect();
    let mut next = 0;
    while let Some(&(column, row)) = reached.get(next) {
        for cell in cells {
            if column.abs_diff(cell.0) + row.abs_diff(cell.1) == 1 && !reached.contains(cell) {
                reached.push(*cell);
            }
        }
        next += 1;
    }
    !cells.is_empty() && reached.len() == cells.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_get_letters_and_tight_boxes() {
        let set: ShapeSet = "...#/..##/....,#".parse().unwrap();
        assert_eq!(
            set.pieces()
                .map(|piece| piece.to_string())
                .collect::<String>(),
            "ab"
        );
        assert_eq!(set.drawings()[0].cells, [(0, 0), (1, 0), (1, 1)]);
    }

    #[test]
    fn polyominoes_are_all_there_are() {
        // One-sided polyominoes: https://oeis.org/A000988.
        let counts = (1..=6).map(|cells| polyominoes(cells).len());
        assert_eq!(counts.collect::<Vec<_>>(), [1, 1, 2, 7, 18, 60]);
        let cells_of = |drawings: Vec<Drawing>| -> BTreeSet<Vec<Cell>> {
            let cells = drawings.into_iter().map(|drawing| drawing.cells);
            cells.map(first_rotation).collect()
        };
        for (drawn, cells) in [(&TETROMINOES[..], 4), (&PENTOMINOES[..], 5)] {
            assert_eq!(
                cells_of(named(drawn).unwrap()),
                cells_of(polyominoes(cells))
            );
        }
        let hexominoes: ShapeSet = "hexominoes".parse().unwrap();
        assert_eq!(hexominoes.pieces().collect::<BTreeSet<_>>().len(), 60);
        assert!(
            hexominoes
                .drawings()
                .iter()
                .all(|drawing| is_connected(&drawing.cells))
        );
    }

    #[test]
    fn wrong_shapes_are_refused_with_what_is_right() {
        let check = |text: &str, part: &str| {
            let error = text.parse::<ShapeSet>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        };
        check("", "at least one shape");
        check("Q", "IOTJLSZ");
        check("SZS", "names S twice");
        check("##/#", "one length");
        check("##,", "one length");
        check("#.#", "one piece");
        check("...", "one piece");
        check("#######", "too large");
        check("#x", "'x'");
        check(&["#"; 27].join(","), "at most 26");
    }
}
