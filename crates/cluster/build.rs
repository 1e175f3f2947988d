//! Says by which sources results are computed: machines that work together must have the same.

#[path = "build/sources.rs"]
mod sources;

use std::env;
use std::path::Path;

fn main() {
    let package = env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
    let workspace = Path::new(&package)
        .ancestors()
        .nth(2)
        .expect("crates stand side by side in the workspace");
    for input in sources::inputs(workspace) {
        println!("cargo::rerun-if-changed={}", input.display());
    }
    println!(
        "cargo::rustc-env=GAMETE_SOURCES={}",
        sources::hash(workspace)
    );
}
