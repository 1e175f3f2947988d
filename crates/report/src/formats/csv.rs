//! The numbers of a report as a tidy table: one row per run and number.

use super::{Format, Made, Report};
use crate::results::Results;
use crate::sweep;

pub(super) const FORMAT: Format = Format {
    name: "csv",
    file: "results.csv",
    make,
};

fn make(_: &Report, results: &Results) -> Made {
    let mut table = csv::Writer::from_writer(Vec::new());
    let varied = results.varied();
    let keys = sweep::varied(&varied);
    let head = ["study", "run_id", "setting"].map(str::to_owned);
    let keys_head = keys.iter().map(|key| sweep::column(key));
    let rest = [
        "repeat",
        "seed",
        "state",
        "metric",
        "value",
        "ci95_low",
        "ci95_high",
    ];
    let head = head
        .into_iter()
        .chain(keys_head)
        .chain(rest.map(str::to_owned));
    table.write_record(head).expect("memory can be written");
    for (setting, varied) in results.settings.iter().zip(&varied) {
        for run in &setting.runs {
            for (name, metric) in &run.metrics {
                let end = |place: usize| {
                    metric
                        .ci95
                        .map(|ends| ends[place].to_string())
                        .unwrap_or_default()
                };
                let whose = [results.study.clone(), run.id.clone(), setting.label.clone()];
                let values = keys.iter().map(|key| sweep::value(varied, key));
                let rest = [
                    run.repeat.to_string(),
                    run.seed.to_string(),
                    run.state.word().to_owned(),
                    name.replace([' ', '-'], "_"),
                    metric.value.to_string(),
                    end(0),
                    end(1),
                ];
                let row = whose.into_iter().chain(values).chain(rest);
                table.write_record(row).expect("memory can be written");
            }
        }
    }
    table.into_inner().expect("memory can be written").into()
}
