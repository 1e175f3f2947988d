//! If two processes back up the same directory, one of them is stopped.

use std::fs;

use snapshot::SnapshotError;

use crate::stores::{TestStore, read, with_every_store, write};

fn check_taken_over(result: Result<Option<u64>, SnapshotError>, number: u64) {
    let error = result.expect_err("the other was first");
    assert!(error.is_taken_over(), "{error}");
    let message = error.to_string();
    let expected =
        format!("study (snapshot {number}); this one stops, and nothing was overwritten");
    assert!(
        message.starts_with("another process has taken over") && message.ends_with(&expected),
        "{message}"
    );
}

#[test]
fn the_second_of_two_is_stopped() {
    with_every_store(|store| {
        let (one, two) = (store.path("one"), store.path("two"));
        write(&one, &[("state", b"first")]);
        write(&two, &[("state", b"second")]);
        let (mut first, mut second) = (store.writer(&one), store.writer(&two));
        assert_eq!(first.snapshot().expect("a snapshot"), Some(1));
        check_taken_over(second.snapshot(), 1);
        // However often it tries.
        check_taken_over(second.snapshot(), 1);
        assert_eq!(store.restored().0, read(&one));
        write(&one, &[("state", b"third")]);
        assert_eq!(first.snapshot().expect("a snapshot"), Some(2));
    });
}

#[test]
fn a_process_that_takes_over_stops_the_one_before() {
    with_every_store(|store| {
        let (one, two) = (store.path("one"), store.path("two"));
        write(&one, &[("state", b"first")]);
        let mut first = store.writer(&one);
        first.snapshot().expect("a snapshot");
        store.restore(&two);
        assert_eq!(store.snapshot(&two), 2);
        write(&one, &[("state", b"further")]);
        check_taken_over(first.snapshot(), 2);
        assert_eq!(store.restored().0, read(&two));
    });
}

/// Its number is free again, because the other process has pruned old snapshots.
#[test]
fn a_process_that_was_suspended_for_long_is_stopped() {
    let store = TestStore::in_directory();
    let (one, two) = (store.path("one"), store.path("two"));
    write(&one, &[("state", b"first")]);
    let mut suspended = store.writer(&one);
    suspended.snapshot().expect("a snapshot");
    write(&two, &[("state", b"first")]);
    let mut other = store.writer(&two);
    for round in 0..5_u8 {
        write(&two, &[("state", &[round])]);
        other.snapshot().expect("a snapshot");
    }
    assert!(!store.object("snapshots/000000000002.json").exists());
    write(&one, &[("state", b"awake")]);
    check_taken_over(suspended.snapshot(), 6);
    assert_eq!(store.restored().0, read(&two));
}

#[test]
fn a_manifest_is_never_overwritten() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    write(&directory, &[("state", b"first")]);
    let (mut first, mut second) = (store.writer(&directory), store.writer(&directory));
    first.snapshot().expect("a snapshot");
    let manifest = store.object("snapshots/000000000001.json");
    let before = fs::read(&manifest).expect("a manifest");
    check_taken_over(second.snapshot(), 1);
    assert_eq!(fs::read(&manifest).expect("a manifest"), before);
}
