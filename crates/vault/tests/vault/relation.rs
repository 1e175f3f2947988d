//! Which of the two, directory or vault, is an earlier state of the other.

use std::fs;

use vault::Relation;

use crate::stores::{CARE, Store, write};

fn check(store: &Store, folder: &str, expected: Relation) {
    let view = store.shelf().look().expect("a view");
    let relation = view
        .compare(&store.path(folder), &CARE)
        .expect("a relation");
    assert_eq!(relation, expected, "{folder}");
}

/// A directory that is kept, and the same brought back as another.
fn two_directories() -> Store {
    let store = Store::in_directory();
    write(
        &store.path("one"),
        &[("state", b"first"), ("status", b"1 s")],
    );
    store
        .writer(&store.path("one"))
        .snapshot()
        .expect("a snapshot");
    store
        .shelf()
        .look()
        .expect("a view")
        .restore(&store.path("two"))
        .expect("it comes back");
    store
}

#[test]
fn nothing_is_kept_at_first() {
    let store = Store::in_directory();
    write(&store.path("one"), &[("state", b"first")]);
    check(&store, "one", Relation::NothingKept);
}

#[test]
fn a_directory_that_is_not_there_is_to_be_brought_back() {
    let store = two_directories();
    check(&store, "none", Relation::ThereIsNewer);
    write(&store.path("empty"), &[("lock", b"")]);
    check(&store, "empty", Relation::ThereIsNewer);
}

#[test]
fn a_directory_that_was_kept_may_go_on() {
    let store = two_directories();
    check(&store, "one", Relation::HereIsNewer);
    check(&store, "two", Relation::HereIsNewer);
    write(&store.path("one"), &[("state", b"second")]);
    check(&store, "one", Relation::HereIsNewer);
}

#[test]
fn a_directory_that_another_has_gone_on_from_is_the_earlier_one() {
    let store = two_directories();
    write(&store.path("two"), &[("state", b"second")]);
    store
        .writer(&store.path("two"))
        .snapshot()
        .expect("a snapshot");
    check(&store, "one", Relation::ThereIsNewer);
    // Times are no state.
    write(&store.path("one"), &[("status", b"2 s")]);
    check(&store, "one", Relation::ThereIsNewer);
    check(&store, "two", Relation::HereIsNewer);
}

#[test]
fn directories_that_both_went_on_are_apart() {
    let store = two_directories();
    write(&store.path("two"), &[("state", b"second")]);
    store
        .writer(&store.path("two"))
        .snapshot()
        .expect("a snapshot");
    write(&store.path("one"), &[("state", b"another second")]);
    check(&store, "one", Relation::Apart);
}

#[test]
fn whoever_took_over_without_going_on_does_not_count() {
    let store = two_directories();
    store
        .writer(&store.path("two"))
        .snapshot()
        .expect("a claim");
    write(&store.path("one"), &[("state", b"second")]);
    check(&store, "one", Relation::HereIsNewer);
}

#[test]
fn a_directory_that_was_never_kept_must_be_the_same() {
    let store = two_directories();
    write(&store.path("other"), &[("state", b"first")]);
    check(&store, "other", Relation::HereIsNewer);
    write(&store.path("other"), &[("state", b"something else")]);
    check(&store, "other", Relation::Apart);
}

#[test]
fn a_directory_that_was_kept_elsewhere_must_be_the_same() {
    let store = two_directories();
    write(&store.path("other"), &[("state", b"something else")]);
    let elsewhere = Store::in_directory();
    elsewhere
        .writer(&store.path("other"))
        .snapshot()
        .expect("a snapshot");
    check(&store, "other", Relation::Apart);
}

/// Killed after the manifest was made, before the directory remembered it.
#[test]
fn a_kill_right_after_a_snapshot_is_no_other_process() {
    let store = two_directories();
    let folder = store.path("one");
    write(&folder, &[("state", b"second")]);
    store.writer(&folder).snapshot().expect("a snapshot");
    let marker = fs::read_to_string(folder.join(vault::MARKER)).expect("a marker");
    let at_next = marker
        .replace(r#""at":{"#, r#""next":{"#)
        .replace(r#""next":null"#, r#""at":null"#);
    assert_ne!(marker, at_next);
    fs::write(folder.join(vault::MARKER), at_next).expect("a marker");
    write(&folder, &[("state", b"third")]);
    check(&store, "one", Relation::HereIsNewer);
}

#[test]
fn a_vault_that_lost_its_newest_snapshot_is_the_earlier_one() {
    let store = two_directories();
    write(&store.path("one"), &[("state", b"second")]);
    store
        .writer(&store.path("one"))
        .snapshot()
        .expect("a snapshot");
    fs::remove_file(store.object("snapshots/000000000002.json")).expect("a manifest");
    check(&store, "one", Relation::HereIsNewer);
}
