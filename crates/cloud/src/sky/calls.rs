//! Calls to the program `sky`.
//!
//! What it says while it works goes to standard error, where people watch; standard output is the caller's.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitStatus, Output, Stdio};

use serde_json::Value;

use super::queue::{self, Job};
use crate::clouds::Cloud;

/// The program.
#[derive(Debug, Clone)]
pub struct Sky {
    program: OsString,
}

/// Why SkyPilot did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum SkyError {
    /// There is no such program.
    #[error(
        "there is no program '{}', by which machines are rented; 'pip install \"skypilot[aws,gcp]==0.14.1\"' installs it, GAMETE_SKY may say where it is",
        program.display()
    )]
    Missing {
        /// What was looked for.
        program: OsString,
    },
    /// It is there but cannot be started.
    #[error("cannot start {}: {error}", program.display())]
    NotStarted {
        /// The program.
        program: OsString,
        /// Why.
        error: std::io::Error,
    },
    /// It may not rent machines there.
    #[error(
        "SkyPilot has no access to {cloud}; 'sky check {cloud}' says why and what to do (usually credentials are missing)"
    )]
    NoAccess {
        /// Where.
        cloud: &'static str,
    },
    /// It ended with an error.
    #[error("'{command}' failed ({status}){told}")]
    Failed {
        /// What it was asked.
        command: String,
        /// How it ended.
        status: ExitStatus,
        /// What it said last, if that was not shown before.
        told: String,
    },
    /// It answered something else than the version that was tried, 0.14.1.
    #[error(
        "'{command}' answered what this version does not understand ({what}); SkyPilot 0.14.1 was tried"
    )]
    Strange {
        /// What it was asked.
        command: String,
        /// What is wrong with the answer.
        what: String,
    },
}

/// When nothing was ever launched, or all is over for long, there is no queue.
const NO_QUEUE: &str = "No in-progress managed jobs";

impl Sky {
    /// The program `sky`, or another that was named.
    #[must_use]
    pub fn new(named: Option<OsString>) -> Self {
        let named = named.filter(|name| !name.is_empty());
        Self {
            program: named.unwrap_or_else(|| "sky".into()),
        }
    }

    /// Whether it may rent machines in a cloud.
    pub fn check_access(&self, cloud: &Cloud) -> Result<(), SkyError> {
        let arguments = ["check", cloud.name, "-o", "json"];
        let answer = self.ask(&arguments)?;
        let told = first_value(&answer, '{').ok_or_else(|| strange(&arguments, "no JSON"))?;
        let clouds = told.as_object().into_iter().flat_map(|map| map.values());
        let mut names = clouds
            .filter_map(Value::as_object)
            .flat_map(|map| map.keys());
        if names.any(|name| name.eq_ignore_ascii_case(cloud.name)) {
            Ok(())
        } else {
            Err(SkyError::NoAccess { cloud: cloud.name })
        }
    }

    /// Launches a task as so many managed jobs of one name, each on a machine of its own. The values of the variables go along without being seen in
    /// files or process lists.
    pub fn launch(
        &self,
        task: &Path,
        name: &str,
        copies: u32,
        variables: &[&str],
    ) -> Result<(), SkyError> {
        let copies = copies.to_string();
        let mut arguments = vec!["jobs", "launch", "--yes", "--detach-run", "--name", name];
        arguments.extend(["--num-jobs", &copies]);
        for variable in variables {
            arguments.extend(["--secret", variable]);
        }
        let task = task.to_string_lossy();
        arguments.push(&task);
        self.show(&arguments)
    }

    /// All jobs, those that are over too.
    pub fn queue(&self) -> Result<Vec<Job>, SkyError> {
        let arguments = ["jobs", "queue", "--all", "-o", "json"];
        let output = self.run(&arguments)?;
        if !output.status.success() {
            let told = String::from_utf8_lossy(&output.stderr);
            if told.contains(NO_QUEUE) {
                return Ok(Vec::new());
            }
            return Err(failed(&arguments, &output));
        }
        let answer = String::from_utf8_lossy(&output.stdout);
        let told = first_value(&answer, '[').ok_or_else(|| strange(&arguments, "no JSON"))?;
        queue::jobs(&told).map_err(|what| strange(&arguments, &what))
    }

    /// Shows what a job wrote, and goes on with what it writes if asked to.
    pub fn logs(&self, id: u64, follow: Follow) -> Result<(), SkyError> {
        let follow = match follow {
            Follow::Yes => "--follow",
            Follow::No => "--no-follow",
        };
        let arguments = ["jobs", "logs", follow, &id.to_string()];
        let status = self.command(&arguments).status();
        let status = status.map_err(|error| self.not_started(error))?;
        check(&arguments, status)
    }

    /// Ends jobs and gives their machines back.
    pub fn cancel(&self, ids: &[u64]) -> Result<(), SkyError> {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let mut arguments = vec!["jobs", "cancel", "--yes"];
        arguments.extend(ids.iter().map(String::as_str));
        self.show(&arguments)
    }

    /// Runs it to its end; what it says is shown on standard error.
    fn show(&self, arguments: &[&str]) -> Result<(), SkyError> {
        let mut command = self.command(arguments);
        let status = command.stdout(std::io::stderr()).status();
        let status = status.map_err(|error| self.not_started(error))?;
        check(arguments, status)
    }

    fn ask(&self, arguments: &[&str]) -> Result<String, SkyError> {
        let output = self.run(arguments)?;
        if !output.status.success() {
            return Err(failed(arguments, &output));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn run(&self, arguments: &[&str]) -> Result<Output, SkyError> {
        let output = self.command(arguments).output();
        output.map_err(|error| self.not_started(error))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).stdin(Stdio::null());
        command
    }

    fn not_started(&self, error: std::io::Error) -> SkyError {
        let program = self.program.clone();
        match error.kind() {
            std::io::ErrorKind::NotFound => SkyError::Missing { program },
            _ => SkyError::NotStarted { program, error },
        }
    }
}

fn check(arguments: &[&str], status: ExitStatus) -> Result<(), SkyError> {
    if status.success() {
        return Ok(());
    }
    Err(SkyError::Failed {
        command: words(arguments),
        status,
        told: "; what it said stands above".to_owned(),
    })
}

fn failed(arguments: &[&str], output: &Output) -> SkyError {
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().map(str::trim).rfind(|line| !line.is_empty());
    SkyError::Failed {
        command: words(arguments),
        status: output.status,
        told: last.map_or(String::new(), |line| format!(": {line}")),
    }
}

fn strange(arguments: &[&str], what: &str) -> SkyError {
    SkyError::Strange {
        command: words(arguments),
        what: what.to_owned(),
    }
}

/// Whether to go on with what is written from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    /// Until the job is over.
    Yes,
    /// Only what there is.
    No,
}

fn words(arguments: &[&str]) -> String {
    format!("sky {}", arguments.join(" "))
}

/// The first JSON value that begins a line with this mark: lines about the program's own server may stand before it.
fn first_value(text: &str, mark: char) -> Option<Value> {
    let starts = text.match_indices(mark).map(|(place, _)| place);
    let at_line = |&place: &usize| place == 0 || text.as_bytes()[place - 1] == b'\n';
    starts.filter(at_line).find_map(|place| {
        let mut values = serde_json::Deserializer::from_str(&text[place..]).into_iter();
        values.next()?.ok()
    })
}
