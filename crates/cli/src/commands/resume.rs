//! `gamete resume`: goes on with whatever was interrupted.

use std::io::Write;

use lab::store::{Folder, Named, Store};

use crate::conduct::{ConductArguments, conduct};
use crate::output::Failure;
use crate::runs_dir::RunsDir;
use crate::safe::{Safe, SafeArguments, find, finish, is_place};
use crate::studies::end;

const EXAMPLES: &str = "\
Without a name, all studies that are not over go on, one after the other. The end is the same, bit for bit, as if nothing had happened.
A study that was kept with --store goes on on any machine: name the place.

Examples:
  gamete resume
  gamete resume my-study
  gamete resume s3://bucket/studies/my-study";

/// Arguments of `gamete resume`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The study, or a run of it, or the place where it is kept [default: all that are not over]
    name: Option<String>,
    #[command(flatten)]
    runs_dir: RunsDir,
    #[command(flatten)]
    conduct: ConductArguments,
    #[command(flatten)]
    safe: SafeArguments,
}

/// Goes on and prints what came out.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let store = arguments.runs_dir.store();
    if let Some(place) = arguments.name.as_deref().filter(|name| is_place(name)) {
        return from_place(place, &store, arguments);
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
            format!("Everything in {place} is over, or being worked on.")
        };
        // When standard error is closed there is nobody left to tell.
        let _ = writeln!(anstream::stderr(), "{text}");
    }
    for folder in folders {
        let safe = arguments.safe.open(&folder)?;
        go_on(&folder, &store, safe, arguments)?;
    }
    Ok(())
}

/// Goes on with a study that is kept elsewhere.
fn from_place(place: &str, store: &Store, arguments: &Arguments) -> Result<(), Failure> {
    if arguments.safe.is_given() {
        let text = format!("{place} is where the study is kept; leave --store out");
        return Err(Failure::Usage(text));
    }
    let (place, study) = find(place)?;
    let folder = store.folder(&study);
    let safe = arguments.safe.open_at(&place, &folder)?;
    go_on(&folder, store, Some(safe), arguments)
}

fn go_on(
    folder: &Folder,
    store: &Store,
    safe: Option<Safe>,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let study = folder.study()?;
    let conducted = conduct(&study, store, &arguments.conduct, safe.as_ref())?;
    finish(safe, || end(&study, &conducted))
}

/// Studies with runs that are not over, and that nobody works on.
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
