//! Of two processes that keep one directory, one is told to stop.

use std::fs;

use vault::VaultError;

use crate::stores::{Store, read, with_every_store, write};

fn check_raced(result: Result<Option<u64>, VaultError>, number: u64) {
    let error = result.expect_err("the other was first");
    assert!(error.is_race(), "{error}");
    let message = error.to_string();
    let expected = format!("kept (snapshot {number}); this one stops, and nothing was overwritten");
    assert!(
        message.starts_with("another process has gone on with") && message.ends_with(&expected),
        "{message}"
    );
}

#[test]
fn the_second_of_two_is_told_to_stop() {
    with_every_store(|store| {
        let (one, two) = (store.path("one"), store.path("two"));
        write(&one, &[("state", b"first")]);
        write(&two, &[("state", b"second")]);
        let (mut first, mut second) = (store.writer(&one), store.writer(&two));
        assert_eq!(first.snapshot().expect("a snapshot"), Some(1));
        check_raced(second.snapshot(), 1);
        // And again, however often it tries.
        check_raced(second.snapshot(), 1);
        assert_eq!(store.restored().0, read(&one));
        write(&one, &[("state", b"third")]);
        assert_eq!(first.snapshot().expect("a snapshot"), Some(2));
    });
}

#[test]
fn whoever_takes_over_stops_the_one_before() {
    with_every_store(|store| {
        let (one, two) = (store.path("one"), store.path("two"));
        write(&one, &[("state", b"first")]);
        let mut first = store.writer(&one);
        first.snapshot().expect("a snapshot");
        store
            .shelf()
            .look()
            .expect("a view")
            .restore(&two)
            .expect("it comes back");
        let mut second = store.writer(&two);
        assert_eq!(second.snapshot().expect("a claim"), Some(2));
        write(&one, &[("state", b"further")]);
        check_raced(first.snapshot(), 2);
        assert_eq!(store.restored().0, read(&two));
    });
}

/// Its number is free again, because others have gone on and cleared away.
#[test]
fn whoever_slept_for_long_is_told_to_stop_as_well() {
    let store = Store::in_directory();
    let (one, two) = (store.path("one"), store.path("two"));
    write(&one, &[("state", b"first")]);
    let mut sleeper = store.writer(&one);
    sleeper.snapshot().expect("a snapshot");
    write(&two, &[("state", b"first")]);
    let mut other = store.writer(&two);
    for round in 0..5_u8 {
        write(&two, &[("state", &[round])]);
        other.snapshot().expect("a snapshot");
    }
    assert!(!store.object("snapshots/000000000002.json").exists());
    write(&one, &[("state", b"awake")]);
    check_raced(sleeper.snapshot(), 6);
    assert_eq!(store.restored().0, read(&two));
}

#[test]
fn a_manifest_is_never_overwritten() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    write(&folder, &[("state", b"first")]);
    let (mut first, mut second) = (store.writer(&folder), store.writer(&folder));
    first.snapshot().expect("a snapshot");
    let manifest = store.object("snapshots/000000000001.json");
    let before = fs::read(&manifest).expect("a manifest");
    check_raced(second.snapshot(), 1);
    assert_eq!(fs::read(&manifest).expect("a manifest"), before);
}
