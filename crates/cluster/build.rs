//! Says by which sources results are computed: machines that work together must have the same.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Crates whose code decides what comes out of a game.
const CRATES: [&str; 5] = ["spec", "streams", "games", "players", "lab"];

fn main() {
    let crates = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("set by cargo"))
        .parent()
        .expect("crates stand side by side")
        .to_owned();
    let mut sources = Vec::new();
    for name in CRATES {
        let folder = crates.join(name).join("src");
        println!("cargo::rerun-if-changed={}", folder.display());
        collect(&folder, &mut sources);
    }
    sources.sort();
    let mut hasher = blake3::Hasher::new();
    for source in sources {
        let name = source.strip_prefix(&crates).expect("within the crates");
        hasher.update(name.to_string_lossy().as_bytes());
        hasher.update(&fs::read(&source).expect("a source can be read"));
    }
    let hash = hasher.finalize().to_hex();
    println!("cargo::rustc-env=GAMETE_SOURCES={}", &hash[..10]);
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
