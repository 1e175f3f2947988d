//! Which of the two, directory or newest snapshot, is an earlier state of the other.

use std::fs;

use snapshot::{Relation, SYNC_FILE};

use crate::stores::{POLICY, TestStore, write};

fn check(store: &TestStore, directory: &str, expected: Relation) {
    let view = store.repository().view().expect("a view");
    let relation = view.compare(&store.path(directory), &POLICY);
    assert_eq!(relation.expect("a relation"), expected, "{directory}");
}

/// Changes a directory, and takes a snapshot of it.
fn advance(store: &TestStore, directory: &str) {
    write(&store.path(directory), &[("state", b"second")]);
    store.snapshot(&store.path(directory));
}

/// A directory with a snapshot, restored as another directory.
fn two_directories() -> TestStore {
    let store = TestStore::in_directory();
    write(
        &store.path("one"),
        &[("state", b"first"), ("status", b"1 s")],
    );
    store.snapshot(&store.path("one"));
    store.restore(&store.path("two"));
    store
}

#[test]
fn at_first_there_is_no_snapshot() {
    let store = TestStore::in_directory();
    write(&store.path("one"), &[("state", b"first")]);
    check(&store, "one", Relation::NoSnapshot);
}

#[test]
fn a_missing_directory_is_older() {
    let store = two_directories();
    check(&store, "none", Relation::RemoteIsNewer);
    write(&store.path("empty"), &[("lock", b"")]);
    check(&store, "empty", Relation::RemoteIsNewer);
}

#[test]
fn a_directory_with_a_snapshot_may_continue() {
    let store = two_directories();
    check(&store, "one", Relation::LocalIsNewer);
    check(&store, "two", Relation::LocalIsNewer);
    write(&store.path("one"), &[("state", b"second")]);
    check(&store, "one", Relation::LocalIsNewer);
}

#[test]
fn a_directory_that_another_continues_is_older() {
    let store = two_directories();
    advance(&store, "two");
    check(&store, "one", Relation::RemoteIsNewer);
    // Times are not state.
    write(&store.path("one"), &[("status", b"2 s")]);
    check(&store, "one", Relation::RemoteIsNewer);
    check(&store, "two", Relation::LocalIsNewer);
}

#[test]
fn directories_that_both_continued_have_diverged() {
    let store = two_directories();
    advance(&store, "two");
    write(&store.path("one"), &[("state", b"another second")]);
    check(&store, "one", Relation::Diverged);
}

#[test]
fn a_takeover_without_changes_does_not_count() {
    let store = two_directories();
    store.snapshot(&store.path("two"));
    write(&store.path("one"), &[("state", b"second")]);
    check(&store, "one", Relation::LocalIsNewer);
}

#[test]
fn a_directory_without_a_snapshot_must_be_the_same() {
    let store = two_directories();
    write(&store.path("other"), &[("state", b"first")]);
    check(&store, "other", Relation::LocalIsNewer);
    write(&store.path("other"), &[("state", b"something else")]);
    check(&store, "other", Relation::Diverged);
}

#[test]
fn a_directory_with_a_snapshot_elsewhere_must_be_the_same() {
    let store = two_directories();
    write(&store.path("other"), &[("state", b"something else")]);
    TestStore::in_directory().snapshot(&store.path("other"));
    check(&store, "other", Relation::Diverged);
}

/// Killed after the manifest was written, before the directory recorded it.
#[test]
fn a_kill_right_after_a_snapshot_is_not_another_process() {
    let store = two_directories();
    advance(&store, "one");
    let file = store.path("one").join(SYNC_FILE);
    let sync = fs::read_to_string(&file).expect("a sync file");
    let unconfirmed = sync
        .replace(r#""at":{"#, r#""next":{"#)
        .replace(r#""next":null"#, r#""at":null"#);
    assert_ne!(sync, unconfirmed);
    fs::write(file, unconfirmed).expect("a sync file");
    write(&store.path("one"), &[("state", b"third")]);
    check(&store, "one", Relation::LocalIsNewer);
}

#[test]
fn a_repository_that_lost_its_newest_snapshot_is_older() {
    let store = two_directories();
    advance(&store, "one");
    fs::remove_file(store.object("snapshots/000000000002.json")).expect("a manifest");
    check(&store, "one", Relation::LocalIsNewer);
}
