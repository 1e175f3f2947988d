//! What is kept comes back, and only what is new is sent.

use std::fs;

use crate::stores::{Files, Store, read, with_every_store, write};

const MIB: usize = 1 << 20;

#[test]
fn what_is_kept_comes_back() {
    with_every_store(|store| {
        let folder = store.path("folder");
        let long: Vec<u8> = (0..5 * MIB / 2).map(|i| (i / 1000) as u8).collect();
        write(
            &folder,
            &[
                ("state", b"one"),
                ("empty", b""),
                ("run-1/deep/history", &long),
            ],
        );
        let expected = read(&folder);
        write(&folder, &[("lock", b""), ("run-1/state.new", b"half")]);
        let mut writer = store.writer(&folder);
        assert_eq!(writer.snapshot().expect("a snapshot"), Some(1));
        assert!(store.restored() == (expected, Vec::new()));
        assert_eq!(store.vault().shelves().expect("names"), ["kept"]);
    });
}

#[test]
fn the_newest_comes_back_and_nothing_is_made_without_a_change() {
    with_every_store(|store| {
        let folder = store.path("folder");
        write(&folder, &[("state", b"one"), ("gone", b"soon")]);
        let mut writer = store.writer(&folder);
        writer.snapshot().expect("a snapshot");
        assert_eq!(writer.snapshot().expect("none"), None);
        write(&folder, &[("state", b"two"), ("new", b"file")]);
        fs::remove_file(folder.join("gone")).expect("it was there");
        assert_eq!(writer.snapshot().expect("a snapshot"), Some(2));
        assert_eq!(store.restored().0, read(&folder));
    });
}

#[test]
fn of_a_file_that_grows_only_the_end_is_sent() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    let mut history: Vec<u8> = (0..3 * MIB + 10).map(|i| (i >> 16) as u8).collect();
    write(&folder, &[("history", &history)]);
    let mut writer = store.writer(&folder);
    writer.snapshot().expect("a snapshot");
    let before = store.objects("blobs");
    assert_eq!(before.len(), 4);
    history.extend(b"more");
    write(&folder, &[("history", &history)]);
    writer.snapshot().expect("a snapshot");
    assert_eq!(store.objects("blobs").len(), before.len() + 1);
    assert_eq!(store.restored().0["history"], history);
}

#[test]
fn a_new_process_goes_on_where_the_last_one_was() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    write(&folder, &[("state", b"one")]);
    store.writer(&folder).snapshot().expect("a snapshot");
    let sent = fs::metadata(store.object("blobs").join(&store.objects("blobs")[0]));
    let sent = sent.expect("a blob").modified().expect("a time");
    // Its first snapshot says that it has taken over, and sends nothing that is there.
    assert_eq!(
        store.writer(&folder).snapshot().expect("a snapshot"),
        Some(2)
    );
    let blob = fs::metadata(store.object("blobs").join(&store.objects("blobs")[0]));
    assert_eq!(blob.expect("a blob").modified().expect("a time"), sent);
}

#[test]
fn a_file_that_is_replaced_by_one_of_the_same_size_is_seen() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    let mut writer = store.writer(&folder);
    for round in 0..20_u8 {
        write(&folder, &[("state", &[round; 8])]);
        writer.snapshot().expect("a snapshot");
        assert_eq!(store.restored().0["state"], [round; 8]);
    }
}

#[test]
fn what_comes_back_takes_the_place_of_what_was_there() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    write(&folder, &[("state", b"one")]);
    store.writer(&folder).snapshot().expect("a snapshot");
    let into = store.path("into");
    write(&into, &[("state", b"zero"), ("other", b"file")]);
    store
        .shelf()
        .look()
        .expect("a view")
        .restore(&into)
        .expect("it comes back");
    assert_eq!(read(&into), read(&folder));
}

/// Whatever a kill leaves beside its place, it can be brought back again.
#[test]
fn a_kill_while_it_is_brought_back_does_no_harm() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    write(&folder, &[("state", b"one"), ("run/history", b"long")]);
    store.writer(&folder).snapshot().expect("a snapshot");
    let into = store.path("into");
    let half_built: &[(&str, &[u8])] =
        &[(".restoring/into/state", b"o"), (".restoring/into/no", b"")];
    let put_away: &[(&str, &[u8])] = &[(".restoring/into.old/state", b"zero")];
    for left in [half_built, put_away, &[half_built, put_away].concat()] {
        write(&store.path(""), left);
        store
            .shelf()
            .look()
            .expect("a view")
            .restore(&into)
            .expect("it comes back");
        assert_eq!(read(&into), read(&folder));
        assert!(!store.path(".restoring").exists());
        fs::remove_dir_all(&into).expect("it is there");
    }
}

#[test]
fn nothing_comes_back_from_an_empty_shelf() {
    with_every_store(|store| {
        let mut view = store.shelf().look().expect("a view");
        assert!(view.newest().is_none());
        let error = view.restore(&store.path("into")).expect_err("nothing");
        let place = store.place.join("kept");
        assert_eq!(error.to_string(), format!("nothing is kept in {place}"));
        assert_eq!(
            store.vault().shelves().expect("names"),
            Vec::<String>::new()
        );
    });
}

#[test]
fn a_directory_without_files_can_be_kept() {
    let store = Store::in_directory();
    let folder = store.path("folder");
    fs::create_dir(&folder).expect("a directory");
    store.writer(&folder).snapshot().expect("a snapshot");
    assert_eq!(store.restored(), (Files::new(), Vec::new()));
}
