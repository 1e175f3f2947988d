//! The server as a whole: it listens, answers until it is stopped, and saves the study it was working on.

use std::future::Future;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use lab::store::IndexError;

use crate::settings::Settings;
use crate::site::{BackgroundThreads, Site};
use crate::{api, connections, guard, page};

/// How often the flag to stop is checked.
const POLL: Duration = Duration::from_millis(100);

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Another program listens there.
    #[error("port {} of {} is in use already; choose another one with --port", .0.port(), .0.ip())]
    InUse(SocketAddr),
    /// Others could reach it.
    #[error(
        "{0} can be reached by others, so a token is needed; GAMETE_TOKEN or --token-file gives one"
    )]
    NoToken(SocketAddr),
    /// It cannot listen.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        error: std::io::Error,
    },
    /// The runs cannot be listed.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// I/O error.
    #[error("cannot serve: {0}")]
    System(#[from] std::io::Error),
}

/// A server that listens. Its studies end with it.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    site: Arc<Site>,
    background: BackgroundThreads,
}

impl Server {
    /// Begins to listen; answers come once it [runs](Self::run).
    pub fn bind(mut settings: Settings) -> Result<Self, ServeError> {
        let wanted = settings.listen;
        if !wanted.ip().is_loopback() && settings.token.is_none() {
            return Err(ServeError::NoToken(wanted));
        }
        let listener = TcpListener::bind(wanted).map_err(|error| refused(wanted, error))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        settings.listen = address;
        let site = Arc::new(Site::open(settings)?);
        let background = BackgroundThreads::start(&site)?;
        Ok(Self {
            listener,
            address,
            site,
            background,
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the page for a browser, with the token if there is one.
    #[must_use]
    pub fn link(&self) -> String {
        let address = self.address;
        match &self.site.settings.token {
            Some(token) => format!("http://{address}/?token={token}"),
            None => format!("http://{address}/"),
        }
    }

    /// Answers until `stop` is true, on threads of its own; then saves the study it is working on.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ServeError> {
        let threads = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let served = threads.block_on(self.serve(stopped(stop)));
        // Searches without a client need not end first.
        threads.shutdown_background();
        drop(self.background);
        served
    }

    /// Answers until `stop` comes. Streams that are open then are cut.
    async fn serve(&self, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        let listener = tokio::net::TcpListener::from_std(self.listener.try_clone()?)?;
        let limits = self.site.settings.limits;
        tokio::select! {
            () = connections::serve(listener, router(&self.site), limits) => Ok(()),
            () = stop => Ok(()),
        }
    }
}

fn refused(address: SocketAddr, error: std::io::Error) -> ServeError {
    match error.kind() {
        std::io::ErrorKind::AddrInUse => ServeError::InUse(address),
        _ => ServeError::Listen { address, error },
    }
}

async fn stopped(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(POLL).await;
    }
}

/// Everything behind the guard.
fn router(site: &Arc<Site>) -> Router {
    let body = DefaultBodyLimit::max(site.settings.limits.body);
    api::routes()
        .fallback(page::answer)
        .layer(body)
        .layer(axum::middleware::from_fn_with_state(
            Arc::clone(site),
            guard::guard,
        ))
        .with_state(Arc::clone(site))
}
