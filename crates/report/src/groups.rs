//! Studies, settings and runs compared with each other: their samples, side by side.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::results::{GamesOf, Results, Rules, SettingResults, compare_runs, games_of};
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
    /// What was named but plays another game, by other rules or against another opponent than the first.
    pub left_out: Vec<LeftOut>,
    /// Damaged files of the compared runs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damage: Vec<String>,
    /// The samples, for charts.
    #[serde(skip)]
    pub samples: Vec<Sample>,
}

/// Settings that are not compared, since they are not like the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeftOut {
    /// The name they were picked by.
    pub name: String,
    /// Their numbers in their study, from 1.
    pub settings: Vec<usize>,
    /// What differs, in words.
    pub why: String,
}

/// Collects the samples of names: studies (all their settings), settings `study/s2`, or runs. Settings are compared over repeats; if
/// all names are runs, over the games of their champions. Of several studies only what plays the game of the first name, by its rules and
/// against its opponent.
pub fn gather(store: &Store, names: &[String], asked: Option<&str>) -> Result<Groups, StoreError> {
    let picked = names.iter().map(|name| Picked::read(store, name, asked));
    let picked = picked.collect::<Result<Vec<_>, _>>()?;
    let first = picked.first().map(|first| &first.results);
    let better = first.map_or(Better::Higher, |first| first.better);
    let (alike, left_out) = alike(&picked);
    let damage = alike.iter().flat_map(|one| &one.setting.runs);
    let damage: BTreeSet<String> = damage.flat_map(|run| run.damage.clone()).collect();
    let damage = damage.into_iter().collect();
    if picked.iter().all(|one| one.run.is_some()) {
        let metric = asked.unwrap_or("score");
        let games = alike.iter().map(|one| one.picked.games(metric));
        let (comparison, samples) = compare_runs(games.collect::<Result<_, _>>()?, better);
        return Ok(Groups {
            metric: metric.to_owned(),
            of: match comparison.observed {
                Observed::Pairs => "pairs of games of the champions",
                _ => "games of the champions",
            },
            comparison,
            left_out,
            damage,
            samples,
        });
    }
    let metric = asked.or(first.map(|first| first.metric.as_str()));
    let metric = metric.unwrap_or("score").to_owned();
    let samples = alike.iter().map(|one| one.sample(&metric, names.len() > 1));
    let samples: Vec<Sample> = samples.collect();
    Ok(Groups {
        of: "repeats",
        comparison: compare(&samples, pairing(&alike), better),
        metric,
        left_out,
        damage,
        samples,
    })
}

/// What a name stands for.
struct Picked<'a> {
    name: &'a str,
    folder: Folder,
    results: Results,
    /// One of its settings, from 1.
    setting: Option<usize>,
    /// One of its runs.
    run: Option<String>,
}

impl<'a> Picked<'a> {
    fn read(store: &Store, name: &'a str, asked: Option<&str>) -> Result<Self, StoreError> {
        let (folder, setting, run) = parts(store, name)?;
        let results = Results::read(&folder)?;
        results.check_has(setting, asked.filter(|_| run.is_none()))?;
        Ok(Self {
            name,
            folder,
            results,
            setting,
            run,
        })
    }

    /// Its settings.
    fn ones(&self) -> impl Iterator<Item = One<'_>> {
        let settings = self.results.settings.iter().enumerate();
        let chosen =
            settings.filter(|(place, _)| self.setting.is_none_or(|number| place + 1 == number));
        chosen.map(|(place, setting)| One {
            picked: self,
            number: place + 1,
            setting,
        })
    }

    /// The games that measured the champion of its run; every game has a score.
    fn games(&self, metric: &str) -> Result<GamesOf, StoreError> {
        let run = self.folder.run(self.run.as_deref().unwrap_or_default());
        let plan = played::plan(&self.folder, &run)?;
        games_of(&run.path, plan.as_ref(), self.name, metric)
    }
}

/// One of the settings that are compared.
struct One<'a> {
    picked: &'a Picked<'a>,
    /// Its number in its study, from 1.
    number: usize,
    setting: &'a SettingResults,
}

impl One<'_> {
    fn sample(&self, metric: &str, is_one_of_several: bool) -> Sample {
        let mut sample = self.setting.sample(metric);
        if is_one_of_several {
            let study = &self.picked.results.study;
            sample.label = match sample.label.as_str() {
                ONLY_SETTING => study.clone(),
                label => format!("{study}: {label}"),
            };
        }
        sample
    }
}

/// The settings that can be compared, and those that cannot. A study may vary rules, since it asks what they do.
fn alike<'a>(picked: &'a [Picked<'a>]) -> (Vec<One<'a>>, Vec<LeftOut>) {
    let (mut alike, mut left_out) = (Vec::new(), Vec::new());
    let studies: BTreeSet<&str> = picked.iter().map(|one| &*one.results.study).collect();
    let mut of_first = None;
    for one in picked.iter().flat_map(Picked::ones) {
        let first: &Option<Rules> = of_first.get_or_insert(&one.setting.rules);
        match Rules::difference(&one.setting.rules, first) {
            Some(why) if studies.len() > 1 => leave_out(&mut left_out, &one, why),
            _ => alike.push(one),
        }
    }
    (alike, left_out)
}

fn leave_out(left_out: &mut Vec<LeftOut>, one: &One<'_>, why: String) {
    let name = one.picked.name;
    let known = |left: &&mut LeftOut| left.name == name && left.why == why;
    match left_out.iter_mut().find(known) {
        Some(left) => left.settings.push(one.number),
        None => left_out.push(LeftOut {
            name: name.to_owned(),
            settings: vec![one.number],
            why,
        }),
    }
}

/// Repeats of one study belong together as the study says; those of several do not.
fn pairing(alike: &[One<'_>]) -> Pairing {
    let studies = alike.iter().map(|one| &one.picked.results);
    let studies: BTreeMap<&str, Pairing> = studies
        .map(|results| (&*results.study, results.comparison.pairing))
        .collect();
    match studies.values().collect::<Vec<_>>()[..] {
        [of_the_one_study] => *of_the_one_study,
        _ => Pairing::Independent,
    }
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
