//! What to do with a history whose states are lost.

use std::path::Path;

use super::context::{RunContext, RunError};
use super::file::set_aside;
use super::history::HistoryReader;
use super::ledger::LedgerError;

/// The first generation is saved before the second starts: a longer history without any state is not the result of a crash.
pub fn has_lost_its_states(history: &Path) -> Result<bool, RunError> {
    if !history.exists() {
        return Ok(false);
    }
    match HistoryReader::read(history) {
        Ok(HistoryReader {
            generations,
            damage,
            ..
        }) => Ok(generations.len() > 1 || matches!(damage, Some(LedgerError::Damaged { .. }))),
        Err(error) if error.is_damage() => Ok(true),
        Err(other) => Err(other.into()),
    }
}

/// Sets what is left of the history aside, and says so.
pub fn begin_anew(history: &Path, context: &RunContext<'_>) -> Result<(), RunError> {
    let mut text =
        "no good checkpoint is left: the run starts over and ends with the same numbers".to_owned();
    if history.exists() {
        let aside = set_aside(history)?;
        let (history, aside) = (history.display(), aside.display());
        text.push_str(&format!("; {history} is kept as {aside}"));
    }
    context.note(text);
    Ok(())
}
