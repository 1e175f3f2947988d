//! Errors of the API: a message for people, the part of the request that is meant, and the status of the answer.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use lab::study::flaw::Flaws;
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request failed.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    status: StatusCode,
    error: ErrorInfo,
}

/// The body of an answer to a request that failed.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Failure {
    /// What went wrong.
    error: ErrorInfo,
}

/// What went wrong.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct ErrorInfo {
    /// For a person.
    message: String,
    /// Which part of the request is meant, if one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Place>,
    /// Everything that is wrong with the text of a study.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    flaws: Vec<FlawAt>,
}

/// A part of a request.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct Place {
    /// Its key.
    key: String,
}

/// Something that is wrong with the text of a study, and where.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct FlawAt {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The character in the line, from 1.
    pub(crate) column: usize,
    /// How many characters.
    pub(crate) length: usize,
    /// The key; empty if the text is not TOML.
    pub(crate) key: String,
    /// What is wrong, and what would be right.
    pub(crate) message: String,
}

/// The flaws of a text with their places.
pub(crate) fn flaws_at(flaws: &Flaws) -> Vec<FlawAt> {
    let at = |flaw| {
        let (column, length) = flaws.column(flaw);
        FlawAt {
            line: flaws.line(flaw),
            column,
            length,
            key: flaw.key.clone(),
            message: flaw.message.clone(),
        }
    };
    flaws.flaws.iter().map(at).collect()
}

impl Problem {
    #[expect(
        clippy::needless_pass_by_value,
        reason = "errors and texts are given away here"
    )]
    pub(crate) fn new(status: StatusCode, message: impl ToString) -> Self {
        let error = ErrorInfo {
            message: message.to_string(),
            place: None,
            flaws: Vec::new(),
        };
        Self { status, error }
    }

    /// What went wrong.
    pub(crate) fn message(&self) -> &str {
        &self.error.message
    }

    /// The request is wrong.
    pub(crate) fn bad(message: impl ToString) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// It is not allowed here.
    pub(crate) fn forbidden(message: impl ToString) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    /// It does not exist.
    pub(crate) fn missing(message: impl ToString) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// It conflicts with what exists.
    pub(crate) fn conflict(message: impl ToString) -> Self {
        Self::new(StatusCode::CONFLICT, message)
    }

    /// A limit is reached.
    pub(crate) fn too_many(message: impl ToString) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, message)
    }

    /// An error of the server.
    pub(crate) fn failed(message: impl ToString) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }

    /// The same, about this part of the request.
    pub(crate) fn at(mut self, key: &str) -> Self {
        let key = key.to_owned();
        self.error.place = Some(Place { key });
        self
    }

    /// The text of a study is wrong.
    pub(crate) fn flaws(status: StatusCode, flaws: &Flaws) -> Self {
        let mut problem = Self::new(status, flaws);
        problem.error.flaws = flaws_at(flaws);
        problem
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status, Json(Failure { error: self.error })).into_response()
    }
}

impl From<games::RulesError> for Problem {
    fn from(error: games::RulesError) -> Self {
        match &error {
            games::RulesError::NoGame { .. } => Self::missing(error),
            games::RulesError::Value { option, .. } => {
                Self::bad(&error).at(&format!("rules.{option}"))
            }
            games::RulesError::Unknown { option, .. } => {
                Self::bad(&error).at(&format!("rules.{option}"))
            }
            games::RulesError::NotAnOption(_) => Self::bad(error).at("rules"),
        }
    }
}

impl From<games::PositionError> for Problem {
    fn from(error: games::PositionError) -> Self {
        Self::bad(error).at("position")
    }
}

impl From<play::any::MoveError> for Problem {
    fn from(error: play::any::MoveError) -> Self {
        Self::bad(error).at("move")
    }
}

impl From<players::SpecError> for Problem {
    fn from(error: players::SpecError) -> Self {
        Self::bad(error).at("player")
    }
}

impl From<play::playing::PlayError> for Problem {
    fn from(error: play::playing::PlayError) -> Self {
        match error {
            play::playing::PlayError::Threads(_) => Self::failed(error),
            other => Self::bad(other).at("player"),
        }
    }
}

impl From<lab::store::StoreError> for Problem {
    fn from(error: lab::store::StoreError) -> Self {
        use lab::store::StoreError;
        match &error {
            StoreError::Unknown { .. } | StoreError::Absent { .. } => Self::missing(error),
            StoreError::Locked(_) => Self::conflict(error),
            _ => Self::failed(error),
        }
    }
}

impl From<lab::store::IndexError> for Problem {
    fn from(error: lab::store::IndexError) -> Self {
        match error {
            lab::store::IndexError::Store(error) => error.into(),
            other => Self::failed(other),
        }
    }
}

impl From<lab::runner::RunnerError> for Problem {
    fn from(error: lab::runner::RunnerError) -> Self {
        use lab::runner::RunnerError;
        match error {
            RunnerError::Store(error) => error.into(),
            RunnerError::Changed { .. } => Self::conflict(error),
            other => Self::failed(other),
        }
    }
}

impl From<lab::run::ledger::LedgerError> for Problem {
    fn from(error: lab::run::ledger::LedgerError) -> Self {
        Self::failed(error)
    }
}

impl From<lab::store::played::AgainError> for Problem {
    fn from(error: lab::store::played::AgainError) -> Self {
        use lab::store::played::AgainError;
        match error {
            AgainError::Store(error) => error.into(),
            AgainError::Play(error) => error.into(),
            AgainError::NoGame { .. } => Self::missing(error),
            AgainError::Otherwise(_) => Self::conflict(error),
            AgainError::Stopped(_) => Self::too_many(error),
        }
    }
}
