//! `gamete evolve` and what belongs to it, as a person or a script runs them.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use games::registry::FAMILIES;
use serde_json::Value;

use crate::gamete::{check_refused, gamete, json};

/// Runs of these tests, apart from those of people and of tests before.
static RUNS: LazyLock<String> = LazyLock::new(|| {
    let name = format!("evolve-{}", std::process::id());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    path.to_str().expect("a path").to_owned()
});

/// The arguments of an evolution that takes a moment.
fn quick<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let quick = [
        "--runs-dir",
        &RUNS,
        "--quiet",
        "--population",
        "6",
        "--generations",
        "2",
        "--games",
        "2",
        "--final-games",
        "20",
    ];
    ["evolve"]
        .into_iter()
        .chain(more.iter().copied())
        .chain(quick)
        .collect()
}

#[test]
fn the_outcome_has_the_documented_keys() {
    for game in FAMILIES.iter().map(|family| family.name) {
        let outcome = json(&quick(&[game, "--json", "--finalists", "2"]));
        let (champion, measured) = (&outcome["champion"], &outcome["measured"]);
        assert!(outcome["selected_at"].is_number(), "{outcome}");
        assert!(measured["score"]["mean"].is_number(), "{outcome}");
        assert_eq!(measured["score"]["ci95"].as_array().map(Vec::len), Some(2));
        match champion["weights"].as_array() {
            Some(weights) => assert!(weights.len() >= 8 && weights.iter().all(Value::is_number)),
            None => assert!(champion["program"].is_string(), "{outcome}"),
        }
        assert!(outcome["seconds"].as_f64() > Some(0.0), "{outcome}");
        assert_eq!(outcome["generations"], 2);
        let folder = Path::new(outcome["folder"].as_str().expect("a folder"));
        assert!(folder.join("champion.json").is_file());
        assert!(folder.join("../report/index.html").is_file());
    }
}

#[test]
fn the_champion_is_the_same_for_any_number_of_threads() {
    let outcome = |threads| {
        let name = format!("threads-{threads}");
        let arguments = [
            "2048",
            "--preset",
            "2048-ga",
            "--json",
            "--threads",
            threads,
            "--name",
            &name,
        ];
        let mut outcome = json(&quick(&arguments));
        let own = outcome.as_object_mut().expect("an object");
        for about_the_run in ["run", "folder", "seconds", "measured"] {
            own.remove(about_the_run);
        }
        outcome
    };
    assert_eq!(outcome("1"), outcome("2"));
}

#[test]
fn a_champion_is_kept_and_plays() {
    let directory = tempfile::tempdir().expect("a directory");
    let out = directory.path().join("deep").join("run");
    let out = out.to_str().expect("a path");
    let output = gamete(&quick(&["tetris", "--out", out]));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let history = fs::read_to_string(Path::new(out).join("history.csv")).expect("a history");
    let mut lines = history.lines();
    let head = lines.next().expect("a head");
    assert!(
        head.contains("generation") && head.contains("landing_height"),
        "{head}"
    );
    assert_eq!(lines.count(), 18);

    let champion = Path::new(out).join("champion.json");
    let champion = champion.to_str().expect("a path");
    let measured = json(&[
        "measure", "tetris", "--board", "10x10", "--known", "1", "--player", champion, "--games",
        "3", "--json",
    ]);
    assert_eq!(measured["games"], 3);
    let played = gamete(&[
        "match",
        "tetris",
        "--known",
        "1",
        "--limit",
        "50",
        "--players",
        champion,
        "random",
        "--games",
        "3",
    ]);
    assert!(played.status.success());
    // In a one-player game, a player plays and the person watches.
    let watched = gamete(&[
        "play", "tetris", "--known", "1", "--limit", "50", "--player", champion,
    ]);
    assert!(watched.status.success());
    let shown = gamete(&["players", "show", champion]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("landing height"));
    check_refused(
        &["measure", "2048", "--player", champion],
        "is a player of tetris, not of 2048",
    );
    // Nothing is lost: what is there is not written over.
    check_refused(&quick(&["tetris", "--out", out]), "exists already");
    // And what is refused makes no file.
    let other = directory.path().join("other");
    let arguments = [
        "tetris",
        "--set",
        "sigma=-1",
        "--out",
        other.to_str().expect("a path"),
    ];
    check_refused(&quick(&arguments), "sigma = -1");
    assert!(!other.exists());
}

