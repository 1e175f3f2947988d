//! Small studies for tests that disturb them, and the comparison of what they leave.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// Only what hangs takes so long, however busy the machine is.
pub(crate) const HANG: Duration = Duration::from_secs(600);

/// Four runs of 2048, with finals and a long measurement.
pub(crate) const STUDY_2048: &str = r#"
name = "disturbed"
seed = 11
repeats = 2
[game]
name = "2048"
[fitness]
games = 1
[stop]
generations = 12
[final]
games = 60
finalists = 3
[[vary]]
optimizer.population = [6, 8]
"#;

/// Four runs of Tetris.
pub(crate) const STUDY_TETRIS: &str = r#"
name = "disturbed"
seed = 12
repeats = 2
[game]
name = "tetris"
limit = 40
[fitness]
games = 1
[stop]
generations = 12
[final]
games = 100
finalists = 3
[[vary]]
fitness.noise = ["keep", "fresh"]
[optimizer]
population = 8
"#;

/// A single run, short enough to be damaged in many ways.
pub(crate) const STUDY_SHORT: &str = r#"
name = "disturbed"
[game]
name = "2048"
[fitness]
games = 1
[optimizer]
population = 6
[stop]
generations = 40
[final]
games = 40
finalists = 2
"#;

/// A training whose last block is shorter than the others, with a stage that games begin in.
pub(crate) const TRAINING: &str = "kind = \"train\"\ngame.name = \"2048\"\n\
    train = { network = \"0,1,2 0,1,4,5\", games = 330, every = 50, stages = [128], restart = \"carousel\" }\n\
    final = { games = 60, plies = [2], ply-games = 4 }\n";

/// A study of every kind and of every way to evolve whose files must not depend on what happens on the way.
pub(crate) const ALL_KINDS: [(&str, &str); 11] = [
    (
        "genetic algorithm",
        "preset = \"2048-ga\"\ngame.name = \"2048\"\nfitness.games = 2\noptimizer.population = 8\nstop.generations = 20\n\
         final = { games = 60, finalists = 3 }\nrepeats = 2\n",
    ),
    (
        "CMA-ES",
        "game.name = \"2048\"\nfitness.games = 2\noptimizer.population = 6\nstop.generations = 20\nfinal = { games = 60, finalists = 3 }\n\
         repeats = 2\n",
    ),
    (
        "Cartesian genetic programming",
        "preset = \"cgp\"\ngame.name = \"2048\"\nfitness.games = 2\noptimizer.population = 6\nstop.generations = 30\n\
         final = { games = 60, finalists = 2 }\nrepeats = 2\n",
    ),
    (
        "grid",
        "preset = \"connect-ga\"\ngame = { name = \"connect\", rows = 4, cols = 4, connect = 3 }\noptimizer = { algorithm = \"grid\", steps = 2, batch = 8 }\n\
         fitness = { games = 1, against = [\"random\"] }\nstop.generations = 12\nfinal = { games = 60, finalists = 2 }\n",
    ),
    (
        "random search",
        "game = { name = \"tetris\", limit = 40 }\noptimizer = { algorithm = \"random\", population = 6 }\nfitness.games = 2\n\
         stop.generations = 12\nfinal = { games = 60, finalists = 2 }\n",
    ),
    (
        "measurement",
        "kind = \"measure\"\ngame.name = \"2048\"\nplayer = \"expectimax(depth=1)\"\nmeasure.games = 120\nrepeats = 2\n",
    ),
    (
        "Elo",
        "kind = \"measure\"\ngame.name = \"connect\"\nmeasure = { games = 120, both-seats = true }\n[[vary]]\n\
         settings = [{ label = \"a\", player = \"mcts(iterations=20)\", against = \"random\" }, \
         { label = \"b\", player = \"alphabeta(depth=2, eval=lines)\", against = \"mcts(iterations=20)\" }]\n",
    ),
    (
        "deviation",
        "kind = \"deviation\"\npreset = \"2048-ga\"\ngame.name = \"2048\"\ndeviation = { individuals = 12, truth = 300, games = [50, 5, 1] }\n",
    ),
    (
        "optimality",
        "kind = \"optimality\"\ncheck = { boards = [\"3x3\", \"2x4\", \"4x3\"], games = 60 }\n",
    ),
    ("training", TRAINING),
    (
        "program as fitness",
        "fitness = { exec = \"sh sphere.sh\", genes = 2, low = -5, high = 5, goal = \"lowest\", games = 1, copies = 2, time-limit = \"10m\" }\n\
         optimizer.population = 6\nstop.generations = 12\nfinal = { games = 12, finalists = 2 }\n",
    ),
];

