//! Programs as fitness: right answers however many copies there are, and everything a program can do wrong.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use evolve::{Candidate, Genome, Scores};
use lab::evolution::external::{External, ExternalError, Genes, Goal, Settings};

use fixtures::scripts::{AMPLE, Folder, HANG, TIMES, has_python};

/// Takes a question apart: `id`, its first gene `x` and its `seed`.
const PARSE: &str = r#"
parse() {
    id=${line#*\"id\":}; id=${id%%,*}
    x=${line#*[}; x=${x%%[],]*}
    seed=${line#*\"seed\":}; seed=${seed%\}}
}
"#;
/// Nobody stops it.
static NEVER: AtomicBool = AtomicBool::new(false);
/// Answers the first gene.
const ECHO: &str =
    r#"while read -r line; do parse; echo "{\"id\":$id,\"fitness\":$x,\"steps\":3}"; done"#;

fn settings(folder: &Folder, script: &str) -> Settings {
    let command = folder.command(&format!("{PARSE}{script}"));
    let settings = Settings::new(command, Genes::Count(2), -5.0, 5.0);
    Settings {
        time_limit: AMPLE,
        ..settings
    }
}

fn external(folder: &Folder, script: &str, change: impl FnOnce(&mut Settings)) -> External {
    let mut settings = settings(folder, script);
    change(&mut settings);
    External::new(settings).unwrap()
}

/// Candidates whose first genes are 0.0, 0.5, 1.0 and so on.
fn candidates(count: u32) -> Vec<Candidate> {
    (0..count)
        .map(|slot| Candidate {
            id: 100 + u64::from(slot),
            generation: 3,
            slot,
            games_before: 0,
            genome: Genome::Reals(vec![f64::from(slot) / 2.0, -1.25]),
        })
        .collect()
}

fn score(external: &External, candidates: &[Candidate]) -> Result<Vec<Scores>, ExternalError> {
    external.score(candidates, 1, true, 7, &NEVER, &|| ())
}

/// What is wrong with a program that is asked two questions and should not be waited for.
fn fault(folder: &Folder, script: &str, change: impl FnOnce(&mut Settings)) -> String {
    let external = external(folder, script, |settings| {
        settings.retries = 0;
        change(settings);
    });
    let since = Instant::now();
    let error = score(&external, &candidates(2)).unwrap_err().to_string();
    assert!(since.elapsed() < HANG, "{script} was waited for");
    error
}

/// A program fails with these parts in the message, leaving no process.
fn check_fault(script: &str, change: impl FnOnce(&mut Settings), expected: &[&str]) {
    let folder = Folder::new();
    let error = fault(&folder, script, change);
    for part in expected {
        assert!(error.contains(part), "{script}: {error}");
    }
    folder.check_ended("pid");
}

/// The same for a program whose time is up after it wrote this to its standard error.
fn check_late(script: &str, last_word: &str) {
    let is_told = |limit| {
        let folder = Folder::new();
        let error = fault(&folder, script, |settings| settings.time_limit = limit);
        let within = format!("within {}", humantime::format_duration(limit));
        for part in [&within, "flush it at once", "time-limit"] {
            assert!(error.contains(part), "{script}: {error}");
        }
        let has_begun = error.contains(&format!("\n  {last_word}\n"));
        if has_begun {
            folder.check_ended("pid");
        }
        has_begun
    };
    assert!(TIMES.into_iter().any(is_told), "{script}");
}

#[test]
fn answers_come_in_the_order_of_the_candidates_for_any_number_of_copies() {
    // The first ones take longest, so that they are answered last.
    let script = r#"while read -r line; do parse; case $x in [01].*) sleep 0.1;; esac; echo "{\"id\":$id,\"fitness\":$x}"; done"#;
    for copies in [1, 2, 4] {
        let folder = Folder::new();
        let external = external(&folder, script, |settings| settings.copies = copies);
        external.try_out().unwrap();
        let candidates = candidates(12);
        for _ in 0..2 {
            let told = score(&external, &candidates).unwrap();
            for (told, candidate) in told.iter().zip(&candidates) {
                assert_eq!(told.id, candidate.id);
                assert_eq!(told.scores, [f64::from(candidate.slot) / 2.0], "{copies}");
            }
        }
        drop(external);
        // Each was started once and kept running.
        assert!(folder.read("pid").lines().count() <= copies);
        folder.check_ended("pid");
    }
}

#[test]
fn a_thousand_candidates_with_several_games_each() {
    let folder = Folder::new();
    let external = external(&folder, ECHO, |settings| settings.copies = 3);
    let finished = AtomicUsize::new(0);
    let count = || {
        finished.fetch_add(1, Ordering::Relaxed);
    };
    let told = external.score(&candidates(1000), 2, true, 7, &NEVER, &count);
    for (slot, told) in told.unwrap().iter().enumerate() {
        assert_eq!(told.scores, [slot as f64 / 2.0; 2]);
    }
    assert_eq!(finished.into_inner(), 2000);
}

#[test]
fn nobody_to_ask_about_is_nothing_to_tell() {
    let folder = Folder::new();
    let external = external(&folder, ECHO, |_| ());
    assert_eq!(score(&external, &[]).unwrap(), []);
    assert_eq!(folder.read("pid"), "");
}

#[test]
fn the_lowest_fitness_is_the_highest_score() {
    let folder = Folder::new();
    let external = external(&folder, ECHO, |settings| settings.goal = Goal::Lowest);
    let told = score(&external, &candidates(3)).unwrap();
    let scores: Vec<f64> = told.iter().map(|told| told.scores[0]).collect();
    assert_eq!(scores, [0.0, -0.5, -1.0]);
    assert_eq!(external.settings().goal.fitness(scores[2]), 1.0);
}

#[test]
fn bare_numbers_are_answers_too() {
    let folder = Folder::new();
    let script = "while read -r line; do parse; echo; echo $x; done";
    let external = external(&folder, script, |_| ());
    let told = score(&external, &candidates(3)).unwrap();
    assert_eq!(told[2].scores, [1.0]);
}

/// The seeds that two candidates are asked with, in two games each.
fn seeds(common: bool, seed: u64, change: impl Fn(&mut Candidate)) -> [Vec<f64>; 2] {
    let folder = Folder::new();
    let script = r#"while read -r line; do parse; echo "$seed"; done"#;
    let external = external(&folder, script, |settings| settings.copies = 2);
    let mut candidates = candidates(2);
    candidates.iter_mut().for_each(change);
    let told = external
        .score(&candidates, 2, common, seed, &NEVER, &|| ())
        .unwrap();
    [0, 1].map(|place| told[place].scores.clone())
}

#[test]
fn seeds_follow_from_seed_generation_game_and_slot() {
    let [one, other] = seeds(true, 7, |_| ());
    assert_eq!(one, other, "common games");
    assert_ne!(one[0], one[1], "two games");
    let limit = (1_u64 << 53) as f64;
    assert!(one.iter().all(|&seed| seed.fract() == 0.0 && seed < limit));
    assert_eq!(seeds(true, 7, |_| ())[0], one, "again");
    assert_ne!(seeds(true, 8, |_| ())[0], one, "another seed");
    let later = seeds(true, 7, |candidate| candidate.generation = 4);
    assert_ne!(later[0], one, "another generation");
    let second = seeds(true, 7, |candidate| candidate.games_before = 1);
    assert_eq!(second[0][0], one[1], "games count on");
    let [own, others] = seeds(false, 7, |_| ());
    assert!(own.iter().chain(&one).all(|seed| !others.contains(seed)));
}

#[test]
fn a_program_that_crashes_is_asked_again() {
    let folder = Folder::new();
    let script = format!("[ -e crashed ] || {{ : > crashed; read -r line; exit 3; }}\n{ECHO}");
    let external = external(&folder, &script, |settings| settings.retries = 1);
    let told = score(&external, &candidates(3)).unwrap();
    assert_eq!(told[2].scores, [1.0]);
    assert_eq!(folder.read("pid").lines().count(), 2);
}

#[test]
fn a_program_that_is_late_once_is_asked_again() {
    let folder = Folder::new();
    let script = format!("[ -e late ] || {{ : > late; sleep 600; }}\n{ECHO}");
    let external = external(&folder, &script, |settings| {
        settings.time_limit = TIMES[0];
        // A busy machine may be late more often than the program.
        settings.retries = 1000;
    });
    external.try_out().unwrap();
    assert!(folder.read("pid").lines().count() >= 2);
}

#[test]
fn a_program_that_answers_once_is_started_for_every_question() {
    let folder = Folder::new();
    let external = external(&folder, "read -r line; parse; echo $x", |_| ());
    let told = score(&external, &candidates(3)).unwrap();
    assert_eq!(told[2].scores, [1.0]);
}

#[test]
fn a_program_that_always_crashes_has_the_last_word() {
    check_fault(
        "read -r line; echo 'no such file: plant.csv' >&2; exit 3",
        |settings| settings.retries = 2,
        &[
            "the program 'exec sh ",
            "ended: exit status 3 (asked 3 times",
            "the end of its standard error:\n  no such file: plant.csv",
            "\nit must keep reading and answering lines",
            r#"to see for yourself: echo '{"id":1,"genome":[0.0,-1.25],"seed":"#,
        ],
    );
    check_fault("exit 4", |_| (), &["exit status 4 (asked once)"]);
    check_fault("kill -9 $$", |_| (), &["killed by signal 9"]);
}

#[test]
fn a_program_that_does_not_exist_is_told() {
    let settings = Settings::new("no-such-program-here", Genes::Count(1), 0.0, 1.0);
    let error = External::new(settings).unwrap().try_out().unwrap_err();
    let error = error.to_string();
    assert!(error.contains("exit status 127"), "{error}");
    assert!(error.contains("\n  sh: "), "{error}");
}

#[test]
fn a_folder_that_is_not_there_is_told() {
    let folder = Folder::new();
    let external = external(&folder, ECHO, |settings| {
        settings.folder = Some(folder.file("nowhere"));
    });
    let error = external.try_out().unwrap_err().to_string();
    assert!(error.contains("could not be started"), "{error}");
    assert!(error.contains("the folder it is started in"), "{error}");
}

#[test]
fn silence_costs_its_time_and_no_more() {
    check_late("echo begun >&2; sleep 600", "begun");
    check_late("echo begun >&2; while :; do :; done", "begun");
    check_late("echo begun >&2; cat > /dev/null", "begun");
    check_late("yes >&2", "y");
    check_late(
        "trap '' TERM; echo begun >&2; while :; do sleep 1; done",
        "begun",
    );
    // The question may have been written before nobody could read it.
    let short = |settings: &mut Settings| settings.time_limit = TIMES[0];
    fault(&Folder::new(), "exec <&-; sleep 600", short);
    check_fault(
        "exec >&-; sleep 600",
        |_| (),
        &["closed its standard output"],
    );
}

#[test]
fn floods_are_dammed() {
    let chatter = "a line of its standard output must be like";
    let flood = |script: &str| format!("read -r line; {script}");
    let endless_line = flood("yes | tr -d '\\n'");
    check_fault(&endless_line, |_| (), &["more than 1 MiB", chatter]);
    check_fault(&flood("yes ''"), |_| (), &["more than 16 MiB", chatter]);
    let unasked = "wrote '1' without being asked";
    check_fault("yes 1", |settings| settings.copies = 1, &[unasked]);
}

#[test]
fn what_is_no_fitness_is_quoted() {
    let check = |answer: &str, expected: &str| {
        let script = format!("while read -r line; do parse; echo \"{answer}\"; done");
        check_fault(&script, |_| (), &[expected]);
    };
    check("ready", "wrote 'ready', which is not an answer");
    check("nan", "wrote 'nan': the fitness is not a finite number");
    check(r#"{\"id\":$id,\"fitness\":NaN}"#, "not a finite number");
    check(r#"{\"id\":$id}"#, "an answer without a number as 'fitness'");
    check(
        r#"{\"id\":$id,\"error\":\"on fire\"}"#,
        "gave up: 'on fire'",
    );
    check(
        r#"{\"id\":99,\"fitness\":1}"#,
        "the answer to another request",
    );
    // The second line would be taken for the answer to the next question.
    check("1\n2", "wrote '2' without being asked");
}

#[test]
fn a_failure_does_not_wait_for_the_others() {
    let folder = Folder::new();
    let script = r#"read -r line; parse; case $x in 0.0) exit 1;; esac; sleep 600"#;
    let external = external(&folder, script, |settings| {
        settings.retries = 0;
        settings.copies = 4;
    });
    let since = Instant::now();
    let error = score(&external, &candidates(4)).unwrap_err().to_string();
    assert!(error.contains("exit status 1"), "{error}");
    assert!(since.elapsed() < HANG, "the others were waited for");
    folder.check_ended("pid");
}

#[test]
fn a_slow_reader_gets_a_long_question_in_the_end() {
    let folder = Folder::new();
    let script = r#"while :; do sleep 0.2; read -r line || exit; echo "${#line}"; done"#;
    let genes = 100_000;
    let external = external(&folder, script, |settings| {
        settings.genes = Genes::Count(genes);
    });
    let mut candidates = candidates(1);
    candidates[0].genome = Genome::Reals(vec![0.5; genes]);
    let told = score(&external, &candidates).unwrap();
    assert!(told[0].scores[0] > 4.0 * genes as f64);
}

#[test]
fn the_programs_last_breath_is_not_cut_short() {
    let folder = Folder::new();
    let script = format!("{ECHO}; echo done > farewell");
    let external = external(&folder, &script, |_| ());
    external.try_out().unwrap();
    drop(external);
    assert_eq!(folder.read("farewell"), "done\n");
}

#[test]
fn the_shipped_controller_can_be_tuned() {
    if !has_python("the_shipped_controller_can_be_tuned") {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let names = ["kp", "ki", "kd"].map(String::from).to_vec();
    let mut settings = Settings::new(
        "python3 studies/other/pid.py",
        Genes::Named(names),
        0.0,
        10.0,
    );
    settings.folder = Some(root);
    settings.goal = Goal::Lowest;
    settings.time_limit = AMPLE;
    let external = External::new(settings).unwrap();
    external.try_out().unwrap();
    let mut candidates = candidates(3);
    candidates[0].genome = Genome::Reals(vec![0.0, 0.0, 0.0]);
    candidates[1].genome = Genome::Reals(vec![1.0, 0.01, 0.0]);
    candidates[2].genome = Genome::Reals(vec![2.0, 0.05, 10.0]);
    let told = external
        .score(&candidates, 3, true, 7, &NEVER, &|| ())
        .unwrap();
    for game in 0..3 {
        let scores: Vec<f64> = told.iter().map(|told| told.scores[game]).collect();
        assert!(scores[0] < scores[1] && scores[1] < scores[2], "{scores:?}");
    }
    let again = external
        .score(&candidates, 3, true, 7, &NEVER, &|| ())
        .unwrap();
    assert_eq!(told, again);
}
