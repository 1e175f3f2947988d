//! Why games could not be played.

use players::SpecError;

use crate::bots::BotError;

/// Why games could not be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// A player cannot be made.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// A bot failed to start.
    #[error("{spec}: {error}")]
    Bot {
        /// The player.
        spec: String,
        /// What was wrong.
        error: BotError,
    },
    /// An opponent gave up a game.
    #[error("the opponent {spec} gave up: {reason}")]
    Opponent {
        /// The player.
        spec: String,
        /// Why.
        reason: String,
    },
    /// A player gave up a game while its speed was measured.
    #[error("{spec} gave up: {reason}")]
    GaveUp {
        /// The player.
        spec: String,
        /// Why.
        reason: String,
    },
    /// It was stopped, and can be resumed.
    #[error("stopped; 'gamete resume' continues")]
    Stopped,
    /// The workers did not play the games.
    #[error(transparent)]
    Dispatch(#[from] DispatchError),
    /// The system refused to start threads.
    #[error("could not start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Why the workers did not play the games.
#[derive(Debug, thiserror::Error)]
pub enum DispatchError {
    /// It was stopped, and can be resumed.
    #[error("stopped; 'gamete resume' continues")]
    Stopped,
    /// A worker turned out to be wrong, and games of its were taken before.
    #[error("games of the worker {0} were used, and it has returned a wrong result since")]
    Distrusted(String),
    /// The games cannot be played there, or the results cannot be trusted.
    #[error("{0}")]
    Failed(String),
}
