//! The game of a study and its players.

use games::AnyGame;
use players::{Spec, SpecError};

use crate::study::key::{Key, KeyInfo};
use crate::study::keys;
use crate::study::reading::Reading;
use play::named_player::{NamedPlayer, is_spec};
use play::player_file::is_file;
use play::seating::check;

/// Keys of the game.
pub(super) const GAME: [KeyInfo; 2] = [keys::GAME.info(), keys::GAME_NAME.info()];

/// The game's name; reports an error if it is missing.
pub(super) fn game_name(reading: &mut Reading<'_>) -> Option<String> {
    let name = reading.get(keys::GAME_NAME);
    if name.is_none() && !reading.has(keys::GAME_NAME) {
        reading.flaw(
            keys::GAME_NAME.path(),
            "is missing; e.g. name = \"2048\" under [game]",
        );
    }
    name
}

/// The game with its rules.
pub(super) fn game(reading: &mut Reading<'_>) -> Option<AnyGame> {
    let name = game_name(reading)?;
    reading.game(&name, "")
}

/// The number of players.
pub(super) fn seats(game: &AnyGame) -> u8 {
    game.seats()
}

/// Reports that a key is only for two-player games, if this is not one.
pub(super) fn only_for_two<T>(reading: &mut Reading<'_>, key: Key<T>, game: &AnyGame) {
    if reading.has(key) && seats(game) < 2 {
        let problem = format!("{} is a one-player game", game.family().name);
        reading.flaw(key.path(), problem);
    }
}

/// A player's text, with the path of a player file relative to the study.
pub(super) fn relative_to_study(reading: &Reading<'_>, player: String) -> String {
    if is_file(&player) {
        reading.file(&player).display().to_string()
    } else {
        player
    }
}

/// The players that a key lists, if they can play the game; reports those that cannot.
pub(super) fn players(
    reading: &mut Reading<'_>,
    key: Key<Vec<String>>,
    texts: &[String],
    game: &AnyGame,
) -> Vec<Spec> {
    let mut players = Vec::new();
    for text in texts {
        match read_player(reading, text, Some(game)) {
            Ok(spec) => players.extend(spec),
            Err(problem) => reading.flaw(key.path(), problem),
        }
    }
    players
}

/// The player that a key names, by its spec or its file, if it can play the game. Without a game only the text is checked.
pub(super) fn player(
    reading: &mut Reading<'_>,
    key: Key<String>,
    game: Option<&AnyGame>,
) -> Option<Spec> {
    let text = reading.get(key)?;
    match read_player(reading, &text, game) {
        Ok(spec) => spec,
        Err(problem) => {
            reading.flaw(key.path(), problem);
            None
        }
    }
}

fn read_player(
    reading: &Reading<'_>,
    text: &str,
    game: Option<&AnyGame>,
) -> Result<Option<Spec>, String> {
    let Some(game) = game else {
        return match is_spec(text) {
            false => Ok(None),
            true => text
                .parse()
                .map(Some)
                .map_err(|error: SpecError| error.to_string()),
        };
    };
    let named = NamedPlayer::read(text, reading.base(), game.family().name);
    let spec = named.map_err(|error| error.to_string())?.spec;
    check(game, &spec).map_err(|error| error.to_string())?;
    Ok(Some(spec))
}
