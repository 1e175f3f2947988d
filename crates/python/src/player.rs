//! Players: specs, files and Python functions.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ::players::Spec;
use games::{Stream, stream};
use play::any::{AnyPlayer, AnyPosition};
use play::functions::{Choose, Loan};
use play::named_player::NamedPlayer;
use play::seating::{all_players, check};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::errors::{IllegalMove, failed, wrong};
use crate::game::Game;
use crate::numbers;
use crate::position::Position;
use crate::work::{Watch, conduct};

/// Who plays: a spec, or a function of Python's.
enum Who {
    Spec(Spec),
    Function(Py<PyAny>),
}

impl Who {
    fn read(game: &Game, player: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = player.cast::<PyString>() {
            return named(game, &text.to_string()).map(Self::Spec);
        }
        if player.hasattr("__fspath__")? {
            let path: PathBuf = player.extract()?;
            return named(game, &path.to_string_lossy()).map(Self::Spec);
        }
        if player.is_callable() {
            return Ok(Self::Function(player.clone().unbind()));
        }
        let kind = player.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "a player is a spec like 'random', the path of a file, a gamete.Player or a function of a position, not {kind}"
        )))
    }
}

fn named(game: &Game, text: &str) -> PyResult<Spec> {
    let name = game.game.family().name;
    let named = NamedPlayer::read(text, Path::new(""), name).map_err(wrong)?;
    check(&game.game, &named.spec).map_err(wrong)?;
    Ok(named.spec)
}

/// Functions that play in some work, for as long as it takes.
pub(crate) struct Guests {
    watch: Arc<Watch>,
    loans: Vec<Loan>,
}

impl Guests {
    pub(crate) fn new(watch: &Arc<Watch>) -> Self {
        Self {
            watch: Arc::clone(watch),
            loans: Vec::new(),
        }
    }

    /// The spec of whatever Python takes for a player.
    pub(crate) fn spec(&mut self, game: &Game, player: &Bound<'_, PyAny>) -> PyResult<Spec> {
        if let Ok(player) = player.cast::<Player>() {
            let own = player.get();
            if own.game != *game {
                return Err(wrong(format!(
                    "this player is of {:?}, not of {:?}",
                    own.game.game, game.game
                )));
            }
            return self.of(player.py(), game, &own.who);
        }
        self.of(player.py(), game, &Who::read(game, player)?)
    }

    fn of(&mut self, py: Python<'_>, game: &Game, who: &Who) -> PyResult<Spec> {
        Ok(match who {
            Who::Spec(spec) => spec.clone(),
            Who::Function(function) => {
                let label = label(function.bind(py));
                let guest = Guest {
                    game: game.clone(),
                    function: function.clone_ref(py),
                    watch: Arc::clone(&self.watch),
                };
                let loan = Loan::new(&label, Arc::new(guest));
                self.loans.push(loan);
                self.loans[self.loans.len() - 1].spec().clone()
            }
        })
    }
}

/// A function's name.
fn label(function: &Bound<'_, PyAny>) -> String {
    let name = function
        .getattr("__name__")
        .or_else(|_| function.get_type().getattr("__name__"));
    name.and_then(|name| name.extract())
        .unwrap_or_else(|_| "function".to_owned())
}

/// A function that chooses moves.
struct Guest {
    game: Game,
    function: Py<PyAny>,
    watch: Arc<Watch>,
}

impl Choose for Guest {
    fn choose(&self, position: &AnyPosition) -> Result<String, String> {
        if self.watch.is_stopped() {
            return Err("it was stopped".to_owned());
        }
        Python::attach(|py| ask(py, &self.game, &self.function, position)).map_err(|error| {
            let reason = error.to_string();
            self.watch.fail(error);
            reason
        })
    }
}

/// The legal move that a function chooses.
fn ask(
    py: Python<'_>,
    game: &Game,
    function: &Py<PyAny>,
    position: &AnyPosition,
) -> PyResult<String> {
    let shown = Position::new(game, position.clone(), None);
    let chosen = function.call1(py, (shown,))?;
    let chosen: String = chosen.bind(py).str()?.to_string();
    let moves = position.moves();
    if moves.contains(&chosen) {
        return Ok(chosen);
    }
    Err(IllegalMove::new_err(format!(
        "{} chose '{chosen}' in {position}; legal are {}",
        label(function.bind(py)),
        moves.join(", ")
    )))
}

