//! Bots on the command line: what a person sees of them, and that none outlives the program.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::disturbed::HANG;

/// Runs gamete with this shell script as the bot.
fn gamete(script: &str, words: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let bot = bot(folder.path(), script);
    let words = words
        .iter()
        .map(|word| if *word == "BOT" { &bot } else { *word });
    Command::new(env!("CARGO_BIN_EXE_gamete"))
        .args(words)
        .stdin(Stdio::null())
        .output()
        .expect("gamete runs")
}

fn bot(folder: &Path, script: &str) -> String {
    let file = folder.join("bot.sh");
    let mut written = std::fs::File::create(&file).expect("a script");
    writeln!(written, "cd {}; {script}", folder.display()).expect("a script");
    format!(
        "exec(cmd='exec sh {}', time=10m, start=10m)",
        file.display()
    )
}

const READY: &str = r#"echo '{"type":"info"}'; read rules; echo '{"type":"ready"}'; read start; "#;

#[test]
fn a_bot_that_does_not_start_stops_every_command_with_one_message() {
    for words in [
        &["measure", "2048", "--player", "BOT"][..],
        &["watch", "tetris", "--player", "BOT"],
        &["match", "connect", "--players", "random", "BOT"],
    ] {
        let output = gamete("echo no luck >&2; exit 4", words);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {message}");
        assert!(message.starts_with("error: exec(cmd="), "{message}");
        assert!(
            message.contains("the bot ended: exit status 4"),
            "{message}"
        );
        assert!(message.ends_with("\n  no luck\n"), "{message}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_lost_game_is_shown_with_its_reason() {
    let script = format!("{READY} read suggest; echo later");
    for words in [
        &[
            "measure",
            "connect",
            "--against",
            "random",
            "--games",
            "2",
            "--player",
            "BOT",
        ][..],
        &["watch", "connect", "--against", "random", "--player", "BOT"],
        &[
            "match",
            "connect",
            "--games",
            "2",
            "--players",
            "BOT",
            "random",
        ],
        &[
            "match",
            "2048",
            "--games",
            "2",
            "--players",
            "BOT",
            "random",
        ],
    ] {
        let output = gamete(&script, words);
        let text = String::from_utf8_lossy(&output.stdout);
        // Numbers of games that nobody played are a failure; one game that is watched is not.
        let expected = if words[0] == "watch" { 0 } else { 1 };
        assert_eq!(output.status.code(), Some(expected), "{words:?}");
        assert!(
            text.contains("the bot wrote 'later', which is not a message"),
            "{text}"
        );
        assert!(text.contains("forfeited"), "{text}");
        if words[0] == "match" {
            assert!(text.contains(" 0 won, 0 drawn, 2 lost;"), "{text}");
        }
    }
}

/// Answers a game of Connect-N with the first column, however often it is asked.
const NAMED: &str = r#"echo '{"type":"info","name":"Column One"}'
    while read -r line; do case $line in
        *'"type":"rules"'*) echo '{"type":"ready"}';;
        *'"type":"suggest"'*) echo '{"type":"suggestion","moves":["1","2","3","4","5","6","7"]}';;
        *'"type":"quit"'*) exit;;
    esac; done"#;

#[test]
fn a_bot_is_shown_by_its_own_name() {
    for words in [
        &["measure", "connect", "--player", "BOT", "--games", "2"][..],
        &["watch", "connect", "--player", "BOT", "--against", "random"],
        &["match", "connect", "BOT", "random", "--games", "2"],
    ] {
        let output = gamete(NAMED, words);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{words:?}: {text}");
        assert!(text.contains("Column One"), "{text}");
        assert!(!text.contains("exec("), "{text}");
    }
}

#[test]
fn a_wrong_spec_is_wrong_usage() {
    let check = |spec: &str, expected: &str| {
        let output = gamete("", &["measure", "2048", "--player", spec]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(expected), "{message}");
    };
    check("exec", "exec needs a command");
    check("exec(command='x')", "its parameters are cmd, time, start");
    check("exce(cmd='x')", "did you mean 'exec'?");
}

#[test]
fn exec_is_among_the_players() {
    let list = gamete("", &["players", "tetris"]).stdout;
    assert!(String::from_utf8_lossy(&list).contains("\nexec(time=10s, start=10s)\n"));
    let shown = gamete("", &["players", "show", "exec"]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("  cmd  "));
}

#[test]
fn a_bot_does_not_outlive_a_killed_program() {
    // It takes no notice of anything, not even of its closed pipes.
    check_ends("trap '' TERM INT HUP PIPE; echo $$ > pid; while :; do sleep 0.1; done");
}

#[test]
fn what_a_bot_started_in_a_session_of_its_own_does_not_outlive_a_killed_program() {
    check_ends("setsid sh -c 'echo $$ > pid; exec sleep 600' & while :; do sleep 0.1; done");
}

/// Whoever writes its process to `pid` ends after the program was killed.
fn check_ends(script: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let script = format!("{READY} {script}");
    let bot = bot(folder.path(), &script);
    let mut gamete = Command::new(env!("CARGO_BIN_EXE_gamete"))
        .args(["measure", "2048", "--player", &bot])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("gamete runs");
    let process = || std::fs::read_to_string(folder.path().join("pid")).unwrap_or_default();
    wait_until("the bot thinks", || process().ends_with('\n'));
    gamete.kill().expect("it runs");
    gamete.wait().expect("it ends");
    let stat = format!("/proc/{}/stat", process().trim());
    let is_running = || std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
    wait_until("the bot ends", || !is_running());
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let since = Instant::now();
    while !holds() {
        assert!(since.elapsed() < HANG, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
