//! Boards of Connect-N for checking players: every size with every line length and every share of pieces, as in connect-n.
//!
//! A line longer than the shorter side is left out, as in connect-n. Pieces that give the same number are one case.

use std::ops::RangeInclusive;

use games::connect::{MAX_CELLS, Rules};
use games::{AnyGame, registry};
use players::Spec;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::run::checkpoint::Checkpoint;
use crate::run::context::{RunContext, RunError};
use crate::study::key::{Key, KeyInfo};
use crate::study::keys;
use crate::study::reading::Reading;
use play::named_player::NamedPlayer;
use play::seating::check;

/// Keys of the cases: sizes of boards, lengths of a line, pieces of each player.
pub(super) const CASES: [KeyInfo; 3] = [
    keys::CHECK_BOARDS.info(),
    keys::CHECK_CONNECT.info(),
    keys::CHECK_PIECES.info(),
];

const LINES: [u64; 3] = [2, 3, 4];
const SHARES: [&str; 3] = ["1/2", "1/3", "1/4"];

/// All distinct cases of a study, in the order of its boards.
pub(super) fn read_cases(reading: &mut Reading<'_>, boards: &[&str]) -> Option<Vec<Rules>> {
    let boards = read_all(reading, keys::CHECK_BOARDS, boards, board);
    let shares = read_all(reading, keys::CHECK_PIECES, &SHARES, share);
    let lines = reading.get(keys::CHECK_CONNECT).unwrap_or(LINES.to_vec());
    let (boards, shares) = (boards?, shares?);
    let mut cases = Vec::new();
    for (rows, cols) in boards {
        let shorter = u64::from(rows.min(cols));
        for &connect in lines.iter().filter(|&&connect| connect <= shorter) {
            for pieces in shares.iter().flat_map(|share| share.numbers(rows, cols)) {
                let case = Rules {
                    rows,
                    cols,
                    connect: connect as u8,
                    pieces,
                };
                if !cases.contains(&case) {
                    cases.push(case);
                }
            }
        }
    }
    if cases.is_empty() {
        let message = "no board is left: every line is longer than the shorter side of every board";
        reading.flaw(keys::CHECK_CONNECT.path(), message);
        return None;
    }
    Some(cases)
}

/// Parses all texts of a key, and reports every wrong one.
fn read_all<T>(
    reading: &mut Reading<'_>,
    key: Key<Vec<String>>,
    default: &[&str],
    read: fn(&str) -> Result<T, String>,
) -> Option<Vec<T>> {
    let given = reading.get(key);
    let texts = given.unwrap_or_else(|| default.iter().map(|&text| text.to_owned()).collect());
    if texts.is_empty() {
        reading.flaw(key.path(), "is empty");
        return None;
    }
    let mut found = Vec::new();
    for text in &texts {
        match read(text) {
            Ok(one) => found.push(one),
            Err(problem) => reading.flaw(key.path(), format!("'{text}': {problem}")),
        }
    }
    (found.len() == texts.len()).then_some(found)
}

fn board(text: &str) -> Result<(u8, u8), String> {
    let sides = text
        .split_once('x')
        .and_then(|(rows, cols)| Some((rows.parse::<u32>().ok()?, cols.parse::<u32>().ok()?)));
    let Some((rows, cols)) = sides else {
        return Err("a board is rows x columns, e.g. \"3x4\"".to_owned());
    };
    if rows == 0 || cols == 0 {
        return Err("a board has at least one row and one column".to_owned());
    }
    match rows.checked_mul(cols) {
        Some(cells) if cells <= MAX_CELLS => Ok((rows as u8, cols as u8)),
        _ => Err(format!("a board has at most {MAX_CELLS} cells")),
    }
}

/// How many pieces each player has.
#[derive(Debug, Clone, Copy)]
enum Pieces {
    /// A fraction of the cells.
    Share { of: u32, whole: u32 },
    /// The same number on every board.
    Number(u8),
    /// Every number from 2 to half of the cells.
    Every,
}

