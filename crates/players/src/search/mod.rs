//! Searches that work for every game: two players and chance go through the same trait.

mod alphabeta;
mod greedy;
mod mcts;
mod minimax;
mod negamax;
mod tree;

pub use alphabeta::AlphaBeta;
pub use greedy::Greedy;
pub use mcts::Mcts;
pub use minimax::Minimax;
pub use negamax::Negamax;
pub use tree::{Search, Tree, TreePlayer};

pub(crate) use greedy::GreedyFactory;
