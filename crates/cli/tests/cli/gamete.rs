//! The binary, run by a test.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Runs the binary to its end.
pub(crate) fn gamete(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gamete"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("gamete runs")
}

/// What the binary prints as JSON.
pub(crate) fn json(arguments: &[&str]) -> Value {
    let output = gamete(arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Wrong usage: exit code 2, a message, nothing on standard output.
pub(crate) fn check_refused(arguments: &[&str], expected: &str) {
    let output = gamete(arguments);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(message.contains(expected), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
}
