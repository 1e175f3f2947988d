//! `program` for Tetris: a program of Cartesian genetic programming values the features of every placement.
//!
//! Inputs are the features of a set (as `weighted` has them, in whole numbers: landing height is counted in half rows), the one output
//! is what the placement is worth; the highest is played, of equals the first in the order of moves. One known piece is looked at, and with the
//! rule `hold` the one that it can be exchanged for.

use std::sync::Arc;

use evolve::cgp::Program;
use games::Stream;
use games::tetris::{ColumnBits, Placement, Position, Tetris};
use spec::{Kind, Spec, SpecError};

use crate::placement::{
    Change, FEATURES, Family, Features, Judge, Points, READING, Set, Surface, with_features,
};
use crate::player::{Named, Player, PlayerFactory, Prepared, Tunable, best};
use crate::program::{
    COLUMNS, CYCLIC, FIRST_OUTPUTS, FUNCTIONS, LEVELS_BACK, PROGRAM, ROWS, grid, program,
};

/// Makes the players that run a program.
#[derive(Debug, Clone, Copy)]
pub struct PlacementProgram;

impl Named for PlacementProgram {
    const KIND: Kind = Kind {
        name: "program",
        about: "plays the placement that a program of Cartesian genetic programming values highest",
        more: "Inputs are the features of the placement (the set named by features, in whole numbers; landing height in half rows), \
               the one output is its value. A grid of rows x columns nodes, each with a function and two connections to inputs or nodes \
               further left; only the nodes that the output reaches are run.",
        parameters: &[
            FEATURES,
            READING,
            ROWS,
            COLUMNS,
            LEVELS_BACK,
            FUNCTIONS,
            CYCLIC,
            FIRST_OUTPUTS,
            PROGRAM,
        ],
    };
}

fn grid_of(spec: &Spec) -> Result<evolve::cgp::Grid, SpecError> {
    grid(spec, Set::names(spec)?.len() as u32, 1)
}

impl<C: ColumnBits> PlayerFactory<Tetris<C>> for PlacementProgram {
    fn prepare(game: &Tetris<C>, spec: &Spec) -> Result<Prepared<Tetris<C>>, SpecError> {
        let program = program(spec, &grid_of(spec)?)?;
        let set = Set::read(spec)?;
        Ok(with_features!(set, runner(game, program)))
    }

    fn tunable(_: &Tetris<C>, spec: &Spec) -> Result<Tunable, SpecError> {
        Ok(Tunable::Program(grid_of(spec)?))
    }
}

fn runner<C: ColumnBits, S: Features<F>, const F: usize>(
    game: &Tetris<C>,
    program: Program<f64>,
) -> Prepared<Tetris<C>> {
    Prepared::copies(Runner::<S, F> {
        // Its weights are not asked for: the program is.
        judge: Judge::new(game, [0.0; F]),
        program: Arc::new(program),
        registers: Vec::new(),
    })
}

#[derive(Clone)]
struct Runner<S, const F: usize> {
    judge: Judge<S, F>,
    program: Arc<Program<f64>>,
    registers: Vec<f64>,
}

impl<C: ColumnBits, S: Features<F>, const F: usize> Player<Tetris<C>> for Runner<S, F> {
    fn choose(&mut self, game: &Tetris<C>, position: &Position<C>, rng: &mut Stream) -> Placement {
        best(&self.judge(game, position, rng))
    }

    fn judge(
        &mut self,
        game: &Tetris<C>,
        position: &Position<C>,
        _: &mut Stream,
    ) -> Vec<(Placement, f64)> {
        let ready = self.judge.ready(position.board());
        let (program, registers) = (&self.program, &mut self.registers);
        let mut judged = Vec::new();
        let hand = game.hand(position);
        self.judge.moves(game, &ready, hand, |_, placement| {
            let mut value = [0.0];
            program.run(&placement.features.map(f64::from), registers, &mut value);
            judged.push((placement.placement, value[0]));
        });
        judged
    }
}
