//! `gamete cloud up`: rents machines and runs a study on them.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use cloud::bucket_url::BucketUrl;
use cloud::launches::{Launch, Launches, Machine};
use cloud::plan::Row;
use cloud::sky::task::TaskFiles;
use cloud::sky::{Sky, SkyError};
use lab::study::{Study, reaches_outside};

use super::estimate::{Estimate, PlanArguments};
use super::jobs::Jobs;
use super::table::describe;
use super::{launches, sky};
use crate::confirm::{check_can_ask, confirms};
use crate::output::{Failure, print};
use crate::own_program;

const EXAMPLES: &str = "\
The plan is shown first; nothing is rented before you agree. This program is copied to the machines, which must be x86-64-v3 with \
Linux, as all offered ones are. Results and checkpoints are stored in --store. The head ends with the study, and the workers \
leave after --idle. If the machines are lost, the same command resumes the study.

Keys for the bucket are taken from the environment (AWS_ACCESS_KEY_ID etc.) if they are set.

Examples:
  gamete cloud up my-study.toml --workers 8 --store s3://my-bucket/runs
  gamete cloud up my-study.toml --store gs://my-bucket/runs --clouds gcp --max-price 0.40 --yes
  gamete cloud up my-study.toml --store s3://my-bucket/runs --dry-run";

/// Arguments of `gamete cloud up`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    plan: PlanArguments,
    /// Where to store results: s3://bucket/prefix, gs://... or az://...
    #[arg(long, value_name = "LOCATION")]
    store: BucketUrl,
    /// How long a worker waits for work before it leaves; a lost head takes some minutes to be replaced
    #[arg(long, value_name = "TIME", default_value = "20m", value_parser = idle)]
    idle: Duration,
    /// Do not ask for confirmation
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
        return Err("expected a minute to a day".to_owned());
    }
    Ok(time)
}

const QUESTION: &str = "Rent these machines?";

/// A launch with its task files.
struct Prepared {
    launch: Launch,
    head: String,
    worker: String,
}

/// Plans, asks, and launches.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if !arguments.yes && !arguments.dry_run {
        check_can_ask(QUESTION)?;
    }
    let study = arguments.plan.read_study()?;
    check_is_portable(&study)?;
    let estimate = arguments.plan.estimate(study)?;
    let row = chosen(&estimate)?;
    let prepared = prepare(arguments, &estimate, row)?;
    if arguments.dry_run {
        let Prepared { head, worker, .. } = &prepared;
        return print(&format!("{}\n{head}\n{worker}", describe(&estimate)));
    }
    let (sky, launches) = (sky(), launches()?);
    sky.check_access(row.worker.cloud)?;
    check_is_down(&estimate.study.name, &launches, &sky)?;
    print(&describe(&estimate))?;
    if !arguments.yes && !confirms(QUESTION)? {
        return print("nothing was rented\n");
    }
    run_launch(&prepared, arguments, &launches, &sky)
}

/// Refuses a study that needs programs or files of this machine.
fn check_is_portable(study: &Study) -> Result<(), Failure> {
    let Some(mut flaws) = reaches_outside(&study.text, &study.name) else {
        return Ok(());
    };
    // Notifications work from anywhere.
    flaws.flaws.retain(|flaw| !flaw.key.starts_with("notify"));
    if flaws.flaws.is_empty() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "a study on rented machines cannot use programs and files of this machine\n{flaws}"
    )))
}

fn chosen(estimate: &Estimate) -> Result<&Row, Failure> {
    let row = estimate.plan.recommended();
    row.ok_or_else(|| {
        let text = describe(estimate);
        let verdict = text.lines().next_back().unwrap_or_default();
        Failure::Usage(format!("{verdict}; nothing was rented"))
    })
}

fn prepare(arguments: &Arguments, estimate: &Estimate, row: &Row) -> Result<Prepared, Failure> {
    let head = Machine::of(&row.head, estimate.requirements.head_market);
    let worker = Machine::of(&row.worker, estimate.requirements.market);
    let (Some(head), Some(worker)) = (head, worker) else {
        return Err(Failure::Usage(format!(
            "renting needs prices with regions, which these do not have ({}); 'sky launch --dryrun --infra {} true' downloads SkyPilot's catalogue, or use --prices",
            estimate.catalogue.source, row.worker.cloud
        )));
    };
    let launch = Launch::new(
        &estimate.study.name,
        &arguments.store.to_string(),
        (head, worker),
        estimate.requirements.workers,
        SystemTime::now(),
    );
    let program = own_program::standalone()?;
    let files = TaskFiles {
        launch: &launch,
        program: &program,
        study: &absolute(&arguments.plan.study)?,
        store: &arguments.store,
        idle: arguments.idle,
    };
    let (head, worker) = (files.head_task(), files.worker_task());
    Ok(Prepared {
        launch,
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
        "{study} already has {alive} jobs; 'gamete cloud status {study}' shows them, 'gamete cloud down {study}' cancels them"
    )))
}

fn run_launch(
    prepared: &Prepared,
    arguments: &Arguments,
    launches: &Launches,
    sky: &Sky,
) -> Result<(), Failure> {
    let launch = &prepared.launch;
    let study = &launch.study;
    let tasks = [
        ("head.yaml", prepared.head.as_str()),
        ("worker.yaml", &prepared.worker),
    ];
    let [head, worker] = launches.save(launch, tasks)?;
    let variables = arguments.store.variables().iter().copied();
    let variables: Vec<&str> = variables
        .filter(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
        .collect();
    let (head_job, worker_job) = (launch.head_job(), launch.worker_job());
    sky.launch(&head, &head_job, 1, &variables)
        .and_then(|()| sky.launch(&worker, &worker_job, launch.workers, &variables))
        .map_err(|error| unfinished(study, error))?;
    print(&format!(
        "{study} is launched; 'gamete cloud status {study}' shows its machines, 'gamete cloud down {study}' releases them\n"
    ))
}

/// Some machines may have been rented before the failure.
fn unfinished(study: &str, error: SkyError) -> Failure {
    let advice = format!("'gamete cloud down {study}' releases what was rented so far");
    Failure::Failed(anyhow::Error::from(error).context(advice))
}
