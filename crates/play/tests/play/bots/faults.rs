//! Everything a bot can do wrong ends the game with a reason, without waiting for the bot, and leaves no process.

use std::time::{Duration, Instant};

use players::Spec;

use fixtures::scripts::{AMPLE, Folder, HANG, TIMES};

use super::{Bots, play};

/// Answers until it is asked for its first move.
const POLITE: &str = r#"echo '{"type":"info"}'; read rules; echo '{"type":"ready"}'; read start; read suggest || exit
"#;
/// The time for a move, where it is to be over.
const SHORT: Duration = Duration::from_millis(300);
const LATE: &str = "did not answer within 300ms (waiting for 'suggestion')";

/// The reason for which a bot forfeits a game of Connect-N at its first move.
fn forfeit(folder: &Folder, bot: Spec) -> String {
    let (text, since) = (bot.to_string(), Instant::now());
    let opponent = "random".parse().unwrap();
    let (measurement, records) = play("connect", "", vec![bot, opponent], 1, 1).unwrap();
    assert!(since.elapsed() < HANG, "{text} was waited for");
    assert_eq!(measurement.forfeits.map(|forfeits| forfeits.games), Some(1));
    assert_eq!((records[0].score, records[0].moves), (-1, 0));
    folder.check_ended("pid");
    let (seat, reason) = records[0].forfeit.clone().unwrap();
    assert_eq!(seat, 0);
    reason
}

/// A bot that does this when it is asked for a move forfeits with a reason of these parts.
fn check(script: &str, expected: &[&str]) {
    let folder = Folder::new();
    let bot = folder.bot(&format!("{POLITE}{script}"));
    let reason = forfeit(&folder, bot);
    for part in expected {
        assert!(reason.contains(part), "{script}: {reason}");
    }
}

/// A bot that does this before it is ready, and that when it is asked for a move, forfeits since its time is up.
fn check_late(before: &str, script: &str, expected: &[&str]) {
    let folder = Folder::new();
    let bot = folder.bot_in_time(&format!("{before}\n{POLITE}{script}"), SHORT, AMPLE);
    let reason = forfeit(&folder, bot);
    for part in [LATE].iter().chain(expected) {
        assert!(reason.contains(part), "{script}: {reason}");
    }
}

#[test]
fn garbage_is_quoted() {
    check(
        "echo thinking",
        &["the bot wrote 'thinking', which is not a message"],
    );
    check("echo '[1, 2]'", &["'[1, 2]', which is not a message"]);
    check("echo '{\"moves\": [1]}'", &["which is not a message"]);
    check(r"printf '\000\377\033[2J\n'", &["which is not a message"]);
}

