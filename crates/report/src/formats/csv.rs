//! The numbers of a report as a tidy table: one row per run and number.

use super::{Format, Made, Report};
use crate::results::Results;

pub(super) const FORMAT: Format = Format {
    name: "csv",
    file: "results.csv",
    make,
};

fn make(_: &Report, results: &Results) -> Made {
    let mut table = csv::Writer::from_writer(Vec::new());
    let head = [
        "study",
        "run_id",
        "setting",
        "repeat",
        "seed",
        "state",
        "metric",
        "value",
        "ci95_low",
        "ci95_high",
    ];
    table.write_record(head).expect("memory can be written");
    for setting in &results.settings {
        for run in &setting.runs {
            for (name, metric) in &run.metrics {
                let end = |place: usize| {
                    metric
                        .ci95
                        .map(|ends| ends[place].to_string())
                        .unwrap_or_default()
                };
                let row = [
                    results.study.clone(),
                    run.id.clone(),
                    setting.label.clone(),
                    run.repeat.to_string(),
                    run.seed.to_string(),
                    run.state.word().to_owned(),
                    name.replace([' ', '-'], "_"),
                    metric.value.to_string(),
                    end(0),
                    end(1),
                ];
                table.write_record(row).expect("memory can be written");
            }
        }
    }
    table.into_inner().expect("memory can be written").into()
}
