//! `gamete resume`: resumes interrupted studies.

use lab::runner::{self, extension::Extension};
use lab::store::{Folder, Named, Store};
use lab::study::Study;

use crate::backup::{Backup, BackupArguments, find, finish, is_location};
use crate::output::{Failure, print_to_stderr};
use crate::run_study::{RunArguments, run_study};
use crate::runs_dir::RunsDir;
use crate::studies::end;

const EXAMPLES: &str = "\
Without a name, all unfinished studies are resumed, one after the other. Results are the same, bit for bit, as without the interruption. \
A study that was run with --store can be resumed on any machine: give its location.

Examples:
  gamete resume
  gamete resume my-study
  gamete resume s3://bucket/studies/my-study";

/// Arguments of `gamete resume`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The study, or a run of it, or the location of its backup [default: all that are not finished]
    name: Option<String>,
    #[command(flatten)]
    runs_dir: RunsDir,
    #[command(flatten)]
    run_study: RunArguments,
    #[command(flatten)]
    backup: BackupArguments,
}

/// Goes on and prints what came out.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let store = arguments.runs_dir.store();
    if let Some(location) = arguments.name.as_deref().filter(|name| is_location(name)) {
        return from_backup(location, &store, arguments);
    }
    let folders = match &arguments.name {
        Some(name) => match store.find(name)? {
            Named::Study(folder) | Named::Run(folder, _) => vec![folder],
        },
        None => return go_on_with_all(&store, arguments),
    };
    for folder in folders {
        let backup = arguments.backup.open(&folder)?;
        go_on(&folder, &store, backup, arguments)?;
    }
    Ok(())
}

/// Goes on with all studies that are not over. One that is damaged does not hold up the others; it is reported at the end.
fn go_on_with_all(store: &Store, arguments: &Arguments) -> Result<(), Failure> {
    let (folders, mut failures) = unfinished(store)?;
    if folders.is_empty() {
        let place = store.root().display();
        let text = if store.folders()?.is_empty() {
            format!(
                "There are no runs in {place}: nothing to go on with. 'gamete run STUDY' begins one."
            )
        } else {
            format!("Everything in {place} is finished, or running.")
        };
        print_to_stderr(text);
    }
    for folder in folders {
        let backup = arguments.backup.open(&folder)?;
        match go_on(&folder, store, backup, arguments) {
            Err(Failure::Usage(text)) => failures.push(text),
            Err(Failure::Failed(error)) => failures.push(format!("{error:#}")),
            other => other?,
        }
    }
    match failures.is_empty() {
        true => Ok(()),
        false => Err(Failure::Failed(anyhow::anyhow!(failures.join("\n")))),
    }
}

/// Resumes a study from its backup.
fn from_backup(location: &str, store: &Store, arguments: &Arguments) -> Result<(), Failure> {
    if arguments.backup.is_given() {
        let text = format!("the study is backed up to {location} already; leave --store out");
        return Err(Failure::Usage(text));
    }
    let (location, study) = find(location)?;
    let folder = store.folder(&study);
    let backup = arguments.backup.open_at(&location, &folder)?;
    go_on(&folder, store, Some(backup), arguments)
}

fn go_on(
    folder: &Folder,
    store: &Store,
    backup: Option<Backup>,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let study = folder.study()?;
    let ran = run_study(&study, store, &arguments.run_study, backup.as_ref())?;
    finish(backup, || end(&study, &ran))
}

/// Studies with unfinished runs that no other process is running; and what is damaged in the others.
fn unfinished(store: &Store) -> Result<(Vec<Folder>, Vec<String>), Failure> {
    let (mut found, mut damage) = (Vec::new(), Vec::new());
    for folder in store.folders()? {
        if folder.is_locked() {
            continue;
        }
        match folder.study() {
            Ok(study) if is_over(&folder, &study) => damage.extend(damage_of(&folder, &study)),
            Ok(_) => found.push(folder),
            Err(error) => damage.push(error.to_string()),
        }
    }
    Ok((found, damage))
}

/// A run with a damaged outcome is not over: it is finished again. Nor is one that was killed while its study was extended.
fn is_over(folder: &Folder, study: &Study) -> bool {
    let plans = study.runs();
    match Extension::of(study, &plans, folder) {
        Ok(extension) => extension.is_all_over(),
        Err(_) => plans
            .iter()
            .all(|plan| runner::is_over(&folder.run(&plan.folder))),
    }
}

fn damage_of(folder: &Folder, study: &Study) -> Option<String> {
    let plans = study.runs().into_iter();
    let damage: Vec<String> = plans
        .flat_map(|plan| folder.run(&plan.folder).damage())
        .map(|damage| damage.text)
        .collect();
    let (name, texts) = (&folder.name, damage.join("; "));
    let advice = format!("'gamete fsck {name} --repair' repairs it");
    (!damage.is_empty()).then(|| format!("{name} is damaged: {texts}. {advice}"))
}
