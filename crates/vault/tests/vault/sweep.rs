//! The past is cleared away, and nothing that is needed.

use std::time::Duration;

use vault::{Thrift, Writer};

use crate::stores::{CARE, Store, read, with_every_store, write};

#[test]
fn only_the_newest_snapshots_stay_with_their_blobs() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    let mut writer = store.writer(&folder);
    for round in 0..9_u8 {
        write(&folder, &[("state", &[round]), ("same", b"always")]);
        writer.snapshot().expect("a snapshot");
    }
    let names = [
        "000000000007.json",
        "000000000008.json",
        "000000000009.json",
    ];
    assert_eq!(store.objects("snapshots"), names);
    assert_eq!(store.objects("blobs").len(), 10);
    writer.sweep().expect("it sweeps");
    assert_eq!(store.objects("blobs").len(), 4);
    assert_eq!(store.restored(), (read(&folder), Vec::new()));
}

#[test]
fn the_newest_comes_back_after_a_sweep() {
    with_every_store(|store| {
        let folder = store.path("folder");
        let mut writer = store.writer(&folder);
        for round in 0..5_u8 {
            write(&folder, &[("state", &[round]), ("same", b"always")]);
            writer.snapshot().expect("a snapshot");
            writer.sweep().expect("it sweeps");
        }
        assert_eq!(store.restored(), (read(&folder), Vec::new()));
    });
}

/// A process that was killed between manifests and blobs, or before its manifest, leaves blobs that nobody names.
#[test]
fn what_a_kill_left_is_swept_later_but_nothing_young() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    write(&folder, &[("state", b"one")]);
    store.writer(&folder).snapshot().expect("a snapshot");
    write(&store.object("blobs"), &[(&"0".repeat(64), b"left")]);
    let view = store.shelf().look().expect("a view");
    let patient = Thrift {
        snapshots: 3,
        grace: Duration::from_secs(60),
    };
    let mut writer = Writer::new(view, &folder, CARE, patient);
    writer.snapshot().expect("a snapshot");
    writer.sweep().expect("it sweeps");
    assert_eq!(
        store.objects("blobs").len(),
        2,
        "a young blob may be somebody's"
    );
    let mut writer = store.writer(&folder);
    writer.snapshot().expect("a snapshot");
    writer.sweep().expect("it sweeps");
    assert_eq!(store.objects("blobs").len(), 1);
    assert_eq!(store.restored().0, read(&folder));
}

#[test]
fn only_whoever_made_the_newest_snapshot_sweeps() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    write(&folder, &[("state", b"one")]);
    let mut first = store.writer(&folder);
    first.snapshot().expect("a snapshot");
    let mut second = store.writer(&folder);
    second.sweep().expect("nothing happens");
    second.snapshot().expect("a snapshot");
    write(
        &store.object("blobs"),
        &[(&"0".repeat(64), b"of the second")],
    );
    first.sweep().expect("nothing happens");
    assert_eq!(store.objects("blobs").len(), 2);
}

#[test]
fn a_manifest_that_cannot_be_read_keeps_all_blobs() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    let mut writer = store.writer(&folder);
    for round in 0..2_u8 {
        write(&folder, &[("state", &[round])]);
        writer.snapshot().expect("a snapshot");
    }
    write(&store.object("snapshots"), &[("000000000001.json", b"{")]);
    writer.sweep().expect("nothing happens");
    assert_eq!(store.objects("blobs").len(), 2);
}

#[test]
fn a_blob_that_somebody_removed_is_sent_again() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    write(&folder, &[("state", b"one"), ("history", b"long")]);
    let mut writer = store.writer(&folder);
    writer.snapshot().expect("a snapshot");
    let blob = store.objects("blobs").remove(0);
    std::fs::remove_file(store.object("blobs").join(blob)).expect("it was there");
    writer.sweep().expect("it sweeps");
    write(&folder, &[("state", b"two")]);
    writer.snapshot().expect("a snapshot");
    assert_eq!(store.restored(), (read(&folder), Vec::new()));
}
