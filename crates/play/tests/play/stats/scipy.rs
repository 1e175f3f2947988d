//! Every case of `tests/stats/scipy.json`, which `tests/stats/scipy_cases.py` has asked scipy.

use play::stats::{fisher, friedman, kruskal_wallis, mann_whitney, wilcoxon};
use serde_json::Value;

const CASES: &str = include_str!("../../stats/scipy.json");

#[test]
fn tests_answer_as_scipy_does() {
    let cases: Vec<Value> = serde_json::from_str(CASES).expect("the cases are JSON");
    assert!(cases.len() >= 40);
    for case in &cases {
        let samples = samples(&case["samples"]);
        let (statistic, p) = answer(case["test"].as_str().expect("a name"), &samples);
        close(p, &case["p"], case);
        if let Some(statistic) = statistic {
            close(statistic, &case["statistic"], case);
        }
    }
}

/// The statistic, where scipy has the same, and p.
fn answer(test: &str, samples: &[Vec<f64>]) -> (Option<f64>, f64) {
    let row = |place: usize| [samples[place][0] as u64, samples[place][1] as u64];
    let groups = match test {
        "wilcoxon" => return (None, wilcoxon(&samples[0], &samples[1])),
        "mann-whitney" => return (None, mann_whitney(&samples[0], &samples[1])),
        "fisher" => return (None, fisher(row(0), row(1))),
        "friedman" => friedman(samples),
        "kruskal-wallis" => kruskal_wallis(samples),
        other => panic!("{other} is no test of ours"),
    };
    let groups = groups.expect("the samples are complete");
    (Some(groups.statistic), groups.p)
}

fn samples(value: &Value) -> Vec<Vec<f64>> {
    serde_json::from_value(value.clone()).expect("lists of numbers")
}

/// To 1e-9 of the number, also where it is 1e-88.
fn close(ours: f64, theirs: &Value, case: &Value) {
    let theirs = theirs.as_f64().expect("a number");
    let (test, name) = (&case["test"], &case["name"]);
    assert!(
        (ours - theirs).abs() <= 1e-9 * theirs.abs(),
        "{test} {name}: {ours}, scipy {theirs}"
    );
}
