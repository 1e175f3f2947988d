//! The results of a study so far: one code path for reports, lists, comparisons, exports and pages.

mod games;
mod rules;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use evolve::cgp::Grid;
use serde::Serialize;
use serde_json::Value as Json;

pub(crate) use self::games::{GamesOf, compare_runs, games_of};
pub(crate) use self::rules::Rules;
use crate::ranges::{Limits, range};
use crate::sweep::{Effects, Sweep, Varied, same};
use lab::run::outcome::{Metric, Outcome};
use lab::run::status::{State, Status};
use lab::store::baselines::{self, Baseline};
use lab::store::{Folder, RunFolder, StoreError};
use lab::study::kind::Replication;
use lab::study::{Figure, ONLY_SETTING, RunPlan, Setting, Study};
use play::measure::Plan;
use play::numbers::figure;
use play::stats::{
    Better, Comparison, Pairing, Sample, compare, compare_with, mean_interval, possible,
};

/// The results of a study so far.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Results {
    /// The study.
    pub study: String,
    /// The question it should answer.
    pub question: String,
    /// What its runs do.
    pub kind: &'static str,
    /// The game, if it plays one.
    pub game: Option<&'static str>,
    /// Random seed.
    pub seed: u64,
    /// Runs per setting.
    pub repeats: u32,
    /// The metric by which settings are compared.
    pub metric: String,
    /// Whether higher or lower is better.
    pub better: Better,
    /// The settings, in the order of the study.
    pub settings: Vec<SettingResults>,
    /// The settings compared by their main metric.
    pub comparison: Comparison,
    /// What else a reader of the comparison should know.
    pub remarks: Vec<String>,
    /// Players that were not evolved, in games like those of the champions.
    pub baselines: Vec<Baseline>,
    /// Finished runs.
    pub finished: usize,
    /// All runs.
    pub runs: usize,
    /// The work whose figures are shown next to ours.
    pub source: String,
    /// The conclusion of that work.
    pub conclusion: String,
    /// Its figures, for the report.
    #[serde(skip)]
    pub figures: Vec<Figure>,
}

/// The results of one setting.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SettingResults {
    /// Its display name.
    pub label: String,
    /// How it differs from the rest of the study.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub changes: BTreeMap<String, Json>,
    /// Its runs.
    pub runs: Vec<RunResults>,
    /// Metrics by name, over all finished runs.
    pub metrics: BTreeMap<String, Aggregate>,
    /// Published figures, by metric.
    pub published: BTreeMap<String, f64>,
    /// What of its game limits its metrics, if it plays one.
    #[serde(skip)]
    limits: Option<Limits>,
    /// The game it plays, by which rules and against whom, if it plays one.
    #[serde(skip)]
    pub(crate) rules: Option<Rules>,
    /// The grid of its programs, if it evolves programs.
    #[serde(skip)]
    pub grid: Option<Grid>,
}

/// The results of one run.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RunResults {
    /// `study/run`.
    pub id: String,
    /// Its repeat, from 1.
    pub repeat: u32,
    /// Its seed.
    pub seed: u64,
    /// Its state.
    pub state: State,
    /// Its metrics by name, including times.
    pub metrics: BTreeMap<String, Metric>,
    /// Which of its files are damaged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damage: Vec<String>,
    /// Its outcome, for charts.
    #[serde(skip)]
    pub outcome: Option<Outcome>,
    /// Its status.
    #[serde(skip)]
    pub status: Option<Status>,
    /// Its directory.
    #[serde(skip)]
    pub path: PathBuf,
}

/// A metric over several runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Aggregate {
    /// Number of runs.
    pub n: usize,
    /// The mean over the runs.
    pub value: f64,
    /// Its 95 % interval: over the runs if there are several and they differ, otherwise within the single run.
    pub ci95: Option<[f64; 2]>,
    /// The minimum of the runs.
    pub min: f64,
    /// The maximum of the runs.
    pub max: f64,
}

