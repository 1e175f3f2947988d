//! A study that is killed, stopped, or started twice ends with the same files as one that is left alone.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use rustix::process::Signal;

use crate::disturbed::{
    ALL_KINDS, Files, Place, STUDY_2048, STUDY_TETRIS, TRAINING, check_same, computing_time, files,
    hears, send, told, wait_until,
};

/// Computing times that are the same in every run of the test; short ones are more frequent, so that starting is hit as well as working.
struct Delays(u64);

impl Delays {
    fn next(&mut self, longest: Duration) -> Duration {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let share = (self.0 >> 11) as f64 / (1_u64 << 53) as f64;
        Duration::from_millis(2) + longest.mul_f64(share * share)
    }
}

/// Starts the study and kills it when it has computed for a time, if one is given; says whether it came to its end before that.
fn start_and_kill(place: &Place, runs: &Path, save_every: &str, after: Option<Duration>) -> bool {
    let log = place.path("log");
    let log = File::options().create(true).append(true).open(log);
    let mut command = place.command(runs, save_every);
    command.stderr(Stdio::from(log.expect("a log")));
    let mut child = command.spawn().expect("gamete runs");
    let is_time = |child: &Child| after.is_some_and(|after| computing_time(child) >= after);
    if wait_until(&mut child, is_time) {
        // Not always when a hundredth of a second is full.
        let rest = after.unwrap_or_default().subsec_nanos() % 10_000_000;
        std::thread::sleep(Duration::from_nanos(u64::from(rest)));
        child.kill().expect("it can be killed");
        child.wait().expect("it is over").success()
    } else {
        let status = child.wait().expect("it is over");
        let log = || fs::read_to_string(place.path("log")).expect("a log");
        assert!(status.success(), "{status}: {}", log());
        true
    }
}

/// How often every kind of study is killed: seldom, unless `nightly/kills` says how often in all.
fn kills_of_a_kind() -> u32 {
    let asked = std::env::var("GAMETE_KILLS").ok();
    let all = asked.map_or(0, |text| text.parse().expect("GAMETE_KILLS is a number"));
    match all {
        0 => 3,
        all => u32::div_ceil(all, ALL_KINDS.len() as u32),
    }
}

#[test]
fn killed_at_any_instant_every_kind_of_study_ends_the_same() {
    let kills = kills_of_a_kind();
    let mut seed = 0x1234_5678_9abc_def1;
    for (kind, study) in ALL_KINDS {
        seed ^= seed << 7;
        let save_every = if seed % 2 == 0 { "0s" } else { "50ms" };
        check_kills_in(&Place::of_kind(study), save_every, kills, seed);
        println!("{kind}: the same bytes after {kills} kills");
    }
    let all = kills * ALL_KINDS.len() as u32;
    println!("{all} kills");
}

/// Kills a study again and again until it has been killed often enough, from its beginning each time it came to its end.
fn check_kills(study: &str, save_every: &str, kills: u32, seed: u64) {
    check_kills_in(&Place::new(study), save_every, kills, seed);
}

fn check_kills_in(place: &Place, save_every: &str, kills: u32, seed: u64) {
    let (expected, length) = place.undisturbed();
    let (mut delays, mut done, mut round) = (Delays(seed), 0, 0);
    while done < kills {
        round += 1;
        let runs = place.path(&format!("killed-{round}"));
        let mut next = |done| (done < kills).then(|| delays.next(length));
        while !start_and_kill(place, &runs, save_every, next(done)) {
            done += 1;
        }
        check_same(&expected, &runs, &format!("round {round}"));
        fs::remove_dir_all(&runs).expect("removed");
    }
    let log = fs::read_to_string(place.path("log")).expect("a log");
    // A kill is no damage: nothing begins again. Only while the system copies a list of games to the disk can it be torn.
    let is_torn = |line: &str| line.contains("games.part ends in the middle");
    assert!(log.lines().all(is_torn), "after {done} kills: {log}");
}

#[test]
fn killed_at_any_instant_2048_ends_the_same_saving_always() {
    check_kills(STUDY_2048, "0s", 16, 0x9e37_79b9_7f4a_7c15);
}

#[test]
fn killed_at_any_instant_2048_ends_the_same_saving_now_and_then() {
    check_kills(STUDY_2048, "1s", 16, 0xbf58_476d_1ce4_e5b9);
}

#[test]
fn killed_at_any_instant_tetris_ends_the_same_saving_always() {
    check_kills(STUDY_TETRIS, "0s", 16, 0x94d0_49bb_1331_11eb);
}

#[test]
fn killed_at_any_instant_tetris_ends_the_same_saving_now_and_then() {
    check_kills(STUDY_TETRIS, "1s", 16, 0x2545_f491_4f6c_dd1d);
}

#[test]
fn killed_at_any_instant_a_training_ends_the_same() {
    check_kills_in(&Place::of_kind(TRAINING), "0s", 20, 0xd6e8_feb8_6659_fd93);
}

#[test]
fn threads_change_no_byte_of_a_training() {
    let place = Place::of_kind(TRAINING);
    let (expected, _) = place.undisturbed();
    for threads in ["1", "3"] {
        let runs = place.path(&format!("threads-{threads}"));
        let mut arguments = place.arguments(&runs);
        let place = arguments.iter().position(|word| word == "--threads");
        arguments[place.expect("an option") + 1] = threads.to_owned();
        let mut command = Command::new(env!("CARGO_BIN_EXE_gamete"));
        let output = command.args(arguments).output().expect("gamete runs");
        assert!(output.status.success(), "{}", told(&output));
        check_same(&expected, &runs, &format!("{threads} threads"));
    }
}

