//! Whole numbers as arguments: what cannot be is told by its name, as on the command line.

use std::ops::RangeInclusive;

use play::measure::MOST_GAMES;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::wrong;

/// The number of an argument, which must be in the range.
fn whole(name: &str, given: &Bound<'_, PyAny>, range: RangeInclusive<u64>) -> PyResult<u64> {
    let Ok(number) = given.call_method0("__index__") else {
        let kind = given.get_type().name()?;
        let told = format!("{name}: must be a whole number, not {kind}");
        return Err(PyTypeError::new_err(told));
    };
    match number.extract() {
        Ok(fitting) if range.contains(&fitting) => Ok(fitting),
        _ => Err(wrong(format!(
            "{name} = {number}: must be a number from {} to {}",
            range.start(),
            range.end()
        ))),
    }
}

/// As [`whole`], if it is given at all.
fn optional(
    name: &str,
    given: &Bound<'_, PyAny>,
    range: RangeInclusive<u64>,
) -> PyResult<Option<u64>> {
    let given = (!given.is_none()).then_some(given);
    given.map(|given| whole(name, given, range)).transpose()
}

pub(crate) fn games(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole("games", given, 1..=MOST_GAMES)
}

pub(crate) fn seed(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole("seed", given, 0..=u64::MAX)
}

pub(crate) fn optional_seed(given: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    optional("seed", given, 0..=u64::MAX)
}

/// A game's number under its seed.
pub(crate) fn number(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole("number", given, 0..=u64::MAX)
}

/// As many threads as are asked for, or one per core.
pub(crate) fn threads(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    let asked = optional("threads", given, 1..=1024)?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    Ok(asked.map_or_else(cores, |threads| threads as usize))
}

pub(crate) fn nodes(given: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    optional("nodes", given, 0..=u64::MAX)
}

pub(crate) fn table(given: &Bound<'_, PyAny>) -> PyResult<u32> {
    Ok(whole("table", given, 10..=30)? as u32)
}

/// How many games are stepped side by side.
pub(crate) fn count(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(whole("num_envs", given, 1..=1 << 24)? as usize)
}

pub(crate) fn seat(given: &Bound<'_, PyAny>) -> PyResult<Option<u8>> {
    let seat = optional("seat", given, 0..=1)?;
    Ok(seat.map(|seat| seat as u8))
}
