//! Players by name: what a text on the command line, in a study or on the page stands for.

use std::path::Path;

use games::Options;
use players::{Spec, SpecError};

use crate::network_file::{self, NetworkFileError, is_network};
use crate::player_file::{PlayerFile, PlayerFileError, is_file};
use crate::records::{Record, UnknownRecord};

/// Is the player given by its spec, not as a record or by a file?
#[must_use]
pub fn is_spec(player: &str) -> bool {
    Record::named(player).is_none() && !is_file(player)
}

/// A player named by its spec, as a record, or by a file.
#[derive(Debug, Clone)]
pub struct NamedPlayer {
    /// Its spec; that of a file is labelled with the file's name.
    pub spec: Spec,
    /// The rules that a file was made for.
    pub made_for: Option<Options>,
}

/// Why a text does not name a player.
#[derive(Debug, thiserror::Error)]
pub enum NamedPlayerError {
    /// It is not a spec.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The file is not a player of the game.
    #[error(transparent)]
    File(#[from] PlayerFileError),
    /// No record has this name.
    #[error(transparent)]
    Record(#[from] UnknownRecord),
    /// The file is not a network of the game.
    #[error(transparent)]
    Network(#[from] NetworkFileError),
}

impl NamedPlayer {
    /// The player that a text names: a spec, a record, or a file with a player of this game. The path of a file is relative to `base`.
    pub fn read(text: &str, base: &Path, game: &str) -> Result<Self, NamedPlayerError> {
        let path = base.join(text);
        if is_network(text) {
            let (spec, network) = network_file::of_file(text, base)?;
            if network.game != game {
                let problem = format!("is a network of {}, not of {game}", network.game);
                return Err(NetworkFileError::Wrong { path, problem }.into());
            }
            return Ok(Self {
                spec: spec.with_label(text),
                made_for: Some(network.rules),
            });
        }
        let record = Record::named(text);
        if record.is_none() && !is_file(text) {
            let spec: Spec = text.parse()?;
            // A label has no place to point at, so only what is written otherwise now has one.
            let spec = match network_file::network_files(text).is_empty() {
                true => spec,
                false => network_file::with_ids(&spec, base)?.with_label(&spec.label()),
            };
            return Ok(Self {
                spec,
                made_for: None,
            });
        }
        let file = match record {
            Some(record) => record?.player(),
            None => PlayerFile::read(&path)?,
        };
        if file.game != game {
            let problem = format!("is a player of {}, not of {game}", file.game);
            return Err(PlayerFileError::Wrong { path, problem }.into());
        }
        Ok(Self {
            spec: file.spec()?.with_label(text),
            made_for: Some(file.rules),
        })
    }
}
