//! What `gamete export` writes is read by the programs that the manual names, the real ones, installed into an environment of their own.

use std::process::{Command, Output};

use fixtures::python::environment;

use crate::gamete::gamete;

const PACKAGES: [&str; 4] = ["optuna", "pandas", "polars", "duckdb"];

const STUDY: &str = r#"
name = "exported"
repeats = 2
preset = "2048-ga"
game.name = "2048"
fitness.games = 1
optimizer.population = 4
stop.generations = 2
final.games = 4
"#;

/// Runs a script on what an export in a format wrote.
fn check_read(format: &str, script: &str) {
    let Some(programs) = environment("readers", &PACKAGES) else {
        return;
    };
    let place = tempfile::tempdir().expect("a directory");
    let path = |name: &str| place.path().join(name).to_str().expect("a path").to_owned();
    std::fs::write(path("study.toml"), STUDY).expect("a study");
    let (runs, out) = (path("runs"), path("out"));
    let succeeded = |output: Output| {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{message}");
    };
    succeeded(gamete(&[
        "run",
        &path("study.toml"),
        "--quiet",
        "--runs-dir",
        &runs,
    ]));
    let export = ["export", "exported", "--format", format, "--out", &out];
    succeeded(gamete(&[&export[..], &["--runs-dir", &runs]].concat()));
    let script = Command::new(programs.join("python"))
        .args(["-c", script, &out])
        .output();
    succeeded(script.expect("Python"));
}

/// Two runs of three generations with four individuals that live on or are replaced.
#[test]
fn tables_are_read_by_pandas_polars_and_duckdb() {
    check_read(
        "csv",
        r#"
import sys, pandas, polars, duckdb
rows = 2 * 3 * 4
a = pandas.read_csv(sys.argv[1])
assert len(a) == rows and a.run_id.nunique() == 2 and a.fitness.dtype.kind in 'if', a
b = polars.read_csv(sys.argv[1])
assert b.height == rows and b["fitness"].dtype.is_numeric(), b
c = duckdb.sql(f"SELECT setting, max(fitness), count(*) FROM read_csv('{sys.argv[1]}') GROUP BY setting").fetchall()
assert len(c) == 1 and c[0][2] == rows, c
assert abs(c[0][1] - a.fitness.max()) < 1e-9 and abs(b["fitness"].max() - a.fitness.max()) < 1e-9
"#,
    );
}

#[test]
fn the_journal_is_read_by_optuna() {
    check_read(
        "optuna",
        r#"
import sys, warnings
warnings.simplefilter("ignore")
import optuna
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
storage = JournalStorage(JournalFileBackend(sys.argv[1]))
names = optuna.get_all_study_names(storage)
assert len(names) == 2, names
for name in names:
    study = optuna.load_study(study_name=name, storage=storage)
    assert len(study.trials) >= 4, study.trials
    assert study.best_value == max(trial.value for trial in study.trials)
    assert len(study.best_params) == 8, study.best_params
"#,
    );
}
