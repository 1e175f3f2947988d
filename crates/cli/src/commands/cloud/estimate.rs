//! What is wanted of rented machines, and how much there is to do on them, for `plan` and `up` alike.

use std::path::PathBuf;
use std::time::Duration;

use cloud::clouds::{Cloud, cloud};
use cloud::plan::{MOST_WORKERS, Plan, Wish, Work, plan};
use cloud::prices::{Catalogue, Market};
use lab::study::{Form, RunPlan, Study};
use play::playing::Workers;

use crate::output::Failure;
use crate::progress::threads;

/// What is wanted.
#[derive(Debug, clap::Args)]
pub(super) struct Wanted {
    /// The study file
    pub(super) study: PathBuf,
    /// How many machines work, beside the head
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_WORKERS)))]
    pub(super) workers: u32,
    /// Clouds to choose from, separated by commas [default: all that have prices]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = cloud)]
    clouds: Vec<&'static Cloud>,
    /// The only region to choose from
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
    /// The only machine type to choose from, for workers
    #[arg(long = "type", value_name = "NAME")]
    machine_type: Option<String>,
    /// The most that a machine may cost, in dollars an hour
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    max_price: Option<f64>,
    /// The time in which the study must be over
    #[arg(long, value_name = "TIME", value_parser = deadline)]
    pub(super) deadline: Option<Duration>,
    /// Machines that cannot vanish, at the full price
    #[arg(long, value_name = "WHICH", default_value = "none")]
    on_demand: OnDemand,
    /// A price table in the columns of SkyPilot's [default: SkyPilot's own, else the document's]
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
}

/// Which machines are paid for in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum OnDemand {
    /// None: all are spot machines
    None,
    /// The head
    Head,
    /// All
    All,
}

/// A study with what it takes, and the machines it could be run on.
pub(super) struct Estimated {
    pub(super) study: Study,
    pub(super) runs: usize,
    /// What its steps are called.
    pub(super) step: &'static str,
    pub(super) threads: usize,
    pub(super) work: Work,
    pub(super) wish: Wish,
    pub(super) catalogue: Catalogue,
    pub(super) plan: Plan,
}

/// For trying settings, all together.
const TRYING: Duration = Duration::from_millis(2500);

fn dollars(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if value > 0.0 && value <= 10_000.0 => Ok(value),
        _ => Err("it must be a number above 0, 10000 at most".to_owned()),
    }
}

fn deadline(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if time < Duration::from_secs(60) {
        return Err("it must be a minute at least".to_owned());
    }
    Ok(time)
}

impl Wanted {
    /// Reads the study.
    pub(super) fn read_study(&self) -> Result<Study, Failure> {
        let study = Study::read(&self.study, Form::Whole)?;
        check_for_machines(&study)?;
        Ok(study)
    }

    /// Reads the prices, tries the study for some seconds, and plans.
    pub(super) fn estimate(&self, study: Study) -> Result<Estimated, Failure> {
        let home = etcetera::home_dir().ok();
        let catalogue = Catalogue::find(self.prices.as_deref(), home.as_deref())?;
        let wish = self.wish();
        // A limit that nothing meets is told before the study is tried.
        plan(&NOTHING, &wish, &catalogue)?;
        let threads = threads(None);
        let runs = study.runs();
        let work = work(&study, &runs, threads)?;
        Ok(Estimated {
            plan: plan(&work, &wish, &catalogue)?,
            step: step_name(&study),
            runs: runs.len(),
            study,
            threads,
            work,
            wish,
            catalogue,
        })
    }

    fn wish(&self) -> Wish {
        let market = |full: bool| if full { Market::OnDemand } else { Market::Spot };
        Wish {
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

const NOTHING: Work = Work {
    core_seconds: 0.0,
    steps: 1,
    at_once: 1,
};

fn check_for_machines(study: &Study) -> Result<(), Failure> {
    let times = |setting: &lab::study::Setting| setting.experiment.wants_the_machine();
    if study.settings.iter().any(times) {
        return Err(Failure::Usage(format!(
            "{} measures how long things take on one machine; more machines are of no use to it",
            study.name
        )));
    }
    Ok(())
}

fn work(study: &Study, runs: &[RunPlan], threads: usize) -> Result<Work, Failure> {
    let workers = Workers::new(threads)?;
    let estimate = study.estimate(runs, &workers, TRYING);
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