/// A signal saves and stops; the next start goes on.
fn check_signal(signal: Signal) {
    let place = Place::new(STUDY_2048);
    let (expected, length) = place.undisturbed();
    let mut stopped = 0;
    for share in [0.2, 0.5, 0.8] {
        let runs = place.path(&format!("stopped-{share}"));
        let mut command = place.command(&runs, "1s");
        let mut child = command.stderr(Stdio::piped()).spawn().expect("it runs");
        let is_time =
            |child: &Child| computing_time(child) >= length.mul_f64(share) && hears(child, signal);
        if wait_until(&mut child, is_time) {
            send(&child, signal);
        }
        let output = child.wait_with_output().expect("it is over");
        match output.status.code() {
            Some(130) => stopped += 1,
            code => assert_eq!(code, Some(0), "{}", told(&output)),
        }
        let output = place.command(&runs, "1s").output().expect("it goes on");
        assert!(output.status.success(), "{}", told(&output));
        check_same(&expected, &runs, &format!("{signal:?} after {share}"));
    }
    assert!(stopped > 0, "{signal:?} never came in time");
}

#[test]
fn the_first_ctrl_c_saves_and_stops() {
    check_signal(Signal::INT);
}

#[test]
fn a_polite_kill_saves_and_stops() {
    check_signal(Signal::TERM);
}

#[test]
fn two_processes_do_not_work_on_one_study() {
    // Long enough for the second to come while the first works.
    let place = Place::new(&STUDY_2048.replace("games = 60", "games = 400"));
    let (expected, _) = place.undisturbed();
    let start = |runs: &Path| {
        let mut command = place.command(runs, "0s");
        command.stderr(Stdio::piped()).spawn().expect("it runs")
    };
    let over = |child: Child| child.wait_with_output().expect("it is over");
    let check_refused = |output: &Output| {
        let message = told(output);
        assert_eq!(output.status.code(), Some(2), "{message}");
        let why = "another process is working on the study 'disturbed'";
        assert!(message.contains(why), "{message}");
    };
    // At the same time; one may be over before the other one comes.
    let runs = place.path("both");
    let (one, other) = (start(&runs), start(&runs));
    let both = [over(one), over(other)];
    let (ended, refused): (Vec<_>, Vec<_>) =
        both.iter().partition(|output| output.status.success());
    assert!(!ended.is_empty(), "{both:?}");
    refused.into_iter().for_each(check_refused);
    check_same(&expected, &runs, "two processes");
    // While the first one stands still in the middle.
    let runs = place.path("frozen");
    let mut first = start(&runs);
    let begun = runs.join("disturbed/s1-r1/run.json");
    assert!(wait_until(&mut first, |_| begun.exists()), "it begins");
    send(&first, Signal::STOP);
    check_refused(&over(start(&runs)));
    send(&first, Signal::CONT);
    let output = over(first);
    assert!(output.status.success(), "{}", told(&output));
    check_same(&expected, &runs, "one after the other");
}

#[test]
fn nobody_need_listen() {
    let place = Place::new(STUDY_2048);
    let (expected, _) = place.undisturbed();
    for more in [&["--log", "json"][..], &[]] {
        let runs = place.path(&format!("alone-{}", more.len()));
        let mut arguments = place.arguments(&runs);
        arguments.retain(|argument| argument != "--quiet");
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_gamete"));
        command.args(arguments).args(more).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it runs");
        // Dropping the readers closes both pipes while it works.
        drop((child.stdout.take(), child.stderr.take()));
        child.wait().expect("it is over");
        check_same(&expected, &runs, "closed pipes");
    }
}

/// A store that cannot be written: in a mount of its own where that is allowed, else by its permissions.
fn in_a_read_only_store(place: &Place, runs: &Path) -> std::process::Output {
    let script = r#"mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" || exit 77; exec "$@""#;
    let mut command = std::process::Command::new("unshare");
    command.args(["-rm", "sh", "-c", script]).arg(runs);
    command.arg(env!("CARGO_BIN_EXE_gamete"));
    let output = command.args(place.arguments(runs)).output();
    match output {
        Ok(output) if output.status.code() != Some(77) && !told(&output).contains("unshare") => {
            output
        }
        _ => {
            let permit = |mode: &str| {
                let changed = std::process::Command::new("chmod")
                    .args(["-R", mode])
                    .arg(runs)
                    .status();
                assert!(changed.expect("chmod").success());
            };
            permit("a-w");
            let output = place.command(runs, "1s").output().expect("it runs");
            permit("u+w");
            output
        }
    }
}

#[test]
fn a_store_that_cannot_be_written_is_told_of_and_left_alone() {
    let place = Place::new(STUDY_2048);
    let runs = place.path("read-only");
    fs::create_dir(&runs).expect("a directory");
    let output = in_a_read_only_store(&place, &runs);
    let message = told(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains("cannot make"), "{message}");
    assert!(message.contains("read-only/disturbed"), "{message}");
    assert_eq!(files(&runs), Files::new());
}
