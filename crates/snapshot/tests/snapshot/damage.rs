//! Damage is named, and the snapshot before is used.

use std::fs;
use std::path::{Path, PathBuf};

use snapshot::SnapshotError;

use crate::stores::{Files, TestStore, read, write};

/// Takes two snapshots of a directory; returns the files of the first.
fn two_snapshots(store: &TestStore) -> Files {
    let directory = store.path("directory");
    write(&directory, &[("state", b"one"), ("same", b"always")]);
    let first = read(&directory);
    let mut writer = store.writer(&directory);
    writer.snapshot().expect("a snapshot");
    write(&directory, &[("state", b"two")]);
    writer.snapshot().expect("a snapshot");
    first
}

fn blob(store: &TestStore, contents: &[u8]) -> PathBuf {
    store
        .object("blobs")
        .join(blake3::hash(contents).to_hex().as_str())
}

fn change(path: &Path, change: impl Fn(&mut Vec<u8>)) {
    let mut contents = fs::read(path).expect("an object");
    change(&mut contents);
    fs::write(path, contents).expect("an object");
}

/// The first snapshot is restored, and a sentence says why.
fn check_first(damage: impl Fn(&TestStore), expected: &str) {
    let store = TestStore::in_directory();
    let first = two_snapshots(&store);
    damage(&store);
    let (files, sentences) = store.restored();
    assert_eq!(files, first, "{expected}");
    assert_eq!(sentences.len(), 1, "{sentences:?}");
    assert!(sentences[0].contains(expected), "{sentences:?}");
}

const SECOND: &str = "snapshots/000000000002.json";

#[test]
fn the_snapshot_before_is_used() {
    check_first(
        |store| change(&blob(store, b"two"), |bytes| bytes[1] ^= 1),
        ", needed by state, is damaged",
    );
    check_first(
        |store| change(&blob(store, b"two"), |bytes| bytes.truncate(1)),
        ", needed by state, is damaged",
    );
    check_first(
        |store| fs::remove_file(blob(store, b"two")).expect("a blob"),
        ", needed by state, is missing",
    );
    check_first(
        |store| change(&store.object(SECOND), Vec::clear),
        "000000000002.json is damaged",
    );
    check_first(
        |store| change(&store.object(SECOND), |bytes| bytes.truncate(200)),
        "000000000002.json is damaged",
    );
}

#[test]
fn any_change_of_a_manifest_is_detected() {
    let store = TestStore::in_directory();
    let first = two_snapshots(&store);
    let manifest = store.object(SECOND);
    let intact = fs::read(&manifest).expect("a manifest");
    for byte in 0..intact.len() {
        let mut damaged = intact.clone();
        damaged[byte] ^= 1;
        fs::write(&manifest, &damaged).expect("a manifest");
        let mut view = match store.repository().view() {
            Ok(view) => view,
            // The byte is part of the version.
            Err(SnapshotError::OtherVersion { .. }) => continue,
            Err(other) => panic!("{other}"),
        };
        assert_eq!(view.newest().expect("the first").number, 1, "byte {byte}");
        let target = store.path("target");
        view.restore(&target).expect("it is restored");
        assert_eq!(read(&target), first, "byte {byte}");
    }
}

#[test]
fn if_none_is_intact_all_damage_is_named() {
    let store = TestStore::in_directory();
    two_snapshots(&store);
    fs::remove_file(blob(&store, b"always")).expect("a blob");
    let target = store.path("target");
    write(&target, &[("state", b"of mine")]);
    let mut view = store.repository().view().expect("a view");
    let error = view.restore(&target).expect_err("none is intact");
    let message = error.to_string();
    assert!(message.starts_with("no snapshot in"), "{message}");
    assert_eq!(
        message.matches(", needed by same, is missing").count(),
        2,
        "{message}"
    );
    assert_eq!(read(&target)["state"], b"of mine");
}

#[test]
fn the_number_of_a_damaged_snapshot_is_not_reused() {
    let store = TestStore::in_directory();
    two_snapshots(&store);
    change(&store.object(SECOND), Vec::clear);
    let directory = store.path("directory");
    assert_eq!(store.snapshot(&directory), 3);
    assert_eq!(store.restored(), (read(&directory), Vec::new()));
}

#[test]
fn another_version_is_refused_and_not_mistaken_for_damage() {
    let store = TestStore::in_directory();
    two_snapshots(&store);
    let manifest = fs::read_to_string(store.object(SECOND)).expect("a manifest");
    let later = manifest.replace(r#""version":1"#, r#""version":2"#);
    fs::write(store.object(SECOND), later).expect("a manifest");
    let error = store.repository().view().expect_err("another version");
    let message = error.to_string();
    let expected = "000000000002.json has format version 2; this program reads version 1";
    assert!(message.ends_with(expected), "{message}");
}

/// A malicious store must not write elsewhere on the machine.
#[test]
fn paths_that_lead_out_of_the_directory_are_damage() {
    let store = TestStore::in_directory();
    two_snapshots(&store);
    let manifest = fs::read_to_string(store.object(SECOND)).expect("a manifest");
    let snapshot = manifest.split_once(r#""snapshot":"#).expect("a snapshot").1;
    for path in ["../state", "/state", "a/../../state", "a//b", "."] {
        let body = snapshot.replace(r#""path":"state""#, &format!(r#""path":"{path}""#));
        let body = body.strip_suffix('}').expect("an object");
        let checksum = blake3::hash(body.as_bytes()).to_hex();
        let text = format!(
            r#"{{"format":"gamete-vault","version":1,"checksum":"{checksum}","snapshot":{body}}}"#
        );
        fs::write(store.object(SECOND), text).expect("a manifest");
        let view = store.repository().view().expect("a view");
        assert_eq!(view.newest().expect("the first").number, 1, "{path}");
    }
}
