//! The Python package: `python/gamete` is what people import, this is the glue below it. No rule and no statistic is here; what comes out are the
//! numbers of the command line, by the same functions.

mod encoding;
mod errors;
mod game;
mod lanes;
mod measuring;
mod numbers;
mod optimizer;
mod planes;
mod player;
mod position;
mod program;
mod single;
mod stepping;
mod studies;
mod vector;
mod work;

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;

/// What `python/gamete` builds on.
#[pymodule]
mod _gamete {
    #[pymodule_export]
    use crate::errors::IllegalMove;
    #[pymodule_export]
    use crate::game::{Game, games};
    #[pymodule_export]
    use crate::main;
    #[pymodule_export]
    use crate::measuring::{match_, measure, solve};
    #[pymodule_export]
    use crate::optimizer::Optimizer;
    #[pymodule_export]
    use crate::player::{Player, players};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::program::Program;
    #[pymodule_export]
    use crate::single::Single;
    #[pymodule_export]
    use crate::studies::{export, results, run, run_one, study_text};
    #[pymodule_export]
    use crate::vector::Vector;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// The command line: does what the words ask for and returns the exit code. `launcher` is the program that starts it again.
#[pyfunction]
fn main(py: Python<'_>, words: Vec<OsString>, launcher: PathBuf) -> u8 {
    gamete_cli::set_launcher(launcher);
    py.detach(|| gamete_cli::main(&words))
}
