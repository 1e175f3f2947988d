//! `gamete cluster status`: who is there, and how busy everybody is.

use std::fmt::Write;

use cluster::metrics::metrics;
use cluster::survey::{Survey, survey};
use cluster::wire::VERSION;

use super::Which;
use crate::output::{Failure, in_line, number, print, print_json};

const EXAMPLES: &str = "\
Examples:
  gamete cluster status
  gamete cluster status --json
  gamete cluster status --prometheus > /var/lib/node_exporter/gamete.prom";

/// Arguments of `gamete cluster status`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    which: Which,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print metrics in the text format of Prometheus
    #[arg(long, conflicts_with = "json")]
    prometheus: bool,
}

/// Looks and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let survey = survey(&arguments.which.address()?)?;
    if arguments.json {
        return print_json(&survey);
    }
    match arguments.prometheus {
        true => print(&metrics(&survey)),
        false => print(&told(&survey)),
    }
}

fn told(survey: &Survey) -> String {
    let mut text = format!("{} (nats-server {})\n", survey.url, survey.server);
    let _ = writeln!(
        text,
        "{} workers with {} cores, {} jobs/s, {:.0} % busy; {} chunks wait, {} are being done\n",
        survey.workers.len(),
        survey.cores,
        number(survey.jobs_per_second, 0),
        100.0 * survey.efficiency,
        number(survey.waiting as f64, 0),
        number(survey.begun as f64, 0),
    );
    if survey.workers.is_empty() {
        let _ = writeln!(text, "No workers yet: gamete worker --join {}", survey.url);
    }
    for worker in &survey.workers {
        let other = match worker.version == VERSION {
            true => String::new(),
            false => format!(
                "  refused: it runs gamete {}, not {VERSION}",
                in_line(&worker.version)
            ),
        };
        let _ = writeln!(
            text,
            "  {:<24} {:>4} cores {:>10} jobs/s {:>5.0} % busy {:>14} jobs done{other}",
            in_line(&worker.name),
            worker.cores,
            number(worker.jobs_per_second, 0),
            100.0 * worker.busy,
            number(worker.jobs as f64, 0),
        );
    }
    for study in &survey.studies {
        let _ = writeln!(
            text,
            "\nStudy {}: {} jobs done, {} jobs/s, {} on their way, {} done again to check them",
            in_line(&study.study),
            number(study.jobs as f64, 0),
            number(study.jobs_per_second, 0),
            number(study.on_their_way as f64, 0),
            number(study.checked as f64, 0),
        );
    }
    text
}
