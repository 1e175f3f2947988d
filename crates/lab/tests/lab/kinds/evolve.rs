//! Studies that evolve: what is said of them before they run.

use super::finished;
use std::path::Path;

use lab::study::{Form, Study};

const STUDY: &str = r#"
name = "counted"
repeats = 1
preset = "2048-ga"
[game]
name = "2048"
size = "3x3"
[fitness]
games = 2
common-games = true
[stop]
generations = 3
[final]
games = 10
finalists = 2
baselines = []
[[vary]]
fitness.noise = ["keep", "re-evaluate", "fresh", "racing(rounds=3)"]
[[vary]]
settings = [
  { optimizer.algorithm = "ga", optimizer.population = 6 },
  { optimizer.algorithm = "differential-evolution", optimizer.population = 6, chromosome = "reals" },
  { optimizer.algorithm = "cma-es", optimizer.population = 6, chromosome = "reals" },
  { optimizer.algorithm = "one-plus-lambda" },
]
"#;

/// Survivors that play again were left out: a study said "44,400 games at most" and played 57,600.
#[test]
fn no_run_plays_more_games_than_announced() {
    let study = Study::parse(STUDY, "study.toml", Path::new("."), Form::Whole);
    let study = study.unwrap_or_else(|flaws| panic!("{flaws}"));
    let (outcomes, _, _) = finished(STUDY, 2);
    for (setting, outcome) in study.settings.iter().zip(outcomes) {
        let most = setting.experiment.games().expect("they can be counted");
        let searched = outcome.metrics["games"].value as u64;
        // Finalists and the champion's measurement.
        let all = searched + 10 + 10;
        assert!(all <= most, "{}: {all} of {most}", setting.label);
        if !setting.label.contains("racing") {
            assert_eq!(all, most, "{}", setting.label);
        }
    }
}
