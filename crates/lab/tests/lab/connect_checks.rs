//! Checks of Connect-N as studies: optimal players are found optimal, others are found out, and costs are told.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use lab::run::event::{Event, Observer};
use lab::run::outcome::Outcome;
use lab::run::status::Status;
use lab::runner::StudyRunner;
use lab::store::{RunFolder, Store};
use lab::study::{Form, Study};
use play::playing::Workers;

/// Says stop when this many cases are over.
struct StopAfter<'a> {
    cases: u64,
    heard: AtomicU64,
    stop: &'a AtomicBool,
}

impl Observer for StopAfter<'_> {
    fn hear(&self, event: &Event) {
        if matches!(event, Event::Progress { .. })
            && self.heard.fetch_add(1, Ordering::Relaxed) + 1 == self.cases
        {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn game_over(&self, _: &str) {}
}

fn study(text: &str) -> Study {
    Study::parse(text, "study.toml", Path::new("."), Form::Whole).expect("the study is right")
}

/// Conducts a study, stopping after this many cases; its runs.
fn run_study(text: &str, directory: &Path, threads: usize, cases: u64) -> Vec<RunFolder> {
    let stop = Arc::<AtomicBool>::default();
    let observer = StopAfter {
        cases,
        heard: AtomicU64::new(0),
        stop: &stop,
    };
    let store = Store::new(directory);
    let runner = StudyRunner {
        store: &store,
        threads,
        elsewhere: None,
        save_every: Duration::ZERO,
        observer: &observer,
        stop: &stop,
    };
    let ran = runner.run(&study(text)).expect("it can be run");
    assert!(ran.failed.is_empty(), "{:?}", ran.failed);
    ran.folder.runs().expect("the runs can be read")
}

/// The outcome's bytes and its status after a whole run.
fn whole(text: &str, threads: usize) -> (String, Outcome, Status) {
    let directory = tempfile::tempdir().expect("a directory");
    let runs = run_study(text, directory.path(), threads, u64::MAX);
    read(&runs[0])
}

fn read(run: &RunFolder) -> (String, Outcome, Status) {
    let text = std::fs::read_to_string(run.path.join("outcome.json")).expect("an outcome");
    let outcome = Outcome::read(text.as_bytes()).expect("an outcome");
    let status = run.status(false).expect("readable").expect("a status");
    (text, outcome, status)
}

fn optimality(player: &str, boards: &str, games: u32) -> String {
    format!(
        "name = \"check\"\nkind = \"optimality\"\nplayer = \"{player}\"\n[check]\nboards = {boards}\ngames = {games}\n"
    )
}

const TINY: &str = r#"["2x2", "3x3", "2x3", "3x2", "2x4", "4x2"]"#;

#[test]
fn optimal_players_never_do_worse_than_the_value() {
    let known = known_values();
    for player in ["minimax(depth=100)", "alphabeta(depth=100)", "perfect"] {
        let (_, outcome, _) = whole(&optimality(player, TINY, 30), 2);
        let metric = |name: &str| outcome.metrics[name].value;
        assert_eq!(metric("worse games"), 0.0, "{player}");
        assert!(metric("better games") > 0.0, "{player}");
        let rows = &outcome.tables[0].rows;
        assert_eq!(metric("cases"), rows.len() as f64);
        assert_eq!(metric("games"), 60.0 * rows.len() as f64, "{player}");
        let mut compared = 0;
        for row in rows {
            if let Some(value) = known.get(&row[..3].join(" ")) {
                assert_eq!(&row[3], value, "{row:?}");
                compared += 1;
            }
        }
        assert!(
            known.is_empty() || compared >= 5,
            "{compared} values compared"
        );
    }
}

#[test]
fn every_reply_proves_what_a_sample_shows() {
    let proved = |player: &str| {
        let text = optimality(player, TINY, 30) + "against = \"every-reply\"\n";
        (text.clone(), whole(&text, 2))
    };
    for player in ["minimax(depth=100)", "alphabeta(depth=100)", "perfect"] {
        let (_, (_, outcome, _)) = proved(player);
        let metric = |name: &str| outcome.metrics[name].value;
        assert_eq!(metric("worse games"), 0.0, "{player}");
        assert_eq!(
            metric("cases with every reply"),
            metric("cases"),
            "{player}"
        );
        assert!(metric("positions") > metric("cases"), "{player}");
    }
    let (text, (whole_run, weak, _)) = proved("weighted");
    assert!(weak.metrics["worse games"].value > 0.0);
    assert_eq!(whole_run, whole(&text, 1).0);
    assert_eq!(whole_run, stopped_and_resumed(&text));
}

#[test]
fn a_board_with_too_many_positions_is_sampled() {
    let text = optimality("perfect", r#"["2x2", "3x3"]"#, 5);
    let text = text + "against = \"every-reply\"\npositions = 10\n";
    let (_, outcome, _) = whole(&text, 2);
    let (sampled, proved): (Vec<_>, Vec<_>) = outcome.tables[0]
        .rows
        .iter()
        .partition(|row| row[4] == "sample");
    assert!(!proved.is_empty() && proved.iter().all(|row| row[0] == "2x2"));
    assert!(sampled.iter().any(|row| row[0] == "3x3" && row[5] == "10"));
}

#[test]
fn a_player_that_draws_cannot_be_followed() {
    for player in ["random", "mcts(iterations=5)", "exec(cmd='true')"] {
        let text = optimality(player, TINY, 30) + "against = \"every-reply\"\n";
        let flaws = Study::parse(&text, "study.toml", Path::new("."), Form::Whole);
        let flaws = flaws.expect_err("it draws").to_string();
        assert!(flaws.contains("one move in every position"), "{flaws}");
    }
}

/// Values of small boards by another program: `ROWSxCOLS C P` and win, draw or loss.
fn known_values() -> BTreeMap<String, String> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/connect-small-values.csv");
    let Ok(text) = std::fs::read_to_string(&path) else {
        let message = format!("{} is not here", path.display());
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{message}");
        eprintln!("skipped: {message}");
        return BTreeMap::new();
    };
    let value = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let key = format!("{}x{} {} {}", fields[0], fields[1], fields[2], fields[3]);
        (key, fields[4].to_owned())
    };
    text.lines().skip(1).map(value).collect()
}

