//! The page in a real browser: what `crates/web/ui/tests` does and looks at, with the program as it was built.
//!
//! A binary of its own, so that the browser does not share the machine with the other tests. Node is needed; browser and packages are installed here
//! if they are missing.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

const CHROMIUM: &str = "/usr/bin/chromium";

fn ui() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/ui")
}

fn is_done(command: &mut Command) -> bool {
    let output = command.stdin(Stdio::null()).output();
    output.is_ok_and(|output| output.status.success())
}

/// Debian's browser, installed if it is not there and may be.
fn has_browser() -> bool {
    let apt = |arguments: &[&str]| is_done(Command::new("apt-get").args(arguments));
    Path::new(CHROMIUM).exists()
        || (apt(&["update"]) && apt(&["install", "-y", "--no-install-recommends", "chromium"]))
}

/// Packages of the page and its tests; installed once, however many tests ask.
fn has_packages() -> bool {
    static THERE: OnceLock<bool> = OnceLock::new();
    *THERE.get_or_init(install)
}

fn install() -> bool {
    let install = ["install", "--no-save", "--no-audit", "--no-fund"];
    ui().join("node_modules/playwright-core").exists()
        || is_done(Command::new("npm").args(install).current_dir(ui()))
}

/// What cannot be tried here is named, and is no excuse where everything must be tried.
fn skip(what: &str) {
    assert!(std::env::var_os("CI").is_none(), "skipped: {what}");
    eprintln!("skipped: {what}");
}

/// Runs one of Node's commands in the directory of the page.
fn check_succeeds(command: &mut Command) {
    let output = command.current_dir(ui()).stdin(Stdio::null()).output();
    let output = output.expect("Node's commands are there");
    let told = [output.stdout, output.stderr].concat();
    let told = String::from_utf8_lossy(&told);
    assert!(output.status.success(), "{command:?}: {told}");
}

#[test]
fn the_page_works_in_a_browser() {
    if !has_packages() {
        return skip("the page in a browser: npm cannot install what its tests need");
    }
    if !has_browser() {
        return skip("the page in a browser: there is no chromium, and apt-get cannot install it");
    }
    let shots = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    let mut test = Command::new("npm");
    test.arg("test")
        .env("GAMETE_BIN", env!("CARGO_BIN_EXE_gamete"))
        .env("SHOTS", &shots);
    check_succeeds(&mut test);
}

/// Types of the page, and that it is written as its tools want it.
#[test]
fn the_page_is_well_typed() {
    if !has_packages() {
        return skip("types of the page: npm cannot install what is needed");
    }
    check_succeeds(Command::new("npm").args(["run", "check"]));
}

/// The page speaks to the server by types made from the server's own description.
#[test]
fn types_of_the_api_are_fresh() {
    if !has_packages() {
        return skip("types of the API: npm cannot install what makes them");
    }
    let fresh = Path::new(env!("CARGO_TARGET_TMPDIR")).join("openapi.ts");
    let make = ["openapi-typescript", "../openapi.json", "--output"];
    check_succeeds(Command::new("npx").args(make).arg(&fresh));
    let read = |path: &Path| std::fs::read_to_string(path).expect("types");
    let kept = read(&ui().join("src/api/openapi.ts"));
    assert!(
        kept == read(&fresh),
        "the API has changed: 'npm run types' in crates/web/ui makes the types anew"
    );
}
