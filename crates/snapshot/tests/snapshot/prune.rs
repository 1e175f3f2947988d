//! Old snapshots are deleted, and nothing that is needed.

use std::time::Duration;

use snapshot::{Retention, Writer};

use crate::stores::{KEEP_THREE, POLICY, TestStore, read, with_every_store, write};

#[test]
fn only_the_newest_snapshots_and_their_blobs_are_retained() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    let mut writer = store.writer(&directory);
    for round in 0..9_u8 {
        write(&directory, &[("state", &[round]), ("same", b"always")]);
        writer.snapshot().expect("a snapshot");
    }
    let names = [
        "000000000007.json",
        "000000000008.json",
        "000000000009.json",
    ];
    assert_eq!(store.objects("snapshots"), names);
    assert_eq!(store.objects("blobs").len(), 10);
    writer.prune().expect("it is pruned");
    assert_eq!(store.objects("blobs").len(), 4);
    assert_eq!(store.restored(), (read(&directory), Vec::new()));
}

#[test]
fn the_newest_is_restored_after_pruning() {
    with_every_store(|store| {
        let directory = store.path("directory");
        let mut writer = store.writer(&directory);
        for round in 0..5_u8 {
            write(&directory, &[("state", &[round]), ("same", b"always")]);
            writer.snapshot().expect("a snapshot");
            writer.prune().expect("it is pruned");
        }
        assert_eq!(store.restored(), (read(&directory), Vec::new()));
    });
}

/// A process killed between manifests and blobs, or before its manifest, leaves unreferenced blobs.
#[test]
fn what_a_kill_left_is_pruned_once_it_is_old() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    write(&directory, &[("state", b"one")]);
    store.snapshot(&directory);
    write(&store.object("blobs"), &[(&"0".repeat(64), b"left")]);
    let keep_young = Retention {
        grace: Duration::from_secs(86_400),
        ..KEEP_THREE
    };
    for (retention, expected) in [(keep_young, 2), (KEEP_THREE, 1)] {
        let view = store.repository().view().expect("a view");
        let mut writer = Writer::new(view, &directory, POLICY, retention);
        writer.snapshot().expect("a snapshot");
        writer.prune().expect("it is pruned");
        assert_eq!(store.objects("blobs").len(), expected, "{retention:?}");
    }
    assert_eq!(store.restored().0, read(&directory));
}

#[test]
fn only_the_process_with_the_newest_snapshot_prunes() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    write(&directory, &[("state", b"one")]);
    let mut first = store.writer(&directory);
    first.snapshot().expect("a snapshot");
    let mut second = store.writer(&directory);
    second.prune().expect("nothing happens");
    second.snapshot().expect("a snapshot");
    write(
        &store.object("blobs"),
        &[(&"0".repeat(64), b"of the second")],
    );
    first.prune().expect("nothing happens");
    assert_eq!(store.objects("blobs").len(), 2);
}

#[test]
fn an_unreadable_manifest_protects_all_blobs() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    let mut writer = store.writer(&directory);
    for round in 0..2_u8 {
        write(&directory, &[("state", &[round])]);
        writer.snapshot().expect("a snapshot");
    }
    write(&store.object("snapshots"), &[("000000000001.json", b"{")]);
    writer.prune().expect("nothing happens");
    assert_eq!(store.objects("blobs").len(), 2);
}

#[test]
fn a_deleted_blob_is_uploaded_again() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    write(&directory, &[("state", b"one"), ("history", b"long")]);
    let mut writer = store.writer(&directory);
    writer.snapshot().expect("a snapshot");
    let blob = store.objects("blobs").remove(0);
    std::fs::remove_file(store.object("blobs").join(blob)).expect("it exists");
    writer.prune().expect("it is pruned");
    write(&directory, &[("state", b"two")]);
    writer.snapshot().expect("a snapshot");
    assert_eq!(store.restored(), (read(&directory), Vec::new()));
}
