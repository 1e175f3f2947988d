//! The solver for boards of any size: neither rules nor positions show the word that holds a board.

use std::fmt;
use std::sync::Arc;

use games::connect::{Connect, Position, Rules};
use games::{AnyGame, Game, PositionError};

use super::{Budget, Config, Judgement, MoveScore, Order, Solved, Solver, Team, Unproved, Weak};

/// Solves positions of a game of Connect-N with whatever rules.
#[derive(Debug, Clone)]
pub struct AnySolver {
    game: Words<Connect<u64>, Connect<u128>>,
    solver: Solver,
}

/// A position on a board of any size.
#[derive(Debug, Clone)]
pub struct Board(Words<Position<u64>, Position<u128>>);

/// The same thing for boards of 64 and of 128 bits.
#[derive(Debug, Clone)]
enum Words<N, W> {
    Narrow(N),
    Wide(W),
}

/// The same expression for whichever word it is.
macro_rules! with {
    ($words:expr, $name:ident => $answer:expr) => {
        match $words {
            Words::Narrow($name) => $answer,
            Words::Wide($name) => $answer,
        }
    };
}

impl AnySolver {
    /// The solver of a game; none if it is not Connect-N.
    #[must_use]
    pub fn new(game: &AnyGame, config: Config) -> Option<Self> {
        let game = match game {
            AnyGame::Connect(game) => Words::Narrow(game.clone()),
            AnyGame::WideConnect(game) => Words::Wide(game.clone()),
            _ => return None,
        };
        let rules: Rules = with!(&game, game => game.rules());
        let solver = Solver::new(rules, config);
        Some(Self { game, solver })
    }

    /// The empty board.
    #[must_use]
    pub fn start(&self) -> Board {
        Board(match &self.game {
            Words::Narrow(game) => Words::Narrow(game.start()),
            Words::Wide(game) => Words::Wide(game.start()),
        })
    }

    /// The position after these columns were played from the start.
    pub fn after(&self, columns: &str) -> Result<Board, PositionError> {
        Ok(Board(match &self.game {
            Words::Narrow(game) => Words::Narrow(game.position_after(columns)?),
            Words::Wide(game) => Words::Wide(game.position_after(columns)?),
        }))
    }

    /// The position of a board's text.
    pub fn parse(&self, board: &str) -> Result<Board, PositionError> {
        fn read<G: Game>(game: &G, text: &str) -> Result<G::Position, PositionError> {
            let position = text.parse()?;
            game.check(&position)?;
            Ok(position)
        }
        Ok(Board(match &self.game {
            Words::Narrow(game) => Words::Narrow(read(game, board)?),
            Words::Wide(game) => Words::Wide(read(game, board)?),
        }))
    }

    /// See [`Solver::join`].
    pub fn join(&mut self, team: &Arc<Team>) -> bool {
        self.solver.join(team)
    }

    /// Another solver of the same game, which knows nothing yet and belongs to no team.
    #[must_use]
    pub fn anew(&self) -> Self {
        Self {
            game: self.game.clone(),
            solver: Solver::new(self.solver.rules(), self.solver.config()),
        }
    }

    /// See [`Solver::uses_book`].
    #[must_use]
    pub fn uses_book(&self, board: &Board) -> bool {
        with!(&board.0, position => self.solver.uses_book(position))
    }

    /// See [`Solver::solve`].
    pub fn solve(&mut self, board: &Board, budget: &Budget<'_>) -> Result<Solved, Unproved> {
        with!(&board.0, position => self.solver.solve(position, budget))
    }

    /// See [`Solver::weak`].
    pub fn weak(&mut self, board: &Board, budget: &Budget<'_>) -> Result<Weak, Unproved> {
        with!(&board.0, position => self.solver.weak(position, budget))
    }

    /// The rules of the boards it solves.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.solver.rules()
    }

    /// See [`Solver::judge_moves`].
    pub fn judge_moves(
        &mut self,
        board: &Board,
        order: Order,
        budget: &Budget<'_>,
        tell: &mut dyn FnMut(&[MoveScore], u64),
    ) -> Judgement {
        with!(&board.0, position => self.solver.judge_moves(position, order, budget, tell))
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with!(&self.0, position => position.fmt(f))
    }
}