#[test]
fn a_weak_player_is_found_out() {
    let (_, outcome, _) = whole(&optimality("random", TINY, 50), 2);
    assert!(outcome.metrics["worse games"].value > 0.0);
}

#[test]
fn the_document_plays_no_more_games_than_a_board_has_fillings() {
    let text = optimality("perfect", r#"["2x2"]"#, 1000);
    let (_, outcome, _) = whole(&text, 2);
    // Two cases (pieces 2 and 1: a third and a quarter of four cells are both one), 2 x 3^4 games each.
    assert_eq!(outcome.metrics["cases"].value, 2.0);
    assert_eq!(outcome.metrics["games"].value, 2.0 * 162.0);
}

#[test]
fn an_outcome_is_the_same_for_any_threads_and_after_a_stop() {
    let text = optimality("random", TINY, 20);
    let (one, ..) = whole(&text, 1);
    assert_eq!(one, whole(&text, 3).0);
    assert_eq!(one, stopped_and_resumed(&text));
}

#[test]
fn a_cost_is_the_same_in_what_does_not_depend_on_the_machine() {
    let (one, ..) = whole(COST, 1);
    assert_eq!(one, whole(COST, 3).0);
    assert_eq!(one, stopped_and_resumed(COST));
}

fn stopped_and_resumed(text: &str) -> String {
    let directory = tempfile::tempdir().expect("a directory");
    let runs = run_study(text, directory.path(), 2, 3);
    assert!(!runs[0].path.join("outcome.json").exists());
    let runs = run_study(text, directory.path(), 2, u64::MAX);
    let (text, _, status) = read(&runs[0]);
    assert_eq!(status.attempts, 2);
    text
}

const COST: &str = r#"
name = "cost"
kind = "cost"
[cost]
players = ["minimax(depth=100)", "alphabeta(depth=100)"]
games = 1
repeats = 2
[check]
boards = ["3x3", "2x4"]
"#;

#[test]
fn pruning_visits_fewer_nodes_and_times_are_drawn() {
    let (_, outcome, status) = whole(COST, 2);
    let metric = |name: &str| outcome.metrics[name].value;
    assert!(metric("moves") > 20.0);
    assert!(metric("nodes of alphabeta(depth=100)") < metric("nodes of minimax(depth=100)"));
    assert_eq!(metric("share more nodes"), 0.0);
    assert!(metric("share fewer nodes") > 0.3);
    assert!((0.0..=1.0).contains(&status.times["share slower"]));
    let plot = &status.plots[0];
    assert_eq!((plot.name.as_str(), plot.log), ("cost", [true, true]));
    for (name, points) in &plot.series {
        assert_eq!(points.len() as f64, metric("moves"), "{name}");
        assert!(points.iter().all(|&(x, y)| x >= 1.0 && y > 0.0), "{name}");
    }
}

#[test]
fn the_weighted_player_is_measured_by_passes() {
    let text = r#"
name = "flat"
kind = "cost"
[cost]
players = "weighted"
per = "rows*columns^2"
games = 1
repeats = 2
[check]
boards = ["2x2", "4x4", "6x7"]
connect = [2]
pieces = "1/2"
"#;
    let (_, outcome, status) = whole(text, 2);
    assert_eq!(outcome.metrics["cases"].value, 3.0);
    assert!(!outcome.metrics.contains_key("share fewer nodes"));
    let times = &status.times;
    assert!(times.contains_key("growth from 4x4"));
    assert!(times["largest over smallest"] >= times["largest over smallest from 4x4"]);
    assert_eq!(status.plots[0].name, "cost-flat");
    assert_eq!(status.plots[0].series[0].1.len(), 3);
}

#[test]
fn weights_are_drawn_and_pieces_given_as_in_the_document() {
    let text = r#"
name = "drawn"
kind = "cost"
[cost]
players = "weighted"
per = "rows*columns^2"
weights = "drawn"
games = 1
repeats = 1
[check]
boards = ["2x2", "3x4"]
connect = [2, 3]
pieces = ["every", "88"]
"#;
    let (_, outcome, _) = whole(text, 2);
    // 2x2: C = 2 with 2 and 88 pieces; 3x4: C = 2 and 3 with 2 to 6 and 88.
    assert_eq!(outcome.metrics["cases"].value, 14.0);
    let without = text.replace("\"weighted\"", "\"minimax(depth=2)\"");
    let flaws = Study::parse(&without, "study.toml", Path::new("."), Form::Whole);
    let message = flaws.expect_err("it is wrong").to_string();
    assert!(
        message.contains("cost.weights: drawn: none of the players has weights"),
        "{message}"
    );
}

/// How long depends on the machine; `forecast` is tested by a clock of its own.
#[test]
fn what_nobody_has_seen_the_end_of_is_forecast_without_waiting_for_it() {
    let study = study(&optimality(
        "minimax(depth=100)",
        r#"["2x2", "3x3", "6x7"]"#,
        100,
    ));
    let workers = Workers::new(1).expect("a thread");
    let time = Duration::from_millis(500);
    let forecast = study.settings[0].experiment.calibrate(1, &workers, time);
    assert!(forecast.expect("games can be played") > Duration::ZERO);
}

#[test]
fn all_that_is_wrong_is_told_at_once() {
    let check = |text: &str, expected: &[&str]| {
        let flaws = Study::parse(text, "study.toml", Path::new("."), Form::Whole);
        let message = flaws.expect_err("it is wrong").to_string();
        for part in expected {
            assert!(message.contains(part), "{part} in {message}");
        }
    };
    check(
        r#"
name = "wrong"
kind = "optimality"
player = "minmax"
[check]
boards = ["3by4", "0x3", "30x30", "3x3"]
pieces = ["5/2", "half", "1/2"]
connect = [1]
games = 0
against = "nobody"
"#,
        &[
            "check.boards: '3by4': a board is rows x columns",
            "'0x3': a board has at least one row",
            "'30x30': a board has at most 128 cells",
            "check.pieces: '5/2': a share of the cells",
            "'half'",
            "check.connect: must be a list of whole numbers",
            "check.games: must be a whole number",
            "player: ",
            "did you mean 'minimax'",
            "check.against: ",
        ],
    );
    check(
        "name = \"wrong\"\nkind = \"optimality\"\n[check]\nboards = \"2x5\"\nconnect = [3, 4]\n",
        &["check.connect: no board is left"],
    );
    check(
        r#"
name = "wrong"
kind = "cost"
[cost]
players = ["minimax(depth=1000)", "twin"]
per = "cells"
"#,
        &[
            "cost.players: ",
            "depth",
            "twin",
            "cost.per: 'cells' is not one of",
        ],
    );
}

#[test]
fn the_studies_of_the_document_can_be_run() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies/connect-n");
    for name in ["optimality", "optimality-pruned", "cost", "cost-weighted"] {
        let path = directory.join(format!("{name}.toml"));
        for form in [Form::Whole, Form::Short] {
            let study = Study::read(&path, form).expect("the study is right");
            assert!(study.settings[0].experiment.steps() > 0, "{name}");
        }
    }
}

