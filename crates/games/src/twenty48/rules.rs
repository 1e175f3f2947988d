//! Options of 2048 and what they may be.

use std::fmt;
use std::str::FromStr;

use crate::options::{OptionSpec, Options, RulesError};

const RULES: OptionSpec = OptionSpec {
    name: "rules",
    value: "NAME",
    default: "standard",
    help: "standard, or fer (chain merges, empty moves count, score is the sum of the tiles)",
};
const SIZE: OptionSpec = OptionSpec {
    name: "size",
    value: "ROWSxCOLS",
    default: "4x4",
    help: "size of the board, 3x3 to 5x5",
};
const WIN: OptionSpec = OptionSpec {
    name: "win",
    value: "TILE",
    default: "2048",
    help: "the tile that wins, a power of two from 8 to 33554432",
};
const STOP_AT_WIN: OptionSpec = OptionSpec {
    name: "stop-at-win",
    value: "",
    default: "false",
    help: "end the game with the winning tile instead of playing on",
};
const FOUR: OptionSpec = OptionSpec {
    name: "four",
    value: "SHARE",
    default: "0.1",
    help: "probability that a new tile is a 4 and not a 2, from 0 to 1",
};

/// All options of 2048.
pub(super) const OPTIONS: &[OptionSpec] = &[RULES, SIZE, WIN, STOP_AT_WIN, FOUR];

/// How tiles merge and what counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// A tile made in a move does not merge again in it; a merge scores the new tile; a move must change something.
    Standard,
    /// A tile made in a move may merge again in it; the score is the sum of the tiles; any move counts.
    Fer,
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Standard => "standard",
            Self::Fer => "fer",
        })
    }
}

impl FromStr for Variant {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Standard, Self::Fer]
            .into_iter()
            .find(|variant| variant.to_string() == text)
            .ok_or(())
    }
}

/// The rules of a game of 2048.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// How tiles merge and what counts.
    pub variant: Variant,
    /// Rows of the board.
    pub rows: u8,
    /// Columns of the board.
    pub cols: u8,
    /// Exponent of the tile that wins.
    pub win: u8,
    /// Does the game end with the winning tile?
    pub stop_at_win: bool,
    /// Probability that a new tile is a 4.
    pub four: f64,
}

impl Rules {
    /// Reads and checks the options.
    pub fn from_options(options: &Options) -> Result<Self, RulesError> {
        let (rows, cols) = read_size(options)?;
        let four: f64 = options.read(&FOUR, "must be a number from 0 to 1")?;
        if !(0.0..=1.0).contains(&four) {
            return Err(FOUR.refuse(four, "must be a number from 0 to 1"));
        }
        Ok(Self {
            variant: options.read(&RULES, "must be 'standard' or 'fer'")?,
            rows,
            cols,
            win: read_win(options)?,
            stop_at_win: options.read(&STOP_AT_WIN, "must be 'true' or 'false'")?,
            four,
        })
    }

    /// The same rules as options.
    #[must_use]
    pub fn to_options(self) -> Options {
        let mut options = Options::default();
        options.set(RULES.name, self.variant.to_string());
        options.set(SIZE.name, format!("{}x{}", self.rows, self.cols));
        options.set(WIN.name, (1_u64 << self.win).to_string());
        options.set(STOP_AT_WIN.name, self.stop_at_win.to_string());
        options.set(FOUR.name, self.four.to_string());
        options
    }
}

fn read_size(options: &Options) -> Result<(u8, u8), RulesError> {
    let allowed = "must be ROWSxCOLS, 3x3 to 5x5, e.g. 4x4";
    let (rows, cols) = options.pair(&SIZE, allowed)?;
    if !(3..=5).contains(&rows) || !(3..=5).contains(&cols) {
        return Err(SIZE.refuse(format!("{rows}x{cols}"), allowed));
    }
    Ok((rows as u8, cols as u8))
}

fn read_win(options: &Options) -> Result<u8, RulesError> {
    let tile = options.number(&WIN, 8..=1 << 25)?;
    if tile.is_power_of_two() {
        Ok(tile.trailing_zeros() as u8)
    } else {
        Err(WIN.refuse(tile, "must be a power of two from 8 to 33554432"))
    }
}
