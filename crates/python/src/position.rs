//! A position: immutable, with its dice if it has been given a seed.

use std::hash::{DefaultHasher, Hash, Hasher};

use games::Turn;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use play::any::AnyPosition;
use players::arena::Dice;
use pyo3::prelude::*;
use report::board_picture;

use crate::errors::{IllegalMove, wrong};
use crate::game::Game;
use crate::numbers;

/// A position of a game.
#[pyclass(frozen, module = "gamete")]
pub(crate) struct Position {
    pub(crate) game: Game,
    pub(crate) position: AnyPosition,
    dice: Option<Dice>,
}

impl Position {
    /// With dice, chance has acted wherever it was its turn.
    pub(crate) fn new(game: &Game, position: AnyPosition, dice: Option<(u64, u64)>) -> Self {
        let dice = dice.map(|(seed, number)| Dice::of(seed, number));
        Self {
            game: game.clone(),
            position,
            dice,
        }
        .settled()
    }

    fn settled(mut self) -> Self {
        if let Some(dice) = &mut self.dice {
            while self.position.turn() == Turn::Chance {
                self.position.draw(dice);
            }
        }
        self
    }

    fn with(&self, position: AnyPosition) -> Self {
        Self {
            game: self.game.clone(),
            position,
            dice: self.dice.clone(),
        }
    }
}

#[pymethods]
impl Position {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// The legal moves; none if it is not a player's turn.
    fn moves(&self) -> Vec<String> {
        self.position.moves()
    }

    /// The position after a move. If this one has dice, chance has acted in it, too, unless `draw` is false.
    #[pyo3(signature = (chosen, /, *, draw=true))]
    fn play(&self, chosen: &str, draw: bool) -> PyResult<Self> {
        let mut position = self.position.clone();
        position
            .play(chosen)
            .map_err(|error| IllegalMove::new_err(error.to_string()))?;
        let after = self.with(position);
        Ok(if draw { after.settled() } else { after })
    }

    /// What chance may do, with probabilities; nothing if it is not its turn.
    fn chances(&self) -> Vec<(String, f64)> {
        self.position.chances()
    }

    /// The position after something that chance may do.
    #[pyo3(signature = (chance, /))]
    fn happen(&self, chance: &str) -> PyResult<Self> {
        let mut position = self.position.clone();
        position
            .happen(chance)
            .map_err(|error| IllegalMove::new_err(error.to_string()))?;
        Ok(self.with(position))
    }

    /// The same position with dice of this seed, or without any.
    #[pyo3(signature = (seed, *, number=0))]
    fn seeded(
        &self,
        #[pyo3(from_py_with = numbers::optional_seed)] seed: Option<u64>,
        #[pyo3(from_py_with = numbers::number)] number: u64,
    ) -> Self {
        Self::new(
            &self.game,
            self.position.clone(),
            seed.map(|seed| (seed, number)),
        )
    }

    /// Points of the first player; 1, 0 or -1 in a game that is won or lost.
    #[getter]
    fn score(&self) -> i64 {
        self.position.score()
    }

    /// Is the game over?
    #[getter]
    fn over(&self) -> bool {
        self.position.is_over()
    }

    /// The seat of the player to move; none when chance acts or the game is over.
    #[getter]
    fn seat(&self) -> Option<u8> {
        match self.position.turn() {
            Turn::Player(seat) => Some(seat),
            Turn::Chance | Turn::Over => None,
        }
    }

    /// Is it chance's turn?
    #[getter]
    fn chance(&self) -> bool {
        self.position.turn() == Turn::Chance
    }

    /// The board as numbers, rows from the top: exponents of 2048, 1 for a filled cell, 1 and 2 for the stones of the players.
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let sketch = self.position.sketch();
        let tones = PyArray1::from_iter(py, sketch.cells.iter().map(|cell| cell.tone));
        tones.reshape([sketch.rows, sketch.cols])
    }

    /// A drawing of the position, as an SVG.
    fn svg(&self) -> String {
        board_picture::draw(&self.position)
    }

    /// The drawing as pixels: rows, columns, and red, green and blue.
    fn pixels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let pixels = board_picture::pixels(&self.position);
        let colours = PyArray1::from_vec(py, pixels.colours);
        colours.reshape([pixels.height, pixels.width, 3])
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        self.position.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<{} {}>", self.position.game(), self.position)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.position == other.position
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.position.to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Game, String))> {
        let position = slf.get();
        if position.dice.is_some() {
            return Err(wrong(
                "a position with dice cannot be pickled; seeded(None) gives it without",
            ));
        }
        let restore = slf.py().import("gamete._restore")?.getattr("position")?;
        Ok((
            restore,
            (position.game.clone(), position.position.to_string()),
        ))
    }
}
