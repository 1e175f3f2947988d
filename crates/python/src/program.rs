//! Programs of Cartesian genetic programming as functions.

use std::hash::{DefaultHasher, Hash, Hasher};

use evolve::Genome;
use evolve::cgp::{FunctionSet, Grid, Names, Program as Compiled, Shape, dot, formulas};
use pyo3::prelude::*;

use crate::errors::{failed, wrong};

/// A program: a function of numbers, with its genotype and formulas.
#[pyclass(frozen, module = "gamete")]
pub(crate) struct Program {
    grid: Grid,
    genome: Genome,
    compiled: Function,
}

/// Functions of real numbers, or of words of 64 bits.
enum Function {
    Numbers(Compiled<f64>),
    Words(Compiled<u64>),
}

impl Program {
    /// The program of a genome that is one of the grid.
    pub(crate) fn new(grid: Grid, genome: Genome) -> Self {
        let compiled = match grid.functions() {
            FunctionSet::Arithmetic(_) => Function::Numbers(Compiled::new(&grid, &genome)),
            FunctionSet::Logic(_) => Function::Words(Compiled::new(&grid, &genome)),
        };
        Self {
            grid,
            genome,
            compiled,
        }
    }

    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }
}

#[pymethods]
impl Program {
    #[new]
    #[pyo3(signature = (text, *, inputs, outputs, rows, columns, functions, levels_back=None, passes=None))]
    #[expect(clippy::too_many_arguments, reason = "they describe a grid")]
    fn read(
        text: Option<&str>,
        inputs: u32,
        outputs: u32,
        rows: u32,
        columns: u32,
        functions: &str,
        levels_back: Option<u32>,
        passes: Option<u32>,
    ) -> PyResult<Self> {
        let grid = Grid::new(Shape {
            inputs,
            outputs,
            rows,
            columns,
            levels_back,
            functions: functions.parse().map_err(wrong)?,
            first_outputs: evolve::cgp::FirstOutputs::Any,
            passes,
        });
        let grid = grid.map_err(wrong)?;
        let genome = match text {
            Some(text) => grid.parse(text).map_err(wrong)?,
            None => evolve::Space::Program(grid.clone()).random(&mut games::stream(0, &[])),
        };
        Ok(Self::new(grid, genome))
    }

    /// Its genotype as text.
    #[getter]
    fn genotype(&self) -> String {
        self.grid.print(&self.genome)
    }

    /// Its outputs as formulas, one a line; parts that are used more than once come first, under names of their own.
    #[getter]
    fn formula(&self) -> String {
        let formulas = formulas(&self.grid, &self.genome, &Names::numbered(&self.grid));
        let lines = formulas
            .iter()
            .map(|formula| format!("{} = {}", formula.name, formula.expression));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Its active nodes as a graph for Graphviz.
    #[getter]
    fn dot(&self) -> String {
        dot(&self.grid, &self.genome, &Names::numbered(&self.grid))
    }

    /// How many inputs it takes.
    #[getter]
    fn inputs(&self) -> u32 {
        self.grid.inputs()
    }

    /// How many nodes are computed.
    #[getter]
    fn steps(&self) -> usize {
        match &self.compiled {
            Function::Numbers(program) => program.steps(),
            Function::Words(program) => program.steps(),
        }
    }

    /// The outputs for these inputs.
    #[pyo3(signature = (*inputs))]
    fn __call__(
        &self,
        py: Python<'_>,
        inputs: &Bound<'_, pyo3::types::PyTuple>,
    ) -> PyResult<Py<PyAny>> {
        if inputs.len() != self.grid.inputs() as usize {
            return Err(wrong(format!(
                "{} inputs; the program takes {}",
                inputs.len(),
                self.grid.inputs()
            )));
        }
        Ok(match &self.compiled {
            Function::Numbers(program) => program
                .evaluate(&inputs.extract::<Vec<f64>>()?)
                .into_pyobject(py)?
                .unbind(),
            Function::Words(program) => program
                .evaluate(&inputs.extract::<Vec<u64>>()?)
                .into_pyobject(py)?
                .unbind(),
        })
    }

    fn __str__(&self) -> String {
        self.formula()
    }

    fn __repr__(&self) -> String {
        format!("<program {}>", self.formula().replace('\n', "; "))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.grid == other.grid && self.genome == other.genome
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.genotype().hash(&mut hasher);
        hasher.finish()
    }

    /// The program of a grid as JSON and a genotype, which is what a pickle keeps of it.
    #[staticmethod]
    fn restored(grid: &str, genotype: &str) -> PyResult<Self> {
        let not_a_grid = |error| wrong(format!("not the grid of a program: {error}"));
        let grid: Grid = serde_json::from_str(grid).map_err(not_a_grid)?;
        let genome = grid.parse(genotype).map_err(wrong)?;
        Ok(Self::new(grid, genome))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let restore = slf.py().import("gamete._restore")?.getattr("program")?;
        let program = slf.get();
        let grid = serde_json::to_string(&program.grid).map_err(failed)?;
        Ok((restore, (grid, program.genotype())))
    }
}
