//! Commands that the README and the manual show without their output (blocks marked `sh`) work as shown. What takes long is made short by
//! arguments added at the end.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use fixtures::s3::S3Server;
use tempfile::TempDir;

/// Added to commands that begin like this.
const SHORTER: [(&str, &str); 5] = [
    ("gamete bench", "--seconds 0.4"),
    ("gamete run my-study.toml --store ", "--quiet"),
    ("gamete run ", "--short --quiet"),
    (
        "gamete evolve ",
        "--generations 1 --population 4 --games 1 --final-games 4",
    ),
    ("gamete rm ", "--yes"),
];

/// Takes a minute, and is what a test of the laboratory does.
const CHECKED_ELSEWHERE: &str = "gamete verify";

/// A study of which the manual speaks by name.
const STUDY: &str = r#"
repeats = 2
preset = "2048-ga"
game.name = "2048"
fitness.games = 1
optimizer.population = 4
stop.generations = 1
final.games = 4
[[vary]]
optimizer.mutation-probability = [0.05, 0.5]
"#;

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A directory in which people might try the commands: the studies that ship, and two small ones that were run.
fn place() -> TempDir {
    let place = tempfile::tempdir().expect("a directory");
    let studies = workspace().join("studies").canonicalize().expect("studies");
    std::os::unix::fs::symlink(studies, place.path().join("studies")).expect("a link");
    for name in ["my-study", "other-study"] {
        let file = format!("{name}.toml");
        let text = format!("name = \"{name}\"\n{STUDY}");
        fs::write(place.path().join(&file), text).expect("a study");
        check(&format!("gamete run {file} --quiet"), place.path());
    }
    place
}

fn check(command: &str, place: &Path) {
    check_with(&[], command, place);
}

/// A command works when the environment has these variables.
fn check_with(variables: &[(String, String)], command: &str, place: &Path) {
    let binary = Path::new(env!("CARGO_BIN_EXE_gamete"));
    let path = std::env::var("PATH").unwrap_or_default();
    let folder = binary.parent().expect("it is in a directory").display();
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(place)
        .env("PATH", format!("{folder}:{path}"))
        .envs(variables.iter().cloned())
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {message}");
}

/// The commands in blocks marked `sh`.
pub(crate) fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut within = false;
    for line in text.lines() {
        match line.trim() {
            "```sh" => within = true,
            "```" => within = false,
            line if within => commands.push(without_comment(line)),
            _ => {}
        }
    }
    commands
}

fn without_comment(line: &str) -> String {
    line.split("  #").next().unwrap_or(line).trim().to_owned()
}

fn shortened(command: &str) -> String {
    let more = SHORTER.iter().find(|(start, _)| command.starts_with(start));
    more.map_or(command.to_owned(), |(_, more)| format!("{command} {more}"))
}

/// Every command of a page that is one of gamete's works, each in a fresh place if the one before has taken something away.
fn check_page(page: &str) {
    check_page_with(&[], page);
}

fn check_page_with(variables: &[(String, String)], page: &str) {
    let text = fs::read_to_string(workspace().join(page)).expect("the page");
    let commands = commands(&text);
    let ours: Vec<&String> = commands
        .iter()
        .filter(|command| command.starts_with("gamete ") && *command != CHECKED_ELSEWHERE)
        .collect();
    assert!(!ours.is_empty(), "{page} shows no commands");
    let mut at = place();
    for command in ours {
        check_with(variables, &shortened(command), at.path());
        if command.starts_with("gamete rm") {
            at = place();
        }
    }
}

/// A server started by a command of the manual, on any free port; ended when it is dropped.
struct Served {
    child: Child,
    /// Its address, as it told it.
    address: String,
}

impl Served {
    fn start(command: &str, place: &Path) -> Self {
        let without_port = command
            .replace("--port 9000 ", "")
            .replace(" --no-open", "")
            .replace("0.0.0.0", "127.0.0.2");
        let arguments = without_port.strip_prefix("gamete ").expect("a command");
        let mut child = Command::new(env!("CARGO_BIN_EXE_gamete"))
            .args(arguments.split_whitespace())
            .args(["--port", "0", "--no-open"])
            .current_dir(place)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("gamete runs");
        let told = BufReader::new(child.stdout.take().expect("a pipe"));
        let is_address = |line: &String| line.contains("http://");
        let line = told.lines().map_while(Result::ok).find(is_address);
        let line = line.unwrap_or_else(|| panic!("{command} tells no address"));
        let address = line.split("http://").nth(1).expect("an address");
        let end = address.find(|c: char| c == '/' || c.is_whitespace());
        let address = address[..end.unwrap_or(address.len())].to_owned();
        Self { child, address }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let id = self.child.id().to_string();
        let ended = Command::new("kill").args(["-s", "TERM", &id]).status();
        ended.expect("it can be told to end");
        self.child.wait().expect("it ends");
    }
}

#[test]
fn commands_of_the_manual_on_the_page_work() {
    let text = fs::read_to_string(workspace().join("docs/manual/serve.md")).expect("the page");
    let commands = commands(&text);
    let place = place();
    fs::write(place.path().join("secret"), "a-long-secret\n").expect("a token");
    let serving = |command: &&String| command.starts_with("gamete serve");
    for command in commands.iter().filter(serving) {
        Served::start(command, place.path());
    }
    let served = Served::start("gamete serve", place.path());
    for command in commands
        .iter()
        .filter(|command| command.starts_with("curl "))
    {
        // What goes on for ever is cut short, which curl tells by 28.
        let here = command.replace("localhost:8048", &served.address);
        check(
            &format!("{here} --fail --max-time 5 || [ $? -eq 28 ]"),
            place.path(),
        );
    }
}

#[test]
fn commands_of_the_readme_work() {
    check_page("README.md");
}

#[test]
fn commands_of_the_manual_on_studies_work() {
    check_page("docs/manual/studies.md");
}

#[test]
fn commands_of_the_manual_on_checks_work() {
    check_page("docs/manual/check.md");
}

#[test]
fn commands_of_the_manual_on_stores_work() {
    if let Some(server) = S3Server::start() {
        check_page_with(&server.variables(0), "docs/manual/store.md");
    }
}

#[test]
fn commands_of_the_manual_on_evolution_work() {
    check_page("docs/manual/evolve.md");
}
