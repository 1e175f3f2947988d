//! Single objects.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use vault::{Environment, read_object, write_object};

use crate::stores::{Store, with_every_store};

#[test]
fn an_object_is_read_as_it_was_written_last() {
    with_every_store(|store| {
        let (place, environment) = (store.place.join("worker.join"), &store.environment);
        store.vault();
        assert_eq!(read_object(&place, environment).expect("an answer"), None);
        for text in [&b"first"[..], b"second, longer", b""] {
            write_object(&place, environment, text).expect("it is written");
            assert_eq!(
                read_object(&place, environment)
                    .expect("an answer")
                    .as_deref(),
                Some(text)
            );
        }
    });
}

#[test]
fn an_object_in_a_directory_is_its_owners() {
    let store = Store::in_directory();
    let place = store.place.join("deep").join("worker.join");
    write_object(&place, &Environment::default(), b"secret").expect("it is written");
    let file = fs::metadata(store.path("store/deep/worker.join")).expect("a file");
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
    assert_eq!(
        fs::read_dir(store.path("store/deep"))
            .expect("a directory")
            .count(),
        1
    );
}

#[test]
fn a_bucket_is_no_object() {
    let place = "s3://bucket".parse().expect("a place");
    let message = read_object(&place, &Environment::default())
        .expect_err("no object")
        .to_string();
    assert_eq!(
        message,
        "'s3://bucket' names no object; e.g. s3://bucket/name does"
    );
}
