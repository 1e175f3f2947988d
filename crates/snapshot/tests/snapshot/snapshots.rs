//! What was captured is restored, and only what is new is uploaded.

use std::fs;

use crate::stores::{Files, TestStore, read, with_every_store, write};

const MIB: usize = 1 << 20;

#[test]
fn what_was_captured_is_restored() {
    with_every_store(|store| {
        let directory = store.path("directory");
        let long: Vec<u8> = (0..5 * MIB / 2).map(|i| (i / 1000) as u8).collect();
        write(
            &directory,
            &[
                ("state", b"one"),
                ("empty", b""),
                ("run-1/deep/history", &long),
            ],
        );
        let expected = read(&directory);
        write(&directory, &[("lock", b""), ("run-1/state.new", b"half")]);
        assert_eq!(store.snapshot(&directory), 1);
        assert!(store.restored() == (expected, Vec::new()));
        assert_eq!(store.open().repositories().expect("names"), ["study"]);
    });
}

#[test]
fn the_newest_is_restored_and_nothing_is_written_without_a_change() {
    with_every_store(|store| {
        let directory = store.path("directory");
        write(&directory, &[("state", b"one"), ("gone", b"soon")]);
        let mut writer = store.writer(&directory);
        writer.snapshot().expect("a snapshot");
        assert_eq!(writer.snapshot().expect("none"), None);
        write(&directory, &[("state", b"two"), ("new", b"file")]);
        fs::remove_file(directory.join("gone")).expect("it exists");
        assert_eq!(writer.snapshot().expect("a snapshot"), Some(2));
        assert_eq!(store.restored().0, read(&directory));
    });
}

#[test]
fn of_a_growing_file_only_the_end_is_uploaded() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    let mut history: Vec<u8> = (0..3 * MIB + 10).map(|i| (i >> 16) as u8).collect();
    write(&directory, &[("history", &history)]);
    let mut writer = store.writer(&directory);
    writer.snapshot().expect("a snapshot");
    let before = store.objects("blobs");
    assert_eq!(before.len(), 4);
    history.extend(b"more");
    write(&directory, &[("history", &history)]);
    writer.snapshot().expect("a snapshot");
    assert_eq!(store.objects("blobs").len(), before.len() + 1);
    assert_eq!(store.restored().0["history"], history);
}

#[test]
fn a_new_process_uploads_nothing_again() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    write(&directory, &[("state", b"one")]);
    store.snapshot(&directory);
    let uploaded = || {
        let blob = store.object("blobs").join(&store.objects("blobs")[0]);
        let metadata = fs::metadata(blob).expect("a blob");
        metadata.modified().expect("a time")
    };
    let before = uploaded();
    assert_eq!(store.snapshot(&directory), 2);
    assert_eq!(uploaded(), before);
}

#[test]
fn a_file_replaced_by_one_of_the_same_size_is_detected() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    let mut writer = store.writer(&directory);
    for round in 0..20_u8 {
        write(&directory, &[("state", &[round; 8])]);
        writer.snapshot().expect("a snapshot");
        assert_eq!(store.restored().0["state"], [round; 8]);
    }
}

#[test]
fn a_restored_directory_replaces_the_existing_one() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    write(&directory, &[("state", b"one")]);
    store.snapshot(&directory);
    let target = store.path("target");
    write(&target, &[("state", b"zero"), ("other", b"file")]);
    store.restore(&target);
    assert_eq!(read(&target), read(&directory));
}

/// Whatever a kill leaves in the staging area, the directory can be restored.
#[test]
fn a_kill_during_a_restore_does_no_harm() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    write(&directory, &[("state", b"one"), ("run/history", b"long")]);
    store.snapshot(&directory);
    let target = store.path("target");
    let half_built: &[(&str, &[u8])] = &[
        (".restoring/target/state", b"o"),
        (".restoring/target/no", b""),
    ];
    let replaced: &[(&str, &[u8])] = &[(".restoring/target.old/state", b"zero")];
    for left in [half_built, replaced, &[half_built, replaced].concat()] {
        write(&store.path(""), left);
        store.restore(&target);
        assert_eq!(read(&target), read(&directory));
        assert!(!store.path(".restoring").exists());
        fs::remove_dir_all(&target).expect("it exists");
    }
}

#[test]
fn nothing_is_restored_from_an_empty_repository() {
    with_every_store(|store| {
        let mut view = store.repository().view().expect("a view");
        assert!(view.newest().is_none());
        let error = view.restore(&store.path("target")).expect_err("empty");
        let location = store.location.join("study");
        assert_eq!(
            error.to_string(),
            format!("there are no snapshots in {location}")
        );
        let names = store.open().repositories().expect("names");
        assert_eq!(names, Vec::<String>::new());
    });
}

#[test]
fn a_directory_without_files_can_be_captured() {
    let store = TestStore::in_directory();
    let directory = store.path("directory");
    fs::create_dir(&directory).expect("a directory");
    store.snapshot(&directory);
    assert_eq!(store.restored(), (Files::new(), Vec::new()));
}
