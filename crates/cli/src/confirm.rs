//! Asks a person before something is done that cannot be taken back.

use std::io::{IsTerminal, Write};

use crate::output::Failure;

/// Whether the person says yes; where nobody can be asked, it must have been said before.
pub(crate) fn is_agreed(question: &str) -> Result<bool, Failure> {
    check_somebody_is_there(question)?;
    // If the question cannot be shown, the answer that is read still counts.
    let _ = write!(std::io::stderr(), "{question} [y/N] ");
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Refuses to go on where the question could not be asked.
pub(crate) fn check_somebody_is_there(question: &str) -> Result<(), Failure> {
    if std::io::stdin().is_terminal() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{question} Nobody can be asked here; --yes says that it is meant"
    )))
}