impl Aggregate {
    fn of(values: &[Metric], range: [f64; 2]) -> Option<Self> {
        let numbers: Vec<f64> = values.iter().map(|metric| metric.value).collect();
        let first = values.first()?;
        let min = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let max = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let ci95 = match values.len() {
            1 => first.ci95,
            // Runs that all agree do not tell how far others may be.
            _ if min == max => None,
            _ => mean_interval(&numbers),
        };
        Some(Self {
            n: numbers.len(),
            value: numbers.iter().sum::<f64>() / numbers.len() as f64,
            ci95: ci95.map(|ci95| possible(ci95, range, [min, max])),
            min,
            max,
        })
    }
}

impl Results {
    /// Reads the results of the study in a folder.
    pub fn read(folder: &Folder) -> Result<Self, StoreError> {
        Self::of(&folder.study()?, folder)
    }

    /// The results of a study whose runs are in the folder.
    pub fn of(study: &Study, folder: &Folder) -> Result<Self, StoreError> {
        let is_locked = folder.is_locked();
        let mut settings: Vec<SettingResults> = study
            .settings
            .iter()
            .map(|setting| empty(setting, study))
            .collect();
        let plans = study.runs();
        for plan in &plans {
            let place = folder.run(&plan.folder);
            let run = RunResults::read(plan, place, is_locked)?;
            settings[plan.setting].runs.push(run);
        }
        settings.iter_mut().for_each(SettingResults::sum_up);
        for (found, setting) in settings.iter_mut().zip(&study.settings) {
            let plan = found.runs.iter().find_map(|run| run.plan(setting));
            if let Some(plan) = plan {
                found.rules = found.rules.take().map(|rules| rules.measured_by(&plan));
            }
        }
        let (metric, better) = study.compare.clone();
        let comparison = compared(study, &settings)?;
        let over = settings.iter().flat_map(|setting| &setting.runs);
        let game = study.settings[0].experiment.game();
        let mut results = Self {
            kind: study.kind.name,
            game: game.map(|game| game.family().name),
            seed: study.seed,
            repeats: study.repeats,
            comparison,
            remarks: Vec::new(),
            baselines: folder
                .baselines(&baselines::plans(study))?
                .map_or_else(Vec::new, |kept| kept.baselines),
            finished: over.filter(|run| run.outcome.is_some()).count(),
            runs: plans.len(),
            study: study.name.clone(),
            question: study.question.clone(),
            source: study.reference.source.clone(),
            conclusion: study.reference.conclusion.clone(),
            figures: study.reference.figures.clone(),
            metric,
            better,
            settings,
        };
        results.remarks = results.remarks();
        Ok(results)
    }
}

impl RunResults {
    /// A run with damaged files has the numbers that its outcome has, if that is good.
    fn read(plan: &RunPlan, place: RunFolder, is_locked: bool) -> Result<Self, StoreError> {
        let damage: Vec<String> = place.damage().iter().map(ToString::to_string).collect();
        let status = place.status(is_locked)?;
        let outcome = match place.outcome() {
            Err(_) if !damage.is_empty() => None,
            other => other?,
        };
        let state = match &status {
            _ if !damage.is_empty() => State::Damaged,
            Some(status) => status.state,
            None => State::Waiting,
        };
        Ok(Self {
            id: plan.name.id.clone(),
            repeat: plan.name.repeat,
            seed: plan.seed,
            state,
            metrics: metrics(outcome.as_ref(), status.as_ref()),
            damage,
            outcome,
            status,
            path: place.path,
        })
    }

    /// The games that measured it, if it is finished.
    pub(crate) fn plan(&self, setting: &Setting) -> Option<Plan> {
        setting
            .experiment
            .measured(self.seed, self.outcome.as_ref()?)
    }

    /// Are files of it damaged?
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        !self.damage.is_empty()
    }
}

