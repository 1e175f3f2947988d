//! `gamete cluster`: workers on machines of your own.

mod script;

use crate::output::Failure;

const EXAMPLES: &str = "\
Examples:
  gamete cluster script slurm --workers 16 --join /shared/gamete/worker.join > workers.sh
  gamete cluster script kubernetes --workers 16 --join worker.join --image registry.example/gamete:1";

/// Arguments of `gamete cluster`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Write the job file that starts workers on a cluster that is already there
    Script(script::Arguments),
}

/// Does what was asked.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.what {
        What::Script(arguments) => script::run(arguments),
    }
}
