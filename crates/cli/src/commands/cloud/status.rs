//! `gamete cloud status`: the machines of studies and their cost so far.

use cloud::launches::{Launch, Machine};
use cloud::sky::Job;
use serde_json::{Value as Json, json};

use super::jobs::Jobs;
use super::{launches, sky};
use crate::output::{Failure, Table, print, print_json};

const EXAMPLES: &str = "\
Examples:
  gamete cloud status
  gamete cloud status my-study --json";

/// Arguments of `gamete cloud status`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The study [default: all that were launched]
    study: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Shows them.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let launches = launches()?;
    let known = match &arguments.study {
        Some(study) => vec![launches.get(study)?],
        None => launches.all()?,
    };
    if known.is_empty() && !arguments.json {
        return print("nothing was launched\n");
    }
    let queue = if known.is_empty() {
        Vec::new()
    } else {
        sky().queue()?
    };
    let with_jobs = known.iter().map(|one| (one, Jobs::of(one, &queue)));
    if arguments.json {
        let all: Vec<Json> = with_jobs.map(|(one, jobs)| as_json(one, &jobs)).collect();
        return print_json(&all);
    }
    let all: Vec<String> = with_jobs.map(|(one, jobs)| as_text(one, &jobs)).collect();
    print(&all.join("\n"))
}

fn as_json(launch: &Launch, jobs: &Jobs) -> Json {
    json!({
        "launched": launch,
        "head": jobs.head,
        "workers": jobs.workers,
        "dollars": dollars(launch, jobs),
    })
}

fn as_text(launch: &Launch, jobs: &Jobs) -> String {
    let Launch {
        study,
        workers,
        worker,
        head,
        store,
        ..
    } = launch;
    let at = humantime::format_rfc3339_seconds(launch.at());
    let mut text = format!(
        "{study}: {workers} x {} and a head of {} in {}/{}, launched at {at}\nresults are stored in {store}\n",
        worker.machine_type, head.machine_type, worker.cloud, worker.region
    );
    let mut table = Table::new(["role", "job", "state", "time", "lost machines"]);
    for (role, job) in roles(jobs) {
        let seconds = std::time::Duration::from_secs(job.seconds.max(0.0) as u64);
        table.row([
            role,
            job.id.to_string(),
            job.state.0.clone(),
            humantime::format_duration(seconds).to_string(),
            job.recoveries.to_string(),
        ]);
    }
    text += &table.render();
    text += &format!(
        "about {:.2} dollars so far, at the planned prices\n",
        dollars(launch, jobs)
    );
    text + &advice(launch, jobs)
}

fn roles(jobs: &Jobs) -> impl Iterator<Item = (String, &Job)> {
    let head = jobs.head.iter().map(|job| ("head".to_owned(), job));
    let workers = jobs.workers.iter().zip(1..);
    head.chain(workers.map(|(job, number)| (format!("worker {number}"), job)))
}

/// What to do now, if anything.
fn advice(launch: &Launch, jobs: &Jobs) -> String {
    let study = &launch.study;
    match &jobs.head {
        None => {
            format!("SkyPilot has no head for it; 'gamete cloud down {study}' cancels the rest\n")
        }
        Some(head) if head.state.is_done() => {
            "the study has ended; idle workers will leave\n".to_owned()
        }
        Some(head) if head.state.is_over() => format!(
            "the head has failed; 'gamete cloud logs {study}' shows why, and the same 'gamete cloud up' resumes the study\n"
        ),
        Some(_) => String::new(),
    }
}

fn dollars(launch: &Launch, jobs: &Jobs) -> f64 {
    let paid = |machine: &Machine, job: &Job| machine.price * job.seconds / 3600.0;
    let head = jobs.head.iter().map(|job| paid(&launch.head, job));
    let workers = jobs.workers.iter().map(|job| paid(&launch.worker, job));
    head.chain(workers).sum()
}
