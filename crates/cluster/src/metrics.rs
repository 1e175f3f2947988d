//! A survey in the Prometheus text format.

use std::fmt::Write;

use crate::survey::Survey;
use crate::wire::{Presence, Report};

/// All metrics of a survey.
#[must_use]
pub fn metrics(survey: &Survey) -> String {
    let mut text = String::new();
    let whole = [
        ("workers", "Connected workers.", survey.workers.len() as f64),
        ("cores", "Cores of all workers.", survey.cores as f64),
        (
            "jobs_per_second",
            "Jobs done per second.",
            survey.jobs_per_second,
        ),
        (
            "chunks_waiting",
            "Chunks waiting for a core.",
            survey.waiting as f64,
        ),
        ("chunks_begun", "Chunks being done.", survey.begun as f64),
        ("efficiency", "Share of busy cores.", survey.efficiency),
    ];
    for (name, help, value) in whole {
        head(&mut text, name, help, "gauge");
        line(&mut text, name, &[], value);
    }
    type OfWorker = fn(&Presence) -> f64;
    let of_workers: [(&str, &str, &str, OfWorker); 3] = [
        (
            "worker_jobs_total",
            "Jobs done by a worker.",
            "counter",
            |one| one.jobs as f64,
        ),
        ("worker_cores", "Cores of a worker.", "gauge", |one| {
            one.cores as f64
        }),
        (
            "worker_busy",
            "Share of a worker's cores that are busy.",
            "gauge",
            |one| one.busy,
        ),
    ];
    for (name, help, kind, value) in of_workers {
        head(&mut text, name, help, kind);
        for worker in &survey.workers {
            let labels = [("worker", worker.name.as_str()), ("id", worker.id.as_str())];
            line(&mut text, name, &labels, value(worker));
        }
    }
    type OfStudy = fn(&Report) -> f64;
    let of_studies: [(&str, &str, &str, OfStudy); 3] = [
        (
            "study_jobs_total",
            "Finished jobs of a study.",
            "counter",
            |one| one.jobs as f64,
        ),
        (
            "study_jobs_on_their_way",
            "Jobs of a study in progress.",
            "gauge",
            |one| one.on_their_way as f64,
        ),
        (
            "study_jobs_checked_total",
            "Jobs done twice and compared.",
            "counter",
            |one| one.checked as f64,
        ),
    ];
    for (name, help, kind, value) in of_studies {
        head(&mut text, name, help, kind);
        for study in &survey.studies {
            line(&mut text, name, &[("study", &study.study)], value(study));
        }
    }
    text
}

fn head(text: &mut String, name: &str, help: &str, kind: &str) {
    let _ = writeln!(
        text,
        "# HELP gamete_{name} {help}\n# TYPE gamete_{name} {kind}"
    );
}

fn line(text: &mut String, name: &str, labels: &[(&str, &str)], value: f64) {
    let labels: Vec<String> = labels
        .iter()
        .map(|(name, value)| format!("{name}=\"{}\"", escaped(value)))
        .collect();
    let labels = match labels.is_empty() {
        true => String::new(),
        false => format!("{{{}}}", labels.join(",")),
    };
    let _ = writeln!(text, "gamete_{name}{labels} {value}");
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}
