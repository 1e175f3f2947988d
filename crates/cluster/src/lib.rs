//! More machines: jobs that are done by workers elsewhere, over a NATS server with JetStream.
//!
//! A **coordinator** ([`pool::Pool`]) cuts an source into chunks and puts them into a stream; **workers** ([`worker`]) take chunks, do
//! them, and put what came out into another stream, which keeps one result a chunk and refuses a second. Truth is the coordinator's:
//! workers and the server may vanish at any moment, and cost only what was being computed. What the jobs are is not known here, but for
//! [`games`], which joins all this with the lab.

pub mod address;
pub mod games;
pub mod link;
pub mod metrics;
pub mod pool;
pub mod server;
pub mod survey;
pub mod wire;
pub mod worker;
