//! `gamete cluster`: more machines by hand. One file per subcommand.

mod down;
mod script;
mod status;
mod up;

use std::path::PathBuf;

use etcetera::BaseStrategy;

use crate::output::Failure;

const EXAMPLES: &str = "\
On the first machine 'gamete cluster up' starts a server and prints what to type on the others; 'gamete worker' on any \
number of them plays; 'gamete run STUDY --pool SERVER' gives them the games of a study. The numbers are the same, bit for bit.

Examples:
  gamete cluster up
  gamete worker --join nats://127.0.0.1:4222
  gamete run studies/quick/2048.toml --pool nats://127.0.0.1:4222
  gamete cluster status
  gamete cluster down
  gamete cluster script slurm --workers 16 --join /shared/gamete/worker.join > workers.sh
  gamete cluster script kubernetes --workers 16 --join worker.join --image example/gamete:1";

/// Arguments of `gamete cluster`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Start a server for workers, unless it runs already, and print what to type on the other machines
    Up(up::Arguments),
    /// Stop the server that 'up' started
    Down(down::Arguments),
    /// Show workers, studies, and how busy everybody is
    Status(status::Arguments),
    /// Write the job file that starts workers on a cluster that is already there
    Script(script::Arguments),
}

/// Does what was asked.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.what {
        What::Up(arguments) => up::run(arguments),
        What::Down(arguments) => down::run(arguments),
        What::Status(arguments) => status::run(arguments),
        What::Script(arguments) => script::run(arguments),
    }
}

/// Where a server's files are kept.
#[derive(Debug, clap::Args)]
struct ServerDirectory {
    /// Where the server's files are kept [default: gamete/cluster in your state directory]
    #[arg(long, value_name = "DIR", env = "GAMETE_CLUSTER")]
    dir: Option<PathBuf>,
}

impl ServerDirectory {
    fn path(&self) -> Result<PathBuf, Failure> {
        if let Some(path) = &self.dir {
            return Ok(path.clone());
        }
        let strategy = etcetera::choose_base_strategy();
        let strategy =
            strategy.map_err(|error| Failure::Usage(format!("{error}; use --dir DIR")))?;
        let state = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
        Ok(state.join("gamete").join("cluster"))
    }
}

/// Which server is meant.
#[derive(Debug, clap::Args)]
struct Which {
    /// The server (nats://HOST:PORT), or its coordinator.join [default: the one that 'gamete cluster up' started here]
    #[arg(long, value_name = "SERVER", env = "GAMETE_POOL")]
    pool: Option<String>,
    #[command(flatten)]
    directory: ServerDirectory,
}

impl Which {
    fn address(&self) -> Result<cluster::address::Address, Failure> {
        if let Some(server) = &self.pool {
            return Ok(cluster::address::Address::read(server)?);
        }
        let file = self.directory.path()?.join(cluster::server::JOIN_FILES[0]);
        if !file.exists() {
            return Err(Failure::Usage(
                "no server was started here: 'gamete cluster up' starts one, or say which with --pool".to_owned(),
            ));
        }
        Ok(cluster::address::Address::read(&file.to_string_lossy())?)
    }
}
