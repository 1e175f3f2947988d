//! `gamete show`: a study or a run in detail.

mod individuals;

use std::path::Path;

use lab::run::outcome::Outcome;
use lab::store::{Folder, Named, RunFolder};
use lab::study::NETWORK;
use play::network_file::{NetworkFile, Trained};
use play::numbers::{figure, listed, with_interval};
use report::results::{Results, RunResults};
use serde_json::{Value, json};

use crate::output::{Failure, Table, in_line, print, print_json};
use crate::runs_dir::RunsDir;
use crate::studies::{check_whole, render_results};

use individuals::Which;

const EXAMPLES: &str = "\
Examples:
  gamete show my-study
  gamete show my-study/s1-r2
  gamete show my-study/s1-r2 --json
  gamete show my-study/s1-r2 --generation 7
  gamete show my-study/s1-r2 --generation last --top 5";

/// Arguments of `gamete show`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The study, or a run of it
    name: String,
    #[command(flatten)]
    runs_dir: RunsDir,
    /// Show the individuals of this generation of a run, a number from 0 or last: genes, games, parents
    #[arg(long, value_name = "N")]
    generation: Option<Which>,
    /// Show only this many of them, the fittest
    #[arg(long, value_name = "N", requires = "generation")]
    top: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints it.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let found = arguments.runs_dir.store().find(&arguments.name)?;
    match (found, arguments.generation) {
        (Named::Run(folder, run), Some(_)) if run.path.join(NETWORK).is_file() => {
            Err(Failure::Usage(format!(
                "--generation: {}/{} is a training, which has no generations; 'gamete export' writes its games",
                folder.name, run.name
            )))
        }
        (Named::Study(_), Some(_)) => Err(Failure::Usage(format!(
            "--generation: {name} is a study; name one of its runs, as in {name}/s1-r1 ('gamete runs' lists them)",
            name = arguments.name
        ))),
        (Named::Study(folder), None) => show_study(&folder, arguments.json),
        (Named::Run(folder, run), None) => show_run(&folder, &run, arguments.json),
        (Named::Run(folder, run), Some(which)) => {
            let id = format!("{}/{}", folder.name, run.name);
            individuals::show(&id, &run.path, which, arguments.top, arguments.json)
        }
    }
}

fn show_study(folder: &Folder, json: bool) -> Result<(), Failure> {
    let results = Results::read(folder)?;
    if json {
        return print_json(&results);
    }
    let question = match results.question.as_str() {
        "" => String::new(),
        question => format!("{question}\n\n"),
    };
    print(&format!("{question}{}", render_results(&results)))?;
    check_whole(&results)
}

fn show_run(folder: &Folder, place: &RunFolder, json: bool) -> Result<(), Failure> {
    let results = Results::read(folder)?;
    let id = format!("{}/{}", folder.name, place.name);
    let Some((setting, run)) = results.run(&id) else {
        return Err(Failure::Usage(format!(
            "{id} is no longer a run of its study: it has fewer settings or repeats now"
        )));
    };
    if json {
        return print_json(&as_json(&setting.label, run));
    }
    let unit = results.unit();
    let file = place.file()?;
    let steps = file.as_ref().map_or("steps", |file| file.steps.as_str());
    print(&render_run(setting.name(), run, unit, steps))
}

fn as_json(setting: &str, run: &RunResults) -> Value {
    json!({
        "run": run.id,
        "setting": setting,
        "repeat": run.repeat,
        "seed": run.seed,
        "state": run.state,
        "directory": run.path,
        "metrics": run.metrics,
        "status": run.status,
        "outcome": run.outcome,
    })
}

fn render_run(setting: &str, run: &RunResults, unit: &str, steps: &str) -> String {
    let mut text = format!("{}: {}\n", run.id, run.state.word());
    text += &format!(
        "{}, repeat {}, seed {}\n",
        in_line(setting),
        run.repeat,
        run.seed
    );
    for damage in &run.damage {
        text += &format!("damaged: {}\n", in_line(damage));
    }
    if let Some(status) = &run.status {
        text += &format!(
            "{} of {} {}, {} {unit}, {} s on {} threads, started {} (attempt {})\n",
            status.done,
            status.of,
            steps,
            figure(status.games as f64),
            figure(status.seconds),
            status.threads,
            status.started,
            status.attempts
        );
        if let Some(error) = &status.error {
            text += &format!("failed: {}\n", in_line(error));
        }
    }
    if !run.metrics.is_empty() {
        let mut table = Table::new(["number", "value, 95 % interval"]);
        for (name, metric) in &run.metrics {
            table.row([name.clone(), with_interval(metric.value, metric.ci95)]);
        }
        text += &format!("\n{}", table.render());
    }
    let network = run.path.join(NETWORK);
    text += &match &run.outcome {
        Some(_) if network.is_file() => self::network(&network),
        outcome => outcome.as_ref().map(champion).unwrap_or_default(),
    };
    text + &format!("\nIts files are in {}\n", run.path.display())
}

/// The network of a training; a damaged one is reported with the run's files.
fn network(path: &Path) -> String {
    NetworkFile::open(path).map_or(String::new(), |file| {
        let Trained {
            network,
            method,
            games,
            ..
        } = file.trained;
        format!(
            "\nThe network: {network}, trained by {method} with {} games. 'gamete players show {}' tells more of it\n",
            figure(games as f64),
            path.display()
        )
    })
}

fn champion(outcome: &Outcome) -> String {
    if let Some(genome) = &outcome.genome {
        let genes = genome.iter().map(|(name, value)| (name.clone(), *value));
        return format!("\nThe best genome: {}\n", listed(genes));
    }
    let Some(file) = &outcome.champion else {
        return String::new();
    };
    let carries = file
        .program
        .clone()
        .unwrap_or_else(|| listed(file.named_weights()));
    format!("\nThe champion: {} with {carries}\n", file.player)
}