impl Results {
    /// The runs with damaged files.
    pub fn damaged(&self) -> impl Iterator<Item = &RunResults> {
        let runs = self.settings.iter().flat_map(|setting| &setting.runs);
        runs.filter(|run| run.is_damaged())
    }

    /// The same with only this run, for charts; `None` if it is not a run of the study.
    #[must_use]
    pub fn only(mut self, id: &str) -> Option<Self> {
        for setting in &mut self.settings {
            setting.runs.retain(|run| run.id == id);
            setting.sum_up();
        }
        self.settings.retain(|setting| !setting.runs.is_empty());
        self.comparison.best = None;
        (!self.settings.is_empty()).then_some(self)
    }

    /// Refuses a setting or metric that the study does not have.
    pub(crate) fn check_has(
        &self,
        setting: Option<usize>,
        metric: Option<&str>,
    ) -> Result<(), StoreError> {
        let absent = |what: String, known: String| StoreError::Absent {
            of: format!("the study '{}'", self.study),
            what,
            known,
        };
        let settings = self.settings.len();
        if let Some(number) = setting.filter(|number| !(1..=settings).contains(number)) {
            return Err(absent(
                format!("setting s{number}"),
                format!("s1 to s{settings}"),
            ));
        }
        let known = self
            .settings
            .iter()
            .flat_map(|setting| setting.metrics.keys());
        let known: BTreeSet<&str> = known.map(String::as_str).collect();
        match metric {
            Some(metric) if !known.contains(metric) => {
                let known = Vec::from_iter(known).join(", ");
                Err(absent(format!("metric '{metric}'"), known))
            }
            _ => Ok(()),
        }
    }

    /// The run of this name, and its setting.
    #[must_use]
    pub fn run(&self, id: &str) -> Option<(&SettingResults, &RunResults)> {
        let runs = self
            .settings
            .iter()
            .flat_map(|setting| setting.runs.iter().map(move |run| (setting, run)));
        runs.into_iter().find(|(_, run)| run.id == id)
    }
}

/// Compares the settings over their repeats or, if each has a single run whose games are the replicates, over the games.
fn compared(study: &Study, settings: &[SettingResults]) -> Result<Comparison, StoreError> {
    let (metric, better) = &study.compare;
    let replication = study.settings[0].experiment.replication();
    let has_games = |run: &RunResults| run.outcome.is_some() && !run.is_damaged();
    let is_over = |setting: &SettingResults| setting.runs.iter().all(has_games);
    if study.repeats == 1 && replication == Replication::Games && settings.iter().all(is_over) {
        let games = study.settings.iter().zip(settings).map(|(setting, found)| {
            let run = &found.runs[0];
            let plan = run.plan(setting);
            games_of(&run.path, plan.as_ref(), &found.label, metric)
        });
        return Ok(compare_runs(games.collect::<Result<_, _>>()?, *better).0);
    }
    let pairing = if study.same_start {
        Pairing::Paired
    } else {
        Pairing::Independent
    };
    let samples: Vec<Sample> = settings
        .iter()
        .map(|setting| setting.sample(metric))
        .collect();
    let comparison = match study.base_setting {
        Some(base) => compare_with(&samples, base, pairing, *better),
        None => compare(&samples, pairing, *better),
    };
    // Do not ask for more repeats if another run would give the same result.
    let says_all = study.repeats == 1 && replication == Replication::Exact;
    let verdict = if says_all {
        String::new()
    } else {
        comparison.verdict.clone()
    };
    Ok(Comparison {
        verdict,
        ..comparison
    })
}

