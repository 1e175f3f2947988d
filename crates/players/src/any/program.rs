//! `program` for any game: a program of Cartesian genetic programming values the position after every legal move.
//!
//! Inputs are the cells of the game's sketch row by row from the top, each as the number of its tone (0 is an empty cell), and in
//! a game for two the seat that has moved. The one output is what the position is worth to the player that has moved; the highest is played,
//! of equals the first. A game may have a `program` of its own instead.

use std::sync::Arc;

use evolve::cgp::{Grid, Program};
use games::{Game, Stream, Turn};
use spec::{Kind, Spec, SpecError};

use crate::player::{Named, Player, PlayerFactory, Prepared, Tunable, best};
use crate::program::{
    COLUMNS, CYCLIC, FIRST_OUTPUTS, FUNCTIONS, LEVELS_BACK, PROGRAM, ROWS, grid, program,
};

/// Makes the players that run a program over cells.
#[derive(Debug, Clone, Copy)]
pub struct CellProgram;

impl Named for CellProgram {
    const KIND: Kind = Kind {
        name: "program",
        about: "plays the move whose position a program of Cartesian genetic programming values highest",
        more: "Inputs are the cells of the board row by row, each as a number (0 is empty), and in a game for two the seat that has \
               moved; the one output is the value of the position after the move. A grid of rows x columns nodes, each with a \
               function and two connections to inputs or nodes further left; only the nodes that the output reaches are run.",
        parameters: &[
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

fn grid_of<G: Game>(game: &G, spec: &Spec) -> Result<Grid, SpecError> {
    let cells = game.sketch(&game.start()).cells.len() as u32;
    grid(spec, cells + u32::from(game.seats() > 1), 1)
}

impl<G: Game> PlayerFactory<G> for CellProgram {
    fn prepare(game: &G, spec: &Spec) -> Result<Prepared<G>, SpecError> {
        Ok(Prepared::copies(Runner {
            program: Arc::new(program(spec, &grid_of(game, spec)?)?),
            tones: Vec::new(),
            inputs: Vec::new(),
            registers: Vec::new(),
        }))
    }

    fn tunable(game: &G, spec: &Spec) -> Result<Tunable, SpecError> {
        Ok(Tunable::Program(grid_of(game, spec)?))
    }
}

#[derive(Clone)]
struct Runner {
    program: Arc<Program<f64>>,
    tones: Vec<u8>,
    inputs: Vec<f64>,
    registers: Vec<f64>,
}

impl Runner {
    /// What a position is worth to the player at `seat`, who has just moved.
    fn value<G: Game>(&mut self, game: &G, position: &G::Position, seat: u8) -> f64 {
        game.tones(position, &mut self.tones);
        self.inputs.clear();
        self.inputs
            .extend(self.tones.iter().copied().map(f64::from));
        if game.seats() > 1 {
            self.inputs.push(f64::from(seat));
        }
        let mut value = [0.0];
        self.program
            .run(&self.inputs, &mut self.registers, &mut value);
        value[0]
    }
}

impl<G: Game> Player<G> for Runner {
    fn choose(&mut self, game: &G, position: &G::Position, rng: &mut Stream) -> G::Move {
        best(&self.judge(game, position, rng))
    }

    fn judge(&mut self, game: &G, position: &G::Position, _: &mut Stream) -> Vec<(G::Move, f64)> {
        let seat = match game.turn(position) {
            Turn::Player(seat) => seat,
            Turn::Chance | Turn::Over => 0,
        };
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let judged = moves.into_iter().map(|chosen| {
            let mut next = position.clone();
            game.play_unchecked(&mut next, chosen);
            (chosen, self.value(game, &next, seat))
        });
        judged.collect()
    }
}
