//! Distributed computing: jobs done by workers on other machines, over a NATS server with JetStream.
//!
//! A **coordinator** ([`pool::Pool`]) cuts a source of jobs into chunks and publishes them in a stream; **workers** ([`worker`]) take
//! chunks, do them, and publish the results in another stream, which keeps one result per chunk and refuses a second. The coordinator
//! holds the state: workers and the server may vanish at any moment, and only the work in progress is lost. Jobs are opaque here, except
//! in [`games`], which connects this to batches of games.

pub mod address;
pub mod games;
pub mod link;
pub mod metrics;
pub mod pool;
pub mod server;
pub mod survey;
pub mod wire;
pub mod worker;
