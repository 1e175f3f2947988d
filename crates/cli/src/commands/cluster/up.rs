//! `gamete cluster up`: a server for workers.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use cluster::address::PORT;
use cluster::link::{Link, Role};
use cluster::server::{GivenCertificate, Plan, Running, ServerError, up};

use super::ServerDirectory;
use crate::announced::announce;
use crate::output::{Failure, print};

const EXAMPLES: &str = "\
The server is nats-server; it runs in the background until 'gamete cluster down'. On 127.0.0.1 everybody on this machine may \
use it. Listening elsewhere, it encrypts and requires keys. They are, with the certificate, in two .join files: one for the \
coordinator and one for workers, each of which can play games under its own name and nothing else. A restart keeps them.

Examples:
  gamete cluster up
  gamete cluster up --listen 0.0.0.0 --host lab7.example.org
  gamete cluster up --listen 10.0.0.5:4333 --cert server.pem --key server.key --ca authority.pem";

/// Arguments of `gamete cluster up`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Where to listen: an address, with or without a port
    #[arg(long, value_name = "ADDRESS[:PORT]", default_value = "127.0.0.1:4222", value_parser = listen)]
    listen: SocketAddr,
    /// The name or address under which other machines reach this one
    #[arg(long, value_name = "NAME")]
    host: Option<String>,
    /// Leave the workers' join file in an object store (s3://BUCKET/PATH/worker.join), for machines that start by themselves
    #[arg(long, value_name = "LOCATION")]
    announce: Option<String>,
    /// Encrypt and require keys on 127.0.0.1 as well: for machines that others use too
    #[arg(long)]
    secure: bool,
    #[command(flatten)]
    directory: ServerDirectory,
    /// The program nats-server [default: found on the PATH]
    #[arg(long, value_name = "PATH", env = "GAMETE_NATS_SERVER")]
    server: Option<PathBuf>,
    /// A certificate of your own, instead of one that is made
    #[arg(long, value_name = "FILE", requires = "key")]
    cert: Option<PathBuf>,
    /// Its key
    #[arg(long, value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,
    /// The certificate of the authority that signed it, unless all machines trust it already
    #[arg(long, value_name = "FILE", requires = "cert")]
    ca: Option<PathBuf>,
}

fn listen(text: &str) -> Result<SocketAddr, String> {
    let with_port = text.parse::<SocketAddr>().ok();
    let bare = text.parse::<IpAddr>().ok();
    let found = with_port.or_else(|| bare.map(|ip| SocketAddr::new(ip, PORT)));
    let found = found.filter(|address| address.port() != 0);
    found.ok_or_else(|| "an address like 0.0.0.0 or 127.0.0.1:4333".to_owned())
}

/// Starts it, and says how to go on.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let certificate = arguments.cert.clone().zip(arguments.key.clone());
    let directory =
        std::path::absolute(arguments.directory.path()?).map_err(anyhow::Error::from)?;
    let plan = Plan {
        directory,
        listen: arguments.listen,
        host: arguments.host.clone(),
        program: arguments.server.clone(),
        secure: arguments.secure,
        certificate: certificate.map(|(certificate, key)| GivenCertificate {
            certificate,
            key,
            authority: arguments.ca.clone(),
        }),
    };
    let running = up(&plan)?;
    check(&running)?;
    if let Some(location) = &arguments.announce {
        announce(location, &running.worker)?;
    }
    print(&told(&running, &arguments.directory))
}

/// Whatever is wrong with it is better known now.
fn check(running: &Running) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(anyhow::Error::from)?;
    runtime.block_on(Link::open(&running.coordinator, Role::Coordinator))?;
    Ok(())
}

/// What a person types next.
fn told(running: &Running, directory: &ServerDirectory) -> String {
    let begun = if running.was_running {
        "runs already"
    } else {
        "is started"
    };
    let mut text = format!(
        "The server {begun}: {} (process {}).\n\n",
        running.coordinator.url, running.process
    );
    let [coordinator, worker] = running
        .files
        .each_ref()
        .map(|path| quoted(&path.display().to_string()));
    let url = &running.coordinator.url;
    let here = match &directory.dir {
        Some(path) => format!(" --dir {}", quoted(&path.display().to_string())),
        None => String::new(),
    };
    if running.coordinator.login.is_some() {
        text += &format!(
            "On every other machine, with a copy of {worker} (it holds a key: keep it to yourself):\n  \
             gamete worker --join worker.join\n\nThen here:\n  gamete run STUDY --pool {coordinator}\n  \
             gamete cluster status{here}\n  gamete cluster down{here}\n"
        );
    } else {
        text += &format!(
            "For every worker on this machine:\n  gamete worker --join {url}\n\nThen:\n  gamete run STUDY --pool {url}\n  \
             gamete cluster status{here}\n  gamete cluster down{here}\n\nFor workers on other machines: gamete cluster down{here}, then\n  \
             gamete cluster up --listen 0.0.0.0 --host NAME-OF-THIS-MACHINE\n"
        );
    }
    text
}

/// As a shell reads it.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    match text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

impl From<ServerError> for Failure {
    fn from(error: ServerError) -> Self {
        match error {
            ServerError::DidNotStart { .. } | ServerError::DoesNotEnd(_) => {
                Self::Failed(error.into())
            }
            other => Self::Usage(other.to_string()),
        }
    }
}
