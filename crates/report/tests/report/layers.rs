//! The modules of this crate are layers.

#[test]
fn modules_use_only_those_below() {
    let layers = [
        "charts",
        "figures",
        "board_picture",
        "ranges",
        "sweep",
        "results",
        "curves",
        "groups",
        "keys",
        "networks",
        "published",
        "provenance",
        "pictures",
        "workers",
        "build",
        "formats",
        "export",
        "leaderboard",
    ];
    fixtures::layers::check(env!("CARGO_MANIFEST_DIR"), &layers);
}
