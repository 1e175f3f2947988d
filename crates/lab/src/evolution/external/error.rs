//! Why there is no fitness: what the program did, how often it was tried, its standard error, and what to do.

use std::io;

use play::bots::{Silence, after};

/// The longest request that is shown.
const LONGEST_SHOWN: usize = 300;

/// What a program did wrong, as the rest of a sentence that begins with its name.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("could not be started: {0}")]
    NotStarted(io::Error),
    #[error(transparent)]
    Silent(#[from] Silence),
    #[error("wrote {0}, which is not an answer")]
    Garbage(String),
    #[error("wrote {0}, an answer without a number as 'fitness'")]
    NoFitness(String),
    #[error("wrote {0}: the fitness is not a finite number")]
    NotFinite(String),
    #[error("gave up: {0}")]
    GaveUp(String),
    #[error("wrote {0}, the answer to another request")]
    OtherQuestion(String),
    #[error("wrote {0} without being asked")]
    Unasked(String),
    /// Another request failed first, or the run was stopped; this error is never shown.
    #[error("was no longer needed")]
    Unwanted,
}

impl Fault {
    /// What to do about it.
    fn advice(&self) -> &'static str {
        match self {
            Self::NotStarted(_) => "check exec, and the folder it is started in",
            Self::Silent(Silence::TooSlow(_)) => {
                "it must write a line for every line it reads, and flush it at once; if it needs longer, raise time-limit"
            }
            Self::Silent(Silence::LongLine | Silence::Flood)
            | Self::Garbage(_)
            | Self::NoFitness(_) => {
                "a line of its standard output must be like {\"id\":17,\"fitness\":3.25} or 3.25; \
                 write log output to standard error"
            }
            Self::Silent(_) => {
                "it must keep reading and answering lines until its standard input ends"
            }
            Self::NotFinite(_) => "a genome that cannot be scored should get a very bad number",
            Self::GaveUp(_) | Self::Unwanted => {
                "a genome that cannot be scored should get a very bad number instead of an error"
            }
            Self::OtherQuestion(_) | Self::Unasked(_) => {
                "it must answer every line with one line, with the id of the request"
            }
        }
    }
}

/// A program that gave no fitness.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.text())]
pub struct ExternalError(Box<Failure>);

#[derive(Debug)]
struct Failure {
    command: String,
    fault: Fault,
    tries: u32,
    last_words: String,
    question: String,
}

impl ExternalError {
    /// Was the answer no longer needed?
    pub(crate) fn is_unwanted(&self) -> bool {
        matches!(self.0.fault, Fault::Unwanted)
    }

    pub(super) fn new(
        command: String,
        fault: Fault,
        tries: u32,
        last_words: String,
        question: String,
    ) -> Self {
        Self(Box::new(Failure {
            command,
            fault,
            tries,
            last_words,
            question,
        }))
    }
}

impl Failure {
    fn text(&self) -> String {
        let Self { command, fault, .. } = self;
        let asked = match self.tries {
            1 => "asked once".to_owned(),
            tries => format!("asked {tries} times, restarted in between"),
        };
        let last_words = after(&self.last_words);
        let advice = fault.advice();
        format!(
            "the program '{command}' {fault} ({asked}){last_words}\n{advice}{}",
            self.by_hand()
        )
    }

    /// How to reproduce it, unless the command would be too long.
    fn by_hand(&self) -> String {
        if self.question.len() > LONGEST_SHOWN {
            return String::new();
        }
        format!(
            "; to see for yourself: echo '{}' | {}",
            self.question, self.command
        )
    }
}
