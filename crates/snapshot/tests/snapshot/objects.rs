//! Single objects.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use snapshot::{Environment, read_object, write_object};

use crate::stores::{TestStore, with_every_store};

#[test]
fn an_object_is_read_as_last_written() {
    with_every_store(|store| {
        let (location, environment) = (store.location.join("worker.join"), &store.environment);
        store.open();
        let read = || read_object(&location, environment).expect("an answer");
        assert_eq!(read(), None);
        for text in [&b"first"[..], b"second, longer", b""] {
            write_object(&location, environment, text).expect("it is written");
            assert_eq!(read().as_deref(), Some(text));
        }
    });
}

#[test]
fn an_object_in_a_directory_is_private() {
    let store = TestStore::in_directory();
    let location = store.location.join("deep").join("worker.join");
    write_object(&location, &Environment::default(), b"secret").expect("it is written");
    let file = fs::metadata(store.path("store/deep/worker.join")).expect("a file");
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
    let files = fs::read_dir(store.path("store/deep")).expect("a directory");
    assert_eq!(files.count(), 1);
}

#[test]
fn a_bucket_is_not_an_object() {
    let location = "s3://bucket".parse().expect("a location");
    let error = read_object(&location, &Environment::default()).expect_err("no object");
    assert_eq!(
        error.to_string(),
        "'s3://bucket' is not an object; expected e.g. s3://bucket/name"
    );
}
