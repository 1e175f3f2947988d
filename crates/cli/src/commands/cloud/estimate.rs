//! Requirements for rented machines, and the amount of work, for `plan` and `up`.

use std::path::PathBuf;
use std::time::Duration;

use cloud::clouds::{Cloud, cloud};
use cloud::plan::{CostEstimates, MOST_WORKERS, Requirements, Work, plan};
use cloud::prices::{Catalogue, Market};
use lab::study::{Form, RunPlan, Study};
use play::playing::Workers;

use crate::output::Failure;
use crate::progress::threads;

/// Which machines to consider.
#[derive(Debug, clap::Args)]
pub(super) struct PlanArguments {
    /// The study file
    pub(super) study: PathBuf,
    /// Number of workers, besides the head
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_WORKERS)))]
    pub(super) workers: u32,
    /// Clouds to consider, separated by commas [default: all with prices]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = cloud)]
    clouds: Vec<&'static Cloud>,
    /// The only region to consider
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
    /// The only machine type to consider for workers
    #[arg(long = "type", value_name = "NAME")]
    machine_type: Option<String>,
    /// The most a machine may cost, in dollars per hour
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    max_price: Option<f64>,
    /// The time within which the study must be finished
    #[arg(long, value_name = "TIME", value_parser = deadline)]
    pub(super) deadline: Option<Duration>,
    /// Which machines to rent on demand, at the full price, so that they cannot be lost
    #[arg(long, value_name = "WHICH", default_value = "none")]
    on_demand: OnDemand,
    /// A price table with SkyPilot's columns [default: SkyPilot's catalogue, else a built-in one of 2017]
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
}

/// Which machines are rented on demand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum OnDemand {
    /// all are spot machines
    None,
    /// only the head is on demand
    Head,
    /// all are on demand
    All,
}

/// A study, its amount of work, and the machines it could run on.
pub(super) struct Estimate {
    pub(super) study: Study,
    pub(super) runs: usize,
    /// What its steps are called, in the plural.
    pub(super) step: &'static str,
    pub(super) threads: usize,
    pub(super) work: Work,
    pub(super) requirements: Requirements,
    pub(super) catalogue: Catalogue,
    pub(super) plan: CostEstimates,
}

/// Time for trying all settings.
const TRIAL_TIME: Duration = Duration::from_millis(2500);

fn dollars(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value > 0.0 && value <= 10_000.0 => Ok(value),
        _ => Err("expected a number above 0, at most 10000".to_owned()),
    }
}

fn deadline(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if time < Duration::from_secs(60) {
        return Err("expected at least a minute".to_owned());
    }
    Ok(time)
}

impl PlanArguments {
    /// Reads the study.
    pub(super) fn read_study(&self) -> Result<Study, Failure> {
        let study = Study::read(&self.study, Form::Whole)?;
        check_for_machines(&study)?;
        Ok(study)
    }

    /// Reads the prices, tries the study for a few seconds, and plans.
    pub(super) fn estimate(&self, study: Study) -> Result<Estimate, Failure> {
        let home = etcetera::home_dir().ok();
        let catalogue = Catalogue::find(self.prices.as_deref(), home.as_deref())?;
        let requirements = self.requirements();
        // Report requirements that no machine meets before trying the study.
        plan(&NO_WORK, &requirements, &catalogue)?;
        let threads = threads(None);
        let runs = study.runs();
        let work = work(&study, &runs, threads)?;
        Ok(Estimate {
            plan: plan(&work, &requirements, &catalogue)?,
            step: step_name(&study),
            runs: runs.len(),
            study,
            threads,
            work,
            requirements,
            catalogue,
        })
    }

    fn requirements(&self) -> Requirements {
        let market = |full: bool| if full { Market::OnDemand } else { Market::Spot };
        Requirements {
            workers: self.workers,
            market: market(self.on_demand == OnDemand::All),
            head_market: market(self.on_demand != OnDemand::None),
            clouds: self.clouds.clone(),
            region: self.region.clone(),
            machine_type: self.machine_type.clone(),
            max_price: self.max_price,
            deadline: self.deadline,
        }
    }
}

const NO_WORK: Work = Work {
    core_seconds: 0.0,
    steps: 1,
    at_once: 1,
};

fn check_for_machines(study: &Study) -> Result<(), Failure> {
    let times = |setting: &lab::study::Setting| setting.experiment.wants_the_machine();
    if study.settings.iter().any(times) {
        return Err(Failure::Usage(format!(
            "{} measures speed on one machine; more machines do not help",
            study.name
        )));
    }
    Ok(())
}

fn work(study: &Study, runs: &[RunPlan], threads: usize) -> Result<Work, Failure> {
    let workers = Workers::new(threads)?;
    let estimate = study.estimate(runs, &workers, TRIAL_TIME);
    let estimate = estimate.map_err(|error| Failure::Failed(error.into()))?;
    let experiment = |run: &RunPlan| &study.settings[run.setting].experiment;
    let at_once = |run: &RunPlan| {
        let (games, steps) = (experiment(run).games(), experiment(run).steps());
        match (games, experiment(run).step_name()) {
            // A generation waits for the one before; games do not wait for each other.
            (Some(games), "generations") => games / steps.max(1),
            (Some(games), _) => games,
            (None, _) => steps,
        }
    };
    Ok(Work {
        core_seconds: estimate.time.as_secs_f64() * threads as f64,
        steps: runs.iter().map(|run| experiment(run).steps()).sum(),
        at_once: runs.iter().map(at_once).sum(),
    })
}

fn step_name(study: &Study) -> &'static str {
    let first = study.settings.first();
    first.map_or("steps", |setting| setting.experiment.step_name())
}