fn empty(setting: &Setting, study: &Study) -> SettingResults {
    let is_about = |figure: &&Figure| {
        let named = figure.setting.as_ref();
        named.is_none_or(|label| *label == setting.label)
    };
    let figures = study.reference.figures.iter().filter(is_about);
    SettingResults {
        label: setting.label.clone(),
        changes: setting.changes.iter().cloned().collect(),
        runs: Vec::new(),
        metrics: BTreeMap::new(),
        grid: setting.experiment.grid().cloned(),
        published: figures
            .map(|figure| (figure.metric.clone(), figure.value))
            .collect(),
        limits: setting.experiment.game().map(Limits::of),
        rules: setting.experiment.game().map(Rules::of),
    }
}

/// The metrics of a finished run: its outcome and its times.
fn metrics(outcome: Option<&Outcome>, status: Option<&Status>) -> BTreeMap<String, Metric> {
    let Some(outcome) = outcome else {
        return BTreeMap::new();
    };
    let mut metrics = outcome.metrics.clone();
    for (name, &value) in status.map(|status| &status.times).into_iter().flatten() {
        let ci95 = None;
        metrics.insert(name.clone(), Metric { value, ci95 });
    }
    metrics
}

/// The kind of studies whose runs train networks.
const TRAINING: &str = "train";
/// How the names of metrics of networks that look ahead begin.
const LOOK_AHEAD: &str = "score at ";

/// Searches are compared at different costs if one setting took more than this share more than another.
const FAIR: f64 = 1.05;

impl Results {
    /// Settings that are the same, and searches at different costs.
    fn remarks(&self) -> Vec<String> {
        let samples = self
            .settings
            .iter()
            .map(|one| one.sample(&self.metric).values);
        let samples: Vec<Vec<f64>> = samples.collect();
        let mut remarks = same(&self.varied(), &samples, &self.metric);
        remarks.extend(self.efforts());
        remarks
    }

    /// Do its runs train networks?
    #[must_use]
    pub fn is_training(&self) -> bool {
        self.kind == TRAINING
    }

    /// The metrics of trained networks that look ahead: `score at 2 plies`.
    #[must_use]
    pub fn look_aheads(&self) -> BTreeSet<&str> {
        let metrics = self.settings.iter().flat_map(|one| one.metrics.keys());
        let metrics = metrics.filter(|_| self.is_training());
        let ahead = metrics.filter(|name| name.starts_with(LOOK_AHEAD));
        ahead.map(String::as_str).collect()
    }

    /// What its runs count: games, or evaluations by a program.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        self.game.map_or("evaluations", |_| "games")
    }

    /// Says so if some settings had more games or evaluations for their search than others.
    fn efforts(&self) -> Option<String> {
        let what = self.unit();
        let effort = |setting: &SettingResults| {
            let is_search = setting.metrics.contains_key("evaluations");
            let of = setting.metrics.get(what).filter(|_| is_search)?;
            Some((of.value, setting.label.clone()))
        };
        let efforts: Vec<(f64, String)> = self.settings.iter().filter_map(effort).collect();
        let (least, cheapest) = efforts.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        let (most, dearest) = efforts.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
        let (from, to) = (figure(least.round()), figure(most.round()));
        (*most > FAIR * least)
            .then(|| format!("A search took from {from} {what} ({cheapest}) to {to} ({dearest})."))
    }

    /// The settings by what they change.
    pub(crate) fn varied(&self) -> Vec<Varied<'_>> {
        let settings = self.settings.iter();
        settings
            .map(|setting| Varied {
                label: &setting.label,
                changes: &setting.changes,
            })
            .collect()
    }

    /// The keys that vary, if all settings give them a value.
    pub(crate) fn sweep(&self) -> Option<Sweep> {
        Sweep::of(&self.varied())
    }

    /// What each key does, over the repeats that all settings have finished.
    pub(crate) fn effects(&self) -> Option<Effects> {
        let repeats: BTreeSet<u32> = (self.settings.iter())
            .flat_map(|setting| setting.runs.iter().map(|run| run.repeat))
            .collect();
        let of_repeat = |repeat: u32| {
            let values = self
                .settings
                .iter()
                .map(|one| one.of_repeat(&self.metric, repeat));
            values.collect::<Option<Vec<f64>>>()
        };
        let complete: Vec<Vec<f64>> = repeats.into_iter().filter_map(of_repeat).collect();
        let of_setting = |place: usize| complete.iter().map(|repeat| repeat[place]).collect();
        let values: Vec<Vec<f64>> = (0..self.settings.len()).map(of_setting).collect();
        let range = range(&self.metric, self.settings[0].limits);
        Effects::of(&self.sweep()?, &values, range)
    }

    /// The best finished run of the best setting.
    #[must_use]
    pub fn best_run(&self) -> Option<&RunResults> {
        let has_finished = |setting: &&SettingResults| {
            let mut runs = setting.runs.iter();
            runs.any(|run| run.outcome.is_some())
        };
        let best = self.settings.get(self.comparison.best.unwrap_or(0));
        let setting = best.filter(has_finished);
        let setting = setting.or_else(|| self.settings.iter().find(has_finished))?;
        setting.best_run(&self.metric, self.better)
    }
}

