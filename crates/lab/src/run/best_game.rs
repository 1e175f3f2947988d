//! The best game of a measurement, replayed and saved so that it can be watched.

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
    let number = best(records).filter(|&number| records[number as usize].moves <= MOST_MOVES);
    let Some(number) = number else {
        return Ok(());
    };
    let replay = match plan.replay(number, context.stop()) {
        Ok(Some(replay)) => replay,
        Ok(None) => return Err(RunError::Interrupted),
        Err(PlayError::Bot { .. }) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    if plan.score_of(number, replay.score) != records[number as usize].score {
        return Ok(());
    }
    let mut text = Vec::new();
    if replay.write(&mut text).is_ok() {
        replace(&context.path(BEST_GAME), &text)?;
    }
    Ok(())
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
