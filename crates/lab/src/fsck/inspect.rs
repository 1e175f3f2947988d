//! Looks at the files of a run, and says what is wrong and what helps.

use std::path::Path;
use std::time::Duration;

use super::{Finding, Planned, Remedy, RunCheck, repair};
use crate::run::best_game::BEST_GAME;
use crate::run::checkpoint::{CHECKPOINT, Checkpoint, CheckpointError};
use crate::run::file::PART;
use crate::run::history::{HISTORY, History, HistoryReader};
use crate::run::ledger::LedgerError;
use crate::run::outcome::{OUTCOME, Outcome};
use crate::run::sample::{self, GAMES};
use crate::run::status::STATUS;
use crate::runner::extension::is_longer;
use crate::store::{Damage, Folder, RUN, RunFile, RunFolder, StoreError, played};
use crate::study::CHAMPION;

/// A study that cannot be read.
pub(super) fn study(error: &StoreError) -> Finding {
    Finding::new("study.toml", error, Remedy::ByHand)
}

/// Everything that is wrong with a run.
pub(super) fn run(folder: &Folder, place: &RunFolder, plan: Option<&Planned<'_>>) -> RunCheck {
    let outcome = place.outcome().ok().flatten();
    let damage = place.damage().into_iter();
    let mut findings: Vec<Finding> = damage
        .map(|damage| remedied(&damage, place, plan, outcome.as_ref()))
        .collect();
    findings.extend(other_work(place, plan));
    let mut others: Vec<Finding> = undecodable_history(place).into_iter().collect();
    let states = states(&place.path);
    others.extend(
        states
            .iter()
            .filter_map(|name| bad_state(&place.path, name)),
    );
    others.extend(bad_games(&place.path));
    if let (Some(outcome), Some(plan)) = (&outcome, plan) {
        others.extend(other_games(place, plan, outcome));
    }
    others.retain(|other| !findings.iter().any(|known| known.file == other.file));
    findings.extend(others);
    if plan.is_none() {
        // Nobody knows what the run should be.
        findings
            .iter_mut()
            .for_each(|finding| finding.remedy = Remedy::ByHand);
    }
    RunCheck {
        run: format!("{}/{}", folder.name, place.name),
        finished: outcome.is_some(),
        protected: outcome.is_some_and(|outcome| outcome.is_protected()),
        findings,
    }
}

/// Damage with what helps against it.
fn remedied(
    damage: &Damage,
    place: &RunFolder,
    plan: Option<&Planned<'_>>,
    outcome: Option<&Outcome>,
) -> Finding {
    let remedy = match damage.file {
        _ if damage.is_other_version => Remedy::ByHand,
        RUN | STATUS => Remedy::MakeAgain,
        CHAMPION if outcome.is_some_and(|outcome| outcome.champion.is_some()) => Remedy::MakeAgain,
        HISTORY if repair::history(&place.path).is_some() => Remedy::MakeAgain,
        // It is one of the games, played again.
        BEST_GAME if plan.is_some() => Remedy::MakeAgain,
        _ => Remedy::Replay,
    };
    Finding::new(damage.file, damage, remedy)
}

/// Settings that are whole, but not those of the study.
fn other_work(place: &RunFolder, plan: Option<&Planned<'_>>) -> Option<Finding> {
    let (file, plan) = (place.file().ok()??, plan?);
    let setting = &plan.study.settings[plan.run.setting];
    let is_same = file.is_same_work(&RunFile::of(plan.study, &plan.run));
    // One that was killed while its study was extended goes on when it is resumed.
    let goes_on = || {
        file.seed == plan.run.seed && is_longer(&file.config, &setting.config, &*setting.experiment)
    };
    if is_same || goes_on() {
        return None;
    }
    let problem = format!(
        "{} has other settings than the study; 'gamete run --fork' starts the study over under another name",
        place.path.join(RUN).display()
    );
    Some(Finding::new(RUN, problem, Remedy::ByHand))
}

/// Individuals that do not decode, although their checksum is right.
fn undecodable_history(place: &RunFolder) -> Option<Finding> {
    let history = HistoryReader::of_run(&place.path).ok()??;
    let mut generations = 0..history.generations.len();
    let error = generations.find_map(|place| history.rows(place).err())?;
    Some(Finding::new(HISTORY, error, Remedy::Replay))
}

/// The files of states that are there.
fn states(run: &Path) -> Vec<String> {
    let names = [CHECKPOINT, "choice.part", "cases.part"].into_iter();
    names
        .flat_map(|name| [name.to_owned(), format!("{name}.previous")])
        .filter(|name| run.join(name).is_file())
        .collect()
}

fn bad_state(run: &Path, name: &str) -> Option<Finding> {
    let path = run.join(name);
    let mark = match Checkpoint::inspect(&path) {
        Ok(mark) => mark?,
        Err(error @ CheckpointError::OtherVersion { .. }) => {
            return Some(Finding::new(name, error, Remedy::ByHand));
        }
        Err(error) => return Some(Finding::new(name, error, Remedy::Replay)),
    };
    let is_part = Path::new(name)
        .extension()
        .is_some_and(|ending| ending == PART);
    // The winner of the finals is of no use after another history, which is not damage.
    if is_part {
        return None;
    }
    let error = History::check(&run.join(HISTORY), mark).err()?;
    let problem = format!("{} does not belong to the history: {error}", path.display());
    Some(Finding::new(name, problem, Remedy::Replay))
}

/// Saved games of a measurement that is not over.
fn bad_games(run: &Path) -> Option<Finding> {
    let error = sample::damage(run)?;
    let remedy = match error {
        LedgerError::OtherVersion { .. } => Remedy::ByHand,
        _ => Remedy::Replay,
    };
    Some(Finding::new(sample::GAMES_PART, error, remedy))
}

/// The statistics of the games, which must be those of the outcome.
fn other_games(place: &RunFolder, plan: &Planned<'_>, outcome: &Outcome) -> Option<Finding> {
    let experiment = &plan.study.settings[plan.run.setting].experiment;
    let measured = experiment.measured(plan.run.seed, outcome)?;
    let path = place.path.join(GAMES);
    if !path.is_file() {
        return None;
    }
    let records = match played::records(&measured, &place.path) {
        Ok(records) => records,
        Err(error) => return Some(Finding::new(GAMES, error, Remedy::Replay)),
    };
    let summary = (!records.is_empty()).then(|| measured.sum_up(&records, Duration::ZERO));
    let of_games = summary.map(|summary| {
        let (score, moves) = (summary.score, summary.moves);
        [
            ("measured games", summary.games as f64),
            ("score", score.mean),
            ("score median", score.median),
            ("score max", score.max as f64),
            ("moves", moves.mean),
        ]
    });
    let is_same = |(name, value): (&str, f64)| {
        let stated = outcome.metrics.get(name);
        stated.is_none_or(|stated| stated.value.to_bits() == value.to_bits())
    };
    let is_right = of_games.is_some_and(|numbers| numbers.into_iter().all(is_same));
    let problem = format!("{} does not give the numbers of {OUTCOME}", path.display());
    (!is_right).then(|| Finding::new(GAMES, problem, Remedy::Replay))
}
