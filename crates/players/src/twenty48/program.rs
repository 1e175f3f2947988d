//! `program` for 2048: a program of Cartesian genetic programming looks at the cells and names a direction.
//!
//! Inputs are the exponents of the cells row by row (0 is an empty cell), outputs the four directions up, right, down, left; the
//! largest output is the move, of equals the first. As in 2048-cgp, whose rules
//! (`--rules fer`) allow every direction. Under standard rules a direction that changes nothing is not legal:
//! `masked=yes` takes the largest output among the legal ones, `masked=no` ends the game there.

use std::sync::Arc;

use evolve::cgp::{Grid, Program};
use games::twenty48::{Direction, Position, Twenty48};
use games::{Game, Stream};
use spec::{Kind, Parameter, Spec, SpecError};

use crate::player::{Named, Player, PlayerFactory, Prepared, Tunable};
use crate::program::{
    COLUMNS, CYCLIC, FIRST_OUTPUTS, FUNCTIONS, LEVELS_BACK, PROGRAM, ROWS, grid, program,
};

/// Makes the players that run a program.
#[derive(Debug, Clone, Copy)]
pub struct DirectionProgram;

const MASKED: Parameter = Parameter {
    name: "masked",
    default: "yes",
    help: "yes: the largest output among the legal moves; no: an illegal move ends the game",
};

impl Named for DirectionProgram {
    const KIND: Kind = Kind {
        name: "program",
        about: "runs a program of Cartesian genetic programming whose largest output is the move",
        more: "Inputs are the exponents of the cells row by row, outputs up, right, down, left. A grid of rows x columns nodes, each with a \
               function and two connections to inputs or nodes further left; only the nodes that outputs reach are run.",
        parameters: &[
            ROWS,
            COLUMNS,
            LEVELS_BACK,
            FUNCTIONS,
            MASKED,
            CYCLIC,
            FIRST_OUTPUTS,
            PROGRAM,
        ],
    };
}

fn grid_of(game: &Twenty48, spec: &Spec) -> Result<Grid, SpecError> {
    let rules = game.rules();
    grid(spec, u32::from(rules.rows) * u32::from(rules.cols), 4)
}

impl PlayerFactory<Twenty48> for DirectionProgram {
    fn prepare(game: &Twenty48, spec: &Spec) -> Result<Prepared<Twenty48>, SpecError> {
        Ok(Prepared::copies(Runner {
            program: Arc::new(program(spec, &grid_of(game, spec)?)?),
            masked: spec.choice(&MASKED, &[("yes", true), ("no", false)])?,
            inputs: Vec::new(),
            registers: Vec::new(),
            chose_illegally: false,
        }))
    }

    fn tunable(game: &Twenty48, spec: &Spec) -> Result<Tunable, SpecError> {
        Ok(Tunable::Program(grid_of(game, spec)?))
    }
}

#[derive(Clone)]
struct Runner {
    program: Arc<Program<f64>>,
    masked: bool,
    inputs: Vec<f64>,
    registers: Vec<f64>,
    chose_illegally: bool,
}

impl Runner {
    fn outputs(&mut self, position: &Position) -> [f64; 4] {
        self.inputs.clear();
        self.inputs
            .extend(position.tiles().exponents().map(f64::from));
        let mut outputs = [0.0; 4];
        self.program
            .run(&self.inputs, &mut self.registers, &mut outputs);
        outputs
    }
}

impl Player<Twenty48> for Runner {
    fn choose(&mut self, game: &Twenty48, position: &Position, _: &mut Stream) -> Direction {
        let outputs = self.outputs(position);
        let (mut best, mut highest) = (None, f64::NEG_INFINITY);
        for (direction, value) in Direction::ALL.into_iter().zip(outputs) {
            let allowed = !self.masked || game.is_legal(position.tiles(), direction);
            if allowed && (best.is_none() || value > highest) {
                (best, highest) = (Some(direction), value);
            }
        }
        let best = best.expect("it is the player's turn, so a direction is legal");
        self.chose_illegally = !self.masked && !game.is_legal(position.tiles(), best);
        best
    }

    fn judge(
        &mut self,
        game: &Twenty48,
        position: &Position,
        _: &mut Stream,
    ) -> Vec<(Direction, f64)> {
        let outputs = self.outputs(position);
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        moves
            .into_iter()
            .map(|direction| (direction, outputs[direction as usize]))
            .collect()
    }

    fn forfeit(&self) -> Option<String> {
        self.chose_illegally
            .then(|| "the program chose a direction that changes nothing".to_owned())
    }
}
