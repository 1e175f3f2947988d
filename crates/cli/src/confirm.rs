//! Asks for confirmation before something irreversible is done.

use std::io::{IsTerminal, Write};

use crate::output::Failure;

/// Asks for confirmation on the terminal; without a terminal it is an error.
pub(crate) fn confirms(question: &str) -> Result<bool, Failure> {
    check_can_ask(question)?;
    // If the question cannot be shown, the answer that is read still counts.
    let _ = write!(std::io::stderr(), "{question} [y/N] ");
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Fails if standard input is not a terminal, so that the question cannot be asked.
pub(crate) fn check_can_ask(question: &str) -> Result<(), Failure> {
    if std::io::stdin().is_terminal() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{question} Standard input is not a terminal, so you cannot be asked; confirm with --yes"
    )))
}