/// A small board, where every position is solved at once.
const VERDICTS: &str = r#"
name = "verdicts"
kind = "verdicts"
game = { name = "connect", rows = 4, cols = 5, connect = 3 }
positions = { count = 200, first-ply = 4, last-ply = 12 }
[[vary]]
player = ["perfect", "random", "mcts(iterations=20)"]
"#;

fn kept(run: &RunFolder) -> (f64, f64) {
    let (_, outcome, _) = read(run);
    let number = |name: &str| outcome.metrics[name].value;
    assert_eq!(number("positions"), 200.0);
    (number("kept"), number("kept by chance"))
}

#[test]
fn a_perfect_player_keeps_every_verdict_and_a_random_one_what_chance_keeps() {
    let directory = tempfile::tempdir().expect("a directory");
    let runs = run_study(VERDICTS, directory.path(), 2, u64::MAX);
    let (perfect, _) = kept(&runs[0]);
    assert_eq!(perfect, 1.0);
    let (random, by_chance) = kept(&runs[1]);
    // Five standard errors: wrong in one of a million seeds.
    let error = (by_chance * (1.0 - by_chance) / 200.0).sqrt();
    assert!(
        (random - by_chance).abs() < 5.0 * error,
        "{random} beside {by_chance}"
    );
    let (searching, _) = kept(&runs[2]);
    assert!(
        searching > random + 5.0 * error,
        "{searching} beside {random}"
    );
}

