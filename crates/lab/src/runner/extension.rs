//! What becomes of the runs that a study has already: those it still has stay, those that may be longer now go on, and any other change
//! is refused.
//!
//! A run that is longer has done nothing that it would not have done if it had been so long from the start: no algorithm knows how long it
//! has, so the last state of a finished run is a state of the longer one, too.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;

use serde_json::Value as Json;

use super::{RunnerError, is_over};
use crate::run::file::FileError;
use crate::store::{Folder, RunFile, RunFolder, StoreError};
use crate::study::kind::Experiment;
use crate::study::{FILES, RunPlan, Study};

/// The keys that say how long a run may be, and may grow, with their tables.
const LENGTHS: [(&str, &str); 4] = [
    ("stop", "generations"),
    ("stop", "evaluations"),
    ("stop", "no-progress"),
    ("train", "games"),
];

/// The existing runs of a study, each with the planned run that it is.
#[derive(Debug)]
pub struct Extension {
    /// In the order of the plans.
    runs: Vec<Option<Existing>>,
}

#[derive(Debug)]
struct Existing {
    place: RunFolder,
    begun: RunFile,
    /// Whether it is longer now.
    grows: bool,
}

impl Extension {
    /// Finds the existing runs among the planned ones. Fails if one of them would be another one now, or is gone.
    pub fn of(study: &Study, runs: &[RunPlan], folder: &Folder) -> Result<Self, RunnerError> {
        let mut search = Search::new(study, runs);
        let mut left = Vec::new();
        for place in folder.runs()? {
            if let Some(begun) = place.file()? {
                left.push((place, begun));
            }
        }
        // Those in their place first, then those that moved, then those that grew: the same run is never taken for a shorter one.
        for fit in [Fit::InPlace, Fit::Moved, Fit::Grown] {
            left = search.take(left, fit);
        }
        match left.first() {
            Some((place, begun)) => Err(RunnerError::Changed {
                study: study.name.clone(),
                what: search.refusal(place, begun),
                folder: folder.path().to_owned(),
            }),
            None => Ok(Self { runs: search.found }),
        }
    }

    /// Is the planned run of this index finished, at the length that it has now?
    #[must_use]
    pub fn is_over(&self, index: usize) -> bool {
        let run = self.runs[index].as_ref();
        run.is_some_and(|run| !run.grows && is_over(&run.place))
    }

    /// Are all planned runs finished?
    #[must_use]
    pub fn is_all_over(&self) -> bool {
        (0..self.runs.len()).all(|index| self.is_over(index))
    }

    /// Opens runs that grow, and takes runs out of the places of others. Until the study's new text is written, its old one is true of all others.
    pub(super) fn prepare(&mut self, runs: &[RunPlan], folder: &Folder) -> Result<(), RunnerError> {
        for (run, plan) in self.existing(runs) {
            if run.grows {
                run.place.reopen()?;
            }
            if run.place.name != plan.folder {
                let free = |number: &u32| !folder.run(&passing(plan, *number)).path.exists();
                let number = (1..).find(free).unwrap_or_default();
                run.place = run.place.move_to(folder, &passing(plan, number))?;
            }
        }
        Ok(())
    }

    /// Puts every run in its place, with its present settings.
    pub(super) fn settle(
        &mut self,
        study: &Study,
        runs: &[RunPlan],
        folder: &Folder,
    ) -> Result<(), StoreError> {
        for (run, plan) in self.existing(runs) {
            if run.place.name != plan.folder {
                remove_unbegun(&folder.run(&plan.folder))?;
                run.place = run.place.move_to(folder, &plan.folder)?;
            }
            let now = RunFile::of(study, plan);
            if run.begun != now {
                run.place.begin(&now)?;
            }
        }
        Ok(())
    }

    fn existing<'a>(
        &'a mut self,
        plans: &'a [RunPlan],
    ) -> impl Iterator<Item = (&'a mut Existing, &'a RunPlan)> {
        let runs = self.runs.iter_mut().zip(plans);
        runs.filter_map(|(run, plan)| Some((run.as_mut()?, plan)))
    }
}

/// A name under which a run waits until its place is free.
fn passing(plan: &RunPlan, number: u32) -> String {
    format!("{}.moving-{number}", plan.folder)
}

/// A crash at the very beginning of a run leaves a directory without a run.
fn remove_unbegun(place: &RunFolder) -> Result<(), StoreError> {
    if !place.path.exists() || place.file()?.is_some() {
        return Ok(());
    }
    let removed = fs::remove_dir_all(&place.path);
    removed.map_err(|error| FileError::new("remove", &place.path, error).into())
}

/// How an existing run can be a planned one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// It is the same, under the same name.
    InPlace,
    /// It is the same, and settings or repeats were added before it.
    Moved,
    /// It is longer now.
    Grown,
}

/// The planned runs, and the existing ones that were found for them.
struct Search<'a> {
    study: &'a Study,
    plans: &'a [RunPlan],
    by_folder: HashMap<&'a str, usize>,
    by_seed: HashMap<u64, Vec<usize>>,
    found: Vec<Option<Existing>>,
}

