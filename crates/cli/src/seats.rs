//! Who plays: the players on the command line, one per seat.

use std::path::Path;

use games::{AnyGame, Options};
use play::named_player::{NamedPlayer, NamedPlayerError};
use play::player_file::is_file;
use players::Spec;

use crate::output::{Failure, in_line, print_to_stderr};

/// The players of a game: the first, and in a two-player game the second, who is like the first if not named.
pub(crate) fn seats(
    game: &AnyGame,
    player: &str,
    against: Option<&str>,
) -> Result<Vec<Spec>, Failure> {
    let seats = game.seats();
    let first = self::player(game, player)?;
    let second = match against {
        Some(_) if seats < 2 => {
            let name = game.family().name;
            return Err(Failure::Usage(format!(
                "--against: {name} is a one-player game"
            )));
        }
        Some(text) => self::player(game, text)?,
        None => first.clone(),
    };
    Ok([first, second]
        .into_iter()
        .take(usize::from(seats))
        .collect())
}

/// The player that a text names: a spec, or a file that holds one.
pub(crate) fn player(game: &AnyGame, text: &str) -> Result<Spec, Failure> {
    if Path::new(text).is_file() && !is_file(text) {
        let command = run_by(text);
        return Err(Failure::Usage(format!(
            "player '{text}' is not a player file, which ends in .json; a program is exec(cmd='{command}')"
        )));
    }
    let named = NamedPlayer::read(text, Path::new(""), game.family().name)
        .map_err(|error| Failure::Usage(format!("{error}{}", advice(text, &error))))?;
    if let Some(rules) = &named.made_for {
        note_other_rules(game, text, rules);
    }
    Ok(named.spec)
}

/// How a program is written that was given to `exec` without `cmd` or without quotes.
fn advice(text: &str, error: &NamedPlayerError) -> String {
    let command = text.strip_prefix("exec").filter(|_| !text.contains(','));
    let command = command.map(|rest| {
        let rest = rest
            .trim_start_matches([':', '(', ' '])
            .trim_end_matches(')');
        rest.trim_start_matches("cmd=").trim_matches(['\'', '"'])
    });
    match (error, command) {
        (NamedPlayerError::Spec(_), Some(command)) if !command.contains(['=', '\'']) => {
            format!("; a program is exec(cmd='{command}')")
        }
        _ => String::new(),
    }
}

/// The command that runs a program.
fn run_by(path: &str) -> String {
    let is_python = Path::new(path).extension().is_some_and(|end| end == "py");
    let is_bare = !path.contains('/');
    match (is_python, is_bare) {
        (true, _) => format!("python3 {path}"),
        (false, true) => format!("./{path}"),
        (false, false) => path.to_owned(),
    }
}

/// Says so if a player was made under other rules than it is to play under.
fn note_other_rules(game: &AnyGame, path: &str, made_for: &Options) {
    let rules = game.options();
    let other: Vec<String> = made_for
        .iter()
        .filter(|&(name, value)| rules.get(name) != Some(value))
        .map(|(name, value)| format!("--{name} {value}"))
        .collect();
    if !other.is_empty() {
        print_to_stderr(format_args!(
            "note: {path} was made under other rules: {}",
            in_line(&other.join(" "))
        ));
    }
}
