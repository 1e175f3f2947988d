//! How the server is started.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use lab::store::Store;

use crate::pool::PoolView;

/// How the server is started.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where runs are kept.
    pub store: Store,
    /// Where it listens. Anywhere but on this machine it demands a token.
    pub listen: SocketAddr,
    /// What every request must carry, if anything.
    pub token: Option<String>,
    /// Whether bots, programs as fitness, notifications and player files may be asked for from the page.
    pub allow_exec: bool,
    /// How many threads play the games of studies and measurements.
    pub threads: usize,
    /// The workers on other machines, if there are any.
    pub pool: Option<Arc<dyn PoolView>>,
    /// Limits.
    pub limits: Limits,
}

/// Limits on what clients may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Connections that are open at the same time; others wait.
    pub connections: usize,
    /// Time for a client to send a request, or to take the next bytes of an answer.
    pub idle: Duration,
    /// Searches at the same time.
    pub searches: usize,
    /// Streams that are open at the same time.
    pub streams: usize,
    /// Bytes of a body.
    pub body: usize,
    /// Bytes of a replay: a long game has many steps.
    pub replay: usize,
    /// Time that a player has for a move.
    pub time: Duration,
    /// Time beyond that for players that do not stop at once.
    pub grace: Duration,
    /// Games of one measurement.
    pub games: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 512,
            idle: Duration::from_secs(60),
            searches: 8,
            streams: 256,
            body: 256 << 10,
            replay: 16 << 20,
            time: Duration::from_secs(10),
            grace: Duration::from_secs(2),
            games: 100_000,
        }
    }
}

impl Settings {
    /// On this machine only, at a free port, over these runs.
    #[must_use]
    pub fn local(store: Store) -> Self {
        Self {
            store,
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            token: None,
            allow_exec: false,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            pool: None,
            limits: Limits::default(),
        }
    }
}

/// A token that nobody can guess.
pub fn new_token() -> std::io::Result<String> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    let hash = blake3::hash(&bytes).to_hex();
    Ok(hash[..32].to_owned())
}
