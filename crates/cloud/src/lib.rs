//! Rented machines and cluster schedulers: prices, plans, and the files that start workers there.
//!
//! Machines are rented through SkyPilot, a separate program; this crate writes its task files, calls it, and records what was launched. It knows
//! nothing about games or studies: the caller says how much work there is. It prints nothing.

pub mod bucket_url;
pub mod clouds;
pub mod launches;
pub mod plan;
pub mod prices;
pub mod script;
mod shell;
pub mod sky;
pub mod span;
pub mod yaml;
