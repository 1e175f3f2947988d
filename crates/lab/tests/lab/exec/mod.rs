//! Bots as players: those that come with Gamete, and those that do everything wrong.

mod conversation;
mod faults;
mod shipped;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lab::measure::{Measurement, Plan, measure};
use lab::play::{Interest, PlayError, Record, Table};
use players::Spec;

/// Only what hangs takes so long, however busy the machine is. Programs that should not be waited for sleep twice as long.
pub(crate) const HANG: Duration = Duration::from_secs(300);
/// Longer than that: for programs whose time is not what is tested.
pub(crate) const AMPLE: Duration = Duration::from_secs(600);
/// A busy machine may need longer than the first of these to start a program: what is to happen within such a time is tried with the next one then.
pub(crate) const TIMES: [Duration; 4] = [
    Duration::from_millis(300),
    Duration::from_secs(3),
    Duration::from_secs(30),
    Duration::from_secs(200),
];

/// A folder for the scripts of bots and what they write down.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).unwrap_or_default()
    }

    /// A bot that is a shell script and has ample time for everything. It runs in this folder and notes its process in `pid`.
    fn bot(&self, script: &str) -> Spec {
        self.bot_in_time(script, AMPLE, AMPLE)
    }

    /// A bot with so much time for a move, and to get ready.
    fn bot_in_time(&self, script: &str, time: Duration, start: Duration) -> Spec {
        let command = self.command(script);
        let [time, start] = [time, start].map(humantime::format_duration);
        format!("exec(cmd='{command}', time='{time}', start='{start}')")
            .parse()
            .expect("a spec")
    }

    /// The command for a shell script, which runs in this folder and notes its process in `pid`.
    pub(crate) fn command(&self, script: &str) -> String {
        let folder = self.0.path().display();
        let script = format!("cd '{folder}'; echo $$ >> pid\n{script}");
        std::fs::write(self.file("bot.sh"), script).expect("a script");
        format!("exec sh {folder}/bot.sh")
    }

    /// No process that was noted in this file runs any more.
    pub(crate) fn check_ended(&self, name: &str) {
        let processes = self.read(name);
        assert!(!processes.is_empty(), "no process was noted in {name}");
        for process in processes.lines() {
            // What a bot started is waited for by init, which may take a moment.
            wait_until(&format!("process {process} ends"), || !is_running(process));
        }
    }
}

fn is_running(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let since = Instant::now();
    while !holds() {
        assert!(since.elapsed() < HANG, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Plays games and counts them.
fn play(
    game: &str,
    rules: &str,
    specs: Vec<Spec>,
    games: u64,
    threads: usize,
) -> Result<(Measurement, Vec<Record>), PlayError> {
    let game = games::registry::build(game, &rules.parse().expect("options")).expect("rules");
    let plan = Plan {
        game,
        table: Table::new(specs, None),
        games,
        seed: 1,
        threads,
        interest: Interest::Result,
        both_seats: false,
    };
    measure(&plan, &|| ())
}

/// The bot of a file in `bots/`.
fn shipped(file: &str) -> Spec {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../bots")
        .join(file);
    format!(
        "exec(cmd='python3 {}', time=10m, start=10m)",
        path.display()
    )
    .parse()
    .expect("a spec")
}

/// Is there a python3? Without one a test says that it is skipped; where everything has to run, that is a failure.
pub(crate) fn has_python(test: &str) -> bool {
    let output = std::process::Command::new("python3")
        .arg("--version")
        .output();
    let found = output.is_ok_and(|output| output.status.success());
    let must = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(found || !must, "{test} needs python3");
    if !found {
        eprintln!("skipped: {test} needs python3");
    }
    found
}
