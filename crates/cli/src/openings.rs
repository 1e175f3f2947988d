//! `--openings`: where games begin.

use std::path::Path;

use games::AnyGame;
use play::openings::{Openings, OpeningsError};

use crate::output::Failure;

/// The option.
#[derive(Debug, clap::Args)]
pub(crate) struct OpeningsArguments {
    /// Where games begin: balanced, none, random(plies=N), or a file with one position per line [default: balanced where two different players play a
    /// game without chance]
    #[arg(long, value_name = "OPENINGS")]
    openings: Option<String>,
}

impl OpeningsArguments {
    /// What was chosen, or else the usual.
    pub(crate) fn read(&self, game: &AnyGame, usual: Openings) -> Result<Openings, Failure> {
        let Some(text) = &self.openings else {
            return Ok(usual);
        };
        let wrong = |problem: &dyn std::fmt::Display| {
            Failure::Usage(format!("--openings {text}: {problem}"))
        };
        let openings = match Path::new(text).is_file() {
            true => std::fs::read_to_string(text)
                .map(|text| Openings::list(&text))
                .map_err(|error| wrong(&error))?,
            false => Openings::read(text).map_err(|error| match error {
                OpeningsError::Unknown(_) => wrong(&format!("{error}, or the path of a file")),
                other => wrong(&other),
            })?,
        };
        openings.check(game).map_err(|error| wrong(&error))?;
        Ok(openings)
    }
}