#[test]
fn verdicts_depend_neither_on_threads_nor_on_interruptions() {
    let whole = tempfile::tempdir().expect("a directory");
    let stopped = tempfile::tempdir().expect("a directory");
    let expected = run_study(VERDICTS, whole.path(), 2, u64::MAX);
    for _ in 0..3 {
        run_study(VERDICTS, stopped.path(), 1, 5);
    }
    let runs = run_study(VERDICTS, stopped.path(), 3, u64::MAX);
    for (run, expected) in runs.iter().zip(&expected) {
        assert_eq!(read(run).0, read(expected).0);
    }
}

#[test]
fn verdicts_need_a_board_that_has_such_positions() {
    let check = |text: &str, expected: &str| {
        let flaws = Study::parse(text, "study.toml", Path::new("."), Form::Whole);
        let message = flaws.expect_err("it is wrong").to_string();
        assert!(message.contains(expected), "{expected} in {message}");
    };
    check(
        "name = \"wrong\"\nkind = \"verdicts\"\nplayer = \"random\"\ngame.name = \"2048\"\n",
        "game.name: the solver knows connect only",
    );
    check(
        &VERDICTS.replace("last-ply = 12", "last-ply = 19"),
        "positions.last-ply: must be at most 18 on this board",
    );
    check(
        &VERDICTS.replace("first-ply = 4", "first-ply = 14"),
        "positions.first-ply: must be at most positions.last-ply, 12",
    );
    check(
        "name = \"wrong\"\nkind = \"verdicts\"\ngame.name = \"connect\"\n",
        "player: is missing",
    );
}
