//! `gamete cloud up`: rents machines and runs a study on them.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use cloud::launches::{Launched, Launches, Machine};
use cloud::place::Place;
use cloud::plan::Row;
use cloud::sky::task::Launch;
use cloud::sky::{Sky, SkyError};
use lab::study::{Study, reaches_outside};

use super::estimate::{Estimated, Wanted};
use super::jobs::Jobs;
use super::table::tell;
use super::{launches, sky};
use crate::confirm::{check_somebody_is_there, is_agreed};
use crate::output::{Failure, print};

const EXAMPLES: &str = "\
The plan is shown first; nothing is rented before you agree. This very program goes along, so the machines must be x86-64-v3
with Linux, as all that are offered are. Results and checkpoints are kept in --store. When the study has ended the head ends, and
the workers leave after --idle. The same command goes on with a study whose machines are gone.

Keys for the bucket are taken from the environment (AWS_ACCESS_KEY_ID and the like) if they are there.

Examples:
  gamete cloud up my-study.toml --workers 8 --store s3://my-bucket/runs
  gamete cloud up my-study.toml --store gs://my-bucket/runs --clouds gcp --max-price 0.40 --yes
  gamete cloud up my-study.toml --store s3://my-bucket/runs --dry-run";

/// Arguments of `gamete cloud up`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    wanted: Wanted,
    /// Where results are kept: s3://bucket/prefix, gs://... or az://...
    #[arg(long, value_name = "PLACE")]
    store: Place,
    /// How long a worker waits for work before it leaves; a head that vanished needs some minutes to come back
    #[arg(long, value_name = "TIME", default_value = "20m", value_parser = idle)]
    idle: Duration,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
    /// Only show the plan and the task files
    #[arg(long)]
    dry_run: bool,
}

fn idle(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    let allowed = Duration::from_secs(60)..=Duration::from_secs(86_400);
    if !allowed.contains(&time) {
        return Err("it must be a minute to a day".to_owned());
    }
    Ok(time)
}

const QUESTION: &str = "Rent these machines?";

/// What is about to be launched.
struct Prepared {
    launched: Launched,
    head: String,
    worker: String,
}

/// Plans, asks, and launches.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if !arguments.yes && !arguments.dry_run {
        check_somebody_is_there(QUESTION)?;
    }
    let estimated = arguments.wanted.estimate()?;
    check_goes_along(&estimated.study)?;
    let row = chosen(&estimated)?;
    let prepared = prepare(arguments, &estimated, row)?;
    if arguments.dry_run {
        let Prepared { head, worker, .. } = &prepared;
        return print(&format!("{}\n{head}\n{worker}", tell(&estimated)));
    }
    let (sky, launches) = (sky(), launches()?);
    sky.check_access(row.worker.cloud)?;
    check_is_down(&estimated.study.name, &launches, &sky)?;
    print(&tell(&estimated))?;
    if !arguments.yes && !is_agreed(QUESTION)? {
        return print("nothing was rented\n");
    }
    launch(&prepared, arguments, &launches, &sky)
}

/// Refuses a study whose programs or files would be missing on other machines.
fn check_goes_along(study: &Study) -> Result<(), Failure> {
    let Some(mut flaws) = reaches_outside(&study.text, &study.name) else {
        return Ok(());
    };
    // Telling people works from anywhere.
    flaws.flaws.retain(|flaw| !flaw.key.starts_with("notify"));
    if flaws.flaws.is_empty() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "programs and files of a study do not go along to rented machines\n{flaws}"
    )))
}

fn chosen(estimated: &Estimated) -> Result<&Row, Failure> {
    let row = estimated.plan.recommended();
    row.ok_or_else(|| {
        let told = tell(estimated);
        let verdict = told.lines().next_back().unwrap_or_default();
        Failure::Usage(format!("{verdict}; nothing was rented"))
    })
}

fn prepare(arguments: &Arguments, estimated: &Estimated, row: &Row) -> Result<Prepared, Failure> {
    let head = Machine::of(&row.head, estimated.wish.head_market);
    let worker = Machine::of(&row.worker, estimated.wish.market);
    let (Some(head), Some(worker)) = (head, worker) else {
        return Err(Failure::Usage(format!(
            "prices that do not say where machines stand are not enough to rent any ({}); 'sky launch --dryrun --infra {} true' lets SkyPilot fetch its own, --prices names a table",
            estimated.catalogue.source, row.worker.cloud
        )));
    };
    let launched = Launched::new(
        &estimated.study.name,
        &arguments.store.to_string(),
        (head, worker),
        estimated.wish.workers,
        SystemTime::now(),
    );
    let program = std::env::current_exe().context("cannot say where this program is")?;
    let launch = Launch {
        launched: &launched,
        program: &program,
        study: &absolute(&arguments.wanted.study)?,
        store: &arguments.store,
        idle: arguments.idle,
    };
    let (head, worker) = (launch.head_task(), launch.worker_task());
    Ok(Prepared {
        launched,
        head,
        worker,
    })
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    Ok(std::path::absolute(path).with_context(|| format!("{}", path.display()))?)
}

/// Refuses to launch a study twice.
fn check_is_down(study: &str, launches: &Launches, sky: &Sky) -> Result<(), Failure> {
    let Some(earlier) = launches.find(study)? else {
        return Ok(());
    };
    let alive = Jobs::of(&earlier, &sky.queue()?).alive().len();
    if alive == 0 {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{study} has {alive} jobs already; 'gamete cloud status {study}' shows them, 'gamete cloud down {study}' ends them"
    )))
}

fn launch(
    prepared: &Prepared,
    arguments: &Arguments,
    launches: &Launches,
    sky: &Sky,
) -> Result<(), Failure> {
    let launched = &prepared.launched;
    let study = &launched.study;
    let tasks = [
        ("head.yaml", prepared.head.as_str()),
        ("worker.yaml", &prepared.worker),
    ];
    let [head, worker] = launches.remember(launched, tasks)?;
    let variables = arguments.store.variables().iter().copied();
    let variables: Vec<&str> = variables
        .filter(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
        .collect();
    let (head_job, worker_job) = (launched.head_job(), launched.worker_job());
    sky.launch(&head, &head_job, 1, &variables)
        .and_then(|()| sky.launch(&worker, &worker_job, launched.workers, &variables))
        .map_err(|error| unfinished(study, error))?;
    print(&format!(
        "{study} is launched; 'gamete cloud status {study}' shows how it stands, 'gamete cloud down {study}' ends it\n"
    ))
}

/// Something may have been rented before it failed.
fn unfinished(study: &str, error: SkyError) -> Failure {
    let told = format!("'gamete cloud down {study}' gives back what was rented until then");
    Failure::Failed(anyhow::Error::from(error).context(told))
}
