//! Options of Tetris and what they may be.

use super::generator::Generator;
use super::oriented::Shape;
use super::piece::Queue;
use super::shapes::ShapeSet;
use crate::options::{OptionSpec, Options, RulesError};

/// The most columns a board may have.
pub const MAX_COLUMNS: usize = 16;
/// The most rows a board may have.
pub const MAX_ROWS: u32 = 40;
/// The least columns and rows.
pub(super) const LEAST_SIDE: u32 = 4;

const BOARD: OptionSpec = OptionSpec {
    name: "board",
    value: "COLSxROWS",
    default: "10x20",
    help: "size of the board, 4 to 16 columns and 4 to 40 rows",
};
const KNOWN: OptionSpec = OptionSpec {
    name: "known",
    value: "N",
    default: "2",
    help: "pieces that are known, the current one among them, 1 to 8",
};
const LIMIT: OptionSpec = OptionSpec {
    name: "limit",
    value: "N",
    default: "none",
    help: "pieces after which the game ends, or 'none'",
};
const SHAPES: OptionSpec = OptionSpec {
    name: "shapes",
    value: "SHAPES",
    default: "tetrominoes",
    help: "tetrominoes, pentominoes, hexominoes, some tetrominoes like SZ, or drawings like ##/.#,###",
};
const GENERATOR: OptionSpec = OptionSpec {
    name: "generator",
    value: "HOW",
    default: "uniform",
    help: "how pieces come: uniform, bag (each once per bag), or weights like S=2,Z=0.5",
};
const GRAVITY: OptionSpec = OptionSpec {
    name: "gravity",
    value: "HOW",
    default: "rows",
    help: "after a line: 'rows' above move down by it, or 'cascade': whatever floats falls",
};
const HOLD: OptionSpec = OptionSpec {
    name: "hold",
    value: "",
    default: "false",
    help: "the current piece may be held and exchanged for the held one, or for the next while none is held; needs known=2 or more",
};

/// All options of Tetris.
pub(super) const OPTIONS: &[OptionSpec] = &[BOARD, KNOWN, LIMIT, SHAPES, GENERATOR, GRAVITY, HOLD];

/// What happens to the cells above a full row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gravity {
    /// They move down by it.
    Rows,
    /// Whatever is not connected to the floor falls.
    Cascade,
}

/// The board, the pieces and how they come, and what ends the game.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Columns of the board.
    pub columns: u8,
    /// Rows of the board.
    pub rows: u8,
    /// Pieces that are known, the current one among them.
    pub known: u8,
    /// Pieces after which the game ends.
    pub limit: Option<u64>,
    /// The shapes.
    pub shapes: ShapeSet,
    /// How they come.
    pub generator: Generator,
    /// What full rows do to those above.
    pub gravity: Gravity,
    /// Whether a piece may be held.
    pub hold: bool,
}

impl Rules {
    /// Reads and checks the options.
    pub fn from_options(options: &Options) -> Result<Self, RulesError> {
        let (columns, rows) = read_board(options)?;
        let shapes = read_shapes(options, columns, rows)?;
        let generator = options.get(GENERATOR.name).unwrap_or(GENERATOR.default);
        let generator = Generator::read(generator, shapes.pieces())
            .map_err(|allowed| GENERATOR.refuse(generator, allowed))?;
        let known = options.number(&KNOWN, 1..=Queue::MOST as u64)? as u8;
        let hold = options.read(&HOLD, "must be true or false")?;
        if hold && known < 2 {
            return Err(HOLD.refuse(
                hold,
                "needs known=2 or more: the piece that follows must be known",
            ));
        }
        Ok(Self {
            columns,
            rows,
            known,
            hold,
            limit: match options.get(LIMIT.name).unwrap_or(LIMIT.default) {
                "none" => None,
                _ => Some(options.number(&LIMIT, 1..=1_000_000_000_000)?),
            },
            shapes,
            generator,
            gravity: match options.get(GRAVITY.name).unwrap_or(GRAVITY.default) {
                "rows" => Gravity::Rows,
                "cascade" => Gravity::Cascade,
                other => return Err(GRAVITY.refuse(other, "must be rows or cascade")),
            },
        })
    }

