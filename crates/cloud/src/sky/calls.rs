//! Calls to the program `sky`.
//!
//! Its progress goes to standard error; standard output belongs to the caller.

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

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum SkyError {
    /// There is no such program.
    #[error(
        "'{}', which rents the machines, was not found; install it with 'pip install \"skypilot[aws,gcp]==0.14.1\"', or set GAMETE_SKY to its path",
        program.display()
    )]
    Missing {
        /// The program.
        program: OsString,
    },
    /// It exists but cannot be started.
    #[error("cannot start {}: {error}", program.display())]
    CannotStart {
        /// The program.
        program: OsString,
        /// Why.
        error: std::io::Error,
    },
    /// It has no access to a cloud.
    #[error(
        "SkyPilot has no access to {cloud}; 'sky check {cloud}' says why (usually credentials are missing)"
    )]
    NoAccess {
        /// The cloud.
        cloud: &'static str,
    },
    /// It ended with an error.
    #[error("'{command}' failed ({status}){detail}")]
    Failed {
        /// The call.
        command: String,
        /// Its exit status.
        status: ExitStatus,
        /// Its last message, if that was not shown already.
        detail: String,
    },
    /// It did not answer like version 0.14.1.
    #[error(
        "unexpected answer of '{command}' ({problem}); this program was tested with SkyPilot 0.14.1"
    )]
    Unexpected {
        /// The call.
        command: String,
        /// What is wrong with the answer.
        problem: String,
    },
}

/// SkyPilot's message if there is no queue, because nothing was launched or all ended long ago.
const NO_QUEUE: &str = "No in-progress managed jobs";

impl Sky {
    /// The program `sky`, or the one that was given.
    #[must_use]
    pub fn new(named: Option<OsString>) -> Self {
        let named = named.filter(|name| !name.is_empty());
        Self {
            program: named.unwrap_or_else(|| "sky".into()),
        }
    }

    /// Checks that it can rent machines in a cloud.
    pub fn check_access(&self, cloud: &Cloud) -> Result<(), SkyError> {
        let arguments = ["check", cloud.name, "-o", "json"];
        let answer = self.ask(&arguments)?;
        let access = first_value(&answer, '{').ok_or_else(|| unexpected(&arguments, "no JSON"))?;
        let clouds = access.as_object().into_iter().flat_map(|map| map.values());
        let mut names = clouds
            .filter_map(Value::as_object)
            .flat_map(|map| map.keys());
        if names.any(|name| name.eq_ignore_ascii_case(cloud.name)) {
            Ok(())
        } else {
            Err(SkyError::NoAccess { cloud: cloud.name })
        }
    }

    /// Launches copies of a task as managed jobs of one name, each on its own machine. The values of the variables are passed on without appearing
    /// in files or process lists.
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
        self.show(&arguments, std::io::stderr().into())
    }

    /// All jobs, including ended ones.
    pub fn queue(&self) -> Result<Vec<Job>, SkyError> {
        let arguments = ["jobs", "queue", "--all", "-o", "json"];
        let output = self.run(&arguments)?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            if message.contains(NO_QUEUE) {
                return Ok(Vec::new());
            }
            return Err(failed(&arguments, &output));
        }
        let answer = String::from_utf8_lossy(&output.stdout);
        let jobs = first_value(&answer, '[').ok_or_else(|| unexpected(&arguments, "no JSON"))?;
        queue::jobs(&jobs).map_err(|problem| unexpected(&arguments, &problem))
    }

    /// Shows the output of a job.
    pub fn logs(&self, id: u64, follow: Follow) -> Result<(), SkyError> {
        let follow = match follow {
            Follow::Yes => "--follow",
            Follow::No => "--no-follow",
        };
        let id = id.to_string();
        self.show(&["jobs", "logs", follow, &id], Stdio::inherit())
    }

    /// Cancels jobs, which releases their machines.
    pub fn cancel(&self, ids: &[u64]) -> Result<(), SkyError> {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let mut arguments = vec!["jobs", "cancel", "--yes"];
        arguments.extend(ids.iter().map(String::as_str));
        self.show(&arguments, std::io::stderr().into())
    }

    /// Runs it to its end, and shows its output.
    fn show(&self, arguments: &[&str], output: Stdio) -> Result<(), SkyError> {
        let status = self.command(arguments).stdout(output).status();
        let status = status.map_err(|error| self.cannot_start(error))?;
        if status.success() {
            return Ok(());
        }
        Err(SkyError::Failed {
            command: words(arguments),
            status,
            detail: "; see its output above".to_owned(),
        })
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
        output.map_err(|error| self.cannot_start(error))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).stdin(Stdio::null());
        command
    }

    fn cannot_start(&self, error: std::io::Error) -> SkyError {
        let program = self.program.clone();
        match error.kind() {
            std::io::ErrorKind::NotFound => SkyError::Missing { program },
            _ => SkyError::CannotStart { program, error },
        }
    }
}

fn failed(arguments: &[&str], output: &Output) -> SkyError {
    let messages = String::from_utf8_lossy(&output.stderr);
    let last = messages
        .lines()
        .map(str::trim)
        .rfind(|line| !line.is_empty());
    SkyError::Failed {
        command: words(arguments),
        status: output.status,
        detail: last.map_or(String::new(), |line| format!(": {line}")),
    }
}

fn unexpected(arguments: &[&str], problem: &str) -> SkyError {
    SkyError::Unexpected {
        command: words(arguments),
        problem: problem.to_owned(),
    }
}

/// Whether to wait for new output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    /// Until the job ends.
    Yes,
    /// Only what there is now.
    No,
}

fn words(arguments: &[&str]) -> String {
    format!("sky {}", arguments.join(" "))
}

/// The first JSON value that starts a line with this character: messages about the program's own server may precede it.
fn first_value(text: &str, start: char) -> Option<Value> {
    let starts = text.match_indices(start).map(|(at, _)| at);
    let is_at_line_start = |&at: &usize| at == 0 || text.as_bytes()[at - 1] == b'\n';
    starts.filter(is_at_line_start).find_map(|at| {
        let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter();
        values.next()?.ok()
    })
}
