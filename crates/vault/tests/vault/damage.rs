//! Damage is named, and the snapshot before is taken.

use std::fs;
use std::path::Path;

use vault::VaultError;

use crate::stores::{Files, Store, read, write};

/// Two snapshots of a directory; the files of the first.
fn two_snapshots(store: &Store) -> Files {
    let folder = store.path("folder");
    write(&folder, &[("state", b"one"), ("same", b"always")]);
    let first = read(&folder);
    let mut writer = store.writer(&folder);
    writer.snapshot().expect("a snapshot");
    write(&folder, &[("state", b"two")]);
    writer.snapshot().expect("a snapshot");
    first
}

fn blob(store: &Store, contents: &[u8]) -> std::path::PathBuf {
    store
        .object("blobs")
        .join(blake3::hash(contents).to_hex().as_str())
}

fn change(path: &Path, change: impl Fn(&mut Vec<u8>)) {
    let mut contents = fs::read(path).expect("an object");
    change(&mut contents);
    fs::write(path, contents).expect("an object");
}

/// The snapshot before comes back, and a sentence says why.
fn check_first(damage: impl Fn(&Store), expected: &str) {
    let store = Store::in_directory();
    let first = two_snapshots(&store);
    damage(&store);
    let (files, sentences) = store.restored();
    assert_eq!(files, first, "{expected}");
    assert_eq!(sentences.len(), 1, "{sentences:?}");
    assert!(sentences[0].contains(expected), "{sentences:?}");
}

const SECOND: &str = "snapshots/000000000002.json";

#[test]
fn the_snapshot_before_is_taken() {
    check_first(
        |store| change(&blob(store, b"two"), |bytes| bytes[1] ^= 1),
        "is damaged, which state needs",
    );
    check_first(
        |store| change(&blob(store, b"two"), |bytes| bytes.truncate(1)),
        "is damaged, which state needs",
    );
    check_first(
        |store| fs::remove_file(blob(store, b"two")).expect("a blob"),
        "is missing, which state needs",
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
fn any_change_of_a_manifest_is_seen() {
    let store = Store::in_directory();
    let first = two_snapshots(&store);
    let manifest = store.object(SECOND);
    let good = fs::read(&manifest).expect("a manifest");
    for place in 0..good.len() {
        let mut bad = good.clone();
        bad[place] ^= 1;
        fs::write(&manifest, &bad).expect("a manifest");
        let mut view = match store.shelf().look() {
            Ok(view) => view,
            // Only where the version stands.
            Err(VaultError::OtherVersion { .. }) => continue,
            Err(other) => panic!("{other}"),
        };
        assert_eq!(
            view.newest().expect("the one before").number,
            1,
            "byte {place}"
        );
        let into = store.path("into");
        view.restore(&into).expect("it comes back");
        assert_eq!(read(&into), first, "byte {place}");
    }
}

#[test]
fn when_none_is_whole_all_damage_is_named() {
    let store = Store::in_directory();
    two_snapshots(&store);
    fs::remove_file(blob(&store, b"always")).expect("a blob");
    let into = store.path("into");
    write(&into, &[("state", b"of mine")]);
    let mut view = store.shelf().look().expect("a view");
    let message = view
        .restore(&into)
        .expect_err("nothing is whole")
        .to_string();
    assert!(message.starts_with("no snapshot in"), "{message}");
    assert_eq!(
        message.matches("is missing, which same needs").count(),
        2,
        "{message}"
    );
    assert_eq!(read(&into)["state"], b"of mine");
}

#[test]
fn after_damage_it_goes_on_with_a_number_of_its_own() {
    let store = Store::in_directory();
    two_snapshots(&store);
    change(&store.object(SECOND), Vec::clear);
    let folder = store.path("folder");
    assert_eq!(
        store.writer(&folder).snapshot().expect("a snapshot"),
        Some(3)
    );
    assert_eq!(store.restored(), (read(&folder), Vec::new()));
}

#[test]
fn another_version_is_refused_by_name_and_not_taken_for_damage() {
    let store = Store::in_directory();
    two_snapshots(&store);
    let manifest = fs::read_to_string(store.object(SECOND)).expect("a manifest");
    let later = manifest.replace(r#""version":1"#, r#""version":2"#);
    fs::write(store.object(SECOND), later).expect("a manifest");
    let message = store
        .shelf()
        .look()
        .expect_err("another version")
        .to_string();
    let expected = "000000000002.json was written by another version (version 2 of the format; this one reads version 1)";
    assert!(message.ends_with(expected), "{message}");
}

/// A store that lies must not write elsewhere on the machine.
#[test]
fn paths_that_lead_out_of_the_directory_are_damage() {
    let store = Store::in_directory();
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
        let view = store.shelf().look().expect("a view");
        assert_eq!(view.newest().expect("the one before").number, 1, "{path}");
    }
}
