//! `gamete fsck`: checks every file that studies keep, and repairs what is damaged.

use std::path::Path;

use lab::fsck::{self, Finding, StudyCheck};
use lab::store::{Folder, Index, Named, RUN, STUDY, Store};
use serde::Serialize;

use crate::output::{Failure, print, print_json};
use crate::runs_dir::RunsDir;

const EXAMPLES: &str = "\
Checksums and contents of all files are checked, and whether they belong together. --repair makes again what follows from the rest; any \
other damaged file is set aside by name, and 'gamete resume' then replays the run, which ends with the same bytes. \
Exit codes: 0 all right or repaired, 1 something is damaged, 2 wrong usage.

Examples:
  gamete fsck
  gamete fsck my-study
  gamete fsck my-study/s1-r2 --repair
  gamete fsck /backup/runs --json";

/// Arguments of `gamete fsck`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A study, a run, or a directory of studies [default: all studies]
    name: Option<String>,
    #[command(flatten)]
    runs_dir: RunsDir,
    /// Repair what can be repaired
    #[arg(long)]
    repair: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is checked.
struct Target {
    store: Store,
    folders: Vec<Folder>,
    /// Only this run.
    run: Option<String>,
    /// The index belongs to all studies.
    with_index: bool,
}

/// What was found.
#[derive(Serialize)]
struct Found {
    index: Option<Finding>,
    studies: Vec<StudyCheck>,
}

/// Checks, repairs if asked to, and prints what was found.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let target = target(arguments)?;
    let mut found = Found {
        index: target
            .with_index
            .then(|| fsck::check_index(&target.store))
            .flatten(),
        studies: Vec::new(),
    };
    for folder in &target.folders {
        let only = target.run.as_deref();
        found.studies.push(match arguments.repair {
            true => repair(folder, only)?,
            false => fsck::check(folder, only)?,
        });
    }
    if let (Some(finding), true) = (&mut found.index, arguments.repair) {
        Index::rebuild(&target.store)?;
        finding.repaired = Some("it was made again".to_owned());
    }
    match arguments.json {
        true => print_json(&found)?,
        false => print(&found.list())?,
    }
    found.end()
}

/// Repairs a study. Its report follows from its runs.
fn repair(folder: &Folder, only: Option<&str>) -> Result<StudyCheck, Failure> {
    let check = fsck::repair(folder, only)?;
    let is_whole = !check.busy && !check.is_damaged() && !check.is_to_resume();
    if is_whole && report::directory(folder).is_dir() {
        report::write_all(folder)?;
    }
    Ok(check)
}

fn target(arguments: &Arguments) -> Result<Target, Failure> {
    let store = arguments.runs_dir.store();
    let Some(name) = &arguments.name else {
        return all(store);
    };
    match store.find(name) {
        Ok(named) => Ok(one(store, named)),
        Err(error) => match in_directory(Path::new(name))? {
            Some(target) => Ok(target),
            None => Err(error.into()),
        },
    }
}

fn one(store: Store, named: Named) -> Target {
    let (folder, run) = match named {
        Named::Study(folder) => (folder, None),
        Named::Run(folder, run) => (folder, Some(run.name)),
    };
    Target {
        store,
        folders: vec![folder],
        run,
        with_index: false,
    }
}

fn all(store: Store) -> Result<Target, Failure> {
    let folders = store.folders()?;
    if folders.is_empty() {
        let place = store.root().display();
        return Err(Failure::Usage(format!(
            "there are no studies in {place}; give a study, a run or a directory of studies"
        )));
    }
    Ok(Target {
        store,
        folders,
        run: None,
        with_index: true,
    })
}

/// A directory of a run, of a study, or of studies.
fn in_directory(path: &Path) -> Result<Option<Target>, Failure> {
    let Ok(path) = path.canonicalize() else {
        return Ok(None);
    };
    let last = |path: &Path| {
        path.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let above = |levels: usize| path.ancestors().nth(levels).map(Store::new);
    let (levels, name) = match (last(&path), path.parent().and_then(last)) {
        (Some(run), Some(study)) if path.join(RUN).is_file() => (2, format!("{study}/{run}")),
        (Some(study), _) if path.join(STUDY).is_file() => (1, study),
        _ if path.is_dir() => return all(Store::new(&path)).map(Some),
        _ => return Ok(None),
    };
    let Some(store) = above(levels) else {
        return Ok(None);
    };
    let named = store.find(&name)?;
    Ok(Some(one(store, named)))
}

impl Found {
    fn findings(&self) -> impl Iterator<Item = &Finding> {
        let of_studies = self.studies.iter().flat_map(StudyCheck::all);
        self.index.iter().chain(of_studies)
    }

    /// A line for everything that is worth knowing.
    fn list(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        lines.extend(self.index.iter().map(line));
        for study in &self.studies {
            if study.busy {
                let name = &study.study;
                lines.push(format!(
                    "{name}: a process works on it, so it was not checked"
                ));
            }
            lines.extend(study.findings.iter().map(line));
            for run in &study.runs {
                lines.extend(run.findings.iter().map(line));
                if run.finished && !run.protected {
                    let name = &run.run;
                    lines.push(format!(
                        "{name} is not protected by checksums: an older version finished it"
                    ));
                }
            }
            if study.is_to_resume() {
                let name = &study.study;
                lines.push(format!("'gamete resume {name}' replays what is missing"));
            }
        }
        let runs: usize = self.studies.iter().map(|study| study.runs.len()).sum();
        let damaged = self.findings().count();
        let repaired = self
            .findings()
            .filter(|finding| finding.repaired.is_some())
            .count();
        lines.push(match (damaged, repaired) {
            (0, _) => format!("{runs} runs checked: no damage"),
            _ => {
                format!("{runs} runs checked: {damaged} damaged files, {repaired} of them repaired")
            }
        });
        lines.join("\n") + "\n"
    }

    /// Damage that is left is a failure.
    fn end(&self) -> Result<(), Failure> {
        let left = self
            .findings()
            .filter(|finding| finding.repaired.is_none())
            .count();
        let busy = self.studies.iter().filter(|study| study.busy).count();
        match (left, busy) {
            (0, 0) => Ok(()),
            (0, _) => Err(Failure::Failed(anyhow::anyhow!(
                "{busy} studies were not checked: a process works on them"
            ))),
            _ => Err(Failure::Failed(anyhow::anyhow!("{left} files are damaged"))),
        }
    }
}

fn line(finding: &Finding) -> String {
    let Finding {
        problem,
        remedy,
        repaired,
        ..
    } = finding;
    match repaired {
        Some(repaired) => format!("{problem}; {repaired}"),
        None => format!("{problem}; {remedy}"),
    }
}