/// The sum of the genes without their signs and fractions, and a bit of the seed.
const SPHERE: &str = r#"while read -r line; do
  id=${line#*\"id\":}; id=${id%%,*}
  genome=${line#*\"genome\":[}; genome=${genome%%]*}
  seed=${line#*\"seed\":}; seed=${seed%%\}*}; seed=${seed%%,*}
  sum=${seed#"${seed%?}"}
  for gene in $(echo "$genome" | tr , ' '); do gene=${gene#-}; sum=$((sum + ${gene%%.*})); done
  echo "{\"id\":$id,\"fitness\":$sum}"
done
"#;

/// All files of a store that must not depend on what happened on the way, by name.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// A study in a directory of its own.
pub(crate) struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new(study: &str) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(directory.path().join("study.toml"), study).expect("a study");
        fs::write(directory.path().join("sphere.sh"), SPHERE).expect("a program");
        Self { directory }
    }

    /// One of [`ALL_KINDS`].
    pub(crate) fn of_kind(study: &str) -> Self {
        Self::new(&format!("name = \"disturbed\"\nseed = 5\n{study}"))
    }

    /// A path in the directory.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The arguments that run the study in a store.
    pub(crate) fn arguments(&self, runs: &Path) -> Vec<String> {
        let path = |path: &Path| path.to_str().expect("a path").to_owned();
        let mut arguments = ["run", "--quiet", "--threads", "2"]
            .map(str::to_owned)
            .to_vec();
        arguments.extend([
            path(&self.path("study.toml")),
            "--runs-dir".to_owned(),
            path(runs),
        ]);
        arguments
    }

    /// The command that runs the study in a store.
    pub(crate) fn command(&self, runs: &Path, save_every: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gamete"));
        command
            .args(self.arguments(runs))
            .args(["--save-every", save_every])
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        command
    }

    /// Runs the study to its end, undisturbed: what it leaves, and for how long it computed.
    pub(crate) fn undisturbed(&self) -> (Files, Duration) {
        let (runs, mut computed) = (self.path("undisturbed"), Duration::ZERO);
        let mut command = self.command(&runs, "1s");
        let mut child = command.stderr(Stdio::piped()).spawn().expect("it runs");
        wait_until(&mut child, |child| {
            computed = computing_time(child);
            false
        });
        let output = child.wait_with_output().expect("it is over");
        assert!(output.status.success(), "{}", told(&output));
        (files(&runs), computed)
    }
}

/// What a command wrote to standard error.
pub(crate) fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The files of a store.
pub(crate) fn files(store: &Path) -> Files {
    let mut found = Files::new();
    collect(store, store, &mut found);
    found
}

fn collect(store: &Path, directory: &Path, found: &mut Files) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path
            .strip_prefix(store)
            .expect("within")
            .to_str()
            .expect("text");
        let last = name.rsplit('/').next().unwrap_or(name);
        let may_differ = [
            "status.json",
            "workers.json",
            "distrusted.json",
            "lock",
            "report",
            "vault.json",
        ]
        .contains(&last)
            || last.starts_with("index.sqlite")
            || last.contains(".damaged-");
        match (may_differ, path.is_dir()) {
            (true, _) => {}
            (false, true) => collect(store, &path, found),
            (false, false) => {
                found.insert(name.to_owned(), fs::read(&path).expect("a file"));
            }
        }
    }
}

/// Both stores hold the same files with the same bytes.
pub(crate) fn check_same(expected: &Files, store: &Path, what: &str) {
    let found = files(store);
    let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(expected), "{what}");
    for (name, contents) in expected {
        assert!(found[name] == *contents, "{what}: {name} differs");
    }
}

/// A store is copied, so that it can be disturbed again and again.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a copy");
        }
    }
}

/// Waits until something is so, or the process is over; says whether it is so.
pub(crate) fn wait_until(child: &mut Child, mut is_so: impl FnMut(&Child) -> bool) -> bool {
    loop {
        if is_so(child) {
            return true;
        }
        if child.try_wait().expect("a process").is_some() {
            return false;
        }
        sleep(Duration::from_millis(1));
    }
}

/// Waits for the end of a process. One that does not end is killed, and the test fails.
pub(crate) fn ended(child: &mut Child) -> ExitStatus {
    let began = Instant::now();
    if wait_until(child, |_| began.elapsed() > HANG) {
        child.kill().expect("it can be killed");
        panic!("it does not end");
    }
    child.wait().expect("it is over")
}

/// How long a process has computed: unlike the time on the wall, the same however busy the machine is. It is counted in hundredths of a second.
pub(crate) fn computing_time(child: &Child) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    let ticks: f64 = ticks.filter_map(|word| word.parse::<f64>().ok()).sum();
    Duration::from_secs_f64(ticks / rustix::param::clock_ticks_per_second() as f64)
}

/// Has a process come so far that it hears this signal? Before, it would just end.
pub(crate) fn hears(child: &Child, signal: Signal) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status
        .lines()
        .find_map(|line| line.strip_prefix("SigCgt:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| (mask >> (signal.as_raw() - 1)) & 1 == 1)
}

/// Sends a signal to a process that has not been waited for.
pub(crate) fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it can be signalled");
}
