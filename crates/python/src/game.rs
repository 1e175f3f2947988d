//! A game with its rules.

use ::games::{AnyGame, Options, registry};
use play::any::AnyPosition;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::errors::wrong;
use crate::numbers;
use crate::position::Position;

/// A game with its rules fixed.
#[pyclass(frozen, module = "gamete", eq)]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) game: AnyGame,
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.game.options() == other.game.options()
    }
}

/// The options that keyword arguments name: `stop_at_win=True` is `--stop-at-win`.
fn options(rules: &Bound<'_, PyDict>) -> PyResult<Options> {
    let option = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let name: String = name.extract()?;
        let value = match value.cast::<PyBool>() {
            Ok(switch) => switch.is_true().to_string(),
            Err(_) => value.str()?.to_string(),
        };
        Ok((name.replace('_', "-"), value))
    };
    rules.iter().map(option).collect()
}

/// What a game is made of: its name and its rules.
type Description = (String, Vec<(String, String)>);

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (name, /, **rules))]
    fn new(name: &str, rules: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let options = rules.map_or_else(|| Ok(Options::default()), options)?;
        let game = registry::build(name, &options).map_err(wrong)?;
        Ok(Self { game })
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &'static str {
        self.game.family().name
    }

    /// How many players sit at the board.
    #[getter]
    fn seats(&self) -> u8 {
        self.game.seats()
    }

    /// All rules with their values, as texts.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let rules = PyDict::new(py);
        for (name, value) in self.game.options() {
            rules.set_item(name, value)?;
        }
        Ok(rules)
    }

    /// The first position. With a seed, chance is drawn as in game `number` of `measure` under this seed; without one, chance waits for `happen`.
    #[pyo3(signature = (seed=None, *, number=0))]
    fn start(
        &self,
        #[pyo3(from_py_with = numbers::optional_seed)] seed: Option<u64>,
        #[pyo3(from_py_with = numbers::number)] number: u64,
    ) -> Position {
        Position::new(
            self,
            AnyPosition::start(&self.game),
            seed.map(|seed| (seed, number)),
        )
    }

    /// The position of a text, or after these moves.
    #[pyo3(signature = (text, seed=None))]
    fn parse(
        &self,
        text: &str,
        #[pyo3(from_py_with = numbers::optional_seed)] seed: Option<u64>,
    ) -> PyResult<Position> {
        let position = AnyPosition::read(&self.game, text).map_err(wrong)?;
        Ok(Position::new(self, position, seed.map(|seed| (seed, 0))))
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.name().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let mut words = vec![format!("'{}'", self.name())];
        let rules = self.game.options();
        let usual = self
            .game
            .family()
            .build(&Options::default())
            .map(|game| game.options());
        let is_usual = |name: &str, value: &str| {
            usual
                .as_ref()
                .is_ok_and(|usual| usual.get(name) == Some(value))
        };
        let other = rules.iter().filter(|(name, value)| !is_usual(name, value));
        words.extend(other.map(|(name, value)| format!("{}='{value}'", name.replace('-', "_"))));
        format!("gamete.game({})", words.join(", "))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Description)> {
        let restore = slf.py().import("gamete._restore")?.getattr("game")?;
        let game = slf.get();
        let rules = game.game.options();
        let rules = rules
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        Ok((restore, (game.name().to_owned(), rules.collect())))
    }
}

/// Names of all games, with a line about each.
#[pyfunction]
pub(crate) fn games() -> Vec<(&'static str, &'static str)> {
    let families = registry::FAMILIES.iter();
    families.map(|family| (family.name, family.about)).collect()
}
