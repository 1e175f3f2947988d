//! Studies, settings and runs compared with each other: their samples, side by side.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::results::{Results, compare_runs, games_of};
use lab::store::played;
use lab::store::{Folder, Named, Store, StoreError};
use lab::study::ONLY_SETTING;
use play::stats::{Better, Comparison, Observed, Pairing, Sample, compare};

/// Samples from several studies.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Groups {
    /// The metric they are compared by.
    pub metric: String,
    /// What a sample consists of: repeats, or games.
    pub of: &'static str,
    /// The comparison.
    pub comparison: Comparison,
    /// Damaged files of the compared runs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damage: Vec<String>,
    /// The samples, for charts.
    #[serde(skip)]
    pub samples: Vec<Sample>,
}

/// Collects the samples of names: studies (all their settings), settings `study/s2`, or runs. Settings are compared over repeats; if
/// all names are runs, over the games of their champions.
pub fn gather(store: &Store, names: &[String], asked: Option<&str>) -> Result<Groups, StoreError> {
    let (mut settings, mut runs) = (Vec::new(), Vec::new());
    let mut main: Option<(String, Better)> = None;
    let mut pairing: BTreeMap<String, Pairing> = BTreeMap::new();
    let mut damage = BTreeSet::new();
    for name in names {
        let (folder, setting, run) = parts(store, name)?;
        let results = Results::read(&folder)?;
        results.check_has(setting, asked.filter(|_| run.is_none()))?;
        pairing.insert(results.study.clone(), results.comparison.pairing);
        let (metric, _) = main
            .get_or_insert_with(|| {
                (
                    asked.map_or(results.metric.clone(), str::to_owned),
                    results.better,
                )
            })
            .clone();
        if let Some(run) = run {
            let metric = of_games(asked);
            let run = folder.run(&run);
            let plan = played::plan(&folder, &run)?;
            runs.push(games_of(&run.path, plan.as_ref(), name, metric)?);
        }
        let several = names.len() > 1;
        let chosen = results
            .settings
            .iter()
            .enumerate()
            .filter(|(place, _)| setting.is_none_or(|number| *place + 1 == number));
        for (_, chosen) in chosen {
            damage.extend(chosen.runs.iter().flat_map(|run| run.damage.clone()));
            let mut sample = chosen.sample(&metric);
            if several {
                sample.label = match sample.label.as_str() {
                    ONLY_SETTING => results.study.clone(),
                    label => format!("{}: {label}", results.study),
                };
            }
            settings.push(sample);
        }
    }
    let damage: Vec<String> = damage.into_iter().collect();
    let (metric, better) = main.unwrap_or_else(|| ("score".to_owned(), Better::Higher));
    if runs.len() == names.len() {
        let metric = of_games(asked).to_owned();
        let (comparison, samples) = compare_runs(runs, better);
        return Ok(Groups {
            metric,
            of: match comparison.observed {
                Observed::Pairs => "pairs of games of the champions",
                _ => "games of the champions",
            },
            comparison,
            damage,
            samples,
        });
    }
    let pairing = match pairing.values().collect::<Vec<_>>()[..] {
        [of_the_one_study] => *of_the_one_study,
        _ => Pairing::Independent,
    };
    let comparison = compare(&settings, pairing, better);
    Ok(Groups {
        metric,
        of: "repeats",
        comparison,
        damage,
        samples: settings,
    })
}

/// The metric by which games are compared: every game has a score.
fn of_games(asked: Option<&str>) -> &str {
    asked.unwrap_or("score")
}

/// The study of a name, and its setting number or run.
fn parts(store: &Store, name: &str) -> Result<(Folder, Option<usize>, Option<String>), StoreError> {
    if let Some((study, rest)) = name.split_once('/')
        && let Some(number) = rest
            .strip_prefix('s')
            .and_then(|digits| digits.parse().ok())
        && let Named::Study(folder) = store.find(study)?
    {
        return Ok((folder, Some(number), None));
    }
    Ok(match store.find(name)? {
        Named::Study(folder) => (folder, None, None),
        Named::Run(folder, run) => {
            let number = run.file()?.map(|file| file.setting_number);
            (folder, number, Some(run.name))
        }
    })
}
