//! Makes damaged files again, or sets them aside for a replay.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::{Finding, Planned, Remedy, RunCheck};
use crate::run::best_game::{self, BEST_GAME};
use crate::run::checkpoint::{CHECKPOINT, Checkpoint};
use crate::run::file::{FileError, replace, set_aside};
use crate::run::history::{HISTORY, History};
use crate::run::outcome::{OUTCOME, Outcome};
use crate::run::status::{STATUS, State, Status};
use crate::store::{RUN, RunFile, RunFolder, StoreError, checksum_of, played};
use crate::study::CHAMPION;

/// Repairs what was found in a run.
pub(super) fn run(
    place: &RunFolder,
    plan: Option<&Planned<'_>>,
    check: &mut RunCheck,
) -> Result<(), StoreError> {
    // Half a repair would be of no use.
    if check
        .findings
        .iter()
        .any(|finding| finding.remedy == Remedy::ByHand)
    {
        return Ok(());
    }
    let is_to_replay = |check: &RunCheck| {
        check
            .findings
            .iter()
            .any(|finding| finding.remedy == Remedy::Replay)
    };
    // What a replay writes anyway need not be made again.
    if !is_to_replay(check) {
        for finding in &mut check.findings {
            make_again(place, plan, finding)?;
        }
    }
    if is_to_replay(check) {
        for finding in &mut check.findings {
            prepare_replay(place, plan, finding)?;
        }
        reopen(place)?;
    }
    if check.findings.iter().any(|finding| finding.file == STATUS) {
        let steps = plan.map_or(0, |plan| {
            plan.study.settings[plan.run.setting].experiment.steps()
        });
        place.settle(steps)?;
    }
    Ok(())
}

/// Makes a file again from the others. If it does not match its checksum, the run must be replayed.
fn make_again(
    place: &RunFolder,
    plan: Option<&Planned<'_>>,
    finding: &mut Finding,
) -> Result<(), StoreError> {
    if finding.remedy != Remedy::MakeAgain {
        return Ok(());
    }
    let outcome = place.outcome()?;
    let contents = match (finding.file.as_str(), plan) {
        (RUN, Some(plan)) => Some(settings(plan)),
        (CHAMPION, _) => outcome.as_ref().and_then(champion),
        (BEST_GAME, Some(plan)) => best_game(place, plan, outcome.as_ref()),
        (HISTORY, _) => history(&place.path),
        _ => None,
    };
    if finding.file == STATUS {
        let told = aside(&place.path, STATUS)?;
        finding.repaired = Some(format!("{told}; times start from zero"));
        return Ok(());
    }
    let expected = outcome.and_then(|outcome| outcome.files?.remove(&finding.file));
    let is_right = |contents: &Vec<u8>| {
        expected
            .as_ref()
            .is_none_or(|sum| *sum == checksum_of(contents))
    };
    let Some(contents) = contents.filter(is_right) else {
        finding.remedy = Remedy::Replay;
        return Ok(());
    };
    let told = aside(&place.path, &finding.file)?;
    replace(&place.path.join(&finding.file), &contents)?;
    finding.repaired = Some(format!("{told}; it was made again"));
    Ok(())
}

fn settings(plan: &Planned<'_>) -> Vec<u8> {
    RunFile::of(plan.study, &plan.run).text().into_bytes()
}

fn champion(outcome: &Outcome) -> Option<Vec<u8>> {
    let champion = outcome.champion.as_ref()?;
    Some(champion.text().into_bytes())
}

/// The history up to the last state, after which nothing belongs to it.
pub(super) fn history(run: &Path) -> Option<Vec<u8>> {
    let (path, state) = (run.join(HISTORY), run.join(CHECKPOINT));
    let mark = Checkpoint::inspect(&state).ok()??;
    History::check(&path, mark).ok()?;
    let mut contents = fs::read(&path).ok()?;
    contents.truncate(mark.length as usize);
    Some(contents)
}

fn best_game(place: &RunFolder, plan: &Planned<'_>, outcome: Option<&Outcome>) -> Option<Vec<u8>> {
    let experiment = &plan.study.settings[plan.run.setting].experiment;
    let measured = experiment.measured(plan.run.seed, outcome?)?;
    let records = played::records(&measured, &place.path).ok()?;
    best_game::text(&measured, &records, &Arc::default()).ok()?
}

/// Sets a damaged file aside. Settings are written again at once: without them nothing can be resumed.
fn prepare_replay(
    place: &RunFolder,
    plan: Option<&Planned<'_>>,
    finding: &mut Finding,
) -> Result<(), StoreError> {
    if finding.remedy == Remedy::ByHand || finding.repaired.is_some() {
        return Ok(());
    }
    let told = aside(&place.path, &finding.file)?;
    if finding.file == HISTORY {
        // States are of no use without their history.
        for name in Checkpoint::new(&place.path.join(CHECKPOINT)).files() {
            if name.is_file() {
                set_aside(&name)?;
            }
        }
    }
    finding.repaired = Some(match (finding.file.as_str(), plan) {
        (RUN, Some(plan)) => {
            replace(&place.path.join(RUN), &settings(plan))?;
            format!("{told}; it was made again")
        }
        _ => told,
    });
    Ok(())
}

/// A run that must be replayed is not finished.
fn reopen(place: &RunFolder) -> Result<(), FileError> {
    if place.path.join(OUTCOME).is_file() {
        set_aside(&place.path.join(OUTCOME))?;
    }
    let path = place.path.join(STATUS);
    if let Some(mut status) = Status::read(&path)? {
        status.state = State::Interrupted;
        status.write(&path)?;
    }
    Ok(())
}

/// Sets a file aside, if it is there, and says so.
fn aside(run: &Path, file: &str) -> Result<String, FileError> {
    let path = run.join(file);
    if fs::symlink_metadata(&path).is_err() {
        return Ok("it was missing".to_owned());
    }
    let aside = set_aside(&path)?;
    Ok(format!("it was set aside as {}", aside.display()))
}