#[test]
fn moves_that_are_not_legal_are_named_with_those_that_are() {
    let suggest =
        |moves: &str| format!(r#"echo '{{"type":"suggestion","moves":{moves}}}'; read play"#);
    check(
        &suggest(r#"["9"]"#),
        &[
            "suggested no legal move: 9 is not legal in ",
            "legal moves: 1 2 3 4 5 6 7",
        ],
    );
    check(
        &suggest(r#"["up", 4.5]"#),
        &["'up' is not a move of this game"],
    );
    check(&suggest("[{}]"), &["'{}' is not a move"]);
    check(&suggest("[]"), &["made a suggestion without moves"]);
    check(&suggest("4"), &["made a suggestion without moves"]);
}

#[test]
fn a_bot_that_dies_has_the_last_word() {
    check(
        "echo 'it is too much' >&2; exit 3",
        &[
            "ended: exit status 3",
            "the end of its standard error:\n  it is too much",
        ],
    );
    check("kill -9 $$", &["ended: killed by signal 9"]);
    check(
        "printf '{\"type\":\"sugg'",
        &["ended: exit status 0 (waiting for 'suggestion')"],
    );
}

#[test]
fn a_bot_that_gives_up_is_believed() {
    check(
        r#"echo '{"type":"error","reason":"too hard"}'; sleep 600"#,
        &["gave up: 'too hard'"],
    );
}

#[test]
fn a_silent_bot_loses_when_its_time_is_up() {
    check_late("", "sleep 600", &[]);
    check_late("echo alive >&2", "exec sleep 600", &["\n  alive"]);
}

#[test]
fn a_bot_that_ignores_sigterm_is_killed_as_well() {
    check_late("trap '' TERM INT HUP", "while :; do sleep 1; done", &[]);
}

#[test]
fn floods_are_dammed() {
    check("yes | tr -d '\\n'", &["wrote a line of more than 1 MiB"]);
    check(
        "yes '{\"type\":\"noise\"}'",
        &["wrote more than 16 MiB without an answer"],
    );
    check_late("echo y >&2", "yes >&2", &["\n  y"]);
    check("yes", &["wrote 'y', which is not a message"]);
}

#[test]
fn closed_pipes_are_noticed_at_once() {
    check("exec >&-; sleep 600", &["closed its standard output"]);
    let folder = Folder::new();
    let deaf = folder
        .bot(r#"echo '{"type":"info"}'; read rules; exec <&-; echo '{"type":"ready"}'; sleep 600"#);
    let (_, records) = play("2048", "", vec![deaf], 1, 1).unwrap();
    let (_, reason) = records[0].forfeit.clone().unwrap();
    assert!(reason.contains("closed its standard input"), "{reason}");
    folder.check_ended("pid");
}

#[test]
fn a_bot_that_does_not_read_does_not_stop_us() {
    let folder = Folder::new();
    let bot = folder.bot_in_time(
        r#"echo '{"type":"info"}'; echo '{"type":"ready"}'; exec sleep 600"#,
        SHORT,
        AMPLE,
    );
    // Some hundred messages of the board would fill the pipe; one is enough to see that none is waited for.
    let (_, records) = play("tetris", "", vec![bot], 2, 2).unwrap();
    assert!(records.iter().all(|record| record.forfeit.is_some()));
    folder.check_ended("pid");
}

#[test]
fn what_a_bot_started_goes_with_it() {
    let begin = "sleep 600 & echo $! >> grandchild";
    let folder = Folder::new();
    let bot = folder.bot(&format!("{POLITE}{begin}; exit 0"));
    let reason = forfeit(&folder, bot);
    assert!(reason.contains("ended: exit status 0"), "{reason}");
    folder.check_ended("grandchild");
    let folder = Folder::new();
    let bot = folder.bot_in_time(&format!("{begin}\n{POLITE}sleep 600"), SHORT, AMPLE);
    let reason = forfeit(&folder, bot);
    assert!(reason.contains(LATE), "{reason}");
    folder.check_ended("grandchild");
}

#[test]
fn what_a_bot_started_in_a_session_of_its_own_goes_with_it() {
    let begin = "setsid sh -c 'echo $$ >> grandchild; exec sleep 600' & ";
    let wait = "while [ ! -s grandchild ]; do sleep 0.01; done";
    let folder = Folder::new();
    let bot = folder.bot(&format!("{POLITE}{begin} {wait}; exit 0"));
    let reason = forfeit(&folder, bot);
    assert!(reason.contains("ended: exit status 0"), "{reason}");
    folder.check_ended("grandchild");
    let folder = Folder::new();
    let bot = folder.bot_in_time(&format!("{begin} {wait}\n{POLITE}sleep 600"), SHORT, AMPLE);
    let reason = forfeit(&folder, bot);
    assert!(reason.contains(LATE), "{reason}");
    folder.check_ended("grandchild");
}

/// Why a bot cannot even be tried out.
fn refused(folder: &Folder, bot: Spec) -> String {
    let error = play("2048", "", vec![bot], 1000, 2)
        .unwrap_err()
        .to_string();
    let starts = folder.read("pid").lines().count();
    assert!(starts <= 1, "it is started once: {error}");
    error
}

#[test]
fn a_bot_that_does_not_get_ready_is_told_before_any_game() {
    let check = |script: &str, expected: &[&str]| {
        let folder = Folder::new();
        let error = refused(&folder, folder.bot(script));
        for part in expected {
            assert!(error.contains(part), "{script}: {error}");
        }
        folder.check_ended("pid");
    };
    check(
        "no-such-command",
        &[
            "exec(cmd=",
            "the bot ended: exit status 127",
            "no-such-command",
        ],
    );
    check("exit 0", &["ended: exit status 0 (waiting for 'info')"]);
    check("echo Hello", &["wrote 'Hello'"]);
    check(
        r#"echo '{"type":"info"}'; read rules; echo '{"type":"error","reason":"unsupported_rules"}'; read quit"#,
        &["gave up: 'unsupported_rules'"],
    );
}

#[test]
fn a_bot_that_is_not_ready_in_time_is_told_before_any_game() {
    let check = |script: &str, expected: &str| {
        let is_told = |time: Duration| {
            let folder = Folder::new();
            let error = refused(&folder, folder.bot_in_time(script, AMPLE, time));
            let within = format!("within {}", humantime::format_duration(time));
            assert!(error.contains(&within), "{script}: {error}");
            let has_begun = error.contains(expected) && !folder.read("pid").is_empty();
            if has_begun {
                folder.check_ended("pid");
            }
            has_begun
        };
        assert!(TIMES.into_iter().any(is_told), "{script}: {expected}");
    };
    check("sleep 600", "(waiting for 'info')");
    check(
        "echo '{\"type\":\"info\"}'; sleep 600",
        "(waiting for 'ready')",
    );
}

#[test]
fn a_bot_that_fails_to_start_later_loses_that_game_only() {
    let folder = Folder::new();
    // The first line of `pid` is the trial's; the third start, of the second game, fails.
    let bot = folder.bot(
        r#"[ $(wc -l < pid) -eq 3 ] && exit 5
        echo '{"type":"info"}'
        while read -r line; do case $line in
            *'"rules"'*) echo '{"type":"ready"}';;
            *'"type":"suggest"'*) echo '{"type":"suggestion","moves":[0, 1, 2, 3]}';;
            *quit*) exit;;
        esac; done"#,
    );
    let (measurement, records) = play("2048", "", vec![bot], 3, 1).unwrap();
    let forfeited: Vec<bool> = records
        .iter()
        .map(|record| record.forfeit.is_some())
        .collect();
    assert_eq!(forfeited, [false, true, false]);
    assert!(
        measurement
            .forfeits
            .unwrap()
            .first_reason
            .contains("exit status 5")
    );
    folder.check_ended("pid");
}
