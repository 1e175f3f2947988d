//! Players that were not evolved, measured once for a study in games like those of its champions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::folder::Folder;
use crate::run::file::{read_if_there, replace};
use crate::run::outcome::{Metric, Outcome};
use crate::run::sample::about;
use crate::run::seal::{seal, unseal};
use crate::study::Study;
use play::measure::{Measurement, Plan};

/// The file of the baselines.
const BASELINES: &str = "baselines.json";
const FORMAT: &str = "gamete-baselines";
const VERSION: u32 = 1;

/// The baselines of a study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Baselines {
    format: String,
    version: u32,
    /// What was measured: other players, rules or seeds have another text.
    of: Vec<String>,
    /// In the order of the study.
    pub baselines: Vec<Baseline>,
}

/// A player that was not evolved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Baseline {
    /// Its display name.
    pub player: String,
    /// Its metrics by name.
    pub metrics: BTreeMap<String, Metric>,
}

impl Baselines {
    /// The baselines with these plans, as they were measured.
    #[must_use]
    pub fn new(plans: &[Plan], measured: &[Measurement]) -> Self {
        let baseline = |measurement: &Measurement| {
            let mut outcome = Outcome::default();
            outcome.measured(measurement);
            Baseline {
                player: measurement.player.clone(),
                metrics: outcome.metrics,
            }
        };
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            of: identities(plans),
            baselines: measured.iter().map(baseline).collect(),
        }
    }
}

fn identities(plans: &[Plan]) -> Vec<String> {
    let identity = |plan: &Plan| format!("{} {}", plan.games, about(plan));
    plans.iter().map(identity).collect()
}

/// The games that measure the baselines of a study; none if its settings are measured in different games, as then no baseline would be that
/// of all.
#[must_use]
pub fn plans(study: &Study) -> Vec<Plan> {
    let seed = study.runs().first().map_or(0, |run| run.seed);
    let mut settings = study.settings.iter();
    let of_setting = |setting: &crate::study::Setting| setting.experiment.baselines(seed);
    let first = settings.next().map(of_setting).unwrap_or_default();
    let of_first: Vec<String> = first.iter().map(about).collect();
    let is_same = |plans: Vec<Plan>| plans.iter().map(about).eq(of_first.iter().cloned());
    match settings.all(|setting| is_same(of_setting(setting))) {
        true => first,
        false => Vec::new(),
    }
}

impl Folder {
    /// The baselines with these plans, if they have been measured. A damaged file counts as none: it is made again when the study is run.
    pub fn baselines(&self, plans: &[Plan]) -> Result<Option<Baselines>, StoreError> {
        let contents = read_if_there(&self.path().join(BASELINES))?;
        let kept = contents.and_then(|contents| unseal(&contents, FORMAT, VERSION).ok());
        Ok(kept.filter(|kept: &Baselines| kept.of == identities(plans)))
    }

    /// Keeps the baselines.
    pub fn keep_baselines(&self, baselines: &Baselines) -> Result<(), StoreError> {
        let path = self.path().join(BASELINES);
        Ok(replace(&path, seal(baselines).as_bytes())?)
    }
}