#[test]
fn programs_are_evolved_and_kept_too() {
    let directory = tempfile::tempdir().expect("a directory");
    let out = directory.path().to_str().expect("a path");
    let output = gamete(&quick(&["2048", "--preset", "cgp", "--out", out]));
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("Program: "));
    let champion = directory.path().join("champion.json");
    let champion = champion.to_str().expect("a path");
    let measured = json(&[
        "measure", "2048", "--rules", "fer", "--player", champion, "--games", "3", "--json",
    ]);
    assert_eq!(measured["games"], 3);
    let shown = gamete(&["players", "show", champion]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains(" = "));
    let graph = gamete(&["players", "show", champion, "--dot"]);
    assert!(String::from_utf8_lossy(&graph.stdout).starts_with("digraph"));
    check_refused(&["players", "show", "random", "--dot"], "not a player file");
}

#[test]
fn every_part_can_be_changed() {
    let works = |more: &[&str]| {
        let output = gamete(&quick(more));
        assert!(
            output.status.success(),
            "{more:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    works(&[
        "2048",
        "--preset",
        "2048-ga",
        "--set",
        "selection=tournament(size=3)",
        "--set",
        "crossover=two-point",
    ]);
    works(&[
        "2048",
        "--preset",
        "2048-ga",
        "--chromosome",
        "100Genes",
        "--noise",
        "racing",
    ]);
    works(&[
        "2048",
        "--algorithm",
        "differential-evolution",
        "--noise",
        "re-evaluate",
    ]);
    works(&[
        "tetris",
        "--preset",
        "tetris-ga",
        "--limit",
        "20",
        "--objective",
        "lines",
        "--common-games",
        "yes",
    ]);
    works(&[
        "tetris",
        "--algorithm",
        "2048-ga",
        "--player",
        "program(features=five, columns=20)",
    ]);
    works(&[
        "connect",
        "--against",
        "random",
        "--against",
        "weighted",
        "--final-against",
        "random",
    ]);
    works(&[
        "connect",
        "--preset",
        "connect-ga",
        "--rows",
        "4",
        "--cols",
        "5",
        "--connect",
        "3",
        "--objective",
        "graded",
    ]);
}

#[test]
fn wrong_evolutions_are_refused() {
    check_refused(
        &["evolve", "2048", "--preset", "2048-gaa"],
        "did you mean '2048-ga'",
    );
    check_refused(
        &["evolve", "2048", "--preset", "tetris-ga"],
        "it has 2048-lines, 2048-patches, 2048, 2048-ga",
    );
    check_refused(
        &["evolve", "2048", "--player", "random"],
        "neither weights nor a program",
    );
    check_refused(
        &["evolve", "2048", "--player", "eigth"],
        "did you mean 'eight'",
    );
    check_refused(
        &["evolve", "2048", "--algorithm", "cmaes"],
        "did you mean 'cma-es'",
    );
    check_refused(
        &["evolve", "2048", "--set", "populaton=3"],
        "did you mean 'population'",
    );
    check_refused(
        &["evolve", "2048", "--set", "mutation-probability=0.2"],
        "it is a setting of the algorithm ga",
    );
    check_refused(&["evolve", "2048", "--set", "population"], "KEY=VALUE");
    check_refused(
        &["evolve", "2048", "--set", "population=1"],
        "population = 1",
    );
    check_refused(
        &[
            "evolve",
            "2048",
            "--preset",
            "2048-ga",
            "--set",
            "crossover=sbx",
        ],
        "real genes",
    );
    check_refused(
        &[
            "evolve",
            "2048",
            "--preset",
            "2048-ga",
            "--set",
            "crossover-probability=2",
        ],
        "from 0 to 1",
    );
    check_refused(
        &["evolve", "2048", "--chromosome", "9bits"],
        "did you mean '9bit'",
    );
    check_refused(
        &["evolve", "2048", "--objective", "lines"],
        "2048 has score, moves",
    );
    check_refused(
        &["evolve", "2048", "--noise", "some"],
        "keep, re-evaluate, fresh, racing",
    );
    check_refused(
        &["evolve", "2048", "--against", "random"],
        "is a one-player game",
    );
    check_refused(
        &["evolve", "2048", "--player", "program(functions='+,plus')"],
        "unknown function 'plus'",
    );
    check_refused(
        &[
            "evolve",
            "2048",
            "--noise",
            "racing",
            "--common-games",
            "no",
        ],
        "racing compares candidates on the same games",
    );
    check_refused(
        &["evolve", "2048", "--final-against", "random"],
        "is a one-player game",
    );
    check_refused(
        &[
            "evolve",
            "connect",
            "--against",
            "each-other",
            "--against",
            "random",
        ],
        "cannot be combined",
    );
    check_refused(
        &["evolve", "2048", "--player", "champion.json"],
        "evolution finds the weights",
    );
    check_refused(
        &["evolve", "connect", "--against", "radom"],
        "did you mean 'random'",
    );
}

