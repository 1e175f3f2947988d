//! `gamete resume`: resumes interrupted studies.

use lab::store::{Folder, Named, Store};

use crate::backup::{Backup, BackupArguments, find, finish, is_location};
use crate::output::{Failure, print_to_stderr};
use crate::run_study::{RunArguments, run_study};
use crate::runs_dir::RunsDir;
use crate::studies::end;

const EXAMPLES: &str = "\
Without a name, all unfinished studies are resumed, one after the other. Results are the same, bit for bit, as without the interruption.
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
        None => unfinished(&store)?,
    };
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
        go_on(&folder, &store, backup, arguments)?;
    }
    Ok(())
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

/// Studies with unfinished runs that no other process is running.
fn unfinished(store: &Store) -> Result<Vec<Folder>, Failure> {
    let mut found = Vec::new();
    for folder in store.folders()? {
        if !folder.is_locked() && !is_over(&folder)? {
            found.push(folder);
        }
    }
    Ok(found)
}

fn is_over(folder: &Folder) -> Result<bool, Failure> {
    for plan in folder.study()?.runs() {
        if folder.run(&plan.folder).outcome()?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}
