//! Players, pure: whatever chooses a move, named by a text like `random` or `minimax(depth=5)`.
//!
//! The list below is the only list of players; the [`registry`] finds one by its spec, the [`arena`] lets them play.
#![deny(clippy::disallowed_methods, clippy::disallowed_macros)]

pub mod arena;
pub mod evaluate;
pub mod network;
#[macro_use]
pub mod registry;
pub mod solver;
pub mod tree;

mod afterstates;
mod placement;
mod player;
mod program;
mod recorded;

pub use player::{Cancelled, Named, Player, PlayerFactory, Prepared, Stop, Tunable};
pub use recorded::RecordedGame;
pub use registry::Playable;
pub use spec::{Allowed, Kind, Parameter, Spec, SpecError};

// A new player is its module and a line here: `module { Type }`, under the module of its game or under `any`.
players! {
    any {
        random { Random }
        greedy { Greedy }
        minimax { Minimax }
        alphabeta { AlphaBeta }
        negamax { Negamax }
        mcts { Mcts }
        program { CellProgram }
    }
    twenty48 [Twenty48] {
        eight { EightWeights }
        lines { LinesPlayer, PatchesPlayer }
        program { DirectionProgram }
        expectimax { Expectimax }
        open_list { AStar, AStarFull, BestFirst, IdaStar }
        hill_climbing { HillClimbing }
        network { NetworkPlayer }
    }
    connect [Connect<u64>, Connect<u128>] {
        perfect { Perfect }
        weighted { WeightedLines }
        network { NetworkPlayer }
    }
    tetris [Tetris<u32>, Tetris<u64>] {
        weighted { Weighted }
        program { PlacementProgram }
        beam { Beam }
    }
}
