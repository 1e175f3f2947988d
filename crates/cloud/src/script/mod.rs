//! Job files for clusters that are already there: each starts workers under the cluster's own scheduler.
//!
//! A system is one file here and one line in the list.

mod hyperqueue;
mod kubernetes;
mod slurm;

use std::time::Duration;

use crate::shell::quoted;

/// What the workers are to do.
#[derive(Debug, Clone)]
pub struct Workers {
    /// How many.
    pub workers: u32,
    /// Processors of each.
    pub cores: u32,
    /// How they find the work: an address, a file or a place in a bucket.
    pub join: String,
    /// How long one waits for work before it leaves.
    pub idle: Duration,
    /// How long one may run at most.
    pub time: Duration,
    /// The container image with the program, where there are containers.
    pub image: Option<String>,
}

/// A system that starts programs on many machines.
#[derive(Debug)]
pub struct System {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about the file.
    pub about: &'static str,
    /// Whether workers run in containers.
    needs_image: bool,
    write: fn(&Workers) -> String,
}

/// All systems.
pub const SYSTEMS: &[System] = &[slurm::SYSTEM, kubernetes::SYSTEM, hyperqueue::SYSTEM];

/// The most workers in one file.
pub const MOST_WORKERS: u32 = 10_000;
/// The most processors of a worker.
pub const MOST_CORES: u32 = 1024;
/// Schedulers count in minutes, and a worker needs some of them to be of use.
pub const LEAST_TIME: Duration = Duration::from_secs(5 * 60);
/// Nobody waits for longer than a year.
pub const MOST_TIME: Duration = Duration::from_secs(31_557_600);

/// A worker that is told to end gives back what it has not begun and ends within 20 s. Systems allow it this long.
const GRACE: Duration = Duration::from_secs(60);

/// Why there is no job file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// A number out of its range.
    #[error("{what} is {value}; it must be 1 to {most}")]
    Count {
        /// Which.
        what: &'static str,
        /// What it was.
        value: u32,
        /// The most that is allowed.
        most: u32,
    },
    /// A time out of its range.
    #[error("--time is {}; it must be {} to {}", humantime::format_duration(*value), humantime::format_duration(LEAST_TIME), humantime::format_duration(MOST_TIME))]
    Time {
        /// What it was.
        value: Duration,
    },
    /// A worker that would leave at once, or never.
    #[error("--idle is {}; it must be at least a second and less than --time, {}", humantime::format_duration(*value), humantime::format_duration(*time))]
    Idle {
        /// What it was.
        value: Duration,
        /// How long a worker may run.
        time: Duration,
    },
    /// A text that cannot stand in a job file.
    #[error("{what} is '{}'; it must be {allowed}", text.escape_debug())]
    Text {
        /// Which.
        what: &'static str,
        /// What it was.
        text: String,
        /// What it may be.
        allowed: &'static str,
    },
    /// The system runs containers.
    #[error("{system} runs containers: --image must name one that has the program in it")]
    NoImage {
        /// The system.
        system: &'static str,
    },
    /// The system knows no containers.
    #[error("{system} runs no containers: leave --image out")]
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
            "nats://host:port, a .join file, or its place in a bucket",
        )?;
        let image = self.image.as_deref().unwrap_or("gamete");
        text(
            "--image",
            image,
            is_image(image),
            "the name of a container image, as registry.example/gamete:1",
        )
    }

    /// The arguments of a worker that finds the work there, each a word of a shell.
    fn command(&self, join: &str) -> String {
        let (join, cores) = (quoted(join), self.cores);
        let idle = self.idle.as_secs();
        format!("gamete worker --join {join} --cores {cores} --idle {idle}s")
    }
}

fn text(
    what: &'static str,
    text: &str,
    is_right: bool,
    allowed: &'static str,
) -> Result<(), ScriptError> {
    if is_right {
        return Ok(());
    }
    Err(ScriptError::Text {
        what,
        text: text.to_owned(),
        allowed,
    })
}

fn is_image(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/:@".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(is_plain)
}
