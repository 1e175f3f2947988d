//! Who plays: the players on the command line, one per seat.

use std::io::Write;
use std::path::Path;

use games::AnyGame;
use play::player_file::{PlayerFile, is_file, load};
use players::{Spec, SpecError};

use crate::output::{Failure, in_line};

/// The players of a game: the first, and in a game for two the second, who is like the first if not named.
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
                "--against: {name} is played by one player"
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
    if !is_file(text) {
        return text
            .parse()
            .map_err(|error: SpecError| wrong_text(text, &error));
    }
    let loaded = load(Path::new(text), game.family().name);
    let file = loaded.map_err(|error| Failure::Usage(error.to_string()))?;
    note_other_rules(game, text, &file);
    Ok(file.spec()?.with_label(text))
}

/// What is wrong with a text that is no player; it may be the path of something else.
fn wrong_text(text: &str, error: &SpecError) -> Failure {
    let hint = if Path::new(text).exists() {
        "; it is a path, and a player file ends in .json"
    } else {
        ""
    };
    Failure::Usage(format!("{error}{hint}"))
}

/// Says so if a player was made under other rules than it is to play under.
fn note_other_rules(game: &AnyGame, path: &str, file: &PlayerFile) {
    let rules = game.options();
    let other: Vec<String> = file
        .rules
        .iter()
        .filter(|&(name, value)| rules.get(name) != Some(value.as_str()))
        .map(|(name, value)| format!("--{name} {value}"))
        .collect();
    if !other.is_empty() {
        // When standard error is closed there is nobody left to tell.
        let _ = writeln!(
            anstream::stderr(),
            "note: {path} was made under other rules: {}",
            in_line(&other.join(" "))
        );
    }
}
