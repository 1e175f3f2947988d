//! When `build.rs` calls npm, and what it does without: with a page of one file, and a script in place of npm that writes down its calls.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Builds a page, as long as there is something to build it of.
const NPM: &str = r#"#!/bin/sh
PATH=/usr/bin:/bin
echo "$1" >> "$CALLS"
case "$1" in
    install) mkdir -p node_modules ;;
    run) cat src/main.ts > /dev/null && mkdir -p "$5" && echo page > "$5/index.html" ;;
esac
"#;

struct Checkout {
    folder: TempDir,
}

impl Checkout {
    /// Compiles the script, which cargo gives nothing to link with.
    fn new() -> Self {
        let checkout = Self {
            folder: tempfile::tempdir().expect("a directory"),
        };
        for folder in ["bin", "out", "ui/src"] {
            fs::create_dir_all(checkout.path(folder)).expect("a directory");
        }
        checkout.write("ui/src/main.ts", "1");
        checkout.write("ui/package-lock.json", "1");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("build.rs");
        let output = Command::new("rustc")
            .args(["--edition", "2024", "-o"])
            .arg(checkout.path("script"))
            .arg(script)
            .output()
            .expect("rustc is there");
        assert!(output.status.success(), "{output:?}");
        checkout
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    fn with_npm(self) -> Self {
        self.write("bin/npm", NPM);
        let everybody = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path("bin/npm"), everybody).expect("permissions");
        self
    }

    fn run(&self, settings: &[(&str, &str)]) -> Output {
        Command::new(self.path("script"))
            .env_clear()
            .env("PATH", self.path("bin"))
            .env("CALLS", self.path("calls"))
            .env("OUT_DIR", self.path("out"))
            .env("CARGO_MANIFEST_DIR", self.folder.path())
            .envs(settings.iter().copied())
            .output()
            .expect("the script runs")
    }

    /// Runs the script: its warnings, and whether the full page is built in.
    fn check(&self, settings: &[(&str, &str)], warnings: &[&str], is_full: bool) {
        let output = self.run(settings);
        assert!(output.status.success(), "{output:?}");
        let told = String::from_utf8_lossy(&output.stdout);
        let told: Vec<_> = told
            .lines()
            .filter(|line| line.contains("warning"))
            .collect();
        assert_eq!(told.len(), warnings.len(), "{told:?}");
        for (line, part) in told.iter().zip(warnings) {
            assert!(line.contains(part), "{line}");
        }
        let list = fs::read_to_string(self.path("out/page.rs")).expect("the list");
        assert_eq!(list.contains("/index.html"), is_full, "{list}");
    }

    fn check_fails(&self, settings: &[(&str, &str)], part: &str) {
        let output = self.run(settings);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && told.contains(part), "{told}");
    }

    /// What npm was called for since this was last asked.
    fn calls(&self) -> String {
        let calls = fs::read_to_string(self.path("calls")).unwrap_or_default();
        self.write("calls", "");
        calls.replace('\n', " ")
    }
}

#[test]
fn npm_is_called_only_when_something_has_changed() {
    let checkout = Checkout::new().with_npm();
    checkout.check(&[], &["got the page's npm packages"], true);
    assert_eq!(checkout.calls(), "install run ");
    checkout.check(&[], &[], true);
    checkout.check(&[("CI", "true")], &[], true);
    // As another profile or target directory does.
    fs::remove_dir_all(checkout.path("out")).expect("it was there");
    fs::create_dir(checkout.path("out")).expect("a directory");
    checkout.check(&[], &[], true);
    assert!(checkout.path("out/page/index.html").is_file());
    assert_eq!(checkout.calls(), "");
    checkout.write("ui/src/main.ts", "2");
    checkout.check(&[], &[], true);
    assert_eq!(checkout.calls(), "run ");
    checkout.write("ui/package-lock.json", "2");
    checkout.check(&[], &["got the page's npm packages"], true);
    assert_eq!(checkout.calls(), "install run ");
}

#[test]
fn a_plain_page_needs_no_npm() {
    let checkout = Checkout::new().with_npm();
    checkout.check(&[("GAMETE_PAGE", "plain"), ("CI", "true")], &[], false);
    assert_eq!(checkout.calls(), "");
    let checkout = Checkout::new();
    checkout.check(&[], &["plain page: npm is not installed"], false);
}

#[test]
fn a_full_page_that_is_wanted_is_built_or_nothing_is() {
    let checkout = Checkout::new();
    let nothing = "the full page was not built: npm is not installed";
    checkout.check_fails(&[("CI", "true")], nothing);
    checkout.check_fails(&[("GAMETE_PAGE", "full")], nothing);
    checkout.check_fails(&[("GAMETE_PAGE", "fall")], "expected one of plain, full");
    let checkout = checkout.with_npm();
    fs::remove_file(checkout.path("ui/src/main.ts")).expect("it was there");
    checkout.check(&[], &["got", "npm run build failed: "], false);
    checkout.check_fails(&[("CI", "true")], "npm run build failed: ");
}
