//! Job files for existing clusters: each starts workers under the cluster's own scheduler.
//!
//! A system is one file here and one line in the list.

mod hyperqueue;
mod kubernetes;
mod slurm;

use std::time::Duration;

use crate::shell::quoted;

/// The workers to start.
#[derive(Debug, Clone)]
pub struct Workers {
    /// Number of workers.
    pub workers: u32,
    /// Cores per worker.
    pub cores: u32,
    /// How they join: an address, a file, or its location in a bucket.
    pub join: String,
    /// How long a worker waits for work before it leaves.
    pub idle: Duration,
    /// How long a worker may run.
    pub time: Duration,
    /// The container image with the program, if the system runs containers.
    pub image: Option<String>,
}

/// A system that starts programs on many machines.
#[derive(Debug)]
pub struct System {
    /// The name on the command line.
    pub name: &'static str,
    /// The file, in one line.
    pub about: &'static str,
    /// Do workers run in containers?
    needs_image: bool,
    write: fn(&Workers) -> String,
}

/// All systems.
pub const SYSTEMS: &[System] = &[slurm::SYSTEM, kubernetes::SYSTEM, hyperqueue::SYSTEM];

/// The most workers per file.
pub const MOST_WORKERS: u32 = 10_000;
/// The most cores per worker.
pub const MOST_CORES: u32 = 1024;
/// Schedulers count in minutes, and a worker needs a few to be useful.
pub const LEAST_TIME: Duration = Duration::from_secs(5 * 60);
/// A year.
pub const MOST_TIME: Duration = Duration::from_secs(31_557_600);

/// A worker that receives SIGTERM returns its unstarted work and ends within 20 s. Systems give it this long.
const GRACE: Duration = Duration::from_secs(60);

/// Why there is no job file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// A number out of range.
    #[error("{what} is {value}; expected 1 to {most}")]
    Count {
        /// The option.
        what: &'static str,
        /// Its value.
        value: u32,
        /// The maximum.
        most: u32,
    },
    /// A time out of range.
    #[error("--time is {}; expected {} to {}", humantime::format_duration(*value), humantime::format_duration(LEAST_TIME), humantime::format_duration(MOST_TIME))]
    Time {
        /// Its value.
        value: Duration,
    },
    /// A worker that would leave at once, or never.
    #[error("--idle is {}; expected at least 1s and less than --time, {}", humantime::format_duration(*value), humantime::format_duration(*time))]
    Idle {
        /// Its value.
        value: Duration,
        /// How long a worker may run.
        time: Duration,
    },
    /// An invalid text.
    #[error("{what} is '{}'; expected {expected}", text.escape_debug())]
    Text {
        /// The option.
        what: &'static str,
        /// Its value.
        text: String,
        /// What is expected.
        expected: &'static str,
    },
    /// The system runs containers.
    #[error("{system} runs containers: --image must name an image that contains the program")]
    NoImage {
        /// The system.
        system: &'static str,
    },
    /// The system does not run containers.
    #[error("{system} does not run containers: omit --image")]
    NeedlessImage {
        /// The system.
        system: &'static str,
    },
}

impl System {
    /// The job file.
    pub fn script(&self, workers: &Workers) -> Result<String, ScriptError> {
        workers.check()?;
        match (self.needs_image, &workers.image) {
            (true, None) => Err(ScriptError::NoImage { system: self.name }),
            (false, Some(_)) => Err(ScriptError::NeedlessImage { system: self.name }),
            _ => Ok((self.write)(workers)),
        }
    }
}

impl Workers {
    fn check(&self) -> Result<(), ScriptError> {
        let count = |what, value, most| match value {
            1.. if value <= most => Ok(()),
            _ => Err(ScriptError::Count { what, value, most }),
        };
        count("--workers", self.workers, MOST_WORKERS)?;
        count("--cores", self.cores, MOST_CORES)?;
        if self.time < LEAST_TIME || self.time > MOST_TIME {
            return Err(ScriptError::Time { value: self.time });
        }
        if self.idle < Duration::from_secs(1) || self.idle >= self.time {
            return Err(ScriptError::Idle {
                value: self.idle,
                time: self.time,
            });
        }
        let is_join = !self.join.is_empty() && !self.join.chars().any(char::is_control);
        text(
            "--join",
            &self.join,
            is_join,
            "nats://host:port, a .join file, or its location in a bucket",
        )?;
        let image = self.image.as_deref().unwrap_or("gamete");
        text(
            "--image",
            image,
            is_image(image),
            "a container image, e.g. registry.example/gamete:1",
        )
    }

    /// The command line of a worker.
    fn command(&self) -> String {
        let (join, cores) = (quoted(&self.join), self.cores);
        let idle = self.idle.as_secs();
        format!("gamete worker --join {join} --cores {cores} --idle {idle}s")
    }
}

fn text(
    what: &'static str,
    text: &str,
    is_right: bool,
    expected: &'static str,
) -> Result<(), ScriptError> {
    if is_right {
        return Ok(());
    }
    Err(ScriptError::Text {
        what,
        text: text.to_owned(),
        expected,
    })
}

fn is_image(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/:@".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(is_plain)
}
