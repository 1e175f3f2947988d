//! A position as text, whatever board it is on.
//!
//! `10x20 #.../##.. TI pieces 7 clears 1,0,0,0 bag JL hold S`: columns x rows; the rows from the highest that is not
//! empty down to the floor, or `-`; the letters of the queue, or `-`; then, unless they are zero, the
//! pieces placed, how often 1, 2, 3, 4 (and 5) lines were cleared at once, number, lines and points of
//! the `avalanches` (more than 5 at once), what is left in the bag, and the piece that is held. `{:#}` shows all rows, one per line.

use std::fmt;
use std::str::FromStr;

use super::clears::{Avalanches, Clears};
use super::piece::{Piece, Queue};
use super::rules::{LEAST_SIDE, MAX_COLUMNS, MAX_ROWS};
use crate::game::PositionError;

/// The largest number a text may have: no game counts further, and no sum overflows.
const MOST: u64 = 1_000_000_000_000_000;

/// What the text of a position says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Text {
    /// All rows, the lowest first.
    pub(super) rows: Vec<Vec<bool>>,
    pub(super) queue: Vec<Piece>,
    pub(super) bag: Vec<Piece>,
    pub(super) held: Option<Piece>,
    pub(super) pieces: u64,
    pub(super) clears: Clears,
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = |pieces: &[Piece]| pieces.iter().map(|p| p.letter()).collect::<String>();
        let or_dash = |text: String| {
            if text.is_empty() {
                "-".to_owned()
            } else {
                text
            }
        };
        let gap = if f.alternate() { "\n" } else { " " };
        let board = or_dash(self.board(f.alternate()));
        let queue = or_dash(letters(&self.queue));
        write!(
            f,
            "{}x{}{gap}{board}{gap}{queue}",
            self.rows[0].len(),
            self.rows.len()
        )?;
        if self.pieces > 0 {
            write!(f, " pieces {}", self.pieces)?;
        }
        let [one, two, three, four, five] = self.clears.counts;
        match self.clears.counts {
            [0, 0, 0, 0, 0] => {}
            [.., 0] => write!(f, " clears {one},{two},{three},{four}")?,
            _ => write!(f, " clears {one},{two},{three},{four},{five}")?,
        }
        let Avalanches {
            count,
            lines,
            points,
        } = self.clears.avalanches;
        if count > 0 {
            write!(f, " avalanches {count},{lines},{points}")?;
        }
        if !self.bag.is_empty() {
            write!(f, " bag {}", letters(&self.bag))?;
        }
        if let Some(held) = self.held {
            write!(f, " hold {held}")?;
        }
        Ok(())
    }
}

impl Text {
    fn board(&self, all_rows: bool) -> String {
        let is_above = |row: &&Vec<bool>| !all_rows && !row.contains(&true);
        let rows = self.rows.iter().rev().skip_while(is_above);
        let draw = |row: &Vec<bool>| -> String {
            row.iter()
                .map(|&filled| if filled { '#' } else { '.' })
                .collect()
        };
        rows.map(draw)
            .collect::<Vec<_>>()
            .join(if all_rows { "\n" } else { "/" })
    }
}

fn wrong<T>(why: impl Into<String>) -> Result<T, PositionError> {
    Err(PositionError(why.into()))
}

impl FromStr for Text {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let mut words = text.split_whitespace().peekable();
        let (columns, height) = read_size(words.next().unwrap_or(""))?;
        // A board over several lines is as many words; the first is a row in any case.
        let mut board = words.next().unwrap_or("").to_owned();
        while let Some(line) = words.next_if(|word| word.bytes().all(|c| b"#./".contains(&c))) {
            board = board + "/" + line;
        }
        let queue = words.next().unwrap_or("");
        if queue.is_empty() {
            return wrong("it should begin with size, rows and queue, like '10x20 - TI'");
        }
        let mut read = Self {
            rows: read_rows(&board, columns, height)?,
            queue: read_letters(if queue == "-" { "" } else { queue })?,
            bag: Vec::new(),
            held: None,
            pieces: 0,
            clears: Clears::default(),
        };
        if read.queue.len() > Queue::MOST {
            return wrong(format!(
                "the queue '{queue}' has more than {} pieces",
                Queue::MOST
            ));
        }
        while let Some(name) = words.next() {
            read.read_word(name, words.next().unwrap_or(""))?;
        }
        Ok(read)
    }
}

