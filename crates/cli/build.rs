//! Adds the check of the processor (`src/processor.c`) where the program is built for one that not everybody has.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/processor.c");
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let is_x86 = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|name| name == "x86_64");
    if is_x86 && features.split(',').any(|feature| feature == "avx2") {
        cc::Build::new()
            .file("src/processor.c")
            .inherit_rustflags(false)
            // Nothing refers to it: it runs by itself.
            .link_lib_modifier("+whole-archive")
            .compile("processor");
    }
}
