//! `gamete serve`: the page, on this machine or, with a token, for others.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use web::{Limits, ServeError, Server, Settings};

use crate::interrupt::interrupted;
use crate::output::{Failure, print, print_to_stderr};
use crate::pool_view::pool_view;
use crate::progress::threads;
use crate::runs_dir::RunsDir;

const EXAMPLES: &str = "\
On the page you play, watch games, and follow runs; its API is under /api/. It is reachable from this machine only, unless --listen is \
given: then every request must carry the token. Ctrl-C saves the running study and stops; 'gamete resume' resumes it.

Examples:
  gamete serve
  gamete serve --port 9000 --runs-dir /data/runs --no-open
  gamete serve --pool nats://127.0.0.1:4222
  gamete serve --listen 0.0.0.0 --token-file secret";

/// Arguments of `gamete serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The port; 0 for any free one
    #[arg(long, value_name = "N", default_value_t = 8048)]
    port: u16,
    /// Print the address, but do not open a browser
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    runs_dir: RunsDir,
    /// The address to listen on; any but a loopback address requires a token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// A file with the token that every request must know, instead of GAMETE_TOKEN [default: none on this machine, else one that is made and printed]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Refused: other users see the arguments of a process
    #[arg(long, value_name = "TOKEN", hide = true)]
    token: Option<String>,
    /// Allow the page to start bots, programs as fitness and notifications, and to read player files
    #[arg(long)]
    allow_exec: bool,
    /// Show the workers of a pool: its server (nats://HOST:PORT), or its coordinator.join
    #[arg(long, value_name = "SERVER", env = "GAMETE_POOL")]
    pool: Option<String>,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// The variable with the token.
const TOKEN: &str = "GAMETE_TOKEN";

/// The token of the file or the environment, or a new one where others could reach the server without.
fn token(arguments: &Arguments) -> Result<Option<String>, Failure> {
    if arguments.token.is_some() {
        let why = "--token would show the token to everybody who lists processes; set GAMETE_TOKEN, or name a file that holds it with --token-file";
        return Err(Failure::Usage(why.to_owned()));
    }
    if let Some(path) = &arguments.token_file {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| {
            Failure::Usage(format!(
                "cannot read the token in {}: {error}",
                path.display()
            ))
        })?;
        return checked_token(text.trim(), &path.display().to_string()).map(Some);
    }
    if let Ok(text) = std::env::var(TOKEN) {
        return checked_token(&text, TOKEN).map(Some);
    }
    let made = (!arguments.listen.is_loopback()).then(web::new_token);
    Ok(made.transpose().map_err(anyhow::Error::from)?)
}

/// A token stands in headers and addresses.
fn checked_token(text: &str, place: &str) -> Result<String, Failure> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '~');
    if text.len() >= 8 && text.chars().all(fits) {
        return Ok(text.to_owned());
    }
    Err(Failure::Usage(format!(
        "the token in {place} must be at least 8 letters, digits, '-', '_', '.' or '~'"
    )))
}

/// Serves until Ctrl-C.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let token = token(arguments)?;
    let is_secret = token.is_some();
    let stop = interrupted("saves what is done and stops; Ctrl-C again stops at once\n")?;
    let server = Server::bind(Settings {
        store: arguments.runs_dir.store(),
        listen: SocketAddr::new(arguments.listen, arguments.port),
        token,
        allow_exec: arguments.allow_exec,
        threads: threads(arguments.threads),
        pool: pool_view(arguments.pool.as_deref())?,
        limits: Limits::default(),
    })?;
    let link = server.link();
    print(&format!("{link}\n"))?;
    print_to_stderr(
        "Open this address in a browser to play, watch, and run studies. Ctrl-C saves what runs and stops.",
    );
    // A browser's arguments are seen by other users, and the address holds the token.
    if !arguments.no_open && !is_secret && has_display() {
        open(&link);
    }
    Ok(server.run(&stop)?)
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        match error {
            ServeError::InUse(_) | ServeError::NoToken(_) | ServeError::Listen { .. } => {
                Self::Usage(error.to_string())
            }
            other => Self::Failed(other.into()),
        }
    }
}

fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(target_os = "macos") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// Opens the browser. Whoever has none reads the address.
fn open(link: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let mut browser = Command::new(program);
    browser
        .arg(link)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if browser.spawn().is_err() {
        print_to_stderr(format_args!(
            "note: {program} was not found; open the address yourself"
        ));
    }
}
