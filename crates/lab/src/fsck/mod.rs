//! Checks everything that studies keep, and repairs what can be repaired.
//!
//! What follows from other files is made again and must match its checksum. Any other damaged file is set aside together with the outcome
//! that came from it: the run is then unfinished, and resuming it replays what is missing and ends with the same bytes.

mod inspect;
mod repair;

use std::fmt;

use serde::Serialize;

use crate::store::{Folder, Index, Store, StoreError};
use crate::study::Study;

/// What was found in a study.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StudyCheck {
    /// The study.
    pub study: String,
    /// A process works on it, so nothing was checked.
    pub busy: bool,
    /// What is wrong with the files of the study itself.
    pub findings: Vec<Finding>,
    /// Its runs.
    pub runs: Vec<RunCheck>,
}

/// What was found in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunCheck {
    /// `study/run`.
    pub run: String,
    /// Whether it has an outcome.
    pub finished: bool,
    /// Whether its outcome has checksums of its other files.
    pub protected: bool,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

/// A damaged file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Its name.
    pub file: String,
    /// What is wrong, with its path.
    pub problem: String,
    /// What helps.
    pub remedy: Remedy,
    /// What was done, if it was repaired.
    pub repaired: Option<String>,
}

/// What helps against damage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Remedy {
    /// It follows from other files.
    MakeAgain,
    /// It is set aside, and resuming the run replays what is missing.
    Replay,
    /// Only a person can help, as the problem says.
    ByHand,
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MakeAgain => "--repair makes it again from the other files",
            Self::Replay => "--repair sets it aside, then 'gamete resume' replays what is missing",
            Self::ByHand => "this cannot be repaired here",
        })
    }
}

impl Finding {
    fn new(file: &str, problem: impl fmt::Display, remedy: Remedy) -> Self {
        Self {
            file: file.to_owned(),
            problem: problem.to_string(),
            remedy,
            repaired: None,
        }
    }
}

impl StudyCheck {
    /// Everything that was found.
    pub fn all(&self) -> impl Iterator<Item = &Finding> {
        let of_runs = self.runs.iter().flat_map(|run| &run.findings);
        self.findings.iter().chain(of_runs)
    }

    /// Is anything still damaged?
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.all().any(|finding| finding.repaired.is_none())
    }

    /// Does the study have to be resumed, since a run was repaired by setting files aside?
    #[must_use]
    pub fn is_to_resume(&self) -> bool {
        let mut repaired = self.all().filter(|finding| finding.repaired.is_some());
        repaired.any(|finding| finding.remedy == Remedy::Replay)
    }
}

/// Checks a study, or one run of it. Nothing is changed.
pub fn check(folder: &Folder, only: Option<&str>) -> Result<StudyCheck, StoreError> {
    match folder.is_locked() {
        true => Ok(busy(folder)),
        false => inspect(folder, only),
    }
}

/// Checks a study, or one run of it, and repairs what can be repaired.
pub fn repair(folder: &Folder, only: Option<&str>) -> Result<StudyCheck, StoreError> {
    let _lock = match folder.lock() {
        Err(StoreError::Locked(_)) => return Ok(busy(folder)),
        other => other?,
    };
    let mut check = inspect(folder, only)?;
    let study = folder.study().ok();
    for run in &mut check.runs {
        let name = run.run.rsplit('/').next().unwrap_or_default().to_owned();
        let plan = study.as_ref().and_then(|study| plan_of(study, &name));
        repair::run(&folder.run(&name), plan.as_ref(), run)?;
    }
    Ok(check)
}

fn busy(folder: &Folder) -> StudyCheck {
    StudyCheck {
        study: folder.name.clone(),
        busy: true,
        findings: Vec::new(),
        runs: Vec::new(),
    }
}

fn inspect(folder: &Folder, only: Option<&str>) -> Result<StudyCheck, StoreError> {
    let study = folder.study();
    let mut runs = Vec::new();
    for run in folder.runs()? {
        if only.is_none_or(|only| only == run.name) {
            let study = study.as_ref().ok();
            let plan = study.and_then(|study| plan_of(study, &run.name));
            runs.push(inspect::run(folder, &run, plan.as_ref()));
        }
    }
    Ok(StudyCheck {
        study: folder.name.clone(),
        busy: false,
        findings: study.err().iter().map(inspect::study).collect(),
        runs,
    })
}

/// A run with its study.
struct Planned<'a> {
    study: &'a Study,
    run: crate::study::RunPlan,
}

fn plan_of<'a>(study: &'a Study, name: &str) -> Option<Planned<'a>> {
    let run = study.runs().into_iter().find(|plan| plan.folder == name)?;
    Some(Planned { study, run })
}

/// What is wrong with the index of a store. It holds nothing that is not in the run directories.
#[must_use]
pub fn check_index(store: &Store) -> Option<Finding> {
    let problem = Index::damage(store)?;
    Some(Finding::new("index.sqlite", problem, Remedy::MakeAgain))
}
