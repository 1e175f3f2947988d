//! Players as files: a spec with its weights or program, in a small versioned JSON file.
//!
//! `{"format": "gamete-player", "version": 1, "game": "2048", "rules": {...}, "player": "eight", "weights": [...]}`. It
//! reads back as the spec with the weights (or the program) among its parameters.

use std::path::{Path, PathBuf};

use evolve::Genome;
use evolve::cgp::{Grid, Names, dot, formulas};
use games::{AnyGame, Options, registry};
use players::evaluate::twenty48;
use players::{Spec, SpecError, Tunable};
use serde::{Deserialize, Serialize};

use crate::network_file::{NETWORK, is_network};
use crate::seating::tunable;

const FORMAT: &str = "gamete-player";
const VERSION: u32 = 1;

/// A player with its weights or program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayerFile {
    format: String,
    version: u32,
    /// The game it plays.
    pub game: String,
    /// The rules it was made for. It may also play other rules.
    #[serde(default)]
    pub rules: Options,
    /// Its spec, without the weights or program.
    pub player: String,
    /// Its weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<Vec<f64>>,
    /// The names of the weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight_names: Option<Vec<String>>,
    /// Its program, a genotype of Cartesian genetic programming.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// Where it comes from, as free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
}

/// Why a file is not a player of this game.
#[derive(Debug, thiserror::Error)]
pub enum PlayerFileError {
    /// It cannot be read.
    #[error("cannot read the player {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// Its content is wrong.
    #[error("{}: {problem}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

impl PlayerFile {
    /// A player of this game without weights or program.
    #[must_use]
    pub fn new(game: &AnyGame, player: &Spec) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: game.family().name.to_owned(),
            rules: game.options(),
            player: player.to_string(),
            weights: None,
            weight_names: None,
            program: None,
            about: String::new(),
        }
    }

    /// The weights with their names, as people read them.
    #[must_use]
    pub fn named_weights(&self) -> Vec<(String, f64)> {
        let names = self.weight_names.iter().flatten();
        let names = names.map(|name| in_words(name));
        names.zip(self.weights.iter().flatten().copied()).collect()
    }

    /// The spec with the weights or program.
    pub fn spec(&self) -> Result<Spec, SpecError> {
        let mut spec: Spec = self.player.parse()?;
        if let Some(weights) = &self.weights {
            spec = spec.with("weights", &as_text(weights));
        }
        if let Some(program) = &self.program {
            spec = spec.with("program", program);
        }
        Ok(spec)
    }
}

/// The name of a weight with what it weighs, if the name does not say it: `P2 empty cells`.
#[must_use]
pub fn in_words(name: &str) -> String {
    let place = twenty48::NAMES.iter().position(|known| *known == name);
    place.map_or(name.to_owned(), |place| {
        format!("{name} {}", twenty48::MEANINGS[place])
    })
}

/// A player's program in readable form.
#[derive(Debug, Clone)]
pub struct Expressions {
    grid: Grid,
    genome: Genome,
    names: Names,
}

impl Expressions {
    /// The outputs, one per line; subexpressions used more than once come first, each with its own name.
    #[must_use]
    pub fn formulas(&self) -> Vec<(String, String)> {
        let formulas = formulas(&self.grid, &self.genome, &self.names);
        formulas
            .into_iter()
            .map(|formula| (formula.name, formula.expression))
            .collect()
    }

    /// The active nodes as a graph for Graphviz.
    #[must_use]
    pub fn graph(&self) -> String {
        dot(&self.grid, &self.genome, &self.names)
    }
}

impl PlayerFile {
    /// The player's program, if it has one.
    pub fn program(&self) -> Result<Option<Expressions>, SpecError> {
        let Some(text) = &self.program else {
            return Ok(None);
        };
        let spec = self.spec()?;
        let wrong = |problem: String| spec.at("program", problem);
        let game =
            registry::build(&self.game, &self.rules).map_err(|error| wrong(error.to_string()))?;
        let Tunable::Program(grid) = tunable(&game, &spec)? else {
            return Err(wrong(format!("{} does not run a program", spec.name())));
        };
        let genome = grid.parse(text).map_err(|error| wrong(error.to_string()))?;
        let names = Names::numbered(&grid);
        Ok(Some(Expressions {
            grid,
            genome,
            names,
        }))
    }
}

/// Numbers separated by spaces. Every number parses back to exactly the same value.
pub fn as_text(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
    numbers.join(" ")
}

/// Does this player name refer to a file?
#[must_use]
pub fn is_file(player: &str) -> bool {
    let path = Path::new(player);
    let is_json = |extension: &std::ffi::OsStr| extension.eq_ignore_ascii_case("json");
    path.extension().is_some_and(is_json) || is_network(player)
}

/// Could reading this player open a file? It is one, or may name that of a network somewhere within its text.
#[must_use]
pub fn may_open_file(player: &str) -> bool {
    let words = || player.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
    let has = |word: &str| words().any(|other| other == word);
    is_file(player.trim()) || has(NETWORK) && has("file")
}

impl PlayerFile {
    /// The contents of its file.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("plain data") + "\n"
    }

    /// The player in a file.
    pub fn read(path: &Path) -> Result<Self, PlayerFileError> {
        let path = || path.to_owned();
        let text =
            std::fs::read_to_string(path()).map_err(|error| PlayerFileError::Unreadable {
                path: path(),
                error,
            })?;
        let wrong = |problem| PlayerFileError::Wrong {
            path: path(),
            problem,
        };
        Self::parse(&text).map_err(wrong)
    }

    /// The player in the contents of a file, or what is wrong with them.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: PlayerFile =
            serde_json::from_str(text).map_err(|error| format!("is not a player file: {error}"))?;
        if file.format != FORMAT {
            return Err(format!("format is '{}', expected '{FORMAT}'", file.format));
        }
        if file.version > VERSION {
            return Err(format!(
                "was written by a newer gamete (version {} of the format; this one knows up to {VERSION})",
                file.version
            ));
        }
        file.spec().map_err(|error| error.to_string())?;
        Ok(file)
    }
}
