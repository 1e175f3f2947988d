//! The modules of this crate are layers.

#[test]
fn modules_use_only_those_below() {
    let layers = [
        "cpu_time",
        "numbers",
        "hashing",
        "helpers",
        "stats",
        "bots",
        "error",
        "record",
        "position",
        "functions",
        "openings",
        "seating",
        "network_file",
        "batch",
        "playing",
        "player_file",
        "records",
        "named_player",
        "advice",
        "any",
        "proofs",
        "solution",
        "replay",
        "recorded",
        "replies",
        "decisive",
        "measure",
        "tournament",
        "suggested",
        "choices",
        "bench",
    ];
    fixtures::layers::check(env!("CARGO_MANIFEST_DIR"), &layers);
}
