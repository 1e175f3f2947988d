//! A hash of everything that decides the result of a game: sources and locked packages.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Crates whose code decides what comes out of a game: `play` and all it uses.
const CRATES: [&str; 6] = ["spec", "streams", "games", "evolve", "players", "play"];
/// The package whose dependencies decide it, too.
const ROOT: &str = "gamete-play";
/// Only tests use it.
const FOR_TESTS: [&str; 2] = ["gamete-fixtures", "tempfile"];

/// The files and folders of a workspace that the hash depends on.
pub(crate) fn inputs(workspace: &Path) -> Vec<PathBuf> {
    let folders = CRATES.map(|name| workspace.join("crates").join(name).join("src"));
    folders.into_iter().chain([lock_file(workspace)]).collect()
}

/// The hash of a workspace.
pub(crate) fn hash(workspace: &Path) -> String {
    let mut sources = Vec::new();
    for name in CRATES {
        collect(
            &workspace.join("crates").join(name).join("src"),
            &mut sources,
        );
    }
    sources.sort();
    let mut hasher = blake3::Hasher::new();
    for source in sources {
        let name = source
            .strip_prefix(workspace)
            .expect("within the workspace");
        hasher.update(name.to_string_lossy().as_bytes());
        hasher.update(&fs::read(&source).expect("a source can be read"));
    }
    let lock = fs::read_to_string(lock_file(workspace)).expect("the lock file");
    for package in dependencies(&lock) {
        hasher.update(package.as_bytes());
    }
    hasher.finalize().to_hex()[..10].to_owned()
}

fn lock_file(workspace: &Path) -> PathBuf {
    workspace.join("Cargo.lock")
}

/// Names, versions and checksums of all packages that the root depends on, as the lock file has them.
fn dependencies(lock: &str) -> BTreeSet<String> {
    let packages: Vec<&str> = lock.split("[[package]]").skip(1).collect();
    let (mut found, mut left) = (BTreeSet::new(), vec![ROOT.to_owned()]);
    while let Some(wanted) = left.pop() {
        // "name", or "name version" where there are several.
        let mut words = wanted.split(' ');
        let (name, version) = (words.next().unwrap_or_default(), words.next());
        let is_it = |package: &&&str| {
            value(package, "name") == Some(name)
                && version.is_none_or(|version| value(package, "version") == Some(version))
        };
        let Some(package) = packages.iter().find(is_it) else {
            continue;
        };
        let lines = package.lines().map(str::trim);
        let uses = lines
            .clone()
            .skip_while(|line| !line.starts_with("dependencies"));
        let uses = uses.filter_map(|line| line.strip_prefix('"')?.strip_suffix("\","));
        let uses: Vec<String> = uses.map(str::to_owned).collect();
        let text = ["name", "version", "checksum"].map(|key| value(package, key).unwrap_or(""));
        if !FOR_TESTS.contains(&name) && found.insert(text.join(" ")) {
            left.extend(uses);
        }
    }
    found
}

/// The value of a key of a package in the lock file.
fn value<'a>(package: &'a str, key: &str) -> Option<&'a str> {
    let line = package
        .lines()
        .find(|line| line.starts_with(&format!("{key} = ")))?;
    line.split('"').nth(1)
}

fn collect(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, sources);
        } else {
            sources.push(path);
        }
    }
}
