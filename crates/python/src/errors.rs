//! Errors as Python raises them: wrong names and values as `ValueError`, with the words of the command line.

use std::fmt::Display;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use play::playing::PlayError;

pyo3::create_exception!(
    gamete,
    IllegalMove,
    PyValueError,
    "A move that the rules do not allow in the position."
);

/// What was asked for cannot be.
pub(crate) fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// It was tried and did not work.
pub(crate) fn failed(error: impl Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// Games that could not be played.
pub(crate) fn unplayed(error: PlayError) -> PyErr {
    match error {
        PlayError::Player(error) => wrong(error),
        other => failed(other),
    }
}