impl Text {
    fn read_word(&mut self, name: &str, value: &str) -> Result<(), PositionError> {
        match name {
            "pieces" => [self.pieces] = read_numbers(name, value, 1)?,
            "clears" => self.clears.counts = read_numbers(name, value, 1)?,
            "avalanches" => {
                let [count, lines, points] = read_numbers(name, value, 3)?;
                self.clears.avalanches = Avalanches {
                    count,
                    lines,
                    points,
                };
                if count == 0 {
                    return wrong("avalanches begin with how many there were, at least 1");
                }
            }
            "bag" => {
                self.bag = read_letters(value)?;
                self.bag.sort();
                if self.bag.is_empty() || self.bag.windows(2).any(|pair| pair[0] == pair[1]) {
                    return wrong(format!("bag '{value}' should be letters that differ"));
                }
            }
            "hold" => match read_letters(value)?[..] {
                [piece] => self.held = Some(piece),
                _ => return wrong(format!("hold '{value}' should be one letter")),
            },
            _ => {
                return wrong(format!(
                    "'{name}' after the queue; allowed are pieces, clears, avalanches, bag and hold"
                ));
            }
        }
        Ok(())
    }
}

fn read_size(word: &str) -> Result<(usize, usize), PositionError> {
    let numbers = word
        .split_once('x')
        .and_then(|(columns, rows)| Some((columns.parse().ok()?, rows.parse().ok()?)));
    let (least, most_rows) = (LEAST_SIDE as usize, MAX_ROWS as usize);
    match numbers {
        Some((columns, rows))
            if (least..=MAX_COLUMNS).contains(&columns) && (least..=most_rows).contains(&rows) =>
        {
            Ok((columns, rows))
        }
        _ => wrong(format!(
            "'{word}' should be the size, columns x rows, like 10x20; \
             {least} to {MAX_COLUMNS} columns and {least} to {most_rows} rows"
        )),
    }
}

fn read_rows(board: &str, columns: usize, height: usize) -> Result<Vec<Vec<bool>>, PositionError> {
    let mut rows = Vec::new();
    if board != "-" {
        for line in board.split('/').rev() {
            if line.chars().count() != columns {
                return wrong(format!("row '{line}' should have {columns} cells"));
            }
            if let Some(mark) = line.chars().find(|mark| !"#.".contains(*mark)) {
                return wrong(format!("'{mark}' in row '{line}'; allowed are # and ."));
            }
            rows.push(line.chars().map(|mark| mark == '#').collect());
        }
    }
    if rows.len() > height {
        return wrong(format!("{} rows; the board has {height}", rows.len()));
    }
    rows.resize(height, vec![false; columns]);
    Ok(rows)
}

fn read_letters(letters: &str) -> Result<Vec<Piece>, PositionError> {
    let read = |letter| {
        Piece::new(letter).ok_or_else(|| {
            PositionError(format!("'{letter}' in '{letters}' is not a piece's letter"))
        })
    };
    letters.chars().map(read).collect()
}

/// Numbers with commas between: at least this many; those left out at the end are 0.
fn read_numbers<const N: usize>(
    name: &str,
    value: &str,
    least: usize,
) -> Result<[u64; N], PositionError> {
    let numbers: Option<Vec<u64>> = value
        .split(',')
        .map(|number| number.parse().ok().filter(|number| *number <= MOST))
        .collect();
    match numbers {
        Some(given) if (least..=N).contains(&given.len()) => {
            let mut numbers = [0; N];
            numbers[..given.len()].copy_from_slice(&given);
            Ok(numbers)
        }
        _ => wrong(format!(
            "{name} '{value}' should be whole numbers up to {MOST}, at least {least} and at most {N}, \
             with commas between"
        )),
    }
}
