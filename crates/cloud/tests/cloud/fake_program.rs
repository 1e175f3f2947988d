//! Programs that only record their calls, instead of those that rent machines.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A shell script that records each of its calls as a line, and then runs a given script.
pub(crate) struct FakeProgram {
    folder: TempDir,
    name: &'static str,
}

impl FakeProgram {
    /// A program of this name that runs this script.
    pub(crate) fn new(name: &'static str, script: &str) -> Self {
        let folder = tempfile::tempdir().expect("a directory");
        let calls = folder.path().join("calls");
        let text = format!("#!/bin/sh\necho \"$*\" >>'{}'\n{script}\n", calls.display());
        write_program(&folder.path().join(name), &text);
        Self { folder, name }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn program(&self) -> PathBuf {
        self.folder().join(self.name)
    }

    /// All calls so far, one per line.
    pub(crate) fn calls(&self) -> String {
        fs::read_to_string(self.folder().join("calls")).unwrap_or_default()
    }
}

pub(crate) fn write_program(path: &Path, text: &str) {
    fs::write(path, text).expect("a script");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(path, mode).expect("it can be run");
}
