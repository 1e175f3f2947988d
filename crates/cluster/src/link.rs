//! A connection to the server, with a clear error for everything that can go wrong.

use std::sync::Arc;
use std::time::Duration;

use async_nats::connection::State;
use async_nats::{AuthError, Client, ConnectErrorKind, ConnectOptions, Event, ServerError};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use tokio::sync::watch;

use crate::address::{Address, Login};
use crate::identity::Identity;

/// Older servers were not tried.
pub const OLDEST_SERVER: (u32, u32, u32) = (2, 10, 0);

/// Timeout for connecting.
const CONNECTING: Duration = Duration::from_secs(5);
/// How often the server is asked whether it is still there. After two questions without an answer the connection is given up: about as long as
/// the server waits for a client that does not read.
const PING: Duration = Duration::from_secs(5);
/// How long a message may wait for those before it.
const SENDING: Duration = Duration::from_secs(5);

/// Why there is no usable connection.
#[derive(Debug, Clone, thiserror::Error)]
pub enum LinkError {
    /// No answer.
    #[error("no server answers at {url} ({why}). Is it running? 'gamete cluster up' starts one")]
    NotReachable {
        /// The address.
        url: String,
        /// The cause.
        why: String,
    },
    /// It refused the login.
    #[error(
        "the server at {url} refused the login; use a .join file that 'gamete cluster up' wrote for it"
    )]
    Refused {
        /// The address.
        url: String,
    },
    /// Its certificate is not trusted, or it does not encrypt.
    #[error(
        "no trusted connection to {url}: {why}. Use tls:// and the certificate of that server: a .join file that 'gamete cluster up' wrote contains it"
    )]
    Untrusted {
        /// The address.
        url: String,
        /// What is wrong.
        why: String,
    },
    /// It is too old.
    #[error("the server at {url} is nats-server {version}; at least {}.{}.{} is needed", OLDEST_SERVER.0, OLDEST_SERVER.1, OLDEST_SERVER.2)]
    OldServer {
        /// The address.
        url: String,
        /// Its version.
        version: String,
    },
    /// Something is not allowed.
    #[error(
        "the server at {url} does not allow this: {what}. Coordinators need coordinator.join, workers worker.join"
    )]
    Denied {
        /// The address.
        url: String,
        /// What.
        what: String,
    },
}

/// The role of this client.
#[derive(Debug, Clone)]
pub enum Role {
    /// May do everything.
    Coordinator,
    /// May take orders, send results, and report its presence, all under its own name.
    Worker(Identity),
}

/// A connection.
#[derive(Debug, Clone)]
pub struct Link {
    /// Sends and receives messages.
    pub client: Client,
    /// The server's address.
    pub url: String,
    fault: watch::Receiver<Option<LinkError>>,
}

impl Link {
    /// Connects, or fails in bounded time.
    pub async fn open(address: &Address, role: Role) -> Result<Self, LinkError> {
        let (tell, fault) = watch::channel(None);
        let options = options(address, role, tell)?;
        let connecting =
            tokio::time::timeout(2 * CONNECTING, options.connect(address.url.as_str()));
        let client = match connecting.await {
            Ok(connected) => connected.map_err(|error| connect_error(address, &error))?,
            Err(_) => {
                return Err(not_reachable(
                    address,
                    "it accepts the connection but does not answer",
                ));
            }
        };
        let link = Self {
            client,
            url: address.url.clone(),
            fault,
        };
        link.check_server()?;
        Ok(link)
    }

    fn check_server(&self) -> Result<(), LinkError> {
        let info = self.client.server_info();
        if is_too_old(&info.version) {
            return Err(LinkError::OldServer {
                url: self.url.clone(),
                version: info.version,
            });
        }
        Ok(())
    }

    /// A permanent error: retrying would not help.
    #[must_use]
    pub fn fault(&self) -> Option<LinkError> {
        self.fault.borrow().clone()
    }

    /// Is the server there now?
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Sends a message that may be lost. It is, if the server is away: the client would keep it, and once it has kept enough of them, the
    /// sender would wait for the server and hear nothing else, not even that it should stop.
    pub async fn send(&self, subject: String, payload: Vec<u8>) {
        if self.is_connected() {
            let sent = self.client.publish(subject, payload.into());
            let _ = tokio::time::timeout(SENDING, sent).await;
        }
    }

    /// The largest message the server accepts, less its header.
    #[must_use]
    pub fn largest_message(&self) -> usize {
        let most = self.client.server_info().max_payload;
        most - most / 8
    }
}

