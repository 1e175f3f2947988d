//! Distributed computing: jobs done by workers on other machines, over a NATS server.
//!
//! A **coordinator** ([`pool::Pool`]) cuts a source of jobs into chunks and gives each to a **worker** ([`worker`]), which does it and sends
//! the result back. The server only passes messages on, and sees to it that everybody speaks for themselves ([`identity`]). The
//! coordinator holds the state: workers and the server may vanish at any moment, and only the work in progress is lost. Jobs are opaque
//! here, except in [`games`], which connects this to batches of games.

pub mod address;
pub mod games;
pub mod identity;
pub mod link;
pub mod metrics;
pub mod pool;
pub mod server;
pub mod survey;
pub mod wire;
pub mod worker;
