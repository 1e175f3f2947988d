//! The page: an HTTP server on this machine, its API under `/api/`, and what the browser shows.
//!
//! It holds no rule and no statistic: games, players, studies and numbers are the lab's. One stream of events a tab tells what happens; studies that were started from the
//! page are worked off one at a time.

mod api;
mod board;
mod catalogue;
mod guard;
pub mod hub;
mod input;
mod page;
mod pool;
mod problem;
mod queue;
mod searches;
mod seed;
mod server;
mod settings;
mod site;
mod tables;
mod threads;

pub use api::document;
pub use pool::{PoolStudy, PoolSurvey, PoolView, PoolWorker};
pub use server::{ServeError, Server};
pub use settings::{Limits, Settings, new_token};