/// A player of a game.
#[pyclass(frozen, module = "gamete")]
pub(crate) struct Player {
    game: Game,
    who: Who,
    /// Made for its first choice, and kept with its tables; and what it draws from.
    thinking: Mutex<Option<(AnyPlayer, Stream)>>,
    seed: u64,
}

impl Player {
    /// Can it move in this position?
    fn check(&self, position: &Position) -> PyResult<()> {
        if position.game != self.game {
            return Err(wrong(
                "the position is of another game, or of other rules, than the player",
            ));
        }
        if position.position.moves().is_empty() {
            return Err(IllegalMove::new_err(format!(
                "no player is to move in {}",
                position.position
            )));
        }
        Ok(())
    }

    /// What it makes of a position, with the interpreter released.
    fn think<T: Send>(
        &self,
        py: Python<'_>,
        position: &Position,
        think: impl FnOnce(&mut AnyPlayer, &AnyPosition, &mut Stream) -> T + Send,
    ) -> PyResult<T> {
        let Who::Spec(spec) = &self.who else {
            return Err(wrong("a function judges no moves"));
        };
        let watch = Arc::new(Watch::default());
        conduct(py, &watch, None, || {
            let mut kept = self.thinking.lock().expect("mutex poisoned");
            let (player, mut rng) = match kept.take() {
                Some(thinking) => thinking,
                None => {
                    let player = AnyPlayer::new(&self.game.game, spec, None).map_err(wrong)?;
                    (player, stream(self.seed, &[0, 1]))
                }
            };
            let mut player = player.until(&watch.stop);
            let thought = think(&mut player, &position.position, &mut rng);
            *kept = Some((player, rng));
            Ok(thought)
        })?
    }
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (game, player, /, *, seed=1))]
    fn new(
        game: &Game,
        player: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
    ) -> PyResult<Self> {
        let who = Who::read(game, player)?;
        Ok(Self {
            game: game.clone(),
            who,
            thinking: Mutex::new(None),
            seed,
        })
    }

    /// The game it plays.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// Its text, as the command line and studies write it; none for a function.
    #[getter]
    fn spec(&self) -> Option<String> {
        match &self.who {
            Who::Spec(spec) => Some(spec.to_string()),
            Who::Function(_) => None,
        }
    }

    /// Its move.
    fn choose(&self, py: Python<'_>, position: &Position) -> PyResult<String> {
        self.check(position)?;
        if let Who::Function(function) = &self.who {
            return ask(py, &self.game, function, &position.position);
        }
        let chosen = self.think(py, position, |player, position, rng| {
            player.choose(position, rng)
        })?;
        chosen.map_err(failed)
    }

    /// Its value for every legal move; empty if it does not evaluate moves.
    fn judge<'py>(&self, py: Python<'py>, position: &Position) -> PyResult<Bound<'py, PyDict>> {
        self.check(position)?;
        let values = self.think(py, position, |player, position, rng| {
            player.judge(position, rng)
        })?;
        let judged = PyDict::new(py);
        for (chosen, value) in values {
            judged.set_item(chosen, value)?;
        }
        Ok(judged)
    }

    fn __call__(&self, py: Python<'_>, position: &Position) -> PyResult<String> {
        self.choose(py, position)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let name = match &self.who {
            Who::Spec(spec) => spec.label(),
            Who::Function(function) => label(function.bind(py)),
        };
        format!("<player of {}: {name}>", self.game.game.family().name)
    }
}

/// Names of all players of a game, with a line about each.
#[pyfunction]
pub(crate) fn players(game: &Game) -> Vec<(&'static str, &'static str)> {
    let name = game.game.family().name;
    let fitting = all_players().filter(|entry| entry.plays(name));
    fitting
        .map(|entry| (entry.kind.name, entry.kind.about))
        .collect()
}
