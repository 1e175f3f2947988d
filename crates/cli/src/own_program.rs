//! This program itself, for commands that start it again or send it elsewhere.

use std::path::PathBuf;
use std::sync::OnceLock;

use anyhow::Context;

use crate::output::Failure;

static LAUNCHER: OnceLock<PathBuf> = OnceLock::new();

/// Says that this process is an interpreter that loaded the command line as a library, and which program starts it again.
pub fn set_launcher(program: PathBuf) {
    // Within one process it is always the same.
    let _ = LAUNCHER.set(program);
}

/// The program that understands the words of this command line.
pub(crate) fn launcher() -> Result<PathBuf, Failure> {
    LAUNCHER
        .get()
        .map_or_else(executable, |path| Ok(path.clone()))
}

/// The file of this program, complete in itself, to be copied to other machines.
pub(crate) fn standalone() -> Result<PathBuf, Failure> {
    match LAUNCHER.get() {
        None => executable(),
        Some(_) => Err(Failure::Usage(
            "this gamete is part of a Python package and cannot be copied to another machine; \
             install it with 'cargo install --path crates/cli' for this command"
                .to_owned(),
        )),
    }
}

fn executable() -> Result<PathBuf, Failure> {
    let path = std::env::current_exe().context("cannot find this program's own file");
    Ok(path?)
}
