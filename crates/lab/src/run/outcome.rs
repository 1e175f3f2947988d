//! The outcome of a run: numbers by name, with confidence intervals if they are stochastic. Times are stored in the status: they
//! depend on the machine, and an outcome does not.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::plot::Plot;
use super::seal::{SealError, seal, unseal};
use crate::evolution::Ending;
use play::measure::{Finding, Measurement};
use play::player_file::PlayerFile;
use play::stats::{Share, Summary};

/// The file of an outcome. It is the last one that a run writes: with it, the run is finished.
pub const OUTCOME: &str = "outcome.json";
/// The metric of the fitness by which a champion was selected: luck included.
pub const SELECTED: &str = "selected at";

const FORMAT: &str = "gamete-outcome";
const VERSION: u32 = 1;

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    format: String,
    version: u32,
    /// Why it ended, if there are several possible reasons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ending>,
    /// Numbers by name.
    pub metrics: BTreeMap<String, Metric>,
    /// How often each class occurred, by the name of the fact: `highest tile`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub classes: BTreeMap<String, BTreeMap<u64, u64>>,
    /// The champion of an evolution of a player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub champion: Option<PlayerFile>,
    /// The champion of a problem that is not a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub genome: Option<BTreeMap<String, f64>>,
    /// Tables that belong to one kind of study.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Table>,
    /// Data to plot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plots: Vec<Plot>,
    /// Checksums of the other files of the run, by name; `None` in runs of versions that kept none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<BTreeMap<String, String>>,
}

/// A number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Metric {
    /// The number.
    pub value: f64,
    /// Its 95 % interval within this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ci95: Option<[f64; 2]>,
}

/// A table for display.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Default for Outcome {
    fn default() -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            ended: None,
            metrics: BTreeMap::new(),
            classes: BTreeMap::new(),
            champion: None,
            genome: None,
            tables: Vec::new(),
            plots: Vec::new(),
            files: None,
        }
    }
}

impl Outcome {
    /// Parses the contents of an outcome file.
    pub fn read(contents: &[u8]) -> Result<Self, SealError> {
        unseal(contents, FORMAT, VERSION)
    }

    /// The text of its file.
    #[must_use]
    pub fn text(&self) -> String {
        seal(self)
    }

    /// Does it hold checksums of the other files of its run?
    #[must_use]
    pub fn is_protected(&self) -> bool {
        self.files.is_some()
    }

    /// Adds a number without an interval.
    pub fn number(&mut self, name: &str, value: f64) {
        let ci95 = None;
        self.metrics.insert(name.to_owned(), Metric { value, ci95 });
    }

    /// Adds a number with its interval.
    pub fn estimate(&mut self, name: &str, value: f64, ci95: Option<[f64; 2]>) {
        self.metrics.insert(name.to_owned(), Metric { value, ci95 });
    }

    /// Adds all statistics of a measurement, apart from times.
    pub fn measured(&mut self, measurement: &Measurement) {
        self.number("measured games", measurement.games as f64);
        if let Some(different) = measurement.different_games {
            self.number("different games", different as f64);
        }
        self.summary("score", &measurement.score);
        self.number("score median", measurement.score.median);
        if let Some(sd) = measurement.score.sd {
            self.number("score sd", sd);
        }
        self.number("score max", measurement.score.max as f64);
        self.summary("moves", &measurement.moves);
        if let Some(points) = measurement.points_per_move {
            let name = format!("points per {}", points.per);
            self.estimate(&name, points.value, points.ci95);
        }
        for (name, finding) in &measurement.facts.0 {
            match finding {
                Finding::Count(summary) => self.summary(name, summary),
                Finding::Flag(share) => self.estimate(name, share.share, Some(share.ci95)),
                Finding::Classes(classes) => {
                    let counts = |(class, share): (&u64, &Share)| (*class, share.games);
                    let counts = classes.iter().map(counts).collect();
                    self.classes.insert((*name).to_owned(), counts);
                }
            }
        }
        if let Some(forfeits) = &measurement.forfeits {
            self.number("forfeits", forfeits.games as f64);
        }
    }

    fn summary(&mut self, name: &str, summary: &Summary) {
        self.estimate(name, summary.mean, summary.ci95);
    }
}
