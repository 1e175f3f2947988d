//! Worker processes, and the pool that uses them.

use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cluster::address::Address;
use cluster::link::LinkError;
use cluster::pool::{Pool, PoolError, Settings};
use cluster::worker::{JobHandler, WorkerConfig, WorkerError, work};
use fixtures::nats::{Nats, program};
use fixtures::send;
use rustix::process::Signal;

use crate::sums::{Hasher, Sums};

/// Where a process that is to be a worker is told to work.
pub(crate) const ROLE: &str = "GAMETE_TEST_WORKER";
const LIES: &str = "GAMETE_TEST_LIES_FROM";
const CORES: &str = "GAMETE_TEST_CORES";
/// Only what hangs takes so long, however busy the machine is.
pub(crate) const HANG: Duration = Duration::from_secs(600);

/// Is a worker to the end of the process.
pub(crate) fn work_at(url: &str) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let stop = Arc::new(AtomicBool::new(false));
    let config = WorkerConfig {
        name: "a test".to_owned(),
        cores: number(CORES).unwrap_or(2) as usize,
        idle: None,
        away: None,
        stop,
        tell: |_| {},
    };
    let handler: Arc<dyn JobHandler> = Arc::new(Hasher {
        lies_from: number(LIES),
        chunks: Mutex::new(0),
    });
    let address = Address::read(url).expect("an address");
    loop {
        match work(&address, &config, &handler) {
            // On a busy machine connecting may take longer than a worker waits.
            Err(WorkerError::Link(LinkError::NotReachable { .. })) => {}
            left => panic!("it left: {left:?}"),
        }
    }
}

/// A server of the test's own; none if it cannot be installed.
pub(crate) fn server() -> Option<(Nats, tempfile::TempDir)> {
    let program = program()?;
    let place = tempfile::tempdir().expect("a directory");
    Some((Nats::start(&program, place.path()), place))
}

/// A worker process; it ends with the test.
pub(crate) struct Hand(pub(crate) Child);

impl Hand {
    pub(crate) fn join(url: &str, cores: usize) -> Self {
        Self::join_as(url, cores, None)
    }

    /// One whose results are wrong from that chunk on.
    pub(crate) fn join_as(url: &str, cores: usize, lies_from: Option<u64>) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command
            .args(["--exact", "play_a_role"])
            .env(ROLE, url)
            .env(CORES, cores.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if let Some(from) = lies_from {
            command.env(LIES, from.to_string());
        }
        Self(command.spawn().expect("a worker"))
    }

    pub(crate) fn send(&self, signal: Signal) {
        send(&self.0, signal);
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a pool told.
pub(crate) type Told = Arc<Mutex<Vec<String>>>;

pub(crate) fn settings(checked: f64) -> (Settings, Told) {
    let told: Told = Arc::default();
    let hear = Arc::clone(&told);
    let settings = Settings {
        study: "sums@1".to_owned(),
        key: "sums".to_owned(),
        patience: Duration::from_secs(2),
        checked,
        doubled: 0.0,
        handler: Arc::new(Hasher {
            lies_from: None,
            chunks: Mutex::new(0),
        }),
        found_wrong: Arc::new(|_| {}),
        stop: Arc::default(),
        tell: Arc::new(move |text| hear.lock().expect("told").push(text)),
    };
    (settings, told)
}

pub(crate) fn pool(url: &str, checked: f64) -> (Pool, Told) {
    let (settings, told) = settings(checked);
    let address = Address::read(url).expect("an address");
    (open(&address, &settings).expect("a pool"), told)
}

/// Opens a pool at a server that runs. On a busy machine its answer may take longer than a coordinator waits; then it is asked again.
pub(crate) fn open(address: &Address, settings: &Settings) -> Result<Pool, PoolError> {
    answered(
        || Pool::open(address, settings.clone()),
        |error| matches!(error, PoolError::Link(LinkError::NotReachable { .. })),
    )
}

/// Asks until the answer is another one than that nobody answers.
pub(crate) fn answered<T, E>(
    ask: impl Fn() -> Result<T, E>,
    is_silence: impl Fn(&E) -> bool,
) -> Result<T, E> {
    let began = Instant::now();
    loop {
        match ask() {
            Err(error) if is_silence(&error) && began.elapsed() < HANG => {}
            answer => return answer,
        }
    }
}

/// Does an source while something happens to whoever does it; what comes of that is kept until the source is done.
pub(crate) fn during<T>(pool: &Pool, sums: &Sums, happens: impl FnOnce() -> T) {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _at_the_end = Stop(&stop);
        let running = scope.spawn(|| pool.run(sums, &stop));
        let _kept = happens();
        running.join().expect("it runs").expect("it is done");
    });
    sums.check();
}

/// Stops an source when a test fails, which would wait for it for ever.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Waits until something holds; a test that waits in vain fails.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < HANG, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