    /// The same rules as options.
    #[must_use]
    pub fn to_options(&self) -> Options {
        let mut options = Options::default();
        options.set(BOARD.name, format!("{}x{}", self.columns, self.rows));
        options.set(KNOWN.name, self.known.to_string());
        options.set(
            LIMIT.name,
            self.limit
                .map_or("none".to_owned(), |limit| limit.to_string()),
        );
        options.set(SHAPES.name, self.shapes.to_string());
        options.set(GENERATOR.name, self.generator.to_string());
        let gravity = match self.gravity {
            Gravity::Rows => "rows",
            Gravity::Cascade => "cascade",
        };
        options.set(GRAVITY.name, gravity);
        // Without it the rules are written as they were before there was hold: runs are known by them.
        if self.hold {
            options.set(HOLD.name, "true");
        }
        options
    }

    /// The most lines that can be cleared at once.
    #[must_use]
    pub fn most_lines(&self) -> u32 {
        let sides = self
            .shapes
            .drawings()
            .iter()
            .flat_map(|drawing| &drawing.cells);
        let longest = sides
            .map(|&(column, row)| u32::from(column.max(row)) + 1)
            .max()
            .unwrap_or(0);
        match self.gravity {
            Gravity::Rows => longest,
            Gravity::Cascade => u32::from(self.rows),
        }
    }
}

fn read_board(options: &Options) -> Result<(u8, u8), RulesError> {
    let allowed = "must be COLSxROWS, 4 to 16 columns and 4 to 40 rows, like 10x20";
    let (columns, rows) = options.pair(&BOARD, allowed)?;
    let least = u64::from(LEAST_SIDE);
    let fits = (least..=MAX_COLUMNS as u64).contains(&columns)
        && (least..=u64::from(MAX_ROWS)).contains(&rows);
    if fits {
        Ok((columns as u8, rows as u8))
    } else {
        Err(BOARD.refuse(format!("{columns}x{rows}"), allowed))
    }
}

fn read_shapes(options: &Options, columns: u8, rows: u8) -> Result<ShapeSet, RulesError> {
    let text = options.get(SHAPES.name).unwrap_or(SHAPES.default);
    let shapes: ShapeSet = text
        .parse()
        .map_err(|allowed: String| SHAPES.refuse(text, allowed))?;
    let too_large = |shape: &Shape| shape.flattest() > u32::from(rows);
    let all = shapes
        .drawings()
        .iter()
        .map(|drawing| Shape::new(drawing, columns));
    match all.into_iter().find(too_large) {
        None => Ok(shapes),
        Some(shape) => Err(SHAPES.refuse(
            text,
            format!(
                "shape {} does not fit a board of {columns}x{rows}",
                shape.piece()
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Result<Rules, RulesError> {
        Rules::from_options(&text.parse().unwrap())
    }

    #[test]
    fn defaults_are_those_of_tetris_ga() {
        let rules = rules("").unwrap();
        assert_eq!(
            (rules.columns, rules.rows, rules.known, rules.limit),
            (10, 20, 2, None)
        );
        assert_eq!(
            rules.to_options().to_string(),
            "board=10x20 generator=uniform gravity=rows known=2 limit=none shapes=tetrominoes"
        );
    }

    #[test]
    fn wrong_options_are_refused_with_what_is_right() {
        let check = |text: &str, part: &str| {
            let error = rules(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        };
        check("board=3x20", "4 to 16 columns");
        check("board=10x41", "4 to 40 rows");
        check("board=10", "like 10x20");
        check("known=9", "from 1 to 8");
        check("limit=0", "from 1 to 1000000000000");
        check("gravity=up", "rows or cascade");
        check("hold=maybe", "true or false");
        check("hold=true known=1", "needs known=2 or more");
        check("generator=Q=1", "its shapes are IOTJLSZ");
        check(
            "shapes=pentominoes board=4x4",
            "shape I does not fit a board of 4x4",
        );
    }
}