fn options(
    address: &Address,
    role: Role,
    tell: watch::Sender<Option<LinkError>>,
) -> Result<ConnectOptions, LinkError> {
    let url = address.url.clone();
    let mut options = ConnectOptions::new()
        .connection_timeout(CONNECTING)
        .ping_interval(PING)
        .reconnect_delay_callback(reconnect_delay)
        .ignore_discovered_servers()
        .event_callback(move |event| {
            let url = url.clone();
            if let Some(fault) = fault_of(event, url) {
                tell.send_replace(Some(fault));
            }
            async {}
        });
    options = options.name(match &role {
        Role::Coordinator => "gamete coordinator".to_owned(),
        Role::Worker(identity) => format!("gamete worker {}", identity.name()),
    });
    options = log_in(options, address, role)?;
    if address.is_encrypted() {
        options = options.require_tls(true);
    }
    match &address.ca {
        Some(pem) => Ok(options.tls_client_config(trusting(pem, &address.url)?)),
        None => Ok(options),
    }
}

fn log_in(
    options: ConnectOptions,
    address: &Address,
    role: Role,
) -> Result<ConnectOptions, LinkError> {
    let Some(login) = &address.login else {
        return Ok(options);
    };
    let unusable = |_| LinkError::Refused {
        url: address.url.clone(),
    };
    let (jwt, identity) = match (login, role) {
        (Login::Password { user, password }, _) => {
            return Ok(options.user_and_password(user.clone(), password.reveal().to_owned()));
        }
        (Login::User(user), _) => (
            user.jwt.clone(),
            Identity::of_seed(&user.seed).map_err(unusable)?,
        ),
        (Login::Worker(issuer), Role::Worker(identity)) => {
            (issuer.user_of(&identity).map_err(unusable)?, identity)
        }
        (Login::Worker(_), Role::Coordinator) => {
            return Err(LinkError::Denied {
                url: address.url.clone(),
                what: "a worker.join cannot give out games".to_owned(),
            });
        }
    };
    Ok(options.jwt(jwt, move |nonce| {
        let identity = identity.clone();
        async move { identity.sign(&nonce).map_err(AuthError::new) }
    }))
}

/// Quickly at first, then at most every two seconds, with jitter.
fn reconnect_delay(attempts: usize) -> Duration {
    let most = Duration::from_millis(100) * (1 << attempts.min(4) as u32);
    let mut random = [0; 2];
    let share = match getrandom::fill(&mut random) {
        Ok(()) => f64::from(u16::from_le_bytes(random)) / f64::from(u16::MAX),
        Err(_) => 1.0,
    };
    most.mul_f64(0.5 + 0.5 * share)
}

/// Trusts only this certificate.
fn trusting(pem: &str, url: &str) -> Result<rustls::ClientConfig, LinkError> {
    let untrusted = |why: String| LinkError::Untrusted {
        url: url.to_owned(),
        why,
    };
    let mut roots = rustls::RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(pem.as_bytes()) {
        let certificate = certificate
            .map_err(|error| untrusted(format!("its certificate cannot be read: {error}")))?;
        roots
            .add(certificate)
            .map_err(|error| untrusted(format!("its certificate cannot be used: {error}")))?;
    }
    if roots.is_empty() {
        return Err(untrusted(
            "the certificate file contains no certificate".to_owned(),
        ));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| untrusted(error.to_string()))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

/// The permanent error behind an event, if it is one.
fn fault_of(event: Event, url: String) -> Option<LinkError> {
    match event {
        Event::ServerError(ServerError::AuthorizationViolation) => Some(LinkError::Refused { url }),
        Event::ServerError(ServerError::Other(what))
            if what.to_lowercase().contains("permissions violation") =>
        {
            Some(LinkError::Denied { url, what })
        }
        _ => None,
    }
}

fn not_reachable(address: &Address, why: impl Into<String>) -> LinkError {
    LinkError::NotReachable {
        url: address.url.clone(),
        why: why.into(),
    }
}

fn connect_error(address: &Address, error: &async_nats::ConnectError) -> LinkError {
    let url = address.url.clone();
    let source = std::error::Error::source(error);
    let why = source.map_or_else(|| error.to_string(), ToString::to_string);
    match error.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            LinkError::Refused { url }
        }
        ConnectErrorKind::Tls => LinkError::Untrusted { url, why },
        ConnectErrorKind::TimedOut => not_reachable(address, "no answer in time"),
        // A wrong certificate ends the handshake like any broken connection.
        ConnectErrorKind::Io if is_about_trust(&why) => LinkError::Untrusted { url, why },
        _ => not_reachable(address, why),
    }
}

fn is_about_trust(why: &str) -> bool {
    let why = why.to_lowercase();
    ["certificate", "tls", "handshake"]
        .iter()
        .any(|word| why.contains(word))
}

fn is_too_old(version: &str) -> bool {
    let numbers = version
        .split(['.', '-'])
        .map(|word| word.parse().unwrap_or(0));
    let mut numbers = numbers.chain(std::iter::repeat(0));
    let mut next = || numbers.next().unwrap_or(0);
    (next(), next(), next()) < OLDEST_SERVER
}
