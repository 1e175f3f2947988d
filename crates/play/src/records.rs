//! Champions that come with the program: `record:NAME` is the player in `players/NAME.json`, made by the study that it names.

use spec::did_you_mean;

use crate::player_file::PlayerFile;

/// What stands before the name of a record.
const PREFIX: &str = "record:";

/// A champion that comes with the program.
#[derive(Debug, PartialEq, Eq)]
pub struct Record {
    /// Its name.
    pub name: &'static str,
    file: &'static str,
}

macro_rules! records {
    ($($name:literal),* $(,)?) => {
        &[$(Record { name: $name, file: include_str!(concat!("../../../players/", $name, ".json")) }),*]
    };
}

/// All of them.
pub const RECORDS: &[Record] = records![
    "2048-expectimax",
    "2048-lines",
    "2048-patches",
    "connect",
    "tetris-lines",
    "tetris-points",
];

impl Record {
    /// The record that a player's text names; none if the text names something else.
    pub fn named(text: &str) -> Option<Result<&'static Self, UnknownRecord>> {
        let name = text.trim().strip_prefix(PREFIX)?.trim();
        let found = RECORDS.iter().find(|record| record.name == name);
        Some(found.ok_or_else(|| UnknownRecord {
            name: name.to_owned(),
        }))
    }

    /// How it is named as a player.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{PREFIX}{}", self.name)
    }

    /// The player.
    #[must_use]
    pub fn player(&self) -> PlayerFile {
        PlayerFile::parse(self.file).expect("records are checked by a test")
    }
}

/// No record has this name.
#[derive(Debug, thiserror::Error)]
#[error("unknown record '{name}'{}; expected one of: {}", did_you_mean(name, names()), Vec::from_iter(names()).join(", "))]
pub struct UnknownRecord {
    name: String,
}

fn names() -> impl Iterator<Item = &'static str> {
    RECORDS.iter().map(|record| record.name)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use games::registry;

    use super::*;
    use crate::named_player::NamedPlayer;
    use crate::seating::check;

    #[test]
    fn every_record_plays_the_game_it_was_made_for() {
        for record in RECORDS {
            let file = record.player();
            let game = registry::build(&file.game, &file.rules).expect("rules");
            let named = NamedPlayer::read(&record.text(), Path::new(""), &file.game);
            let named = named.expect("a player");
            assert_eq!(named.spec.label(), record.text());
            assert!(check(&game, &named.spec).is_ok(), "{}", record.name);
            assert!(
                file.about.contains("studies/"),
                "{}: {}",
                record.name,
                file.about
            );
        }
    }

    #[test]
    fn an_unknown_record_is_answered_with_the_nearest() {
        let error = NamedPlayer::read("record:conect", Path::new(""), "connect").unwrap_err();
        let error = error.to_string();
        assert!(error.contains("did you mean 'connect'?"), "{error}");
        assert!(error.contains("expected one of: "), "{error}");
    }
}
