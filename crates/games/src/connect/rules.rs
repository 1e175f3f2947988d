//! Options of Connect-N and what they may be.

use crate::options::{OptionSpec, Options, RulesError};

/// The most cells a board may have.
pub const MAX_CELLS: u32 = 128;

const ROWS: OptionSpec = OptionSpec {
    name: "rows",
    value: "M",
    default: "6",
    help: "rows of the board; rows x cols may be at most 128",
};
const COLS: OptionSpec = OptionSpec {
    name: "cols",
    value: "N",
    default: "7",
    help: "columns of the board; rows x cols may be at most 128",
};
const CONNECT: OptionSpec = OptionSpec {
    name: "connect",
    value: "C",
    default: "4",
    help: "own pieces in a line that win, 2 to the longer side of the board",
};
const PIECES: OptionSpec = OptionSpec {
    name: "pieces",
    value: "P",
    default: "enough",
    help: "pieces of each player, 1 to 128, or 'enough' to fill the board",
};

/// All options of Connect-N.
pub(super) const OPTIONS: &[OptionSpec] = &[ROWS, COLS, CONNECT, PIECES];

/// Size of the board, length of a winning line, and pieces of each player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Rows, M.
    pub rows: u8,
    /// Columns, N.
    pub cols: u8,
    /// Pieces in a line that win, C.
    pub connect: u8,
    /// Pieces of each player, P.
    pub pieces: u8,
}

impl Rules {
    /// Reads and checks the options.
    pub fn from_options(options: &Options) -> Result<Self, RulesError> {
        let most = u64::from(MAX_CELLS);
        let rows = options.number(&ROWS, 1..=most)?;
        let cols = options.number(&COLS, 1..=most)?;
        if rows * cols > most {
            let allowed = format!(
                "a board of {rows} rows and {cols} columns has {} cells; at most {most} are allowed",
                rows * cols
            );
            return Err(COLS.refuse(cols, allowed));
        }
        let longer = rows.max(cols);
        if longer < 2 {
            return Err(COLS.refuse(
                cols,
                "a board of one cell has no line; give it more columns",
            ));
        }
        let connect = options.number(&CONNECT, 2..=most)?;
        if connect > longer {
            let allowed = format!(
                "must be from 2 to {longer}, the longer side of a board of {rows} rows and {cols} columns"
            );
            return Err(CONNECT.refuse(connect, allowed));
        }
        let pieces = match options.get(PIECES.name) {
            None | Some("enough") => (rows * cols).div_ceil(2),
            Some(_) => options.number(&PIECES, 1..=most)?,
        };
        Ok(Self {
            rows: rows as u8,
            cols: cols as u8,
            connect: connect as u8,
            pieces: pieces as u8,
        })
    }

    /// The same rules as options.
    #[must_use]
    pub fn to_options(self) -> Options {
        let mut options = Options::default();
        options.set(ROWS.name, self.rows.to_string());
        options.set(COLS.name, self.cols.to_string());
        options.set(CONNECT.name, self.connect.to_string());
        options.set(PIECES.name, self.pieces.to_string());
        options
    }

    /// Cells of the board.
    #[inline]
    #[must_use]
    pub fn cells(self) -> u32 {
        u32::from(self.rows) * u32::from(self.cols)
    }

    /// Moves after which the board is full or the pieces are used up.
    #[inline]
    #[must_use]
    pub fn longest_game(self) -> u32 {
        self.cells().min(2 * u32::from(self.pieces))
    }
}
