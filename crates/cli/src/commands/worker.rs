//! `gamete worker`: plays games for studies that are run elsewhere.

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use cluster::address::Address;
use cluster::games;
use cluster::link::LinkError;
use cluster::worker::{JobHandler, Left, WorkerConfig, WorkerError, work};

use crate::announced::{LOOK, MOVED, Source};
use crate::interrupt::interrupted;
use crate::output::Failure;
use crate::pool::{game_handler, host_name};
use crate::progress::threads;

const EXAMPLES: &str = "\
A worker may join and leave at any moment; what it has begun and not finished is done by others. Ctrl-C or SIGTERM lets it \
finish its current games, within 20 seconds.

Examples:
  gamete worker --join nats://127.0.0.1:4222
  gamete worker --join worker.join --cores 16 --idle 10m
  gamete worker --join s3://my-bucket/study/worker.join --idle 10m";

/// Arguments of `gamete worker`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The server (nats://HOST:PORT), its worker.join, or where that is announced (s3://BUCKET/PATH/worker.join)
    #[arg(
        long,
        value_name = "SERVER",
        env = "GAMETE_JOIN",
        required_unless_present = "chunk"
    )]
    join: Option<String>,
    /// How many games to play at once [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    cores: Option<u16>,
    /// Leave after being idle for this long
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    idle: Option<Duration>,
    /// A name for people [default: that of the machine]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Do one chunk from standard input: a worker starts itself like this for chunks that may have ended others
    #[arg(long, hide = true, conflicts_with_all = ["join", "cores", "idle", "name"])]
    chunk: bool,
}

/// Works until it is stopped, or idle.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.chunk {
        return one_chunk();
    }
    let server = arguments.join.as_deref().unwrap_or_default();
    let source = Source::read(server)?;
    let stop = interrupted("finishes its current games and leaves; Ctrl-C again ends at once\n")?;
    let config = WorkerConfig {
        name: arguments.name.clone().unwrap_or_else(host_name),
        cores: threads(arguments.cores),
        idle: arguments.idle,
        away: source.is_announced().then_some(MOVED),
        stop,
        tell: say,
    };
    let handler: Arc<dyn JobHandler> = Arc::new(game_handler()?);
    let mut left = Left::Away;
    while left == Left::Away {
        left = match source.address(&config)? {
            Ok(address) => join(&address, &config, &handler)?,
            Err(left) => left,
        };
    }
    match left {
        Left::Stopped => say("left; what was not finished is done by others"),
        Left::Idle | Left::Away => say("left: there was nothing to do"),
    }
    Ok(())
}

/// Works at a server.
fn join(
    address: &Address,
    config: &WorkerConfig,
    handler: &Arc<dyn JobHandler>,
) -> Result<Left, Failure> {
    say(&format!(
        "{} joins {} with {} cores; Ctrl-C leaves",
        config.name, address.url, config.cores
    ));
    match work(address, config, handler) {
        // An announcement may be older than the server that made it.
        Err(WorkerError::Link(error @ LinkError::NotReachable { .. })) if config.away.is_some() => {
            say(&format!("{error}; looks again for where it is"));
            std::thread::sleep(LOOK);
            Ok(Left::Away)
        }
        left => Ok(left?),
    }
}

fn say(text: &str) {
    // The worker goes on without its notes if standard error is closed.
    let _ = writeln!(anstream::stderr(), "{text}");
}

fn one_chunk() -> Result<(), Failure> {
    let mut body = Vec::new();
    std::io::stdin()
        .read_to_end(&mut body)
        .map_err(anyhow::Error::from)?;
    let played = games::play(&body).map_err(Failure::Usage)?;
    Ok(std::io::stdout()
        .write_all(&played)
        .map_err(anyhow::Error::from)?)
}

impl From<WorkerError> for Failure {
    fn from(error: WorkerError) -> Self {
        match error {
            WorkerError::System(_) => Self::Failed(error.into()),
            other => Self::Usage(other.to_string()),
        }
    }
}
