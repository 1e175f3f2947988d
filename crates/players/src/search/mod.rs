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

pub(crate) use alphabeta::AlphaBetaRecipe;
pub(crate) use greedy::GreedyRecipe;
pub(crate) use minimax::MinimaxRecipe;
pub(crate) use negamax::NegamaxRecipe;
