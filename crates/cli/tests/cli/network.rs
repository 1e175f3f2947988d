//! A pool whose network, processes and disk fail, each in every way once: a round of `nightly/network.sh`.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use fixtures::nats::program;
use fixtures::skipped;

use crate::disturbed::ended;

/// The script's exit code where nobody may make namespaces.
const FORBIDDEN: i32 = 77;

fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let output = Command::new(program).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

/// Is iproute2 there? Debian's is installed if that is allowed.
fn has_iproute() -> bool {
    let is_there = || succeeds("tc", &["-V"]) && succeeds("ip", &["-V"]);
    let install = ["install", "-y", "--no-install-recommends", "iproute2"];
    is_there()
        || (rustix::process::geteuid().is_root()
            && succeeds("apt-get", &["update"])
            && succeeds("apt-get", &install)
            && is_there())
}

#[test]
fn faults_of_every_kind_on_a_network_change_nothing() {
    let Some(server) = program() else { return };
    if !has_iproute() {
        return skipped("a pool on a network that fails: iproute2 cannot be installed here");
    }
    let place = tempfile::tempdir().expect("a directory");
    let log = place.path().join("log");
    let file = File::create(&log).expect("a log");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nightly/network.sh");
    let mut round = Command::new(script)
        .args(["1", env!("CARGO_BIN_EXE_gamete")])
        .env("GAMETE_NATS_SERVER", server)
        .env("TMPDIR", place.path())
        .stdin(Stdio::null())
        .stdout(file.try_clone().expect("the same log"))
        .stderr(file)
        .spawn()
        .expect("bash");
    let status = ended(&mut round);
    let told = std::fs::read_to_string(&log).expect("what it told");
    if status.code() == Some(FORBIDDEN) {
        // The kernel decides that, and nothing that could be installed.
        eprintln!("skipped: a pool on a network that fails: {told}");
        return;
    }
    assert!(status.success(), "{status}: {told}");
}
