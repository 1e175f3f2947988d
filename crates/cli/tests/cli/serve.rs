//! `gamete serve` as people start and stop it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::Signal;

use crate::disturbed::{ended, send, wait_until};
use crate::gamete::{check_refused, json};

/// A server over these runs, and the address it prints.
fn serve(runs: &str, more: &[&str]) -> (Child, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gamete"))
        .args(["serve", "--port", "0", "--no-open", "--runs-dir", runs])
        .args(more)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("gamete runs");
    let mut link = String::new();
    let out = child.stdout.take().expect("it prints");
    BufReader::new(out)
        .read_line(&mut link)
        .expect("an address");
    (child, link.trim().to_owned())
}

fn host(link: &str) -> &str {
    let rest = link.strip_prefix("http://").expect("an address");
    rest.split('/').next().expect("a host")
}

fn ask(link: &str, request: &str, headers: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(host(link)).expect("it listens");
    let text = format!(
        "{request} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        host(link),
        body.len()
    );
    stream.write_all(text.as_bytes()).expect("it hears");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    answer
}

fn end(mut child: Child) -> Option<i32> {
    send(&child, Signal::INT);
    ended(&mut child).code()
}

/// Many small generations: whoever is told to stop ends the one it is at.
const LONG: &str = "name = \"long\"\n[game]\nname = \"2048\"\n[fitness]\ngames = 1\n[optimizer]\npopulation = 6\n[stop]\ngenerations = 1000000\n";

#[test]
fn ctrl_c_saves_the_study_and_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let runs = folder.path().to_str().expect("a path");
    let (mut child, link) = serve(runs, &[]);
    let body = serde_json::json!({"toml": LONG}).to_string();
    let started = ask(
        &link,
        "POST /api/studies",
        "content-type: application/json\r\n",
        &body,
    );
    assert!(started.starts_with("HTTP/1.1 201"), "{started}");
    let is_running = |_: &Child| {
        std::thread::sleep(Duration::from_millis(50));
        ask(&link, "GET /api/runs?state=running", "", "").contains("long/r1")
    };
    assert!(wait_until(&mut child, is_running), "it begins");
    assert_eq!(end(child), Some(0));
    let listed = json(&["runs", "--runs-dir", runs, "--json"]);
    assert_eq!(listed[0]["state"], "interrupted", "{listed}");
}

#[test]
fn a_port_in_use_and_a_weak_token_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let runs = folder.path().to_str().expect("a path");
    let (child, link) = serve(runs, &[]);
    let port = host(&link).rsplit(':').next().expect("a port").to_owned();
    let arguments = ["serve", "--no-open", "--runs-dir", runs, "--port", &port];
    check_refused(&arguments, "in use already");
    let short = folder.path().join("short");
    std::fs::write(&short, "short\n").expect("a file");
    let short = short.to_str().expect("a path");
    check_refused(&["serve", "--no-open", "--token-file", short], "at least 8");
    let missing = ["serve", "--no-open", "--token-file", "nowhere"];
    check_refused(&missing, "cannot read the token");
    // Everybody who lists processes would see it.
    let shown = ["serve", "--no-open", "--token", "a-long-secret"];
    check_refused(&shown, "--token-file");
    assert_eq!(end(child), Some(0));
}

#[test]
fn the_printed_address_brings_the_token() {
    let folder = tempfile::tempdir().expect("a folder");
    let runs = folder.path().to_str().expect("a path");
    let file = folder.path().join("secret");
    std::fs::write(&file, "a-long-secret\n").expect("a file");
    let file = file.to_str().expect("a path");
    let (child, link) = serve(runs, &["--token-file", file]);
    assert!(link.ends_with("/?token=a-long-secret"), "{link}");
    assert!(ask(&link, "GET /api/status", "", "").starts_with("HTTP/1.1 401"));
    let kept = ask(&link, "GET /?token=a-long-secret", "", "");
    assert!(
        kept.starts_with("HTTP/1.1 303") && kept.contains("set-cookie"),
        "{kept}"
    );
    assert_eq!(end(child), Some(0));
}
