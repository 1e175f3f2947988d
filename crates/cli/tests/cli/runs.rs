//! `gamete run` and the commands on what it kept, as a person or a script uses them.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::gamete::{check_refused, gamete, json};

const STUDY: &str = r#"
name = "small"
question = "Does a larger <population> help?"
repeats = 2
preset = "2048-ga"
[game]
name = "2048"
[fitness]
games = 2
[stop]
generations = 3
[final]
games = 20
[[vary]]
optimizer.population = [4, 8]
[reference]
source = "a document"
figures = [{ setting = "population 4", metric = "score", value = 1000 }]
"#;

/// A directory with a study file and a place for runs.
struct Laboratory {
    folder: TempDir,
}

impl Laboratory {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a directory");
        let laboratory = Self { folder };
        laboratory.write(STUDY);
        laboratory
    }

    fn write(&self, study: &str) {
        fs::write(self.folder.path().join("small.toml"), study).expect("a study");
    }

    fn path(&self, name: &str) -> String {
        let path = self.folder.path().join(name);
        path.to_str().expect("a path").to_owned()
    }

    fn with_runs(&self, arguments: &[&str]) -> Vec<String> {
        let mut all: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
        all.extend(["--runs-dir".to_owned(), self.path("runs")]);
        all
    }

    fn gamete(&self, arguments: &[&str]) -> Output {
        let all = self.with_runs(arguments);
        gamete(&all.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn told(&self, arguments: &[&str]) -> String {
        let output = self.gamete(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let all = self.with_runs(arguments);
        json(&all.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn run(&self) -> String {
        self.told(&["run", &self.path("small.toml"), "--quiet"])
    }

    fn refused(&self, arguments: &[&str], expected: &str) {
        let all = self.with_runs(arguments);
        check_refused(
            &all.iter().map(String::as_str).collect::<Vec<_>>(),
            expected,
        );
    }
}

#[test]
fn one_command_leads_from_the_study_to_its_report() {
    let laboratory = Laboratory::new();
    let told = laboratory.run();
    assert!(told.contains("small: 4 of 4 runs finished"), "{told}");
    assert!(told.contains("selected at"), "{told}");
    assert!(told.contains("repeats"), "{told}");
    let report = Path::new(&laboratory.path("runs")).join("small/report");
    for file in [
        "index.html",
        "report.md",
        "results.csv",
        "results.json",
        "charts/fitness.svg",
        "charts/luck.svg",
        "charts/published.svg",
    ] {
        assert!(report.join(file).is_file(), "{file}");
    }
    let page = fs::read_to_string(report.join("index.html")).expect("a page");
    assert!(page.contains("Does a larger &lt;population&gt; help?"));
    let page_only = page.replace("http://www.w3.org/2000/svg", "");
    for outside in ["<script", "http:", "https:", "url(", "@import"] {
        assert!(
            !page_only.contains(outside),
            "it needs nothing else: {outside}"
        );
    }
    assert!(page.contains("Published figures") && page.contains("1,000"));
    let version = env!("CARGO_PKG_VERSION");
    assert!(page.contains(&format!("Made with Gamete {version}, seed ")));
    assert!(page.contains("@misc{gamete-small,"));
}

#[test]
fn runs_are_listed_and_shown() {
    let laboratory = Laboratory::new();
    laboratory.run();
    let runs = laboratory.json(&["runs", "--json"]);
    assert_eq!(runs.as_array().map(Vec::len), Some(4));
    assert_eq!(runs[0]["id"], "small/s1-r1");
    assert_eq!(runs[0]["state"], "finished");
    assert_eq!(runs[0]["done"], 4);
    fs::remove_file(Path::new(&laboratory.path("runs")).join("index.sqlite")).expect("an index");
    assert_eq!(laboratory.json(&["runs", "--json"]), runs);
    assert_eq!(laboratory.json(&["runs", "--json", "--reindex"]), runs);
    let run = laboratory.json(&["show", "small/s2-r1", "--json"]);
    assert_eq!(run["setting"], "population 8");
    assert!(run["metrics"]["score"]["ci95"].is_array(), "{run}");
    assert!(laboratory.told(&["show", "small"]).contains("population 4"));
    laboratory.refused(&["show", "smal"], "did you mean 'small'");
    laboratory.refused(&["show", "../small"], "there is no study or run");
}

#[test]
fn the_individuals_of_any_generation_are_shown_and_exported() {
    let laboratory = Laboratory::new();
    laboratory.run();
    let show = |number: &str| {
        let run = "small/s2-r1";
        laboratory.json(&["show", run, "--generation", number, "--json"])
    };
    let (second, last) = (show("1"), show("last"));
    assert_eq!(
        (&second["generation"], &second["last"]),
        (&1.into(), &3.into())
    );
    assert_eq!(last, show("3"));
    assert_eq!(second["individuals"].as_array().map(Vec::len), Some(8));
    let best = &second["individuals"][0];
    assert_eq!(best["genes"].as_array().map(Vec::len), Some(8));
    assert!(best["lowest"].as_f64() <= best["fitness"].as_f64());

    let shown = laboratory.told(&["show", "small/s2-r1", "--generation", "1", "--top", "3"]);
    assert!(
        shown.starts_with("small/s2-r1: generation 1 of 0 to 3, 3 of 8 individuals"),
        "{shown}"
    );
    assert_eq!(shown.lines().count(), 6, "{shown}");

    let lines = laboratory.told(&["export", "small/s2-r1", "--format", "individuals"]);
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object"))
        .collect();
    assert_eq!(lines.len(), 4 * 8);
    let same = lines
        .iter()
        .find(|line| line["generation"] == 1 && line["rank"] == 1)
        .expect("the best");
    for key in ["id", "parents", "lowest", "fitness", "highest", "genes"] {
        assert_eq!(same[key], best[key], "{key}");
    }
    let table = laboratory.told(&["export", "small/s2-r1"]);
    let head = table.lines().next().expect("a head");
    assert!(head.contains(",games,fitness,lowest,highest,"), "{head}");
    assert!(
        Path::new(&laboratory.path("runs"))
            .join("small/report/charts/individuals.svg")
            .is_file()
    );

    let refused = |arguments: &[&str], expected: &str| {
        laboratory.refused(&[&["show"], arguments].concat(), expected);
    };
    refused(
        &["small/s2-r1", "--generation", "4"],
        "has no generation 4, only 0 to 3",
    );
    refused(
        &["small/s2-r1", "--generation", "x"],
        "must be a number from 0, or last",
    );
    refused(
        &["small", "--generation", "1"],
        "small is a study; name one of its runs",
    );
    refused(&["small/s2-r1", "--top", "3"], "--generation");
}

#[test]
fn numbers_are_the_same_wherever_they_are_shown() {
    let laboratory = Laboratory::new();
    laboratory.run();
    let report = laboratory.json(&["report", "small", "--format", "json"]);
    let compared = laboratory.json(&["compare", "small", "--json"]);
    for (place, setting) in report["settings"]
        .as_array()
        .expect("settings")
        .iter()
        .enumerate()
    {
        let (ours, theirs) = (
            &setting["metrics"]["score"],
            &compared["comparison"]["samples"][place],
        );
        assert_eq!(ours["value"], theirs["mean"]);
        assert_eq!(ours["ci95"], theirs["mean_ci95"]);
    }
    assert_eq!(report["comparison"], compared["comparison"]);
    let runs = laboratory.told(&["compare", "small/s1-r1", "small/s2-r1"]);
    assert!(runs.contains("games of the champions"), "{runs}");
    let moves = ["compare", "small/s1-r1", "small/s2-r1", "--metric", "moves"];
    assert!(laboratory.told(&moves).starts_with("moves (games"));
}

#[test]
fn what_a_study_does_not_have_is_not_compared() {
    let laboratory = Laboratory::new();
    laboratory.run();
    let refused = |arguments: &[&str], expected: &str| {
        laboratory.refused(&[&["compare"], arguments].concat(), expected);
    };
    refused(
        &["small/s9"],
        "the study 'small' has no setting s9; it has s1 to s2",
    );
    refused(
        &["small", "--metric", "scoer"],
        "the study 'small' has no metric 'scoer'; it has ",
    );
    let run = "small/s1-r1";
    refused(
        &[run, "--metric", "scoer"],
        "small/s1-r1 has no metric 'scoer' for each of its games; it has score, moves",
    );
}

#[test]
fn only_what_plays_by_the_same_rules_is_compared() {
    let laboratory = Laboratory::new();
    laboratory.run();
    laboratory.write(
        "name = 'wide'\nkind = 'measure'\nplayer = 'random'\nrepeats = 2\n\
         [game]\nname = '2048'\nsize = '4x5'\n[measure]\ngames = 4\n",
    );
    laboratory.run();
    let told = laboratory.told(&["compare", "small", "wide"]);
    let left_out = "\nLeft out: wide: size is 4x5, not ";
    assert!(told.contains(left_out), "{told}");
    let is_row = |line: &str| line.starts_with("wide");
    assert!(!told.lines().any(is_row), "{told}");
    let runs = ["compare", "small/s1-r1", "wide/r1", "--json"];
    let compared = laboratory.json(&runs);
    assert_eq!(compared["left_out"][0]["name"], "wide/r1");
    let alone = laboratory.json(&["compare", "wide", "--json"]);
    assert_eq!(alone["left_out"], serde_json::json!([]));
}

#[test]
fn a_study_that_changed_is_refused_and_can_be_forked() {
    let laboratory = Laboratory::new();
    laboratory.run();
    laboratory.write(&STUDY.replace("games = 2\n", "games = 3\n"));
    let path = laboratory.path("small.toml");
    laboratory.refused(&["run", &path], "fitness.games was 2 and is 3");
    laboratory.told(&["run", &path, "--fork", "--quiet"]);
    assert!(laboratory.told(&["runs"]).contains("small-2/s1-r1"));
    // More repeats are no change: what was run stays.
    laboratory.write(&STUDY.replace("repeats = 2", "repeats = 3"));
    let told = laboratory.told(&["run", &path, "--quiet"]);
    assert!(told.contains("small: 6 of 6 runs finished"), "{told}");
}

#[test]
fn runs_go_to_other_programs() {
    let laboratory = Laboratory::new();
    laboratory.run();
    let table = laboratory.told(&["export", "small"]);
    let mut lines = table.lines();
    assert!(lines.next().is_some_and(|head| {
        head.starts_with("run_id,setting,optimizer_population,repeat,generation,")
    }));
    // Two repeats of four generations of four and eight.
    assert_eq!(lines.count(), 2 * 4 * (4 + 8));
    let objects = laboratory.told(&["export", "small", "--format", "json"]);
    assert_eq!(
        objects
            .lines()
            .filter(|line| serde_json::from_str::<Value>(line).is_ok())
            .count(),
        4
    );
    let journal = laboratory.path("journal.log");
    laboratory.told(&[
        "export",
        "small/s1-r1",
        "--format",
        "optuna",
        "--out",
        &journal,
    ]);
    let journal_text = fs::read_to_string(&journal).expect("a journal");
    let first: Value =
        serde_json::from_str(journal_text.lines().next().expect("a line")).expect("JSON");
    assert_eq!(
        (&first["op_code"], &first["study_name"]),
        (&0.into(), &"small/s1-r1".into())
    );
    laboratory.refused(
        &["export", "small", "--format", "optuna", "--out", &journal],
        "the file exists already",
    );
    laboratory.refused(
        &["export", "small", "--format", "xml"],
        "the formats are csv, json, individuals, optuna, cgp-txt, cgp-scores",
    );
}

#[test]
fn what_is_removed_is_gone() {
    let laboratory = Laboratory::new();
    laboratory.run();
    laboratory.refused(&["rm", "small"], "--yes");
    laboratory.told(&["rm", "small/s1-r1", "--yes"]);
    assert_eq!(
        laboratory
            .json(&["runs", "--json"])
            .as_array()
            .map(Vec::len),
        Some(3)
    );
    // What is missing is run again.
    assert!(
        laboratory
            .told(&["resume", "small", "--quiet"])
            .contains("4 of 4")
    );
    laboratory.told(&["rm", "small", "--yes"]);
    assert_eq!(
        laboratory
            .json(&["runs", "--json"])
            .as_array()
            .map(Vec::len),
        Some(0)
    );
}

#[test]
fn the_best_game_can_be_watched() {
    let laboratory = Laboratory::new();
    laboratory.run();
    let game = Path::new(&laboratory.path("runs")).join("small/s1-r1/best-game.json");
    let output = gamete(&["watch", "--replay", game.to_str().expect("a path")]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Ours is some 1,100 a game with a standard error of about 100, so the difference is hundreds of standard errors.
#[test]
fn published_figures_with_errors_are_tested_together() {
    let laboratory = Laboratory::new();
    let study = laboratory.path("figures.toml");
    let text = r#"
name = "figures"
kind = "measure"
player = "random"
[game]
name = "2048"
[measure]
games = 30
[reference]
source = "a work"
figures = [
  { metric = "score", value = 90000, error = 2, together = "both" },
  { metric = "moves", value = 119, error = 1000, together = "both" },
  { metric = "moves", value = 119, error = 1000, together = "moves alone" },
]
"#;
    fs::write(&study, text).expect("written");
    laboratory.told(&["run", &study, "--quiet"]);
    let report = fs::read_to_string(laboratory.path("runs/figures/report/report.md"));
    let report = report.expect("a report");
    assert!(report.contains("| 90,000 (s.e. 2) |"), "{report}");
    let row = |name: &str| {
        let start = format!("| {name} |");
        let line = report.lines().find(|line| line.starts_with(&start));
        let cells = line.unwrap_or_else(|| panic!("{name}: {report}"));
        cells.split('|').map(str::trim).map(str::to_owned).collect()
    };
    let both: Vec<String> = row("both");
    let alone: Vec<String> = row("moves alone");
    assert_eq!((both[2].as_str(), alone[2].as_str()), ("2", "1"));
    assert_eq!((alone[3].as_str(), &alone[4][..4]), ("0.0", "0.99"));
    assert!(both[3].len() > 6, "{both:?}");
    for (from, to) in [("error = 2,", "error = 0,"), ("error = 2, ", "")] {
        fs::write(&study, text.replace(from, to)).expect("written");
        laboratory.refused(&["run", &study], "standard error, a number above 0");
    }
}

const SWEEP: &str = r#"
name = "small"
repeats = 2
preset = "2048-ga"
game.name = "2048"
fitness.games = 2
stop.generations = 1
final.games = 20
[[vary]]
optimizer.population = [4, 6]
optimizer.mutation-probability = [0.1, 0.3]
"#;

#[test]
fn a_sweep_says_what_each_key_does() {
    let laboratory = Laboratory::new();
    laboratory.write(SWEEP);
    laboratory.run();
    let report = fs::read_to_string(laboratory.path("runs/small/report/report.md")).unwrap();
    for text in [
        "| mutation-probability | population | runs |",
        "## What each key does",
        "| population | 4 |",
        "chance: repeats of a setting",
        "charts/effects.svg",
        "charts/map.svg",
        "charts/fitness-by-games.svg",
        "A search took from",
    ] {
        assert!(report.contains(text), "no {text} in {report}");
    }
    assert!(
        !report.contains("charts/parallel.svg"),
        "two keys have a map"
    );
    let table = fs::read_to_string(laboratory.path("runs/small/report/results.csv")).unwrap();
    let head = "study,run_id,setting,optimizer_mutation_probability,optimizer_population,repeat,";
    assert!(table.starts_with(head), "{table}");
    assert!(table.contains(",0.1,4,1,"), "{table}");
}

#[test]
fn champions_stand_beside_players_that_were_not_evolved() {
    let laboratory = Laboratory::new();
    laboratory.run();
    let told = laboratory.told(&["show", "small"]);
    for player in ["greedy", "random"] {
        let line = told.lines().find(|line| line.starts_with(player));
        assert!(line.is_some_and(|line| line.contains(" to ")), "{told}");
    }
    let kept = laboratory.path("runs/small/baselines.json");
    let first = fs::read(&kept).unwrap();
    fs::write(&kept, "damaged").unwrap();
    laboratory.run();
    assert!(
        fs::read(&kept).unwrap() == first,
        "it is made again, the same"
    );
    // Runs do not know them: other ones leave the runs as they are.
    let random = "games = 20\nbaselines = [\"random\"]\n[[vary]]";
    laboratory.write(&STUDY.replace("games = 20\n[[vary]]", random));
    laboratory.run();
    let told = laboratory.told(&["show", "small"]);
    assert!(
        !told.contains("greedy") && told.contains("random"),
        "{told}"
    );
    laboratory.write(&STUDY.replace("games = 20\n[[vary]]", &random.replace("random", "rnadom")));
    laboratory.refused(&["run", &laboratory.path("small.toml")], "final.baselines");
}

const PROGRAM: &str = r#"
name = "small"
fitness.exec = "while read -r line; do echo '{\"fitness\": 1}'; done"
fitness.names = ["kp", "ki"]
fitness.low = 0
fitness.high = 1
stop.generations = 1
final.games = 1
"#;

#[test]
fn the_best_genome_for_a_program_is_told() {
    let laboratory = Laboratory::new();
    laboratory.write(PROGRAM);
    laboratory.run();
    for arguments in [["show", "small"], ["show", "small/r1"]] {
        let told = laboratory.told(&arguments);
        assert!(
            told.contains("The best genome") && told.contains("kp "),
            "{told}"
        );
    }
    assert!(
        laboratory
            .told(&["show", "small/r1"])
            .contains(" evaluations, ")
    );
    laboratory.write(&STUDY.replace("games = 20", "games = 1"));
    laboratory.refused(
        &["run", &laboratory.path("small.toml")],
        "final.games: must be at least 2",
    );
}

#[test]
fn charts_are_written_as_files_for_papers_and_slides() {
    let laboratory = Laboratory::new();
    laboratory.run();
    let out = laboratory.path("paper");
    let told = laboratory.told(&["report", "small", "--format", "pdf,png", "--out", &out]);
    let begins = |name: &str| fs::read(laboratory.path(&format!("paper/charts/{name}"))).unwrap();
    assert!(told.contains("paper/charts/settings.pdf"), "{told}");
    assert!(begins("settings.pdf").starts_with(b"%PDF-"));
    assert!(begins("settings.png").starts_with(b"\x89PNG"));
    let only_charts = fs::read_dir(&out).unwrap().count();
    assert_eq!(only_charts, 1, "nothing but the charts");
    let big = laboratory.path("slides");
    laboratory.told(&["report", "small", "--format", "svg", "--big", "--out", &big]);
    let chart = fs::read_to_string(laboratory.path("slides/charts/settings.svg")).unwrap();
    assert!(chart.contains("viewBox=\"0 0 480 "), "{chart}");
    laboratory.refused(
        &["report", "small", "--format", "tiff"],
        "the formats are html, md, csv, json, svg, png, pdf",
    );
}
