//! `gamete rm`: removes studies or runs with everything they kept.

use lab::store::Named;

use crate::confirm::confirms;
use crate::output::{Failure, print};
use crate::runs_dir::RunsDir;

const EXAMPLES: &str = "\
Studies that are running are not removed. On a terminal you are asked first; in a script --yes is required.

Examples:
  gamete rm my-study
  gamete rm my-study/s1-r2 --yes";

/// Arguments of `gamete rm`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Studies, or runs
    #[arg(required = true)]
    names: Vec<String>,
    #[command(flatten)]
    runs_dir: RunsDir,
    /// Do not ask for confirmation
    #[arg(long, short)]
    yes: bool,
}

/// Removes them, after asking.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let store = arguments.runs_dir.store();
    // All names are looked up before anything is removed.
    let named = arguments.names.iter().map(|name| store.find(name));
    let named = named.collect::<Result<Vec<_>, _>>()?;
    for (name, what) in arguments.names.iter().zip(&named) {
        let question = match what {
            Named::Study(folder) => format!(
                "Remove the study {name} with its {} runs?",
                folder.runs()?.len()
            ),
            Named::Run(..) => format!("Remove the run {name}?"),
        };
        if !arguments.yes && !confirms(&question)? {
            print(&format!("{name} is kept\n"))?;
            continue;
        }
        match what {
            Named::Study(folder) => folder.remove()?,
            Named::Run(folder, run) => run.remove(folder)?,
        }
        print(&format!("{name} is removed\n"))?;
    }
    Ok(())
}
