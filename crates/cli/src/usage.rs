//! Advice on options that no command has, but a player.

use clap::Error;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use players::registry::PLAYERS;

/// Prints the error, or the help that was asked for, and gives the exit code.
pub(crate) fn report(error: &Error) -> u8 {
    // Nothing can be done if the output is closed.
    let _ = error.print();
    if error.use_stderr() { 2 } else { 0 }
}

/// What is wrong, without colours and without how the command is used.
pub(crate) fn text(error: &Error) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let end = text
        .find("\n\nUsage:")
        .or_else(|| text.find("\n\nFor more"));
    text[..end.unwrap_or(text.len())].trim_end().to_owned()
}

/// The error, with the players that have a parameter of the option's name instead of what the parser would suggest.
pub(crate) fn with_advice(mut error: Error) -> Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let name = option.trim_start_matches('-');
    let mut owners: Vec<&str> = PLAYERS
        .iter()
        .filter(|player| player.kind.parameters.iter().any(|one| one.name == name))
        .map(|player| player.kind.name)
        .collect();
    owners.dedup();
    let Some(first) = owners.first() else {
        return error;
    };
    let tip = format!(
        "'{name}' is a parameter of players ({}): write --player '{first}({name}=...)'",
        owners.join(", ")
    );
    let tips = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
    error.insert(ContextKind::Suggested, tips);
    error
}