/// It said "setting all" and "3 of 3 steps", and not what to do next.
#[test]
fn a_run_with_one_setting_is_shown_without_a_name_for_it() {
    let evolved = gamete(&quick(&["2048", "--name", "alone"]));
    let text = String::from_utf8_lossy(&evolved.stdout);
    assert!(
        text.contains("Watch the best game: gamete watch --replay "),
        "{text}"
    );
    let shown = |arguments: &[&str]| {
        let arguments = [arguments, &["--runs-dir", &RUNS]].concat();
        String::from_utf8(gamete(&arguments).stdout).expect("text")
    };
    let run = shown(&["show", "alone/r1"]);
    assert!(run.contains("\nthe only setting, repeat 1"), "{run}");
    assert!(run.contains("3 of 3 generations"), "{run}");
    let study = shown(&["show", "alone"]);
    assert!(study.contains("the only setting     1"), "{study}");
    let listed = shown(&["runs", "alone"]);
    assert!(listed.contains("alone/r1        -  finished"), "{listed}");
}

#[test]
fn algorithms_are_listed_and_explained() {
    let list = gamete(&["algorithms"]);
    let list = String::from_utf8_lossy(&list.stdout);
    for name in [
        "2048-ga-as-published",
        "cma-es",
        "tournament",
        "swap-blend",
        "delta-absolute",
        "losers",
    ] {
        assert!(list.contains(name), "{name}");
        let explained = gamete(&["algorithms", name]);
        assert!(explained.status.success());
        assert!(String::from_utf8_lossy(&explained.stdout).contains(name));
    }
    let explained = gamete(&["algorithms", "cma-es"]);
    let explained = String::from_utf8_lossy(&explained.stdout);
    let sigma = "initial standard deviation, as a share of a gene's range [default: 0.3]";
    assert!(explained.contains(sigma), "{explained}");
    check_refused(&["algorithms", "turnament"], "did you mean 'tournament'");
    let listed = json(&["algorithms", "--json"]);
    assert!(listed.as_array().is_some_and(|all| all.len() > 40));
}

/// Gets ready, and then answers nonsense.
const NONSENSE: &str = r#"
import json, sys
print(json.dumps({"type": "info", "name": "nonsense"}), flush=True)
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "rules":
        print('{"type": "ready"}', flush=True)
    if kind == "suggest":
        print("nonsense", flush=True)
    if kind == "quit":
        break
"#;

#[test]
fn an_opponent_that_cannot_play_ends_it_with_the_reason() {
    let directory = tempfile::tempdir().expect("a directory");
    let bot = directory.path().join("bot.py");
    fs::write(&bot, NONSENSE).expect("written");
    let against = format!("exec(cmd='python3 {}', time=10m, start=10m)", bot.display());
    let output = gamete(&quick(&["connect", "--against", &against]));
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("gave up"), "{message}");
}

#[test]
fn an_interrupted_evolution_is_resumed_and_ends_as_if_nothing_had_happened() {
    use std::process::{Command, Stdio};

    use rustix::process::Signal;

    use crate::disturbed::{ended, send, wait_until};

    let arguments = [
        "2048",
        "--generations",
        "60",
        "--games",
        "8",
        "--final-games",
        "20",
    ];
    let evolve = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gamete"));
        command.arg("evolve").args(arguments);
        command.args(["--name", name, "--runs-dir", &RUNS, "--quiet"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("gamete runs")
    };
    let run = |name: &str| Path::new(RUNS.as_str()).join(name).join("r1");
    let mut child = evolve("stopped");
    // The first checkpoint is there: something would be lost.
    let checkpoint = run("stopped").join("checkpoint");
    assert!(wait_until(&mut child, |_| checkpoint.exists()));
    // Twice at once, as `timeout` does it.
    send(&child, Signal::INT);
    send(&child, Signal::INT);
    assert_eq!(ended(&mut child).code(), Some(130));
    assert!(!run("stopped").join("outcome.json").exists());
    let resumed = gamete(&["resume", "stopped", "--runs-dir", &RUNS, "--quiet"]);
    assert!(resumed.status.success());
    assert!(evolve("whole").wait().expect("it ends").success());
    let outcome = |name: &str| fs::read(run(name).join("outcome.json")).expect("an outcome");
    assert_eq!(outcome("stopped"), outcome("whole"));
}
