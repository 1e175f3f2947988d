//! Why games could not be played.

use players::SpecError;

use crate::bots::BotError;

/// Why games could not be played.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// A player cannot be made.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// A bot does not get ready to play.
    #[error("{spec}: {error}")]
    Bot {
        /// The player.
        spec: String,
        /// What was wrong.
        error: BotError,
    },
    /// An opponent gave a game up.
    #[error("the opponent {spec} could not go on: {reason}")]
    Opponent {
        /// The player.
        spec: String,
        /// Why.
        reason: String,
    },
    /// A player whose speed is measured gave a game up.
    #[error("{spec} could not go on: {reason}")]
    GaveUp {
        /// The player.
        spec: String,
        /// Why.
        reason: String,
    },
    /// Workers elsewhere did not play the games.
    #[error(transparent)]
    Dispatch(#[from] DispatchError),
    /// The system gave no threads.
    #[error("could not start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Why workers elsewhere did not play the games.
#[derive(Debug, thiserror::Error)]
pub enum DispatchError {
    /// It was stopped, and can be done again.
    #[error("stopped; 'gamete resume' continues")]
    Stopped,
    /// They cannot be played there, or what came back cannot be trusted.
    #[error("{0}")]
    Failed(String),
}
