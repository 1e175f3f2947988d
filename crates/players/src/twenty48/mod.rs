//! Players of 2048 that need its rules: expectimax, and the searches of the documents that minimise.

mod expectimax;
mod hill_climbing;
mod open_list;
mod table;

pub use expectimax::Expectimax;
pub use hill_climbing::HillClimbing;
pub use open_list::{AStar, AStarFull, BestFirst, IdaStar};
