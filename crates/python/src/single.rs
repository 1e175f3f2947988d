//! One game for a learner: every step returns arrays of its own.

use numpy::{IxDyn, PyArray, PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;

use crate::game::Game;
use crate::lanes::Outputs;
use crate::numbers;
use crate::stepping::{Asked, Layout, Stepping, raised};

/// One game.
#[pyclass(module = "gamete._gamete")]
pub(crate) struct Single {
    stepping: Stepping,
    board: Vec<u8>,
    pieces: Vec<u8>,
    mask: Vec<bool>,
}

/// The board, the pieces beside it, and which actions are legal.
type Seen<'py> = (
    Bound<'py, PyArrayDyn<u8>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<bool>>,
);

/// What is seen; the reward, whether the game is over, and whether the action was illegal.
type Stepped<'py> = (Seen<'py>, f64, bool, bool);

/// Runs the stepper on the arrays; true and false at its end are whether the game is over and whether the action was illegal.
macro_rules! with_outputs {
    ($self:ident, |$stepper:ident, $out:ident| $body:expr) => {{
        let (mut reward, mut over, mut illegal) = ([0.0], [false], [false]);
        let mut $out = Outputs {
            board: &mut $self.board,
            pieces: &mut $self.pieces,
            mask: &mut $self.mask,
            rewards: &mut reward,
            terminated: &mut over,
            illegal: &mut illegal,
            // No game begins again by itself.
            last_board: &mut [],
            last_pieces: &mut [],
        };
        let $stepper = $self.stepping.stepper();
        $body.map(|()| (reward[0], over[0], illegal[0]))
    }};
}

impl Single {
    fn seen<'py>(&self, py: Python<'py>) -> PyResult<Seen<'py>> {
        let board = PyArray::zeros(py, IxDyn(&self.stepping.layout.shape), false);
        board
            .try_readwrite()?
            .as_slice_mut()?
            .copy_from_slice(&self.board);
        let pieces = PyArray1::from_slice(py, &self.pieces);
        Ok((board, pieces, PyArray1::from_slice(py, &self.mask)))
    }
}

#[pymethods]
impl Single {
    #[new]
    #[pyo3(signature = (game, *, opponent=None, seat=None, illegal="ignore"))]
    fn new(
        game: &Game,
        opponent: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = numbers::seat)] seat: Option<u8>,
        illegal: &str,
    ) -> PyResult<Self> {
        let stepping = Stepping::new(
            game,
            &Asked {
                count: 1,
                opponent,
                seat,
                autoreset: "disabled",
                illegal,
            },
        )?;
        Ok(Self {
            board: vec![0; stepping.layout.cells()],
            pieces: vec![0; stepping.layout.pieces],
            mask: vec![false; stepping.layout.actions],
            stepping,
        })
    }

    /// What boards, pieces and actions there are.
    #[getter]
    fn layout(&self) -> Layout {
        self.stepping.layout.clone()
    }

    /// Begins a game: the first of a seed, or the next of the last one.
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        #[pyo3(from_py_with = numbers::optional_seed)] seed: Option<u64>,
    ) -> PyResult<Seen<'py>> {
        let reset = with_outputs!(self, |stepper, out| {
            stepper.reset(&[seed], None, &mut out);
            Ok::<(), PyErr>(())
        });
        reset?;
        self.stepping.check_guests()?;
        self.seen(py)
    }

    /// Makes a move.
    fn step<'py>(&mut self, py: Python<'py>, action: i64) -> PyResult<Stepped<'py>> {
        let stepped = with_outputs!(self, |stepper, out| stepper.step(&[action], &mut out));
        let (reward, over, illegal) = stepped.map_err(raised)?;
        self.stepping.check_guests()?;
        Ok((self.seen(py)?, reward, over, illegal))
    }

    /// Which actions are legal.
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_slice(py, &self.mask)
    }

    /// The position as text.
    fn position(&self) -> PyResult<String> {
        self.stepping.position(0)
    }
}
