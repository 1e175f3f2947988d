//! Evolution by ask and tell, for anything that Python can score.

use evolve::{Candidate, Genome, Noise, Optimizer as Evolution, Range, Scores, Space};
use lab::evolution::settings::configure;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::{failed, wrong};
use crate::numbers;
use crate::program::Program;

/// Asks for scores and proposes what may have higher ones.
#[pyclass(module = "gamete._gamete")]
pub(crate) struct Optimizer {
    evolution: Evolution,
}

/// Id, genome, generation, and how many scores it has in it.
type Asked = (u64, Py<PyAny>, u32, u32);
/// Id, genome, mean of its scores, and how many it has.
type Fittest = (u64, Py<PyAny>, f64, u32);

/// A genome as Python sees it: a list of numbers, or a program.
fn shown(py: Python<'_>, space: &Space, genome: &Genome) -> PyResult<Py<PyAny>> {
    if let Space::Program(grid) = space {
        let program = Program::new(grid.clone(), genome.clone());
        return Ok(Py::new(py, program)?.into_any());
    }
    let list = match genome {
        Genome::Reals(genes) => genes.into_pyobject(py)?.into_any(),
        Genome::Integers(genes) => genes.into_pyobject(py)?.into_any(),
        Genome::Bits(bits) => {
            let bits: Vec<bool> = bits.iter().collect();
            bits.into_pyobject(py)?.into_any()
        }
    };
    Ok(list.unbind())
}

/// A setting as the command line writes it.
fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.extract::<bool>() {
        Ok(switch) if value.is_instance_of::<pyo3::types::PyBool>() => Ok(switch.to_string()),
        _ => Ok(value.str()?.to_string()),
    }
}

#[pymethods]
impl Optimizer {
    #[new]
    #[pyo3(signature = (algorithm, space, *, seed, noise, settings))]
    fn new(
        algorithm: &str,
        space: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
        noise: &str,
        settings: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let setting = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((key.extract::<String>()?.replace('_', "-"), text(&value)?))
        };
        let settings = settings.iter().map(setting).collect::<PyResult<Vec<_>>>()?;
        let config = configure(algorithm, &settings).map_err(wrong)?;
        let noise: Noise = noise.parse().map_err(wrong)?;
        let evolution = Evolution::new(&config, read_space(space)?, noise, seed).map_err(wrong)?;
        Ok(Self { evolution })
    }

    /// Candidates that wait for scores: their ids, genomes, and the scores that each has already.
    fn ask(&mut self, py: Python<'_>) -> PyResult<Vec<Asked>> {
        let candidates = py.detach(|| self.evolution.ask());
        let space = self.evolution.space();
        let candidate = |Candidate {
                             id,
                             generation,
                             games_before,
                             genome,
                             ..
                         }: Candidate| {
            Ok((id, shown(py, space, &genome)?, generation, games_before))
        };
        candidates.into_iter().map(candidate).collect()
    }

    /// Scores of candidates; more is better.
    fn tell(&mut self, py: Python<'_>, scores: Vec<(u64, Vec<f64>)>) -> PyResult<()> {
        let scores: Vec<Scores> = scores
            .into_iter()
            .map(|(id, scores)| Scores { id, scores })
            .collect();
        py.detach(|| self.evolution.tell(&scores)).map_err(wrong)
    }

    /// The fittest so far: id, genome, mean of its scores, and how many it has.
    fn best(&self, py: Python<'_>) -> PyResult<Option<Fittest>> {
        let best = self.evolution.best().map(|best| {
            let genome = shown(py, self.evolution.space(), &best.genome)?;
            Ok((best.id, genome, best.evidence.mean, best.evidence.games))
        });
        best.transpose()
    }

    /// Finished generations.
    #[getter]
    fn generation(&self) -> u32 {
        self.evolution.generation()
    }

    /// Scores told so far.
    #[getter]
    fn scores(&self) -> u64 {
        self.evolution.games()
    }

    /// The whole state.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = rmp_serde::to_vec_named(&self.evolution).map_err(failed)?;
        Ok(PyBytes::new(py, &state))
    }

    /// The optimiser of a state.
    #[staticmethod]
    fn restored(state: &[u8]) -> PyResult<Self> {
        let evolution = rmp_serde::from_slice(state)
            .map_err(|error| wrong(format!("not the state of an optimizer: {error}")))?;
        Ok(Self { evolution })
    }
}

/// What genomes are made of: ("reals", [(low, high), ...], bounded), ("bits", n), ("symbols", n, alphabet) or a program.
fn read_space(space: &Bound<'_, PyAny>) -> PyResult<Space> {
    if let Ok((kind, ranges, bounded)) = space.extract::<(String, Vec<(f64, f64)>, bool)>()
        && kind == "reals"
    {
        let range = |(low, high): (f64, f64)| {
            let is_range = low.is_finite() && high.is_finite() && low < high;
            match is_range {
                true => Ok(Range { low, high }),
                false => Err(wrong(format!(
                    "the range {low} to {high}: the first must be below the second"
                ))),
            }
        };
        let ranges = ranges.into_iter().map(range).collect::<PyResult<_>>()?;
        return Ok(Space::Reals { ranges, bounded });
    }
    if let Ok((kind, genes)) = space.extract::<(String, usize)>()
        && kind == "bits"
    {
        return Ok(Space::Bits { genes });
    }
    if let Ok((kind, genes, alphabet)) = space.extract::<(String, usize, u32)>()
        && kind == "symbols"
    {
        return match alphabet {
            0 => Err(wrong("alphabet = 0: must be at least 1")),
            _ => Ok(Space::Symbols { genes, alphabet }),
        };
    }
    if let Ok(program) = space.cast::<Program>() {
        return Ok(Space::Program(program.get().grid().clone()));
    }
    Err(PyTypeError::new_err("no such space"))
}
