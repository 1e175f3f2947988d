//! The modules of this crate are layers.

#[test]
fn modules_use_only_those_below() {
    let layers = [
        "notify",
        "evolution",
        "run",
        "study",
        "store",
        "runner",
        "check",
        "fsck",
        "bench",
        "verify",
    ];
    fixtures::layers::check(env!("CARGO_MANIFEST_DIR"), &layers);
}
