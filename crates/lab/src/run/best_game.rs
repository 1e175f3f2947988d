//! The best game of a measurement, replayed and saved so that it can be watched.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::context::{RunContext, RunError};
use super::file::replace;
use play::measure::Plan;
use play::playing::{PlayError, Record};

/// The file of the best game.
pub const BEST_GAME: &str = "best-game.json";

/// Longer games are not saved: they would take more space than everything else.
const MOST_MOVES: u32 = 200_000;

/// Saves the best game, unless the player is nondeterministic (a bot, or one with a time limit) and the replay differs.
pub fn keep_best(
    plan: &Plan,
    records: &[Record],
    context: &RunContext<'_>,
) -> Result<(), RunError> {
    match text(plan, records, context.stop())? {
        Some(text) => Ok(replace(&context.path(BEST_GAME), &text)?),
        None if context.is_stopped() => Err(RunError::Interrupted),
        None => Ok(()),
    }
}

/// The contents of the file; `None` if the best game is not saved.
pub fn text(
    plan: &Plan,
    records: &[Record],
    stop: &Arc<AtomicBool>,
) -> Result<Option<Vec<u8>>, PlayError> {
    let number = best(records).filter(|&number| records[number as usize].moves <= MOST_MOVES);
    let Some(number) = number else {
        return Ok(None);
    };
    let replay = match plan.replay(number, stop) {
        Ok(Some(replay)) => replay,
        Ok(None) | Err(PlayError::Bot { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    if plan.score_of(number, replay.score) != records[number as usize].score {
        return Ok(None);
    }
    let mut text = Vec::new();
    Ok(replay.write(&mut text).is_ok().then_some(text))
}

/// The first of the best; in a two-player game the shortest win.
fn best(records: &[Record]) -> Option<u64> {
    let score = records.iter().map(|record| record.score).max()?;
    let is_won_or_lost = records
        .iter()
        .all(|record| (-1..=1).contains(&record.score));
    let mut best: Option<usize> = None;
    for (number, record) in records.iter().enumerate() {
        let quicker = |known: usize| is_won_or_lost && record.moves < records[known].moves;
        if record.score == score && best.is_none_or(quicker) {
            best = Some(number);
        }
    }
    best.map(|number| number as u64)
}