impl SettingResults {
    fn sum_up(&mut self) {
        let names: std::collections::BTreeSet<&String> = self
            .runs
            .iter()
            .flat_map(|run| run.metrics.keys())
            .collect();
        let aggregate = |name: &String| {
            let values: Vec<Metric> = self
                .runs
                .iter()
                .filter_map(|run| run.metrics.get(name).copied())
                .collect();
            Some((
                name.clone(),
                Aggregate::of(&values, range(name, self.limits))?,
            ))
        };
        self.metrics = names.into_iter().filter_map(aggregate).collect();
    }

    /// How many play the game, if it plays one.
    pub(crate) fn seats(&self) -> Option<u8> {
        self.limits.map(|game| game.seats)
    }

    /// What people call it: in a study that varies nothing the label says little.
    #[must_use]
    pub fn name(&self) -> &str {
        match self.label.as_str() {
            ONLY_SETTING => "the only setting",
            label => label,
        }
    }

    /// Its main metric, one value per repeat.
    #[must_use]
    pub fn sample(&self, metric: &str) -> Sample {
        let values = self.runs.iter().filter_map(|run| run.metrics.get(metric));
        Sample {
            label: self.label.clone(),
            values: values.map(|metric| metric.value).collect(),
            range: range(metric, self.limits),
        }
    }

    /// A metric of one repeat, if that is finished.
    fn of_repeat(&self, metric: &str, repeat: u32) -> Option<f64> {
        let run = self.runs.iter().find(|run| run.repeat == repeat)?;
        Some(run.metrics.get(metric)?.value)
    }

    /// The run with the best main metric.
    #[must_use]
    pub fn best_run(&self, metric: &str, better: Better) -> Option<&RunResults> {
        let value = |run: &&RunResults| run.metrics.get(metric).map(|metric| metric.value);
        let sign = |value: f64| match better {
            Better::Higher => value,
            Better::Lower => -value,
        };
        let mut best: Option<(&RunResults, f64)> = None;
        for run in &self.runs {
            if let Some(value) = value(&run).map(sign)
                && best.is_none_or(|(_, known)| value > known)
            {
                best = Some((run, value));
            }
        }
        best.map(|(run, _)| run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_agree_have_no_interval() {
        let metric = |value: f64| Metric {
            value,
            ci95: Some([value - 1.0, value + 1.0]),
        };
        let over = |values: &[f64]| {
            let metrics: Vec<Metric> = values.iter().copied().map(metric).collect();
            Aggregate::of(&metrics, [0.0, f64::INFINITY]).and_then(|all| all.ci95)
        };
        assert_eq!(over(&[3.0]), Some([2.0, 4.0]));
        assert_eq!(over(&[3.0, 3.0, 3.0]), None);
        assert!(over(&[3.0, 3.0, 4.0]).is_some());
    }
}
