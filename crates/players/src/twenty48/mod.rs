//! Players of 2048 that need its rules: eight weights, expectimax, and the searches of the works that minimise.

mod eight;
mod expectimax;
mod hill_climbing;
mod open_list;
mod program;
mod table;

pub use eight::EightWeights;
pub use expectimax::Expectimax;
pub use hill_climbing::HillClimbing;
pub use open_list::{AStar, AStarFull, BestFirst, IdaStar};
pub use program::DirectionProgram;
