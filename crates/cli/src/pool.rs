//! Workers on other machines: `--pool`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cluster::address::{Address, AddressError};
use cluster::games::GameHandler;
use cluster::link::LinkError;
use cluster::pool::{Pool, PoolError, Settings};
use lab::run::event::{Event, Observer};
use lab::run::provenance::distrust;
use lab::store::{RunFile, Store};
use lab::study::Study;
use play::batch::Dispatch;
use play::playing::Workers;

use crate::output::{Failure, in_line, print_to_stderr};
use crate::own_program;

/// Who plays elsewhere.
#[derive(Debug, clap::Args)]
pub(crate) struct PoolArguments {
    /// Have workers play the games: the server they have joined (nats://HOST:PORT), or its coordinator.join
    #[arg(long, value_name = "SERVER", env = "GAMETE_POOL")]
    pool: Option<String>,
    /// Reassign a silent worker's games after this long
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = patience)]
    patience: Duration,
    /// The share of the workers' results that is verified by playing them again here
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = share)]
    recheck: f64,
    /// The share of the games that two workers play and compare: 'all', or a number from 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share_or_all)]
    verify: f64,
}

/// The program that workers, and the coordinator to verify their results, start for games that may have ended others.
pub(crate) fn game_handler() -> Result<GameHandler, Failure> {
    Ok(GameHandler {
        program: own_program::launcher()?,
        arguments: &["worker", "--chunk"],
    })
}

/// How long workers are waited for, so that it is known how many runs keep them busy.
const FIRST_WORKER: Duration = Duration::from_secs(2);

fn patience(text: &str) -> Result<Duration, String> {
    let (least, most) = (Duration::from_secs(1), Duration::from_secs(3600));
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    match (least..=most).contains(&time) {
        true => Ok(time),
        false => Err("1s to 1h".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a number from 0 to 1".to_owned())
}

fn share_or_all(text: &str) -> Result<f64, String> {
    match text {
        "all" => Ok(1.0),
        text => share(text).map_err(|_| "'all', or a number from 0 to 1".to_owned()),
    }
}

/// What workers play for, and who is told.
pub(crate) struct PoolWork {
    /// What it is called on the pool.
    pub(crate) name: String,
    /// The same whenever the work is resumed here, and another one's for others.
    pub(crate) key: String,
    /// Takes what a person should know.
    pub(crate) tell: Arc<dyn Fn(String) + Send + Sync>,
    /// Takes the public key of a worker that returned a wrong result.
    pub(crate) found_wrong: Arc<dyn Fn(&str) + Send + Sync>,
}

impl PoolWork {
    /// The work of a study.
    pub(crate) fn of_study(study: &Study, store: &Store, observer: &Arc<dyn Observer>) -> Self {
        let root = std::path::absolute(store.root()).unwrap_or_else(|_| store.root().to_owned());
        let what = format!("{}\n{}\n{}", host_name(), root.display(), study.name);
        let (run, observer) = (study.name.clone(), Arc::clone(observer));
        let tell: Arc<dyn Fn(String) + Send + Sync> = Arc::new(move |text| {
            let run = run.clone();
            observer.hear(&Event::Note { run, text });
        });
        let (folder, warn) = (store.folder(&study.name), Arc::clone(&tell));
        Self {
            name: format!("{}@{}", study.name, &work_hash(study)[..8]),
            key: blake3::hash(what.as_bytes()).to_hex()[..16].to_owned(),
            tell,
            found_wrong: Arc::new(move |worker| {
                if let Err(error) = distrust(folder.path(), worker) {
                    warn(error.to_string());
                }
            }),
        }
    }

    /// The work of a command that keeps nothing.
    pub(crate) fn of_command(command: &str) -> Self {
        let what = format!("{}\n{}\n{command}", host_name(), std::process::id());
        let hash = blake3::hash(what.as_bytes()).to_hex();
        Self {
            name: format!("{command}@{}", &hash[..8]),
            key: hash[..16].to_owned(),
            tell: Arc::new(|text| print_to_stderr(format_args!("note: {}", in_line(&text)))),
            found_wrong: Arc::new(|_| {}),
        }
    }
}

impl PoolArguments {
    /// Joins the pool, if there is to be one; errors are reported before anything starts.
    pub(crate) fn open(
        &self,
        work: PoolWork,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Arc<dyn Dispatch>>, Failure> {
        let Some(server) = &self.pool else {
            return Ok(None);
        };
        let settings = Settings {
            study: work.name,
            key: work.key,
            patience: self.patience,
            checked: self.recheck,
            doubled: self.verify,
            handler: Arc::new(game_handler()?),
            found_wrong: work.found_wrong,
            stop: Arc::clone(stop),
            tell: work.tell,
        };
        let pool = Pool::open(&Address::read(server)?, settings)?;
        pool.await_worker(FIRST_WORKER);
        Ok(Some(Arc::new(pool)))
    }

    /// Threads here, and the pool if there is to be one, for a command that keeps nothing.
    pub(crate) fn workers(
        &self,
        command: &str,
        threads: usize,
        stop: &Arc<AtomicBool>,
    ) -> Result<Workers, Failure> {
        let pool = self.open(PoolWork::of_command(command), stop)?;
        Ok(Workers::new(threads)?.with(pool).until(stop))
    }
}

/// Everything that the numbers of a study follow from.
fn work_hash(study: &Study) -> String {
    let runs = study.runs();
    let runs: Vec<RunFile> = runs.iter().map(|run| RunFile::of(study, run)).collect();
    let text = serde_json::to_vec(&runs).expect("plain data can be written");
    blake3::hash(&text).to_hex().to_string()
}

/// This machine's name.
pub(crate) fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        "" => "machine".to_owned(),
        name => name.to_owned(),
    }
}

impl From<AddressError> for Failure {
    fn from(error: AddressError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<LinkError> for Failure {
    fn from(error: LinkError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<PoolError> for Failure {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::System(_) => Self::Failed(error.into()),
            other => Self::Usage(other.to_string()),
        }
    }
}
