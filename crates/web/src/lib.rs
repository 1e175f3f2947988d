//! The page: an HTTP server on this machine, its API under `/api/`, and what the browser shows.
//!
//! It holds no rule and no statistic: games, players, studies and numbers come from `play`, `lab` and `report`. Each tab gets events by one stream; studies
//! that were started from the page run one at a time.

mod api;
mod board;
mod catalogue;
mod connections;
mod guard;
pub mod hub;
mod input;
mod page;
mod pool;
mod problem;
mod queue;
mod quick;
mod results;
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