impl<'a> Search<'a> {
    fn new(study: &'a Study, plans: &'a [RunPlan]) -> Self {
        let names = plans.iter().map(|plan| plan.folder.as_str()).zip(0..);
        let mut by_seed: HashMap<u64, Vec<usize>> = HashMap::new();
        for (index, plan) in plans.iter().enumerate() {
            by_seed.entry(plan.seed).or_default().push(index);
        }
        Self {
            study,
            plans,
            by_folder: names.collect(),
            by_seed,
            found: plans.iter().map(|_| None).collect(),
        }
    }

    /// Finds plans for the runs that fit in this way, and returns the other ones.
    fn take(&mut self, runs: Vec<(RunFolder, RunFile)>, fit: Fit) -> Vec<(RunFolder, RunFile)> {
        let mut left = Vec::new();
        for (place, begun) in runs {
            match self.plan_of(&place, &begun, fit) {
                Some(index) => {
                    let grows = fit == Fit::Grown;
                    self.found[index] = Some(Existing {
                        place,
                        begun,
                        grows,
                    });
                }
                None => left.push((place, begun)),
            }
        }
        left
    }

    fn plan_of(&self, place: &RunFolder, begun: &RunFile, fit: Fit) -> Option<usize> {
        let own = self.by_folder.get(place.name.as_str()).copied();
        let own = own.filter(|&index| self.plans[index].seed == begun.seed);
        let others = self.by_seed.get(&begun.seed).into_iter().flatten().copied();
        let others = others.filter(|_| fit != Fit::InPlace);
        let fits = |index: &usize| self.found[*index].is_none() && self.fits(*index, begun, fit);
        own.into_iter().chain(others).find(fits)
    }

    fn fits(&self, index: usize, begun: &RunFile, fit: Fit) -> bool {
        let setting = &self.study.settings[self.plans[index].setting];
        match fit {
            Fit::InPlace | Fit::Moved => setting.config == begun.config,
            Fit::Grown => is_longer(&begun.config, &setting.config, &*setting.experiment),
        }
    }

    /// Why an existing run is none of the planned ones.
    fn refusal(&self, place: &RunFolder, begun: &RunFile) -> String {
        let label = |plan: &RunPlan| &self.study.settings[plan.setting].label;
        let is_same =
            |plan: &&RunPlan| *label(plan) == begun.setting && plan.name.repeat == begun.repeat;
        let own = || {
            let index = *self.by_folder.get(place.name.as_str())?;
            self.found[index].is_none().then(|| &self.plans[index])
        };
        match self.plans.iter().find(is_same).or_else(own) {
            Some(plan) => difference(begun, &RunFile::of(self.study, plan)),
            None if begun.repeat > self.study.repeats => {
                let (was, is) = (begun.repeat, self.study.repeats);
                format!("repeats was {was} or more and is {is}")
            }
            None => format!("the setting '{}' is gone", begun.setting),
        }
    }
}

/// Do both settings give the same run, except that it may be longer now?
#[must_use]
pub fn is_longer(begun: &Json, now: &Json, experiment: &dyn Experiment) -> bool {
    let (old, new) = (Lengths::of(begun, experiment), Lengths::of(now, experiment));
    let mut pairs = old.lengths.iter().zip(new.lengths);
    old.others == new.others && pairs.all(|(&old, new)| old <= new)
}

/// Settings, separated into how long a run may be and everything else.
struct Lengths {
    lengths: [u64; LENGTHS.len()],
    others: Json,
}

impl Lengths {
    fn of(config: &Json, experiment: &dyn Experiment) -> Self {
        let mut others = config.clone();
        let lengths = LENGTHS.map(|(table, key)| {
            let given = take(&mut others, table, key);
            // Without a limit, a run may be of any length.
            let usual = match key {
                "generations" | "games" => experiment.usual_steps(),
                _ => None,
            };
            given.or(usual).unwrap_or(u64::MAX)
        });
        Self { lengths, others }
    }
}

/// Takes a number out of a table, and the table too when it is empty.
fn take(config: &mut Json, table: &str, key: &str) -> Option<u64> {
    let entries = config.get_mut(table)?.as_object_mut()?;
    let number = entries.get(key)?.as_u64()?;
    entries.remove(key);
    if entries.is_empty() {
        config.as_object_mut()?.remove(table);
    }
    Some(number)
}

/// The first key that differs.
fn difference(begun: &RunFile, now: &RunFile) -> String {
    let (old, new) = (flat(&begun.config), flat(&now.config));
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let differs = keys.into_iter().find(|key| old.get(*key) != new.get(*key));
    let text = |value: Option<&String>| value.map_or("not set".to_owned(), Clone::clone);
    let of_file = |key: &String| {
        key.strip_prefix(FILES)?
            .strip_prefix('.')
            .map(str::to_owned)
    };
    match differs {
        Some(key) if of_file(key).is_some() => {
            format!("the contents of {}", of_file(key).unwrap_or_default())
        }
        Some(key) => format!(
            "{key} was {} and is {}",
            text(old.get(key)),
            text(new.get(key))
        ),
        // The seed of the study is one of the keys.
        None => format!(
            "'{}' has other random numbers; with same-start = false, settings can only be added after the others",
            now.setting
        ),
    }
}

fn flat(config: &Json) -> BTreeMap<String, String> {
    fn walk(value: &Json, path: &str, found: &mut BTreeMap<String, String>) {
        match value {
            Json::Object(map) => map.iter().for_each(|(key, value)| {
                let path = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                };
                walk(value, &path, found);
            }),
            other => {
                found.insert(path.to_owned(), other.to_string());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(config, "", &mut found);
    found
}
