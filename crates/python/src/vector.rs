//! Many games side by side for a learner, in arrays that are written anew by every step and never replaced.

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::errors::wrong;
use crate::game::Game;
use crate::lanes::Outputs;
use crate::numbers;
use crate::stepping::{Asked, Layout, Stepping, raised};

/// Games side by side.
#[pyclass(module = "gamete._gamete")]
pub(crate) struct Vector {
    stepping: Stepping,
    #[pyo3(get)]
    board: Py<PyArray1<u8>>,
    #[pyo3(get)]
    pieces: Py<PyArray1<u8>>,
    #[pyo3(get)]
    mask: Py<PyArray1<bool>>,
    #[pyo3(get)]
    rewards: Py<PyArray1<f64>>,
    #[pyo3(get)]
    terminated: Py<PyArray1<bool>>,
    #[pyo3(get)]
    illegal: Py<PyArray1<bool>>,
    #[pyo3(get)]
    last_board: Py<PyArray1<u8>>,
    #[pyo3(get)]
    last_pieces: Py<PyArray1<u8>>,
}

/// Runs the stepper with all arrays borrowed and the interpreter released.
macro_rules! with_outputs {
    ($self:ident, $py:ident, |$stepper:ident, $out:ident| $body:expr) => {{
        let mut board = $self.board.bind($py).try_readwrite()?;
        let mut pieces = $self.pieces.bind($py).try_readwrite()?;
        let mut mask = $self.mask.bind($py).try_readwrite()?;
        let mut rewards = $self.rewards.bind($py).try_readwrite()?;
        let mut terminated = $self.terminated.bind($py).try_readwrite()?;
        let mut illegal = $self.illegal.bind($py).try_readwrite()?;
        let mut last_board = $self.last_board.bind($py).try_readwrite()?;
        let mut last_pieces = $self.last_pieces.bind($py).try_readwrite()?;
        let mut $out = Outputs {
            board: board.as_slice_mut()?,
            pieces: pieces.as_slice_mut()?,
            mask: mask.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            terminated: terminated.as_slice_mut()?,
            illegal: illegal.as_slice_mut()?,
            last_board: last_board.as_slice_mut()?,
            last_pieces: last_pieces.as_slice_mut()?,
        };
        let $stepper = $self.stepping.stepper();
        $py.detach(|| $body)
    }};
}

impl Vector {
    fn check_length(&self, what: &str, length: usize) -> PyResult<()> {
        let count = self.stepping.count;
        match length == count {
            true => Ok(()),
            false => Err(wrong(format!("{length} {what} for {count} games"))),
        }
    }
}

#[pymethods]
impl Vector {
    #[new]
    #[pyo3(signature = (game, count, *, opponent=None, seat=None, autoreset="next-step", illegal="ignore"))]
    fn new(
        py: Python<'_>,
        game: &Game,
        #[pyo3(from_py_with = numbers::count)] count: usize,
        opponent: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = numbers::seat)] seat: Option<u8>,
        autoreset: &str,
        illegal: &str,
    ) -> PyResult<Self> {
        let asked = Asked {
            count,
            opponent,
            seat,
            autoreset,
            illegal,
        };
        let stepping = Stepping::new(game, &asked)?;
        let bytes = |each: usize| PyArray1::zeros(py, count * each, false).unbind();
        let flags = |each: usize| PyArray1::zeros(py, count * each, false).unbind();
        Ok(Self {
            board: bytes(stepping.layout.cells()),
            pieces: bytes(stepping.layout.pieces),
            mask: flags(stepping.layout.actions),
            rewards: PyArray1::zeros(py, count, false).unbind(),
            terminated: flags(1),
            illegal: flags(1),
            last_board: bytes(stepping.layout.cells()),
            last_pieces: bytes(stepping.layout.pieces),
            stepping,
        })
    }

    /// What boards, pieces and actions there are.
    #[getter]
    fn layout(&self) -> Layout {
        self.stepping.layout.clone()
    }

    /// Begins games: all, or those of the mask; with a seed its first game, without one the next.
    #[pyo3(signature = (seeds, which=None))]
    fn reset(
        &mut self,
        py: Python<'_>,
        seeds: Vec<Bound<'_, PyAny>>,
        which: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<()> {
        self.check_length("seeds", seeds.len())?;
        let seeds = seeds.iter().map(numbers::optional_seed);
        let seeds: Vec<Option<u64>> = seeds.collect::<PyResult<_>>()?;
        let which = which.as_ref().map(|which| which.as_slice()).transpose()?;
        which.map_or(Ok(()), |which| self.check_length("flags", which.len()))?;
        with_outputs!(self, py, |stepper, out| stepper
            .reset(&seeds, which, &mut out));
        self.stepping.check_guests()
    }

    /// Makes a move in every game.
    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_slice()?;
        self.check_length("actions", actions.len())?;
        with_outputs!(self, py, |stepper, out| stepper.step(actions, &mut out)).map_err(raised)?;
        self.stepping.check_guests()
    }

    /// A position as text.
    fn position(&self, place: usize) -> PyResult<String> {
        self.stepping.position(place)
    }
}