fn share(text: &str) -> Result<Pieces, String> {
    if text == "every" {
        return Ok(Pieces::Every);
    }
    if let Ok(number @ 1..) = text.parse::<u8>()
        && u32::from(number) <= MAX_CELLS
    {
        return Ok(Pieces::Number(number));
    }
    let numbers = text
        .split_once('/')
        .and_then(|(of, whole)| Some((of.parse().ok()?, whole.parse().ok()?)));
    match numbers {
        Some((of, whole)) if 0 < of && of <= whole && whole <= MAX_CELLS => {
            Ok(Pieces::Share { of, whole })
        }
        _ => Err(format!(
            "a share of the cells is a fraction of at most 1, e.g. \"1/2\" for half of them each; or a number from 1 to {MAX_CELLS}, \
             or \"every\" for all from 2 to half of the cells"
        )),
    }
}

impl Pieces {
    /// The numbers of pieces on this board.
    fn numbers(self, rows: u8, cols: u8) -> RangeInclusive<u8> {
        let cells = u32::from(rows) * u32::from(cols);
        let one = |pieces: u8| pieces..=pieces;
        match self {
            Self::Share { of, whole } => one((cells * of / whole).max(1) as u8),
            Self::Number(pieces) => one(pieces),
            Self::Every => 2..=(cells / 2) as u8,
        }
    }
}

/// The game of a case.
pub(super) fn game(rules: Rules) -> AnyGame {
    registry::build("connect", &rules.to_options()).expect("the board was checked")
}

/// The board to try players on if the study has no valid one.
const CLASSIC: Rules = Rules {
    rows: 6,
    cols: 7,
    connect: 4,
    pieces: 21,
};

/// Reads a player, which must be able to play all cases, and reports errors.
pub(super) fn read_player(
    reading: &mut Reading<'_>,
    key: &str,
    text: &str,
    cases: &[Rules],
) -> Option<Spec> {
    let named = NamedPlayer::read(text, reading.base(), "connect");
    let playable = named.map_err(|error| error.to_string()).and_then(|named| {
        let spec = named.spec;
        let boards = if cases.is_empty() { &[CLASSIC] } else { cases };
        for &rules in boards {
            let made = check(&game(rules), &spec);
            made.map_err(|error| error.to_string())?;
        }
        Ok(spec)
    });
    playable.map_err(|problem| reading.flaw(key, problem)).ok()
}

/// A board as text: `3x4`.
pub(super) fn size(rules: Rules) -> String {
    format!("{}x{}", rules.rows, rules.cols)
}

/// The results so far. They hold times, so they are kept only until the run has an outcome.
const RESULTS: &str = "cases.part";

/// Works case by case, saving the results after each, so that a stopped or killed run resumes with the next.
pub(super) fn case_by_case<T: Serialize + DeserializeOwned>(
    cases: &[Rules],
    context: &mut RunContext<'_>,
    mut work: impl FnMut(usize, &RunContext<'_>) -> Result<T, RunError>,
    games: impl Fn(&T) -> u64,
) -> Result<Vec<T>, RunError> {
    let checkpoint = Checkpoint::new(&context.path(RESULTS));
    let found = checkpoint.load::<Vec<T>>()?;
    found.damage.into_iter().for_each(|text| context.note(text));
    let mut done = found.states.into_iter().next().unwrap_or_default();
    context.status.games = done.iter().map(&games).sum();
    context.begin(done.len() as u64, cases.len() as u64);
    while done.len() < cases.len() {
        let result = if context.is_stopped() {
            Err(RunError::Interrupted)
        } else {
            work(done.len(), context)
        };
        let one = match result {
            Ok(one) => one,
            Err(error) => {
                context.save(|| Ok(checkpoint.save(&done)?))?;
                return Err(error);
            }
        };
        context.status.games += games(&one);
        done.push(one);
        context.progress(done.len() as u64);
        if context.is_saving_due() {
            context.save(|| Ok(checkpoint.save(&done)?))?;
        }
    }
    context.save(|| Ok(checkpoint.save_last(&done)?))?;
    Ok(done)
}
