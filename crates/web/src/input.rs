//! Bodies and query parameters of requests; errors in them are reported in our own words.

use std::time::Duration;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{self, FromRequest, FromRequestParts, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::problem::Problem;

/// A JSON body.
pub(crate) struct Body<T>(pub(crate) T);

/// The query parameters.
pub(crate) struct Params<T>(pub(crate) T);

/// The names in the path.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let read = timeout(SENDING, axum::Json::<T>::from_request(request, state)).await;
        let read = read.map_err(|_| too_slow())?;
        read.map(|axum::Json(body)| Self(body))
            .map_err(|rejection| wrong_body(&rejection))
    }
}

fn wrong_body(rejection: &JsonRejection) -> Problem {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            Problem::bad("the body must be JSON, with 'content-type: application/json'")
        }
        _ => Problem::bad(rejection.body_text()),
    }
}

/// Most time to send a body.
pub(crate) const SENDING: Duration = Duration::from_secs(60);

/// The body did not arrive in time.
pub(crate) fn too_slow() -> Problem {
    let most = SENDING.as_secs();
    let why = format!("the body did not arrive within {most} s");
    Problem::new(StatusCode::REQUEST_TIMEOUT, why)
}

/// The body is too large.
pub(crate) fn too_large() -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large")
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read = Query::<T>::from_request_parts(parts, state).await;
        read.map(|Query(asked)| Self(asked))
            .map_err(|rejection: QueryRejection| Problem::bad(rejection.body_text()))
    }
}

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read = extract::Path::<T>::from_request_parts(parts, state).await;
        read.map(|extract::Path(names)| Self(names))
            .map_err(|rejection| Problem::bad(rejection.body_text()))
    }
}
