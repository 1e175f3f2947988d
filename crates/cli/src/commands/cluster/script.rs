//! `gamete cluster script`: job files for existing clusters.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use cloud::script::{SYSTEMS, ScriptError, System, Workers};

use crate::output::{Failure, print};

const EXAMPLES: &str = "\
The file starts workers, which find their work by --join: the worker.join that 'gamete cluster up' has written, its location in a \
bucket, or an address. They leave when they have been idle for a while, and return unstarted work when they are told to end.

Examples:
  gamete cluster script slurm --workers 16 --join /shared/gamete/worker.join > workers.sh
  gamete cluster script kubernetes --workers 16 --join worker.join --image example/gamete:1
  gamete cluster script hyperqueue --workers 16 --join s3://bucket/worker.join --output workers.sh";

/// Arguments of `gamete cluster script`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The scheduler of the cluster
    #[arg(value_parser = systems())]
    system: &'static System,
    /// Number of workers
    #[arg(long, value_name = "N")]
    workers: u32,
    /// How workers find their work: a worker.join file, its location in a bucket, or nats://host:port
    #[arg(long, value_name = "WHERE")]
    join: String,
    /// Cores per worker
    #[arg(long, value_name = "C", default_value_t = 4)]
    cores: u32,
    /// How long a worker may run
    #[arg(long, value_name = "TIME", default_value = "4h", value_parser = humantime::parse_duration)]
    time: Duration,
    /// How long a worker waits for work before it leaves
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = humantime::parse_duration)]
    idle: Duration,
    /// The container image with the program, for kubernetes
    #[arg(long, value_name = "NAME")]
    image: Option<String>,
    /// Write to a new file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn systems() -> impl TypedValueParser<Value = &'static System> {
    let values = SYSTEMS
        .iter()
        .map(|system| PossibleValue::new(system.name).help(system.about));
    PossibleValuesParser::new(values).map(|name| {
        let found = SYSTEMS.iter().find(|system| system.name == name);
        found.expect("only names in the list are possible")
    })
}

impl From<ScriptError> for Failure {
    fn from(error: ScriptError) -> Self {
        Self::Usage(error.to_string())
    }
}

/// Writes the job file.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let text = arguments.system.script(&Workers {
        workers: arguments.workers,
        cores: arguments.cores,
        join: arguments.join.clone(),
        idle: arguments.idle,
        time: arguments.time,
        image: arguments.image.clone(),
    })?;
    let Some(path) = &arguments.output else {
        return print(&text);
    };
    let file = std::fs::File::create_new(path);
    if let Err(error) = &file
        && error.kind() == std::io::ErrorKind::AlreadyExists
    {
        return Err(Failure::Usage(format!(
            "{} exists already; name a new file",
            path.display()
        )));
    }
    let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
    Ok(written.with_context(|| format!("cannot write {}", path.display()))?)
}
