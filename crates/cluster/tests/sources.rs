//! Workers and coordinators work together only if the same sources and packages decide their results.

#[path = "../build/sources.rs"]
mod sources;

use std::fs;
use std::path::Path;

use tempfile::TempDir;

const LOCK: &str = r#"
[[package]]
name = "gamete-play"
version = "0.1.0"
dependencies = [
 "gamete-fixtures",
 "libm",
 "rand_core 0.9.0",
]

[[package]]
name = "gamete-report"
version = "0.1.0"
dependencies = [
 "kuva",
]

[[package]]
name = "gamete-fixtures"
version = "0.1.0"

[[package]]
name = "kuva"
version = "1.0.0"
checksum = "aa"

[[package]]
name = "libm"
version = "0.2.1"
checksum = "bb"
dependencies = [
 "below-libm",
]

[[package]]
name = "below-libm"
version = "3.0.0"
checksum = "cc"

[[package]]
name = "rand_core"
version = "0.6.0"
checksum = "dd"

[[package]]
name = "rand_core"
version = "0.9.0"
checksum = "ee"
"#;

/// A workspace with one source file per crate.
fn workspace() -> TempDir {
    let workspace = tempfile::tempdir().expect("a directory");
    let deciding = ["spec", "streams", "games", "evolve", "players", "play"];
    for name in deciding.into_iter().chain(["lab", "report", "web"]) {
        let folder = workspace.path().join("crates").join(name).join("src/inner");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("mod.rs"), name).expect("a source");
    }
    fs::write(workspace.path().join("Cargo.lock"), LOCK).expect("the lock file");
    workspace
}

/// Whether the hash is another after a change of the workspace.
fn changes(change: impl FnOnce(&Path)) -> bool {
    let workspace = workspace();
    let before = sources::hash(workspace.path());
    assert_eq!(before, sources::hash(workspace.path()), "nothing changed");
    change(workspace.path());
    before != sources::hash(workspace.path())
}

fn source_changes(path: &str) -> bool {
    changes(|workspace| fs::write(workspace.join(path), "changed").expect("written"))
}

fn package_changes(from: &str, to: &str) -> bool {
    assert!(LOCK.contains(from), "{from}");
    changes(|workspace| {
        fs::write(workspace.join("Cargo.lock"), LOCK.replace(from, to)).expect("written");
    })
}

#[test]
fn sources_that_decide_results_change_the_hash() {
    for name in ["spec", "streams", "games", "evolve", "players", "play"] {
        let changed = source_changes(&format!("crates/{name}/src/inner/mod.rs"));
        assert!(changed, "{name}");
    }
    assert!(source_changes("crates/evolve/src/new.rs"), "a new file");
    assert!(changes(|workspace| {
        let src = workspace.join("crates/evolve/src");
        fs::rename(src.join("inner/mod.rs"), src.join("inner.rs")).expect("renamed");
    }));
}

#[test]
fn other_sources_do_not() {
    for name in ["lab", "report", "web"] {
        let changed = source_changes(&format!("crates/{name}/src/inner/mod.rs"));
        assert!(!changed, "{name}");
    }
}

#[test]
fn locked_packages_that_decide_results_change_the_hash() {
    assert!(package_changes("0.2.1", "0.2.2"), "a version");
    assert!(package_changes("\"bb\"", "\"ff\""), "a checksum");
    assert!(package_changes("3.0.0", "3.0.1"), "a package below");
    assert!(package_changes("\"ee\"", "\"ff\""), "one of two versions");
}

#[test]
fn other_locked_packages_do_not() {
    assert!(
        !package_changes("1.0.0", "1.0.1"),
        "a package of the report"
    );
    assert!(!package_changes("\"dd\"", "\"ff\""), "the other version");
    let fixtures = "name = \"gamete-fixtures\"\nversion = \"0.1.0\"";
    let newer = fixtures.replace("0.1.0", "0.2.0");
    assert!(!package_changes(fixtures, &newer), "a package for tests");
}

/// The inputs exist, so that cargo builds again when one of them changes.
#[test]
fn all_inputs_of_this_workspace_are_there() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = package.ancestors().nth(2).expect("the workspace");
    for input in sources::inputs(workspace) {
        assert!(input.exists(), "{}", input.display());
    }
}
