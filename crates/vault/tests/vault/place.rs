//! Places as people write them.

use std::path::Path;

use vault::{Environment, Place};

fn check(text: &str, expected: &str) {
    let place: Place = text
        .parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(place.to_string(), expected);
    assert_eq!(expected.parse::<Place>().as_ref(), Ok(&place));
}

fn check_refused(text: &str, expected: &str) {
    let error = text.parse::<Place>().expect_err(text).to_string();
    assert!(error.contains(expected), "{text}: {error}");
}

#[test]
fn places_are_buckets_or_directories() {
    check("s3://bucket", "s3://bucket");
    check("s3://bucket/", "s3://bucket");
    check("s3://bucket/a/b/", "s3://bucket/a/b");
    check("gs://my_bucket.eu/studies", "gs://my_bucket.eu/studies");
    check("az://container/x", "az://container/x");
    check("/data/kept", "/data/kept");
    check("kept", "kept");
    check("file:///data/kept", "/data/kept");
}

#[test]
fn what_is_no_place_is_told_with_what_would_be() {
    check_refused(
        "",
        "the name of a place is empty; a place is s3://bucket/prefix",
    );
    check_refused("  ", "is empty");
    check_refused(
        "http://bucket/a",
        "'http://' is not understood; a place is s3://bucket/prefix, gs://",
    );
    check_refused("S3://bucket", "'S3://' is not understood");
    check_refused("s3://", "'s3://' names no bucket; a place is");
    check_refused("s3:///prefix", "names no bucket");
    check_refused("s3://two words/a", "names no bucket");
    check_refused("s3://bucket/a//b", "'' cannot be a part of a place");
    check_refused("s3://bucket/../other", "'..' cannot be a part of a place");
    check_refused("s3://bucket/a?b", "'a?b' cannot be a part");
    check_refused("file://kept", "after file:// comes an absolute path");
}

#[test]
fn secrets_are_neither_taken_from_a_place_nor_repeated() {
    let error = "s3://key:geheim@bucket/a"
        .parse::<Place>()
        .expect_err("a secret");
    assert!(error.to_string().contains("AWS_ACCESS_KEY_ID"), "{error}");
    assert!(!format!("{error} {error:?}").contains("geheim"));
}

#[test]
fn an_environment_shows_names_only() {
    let variables = [("AWS_SECRET_ACCESS_KEY".to_owned(), "geheim".to_owned())];
    let environment: Environment = variables.into_iter().collect();
    assert_eq!(format!("{environment:?}"), r#"{"AWS_SECRET_ACCESS_KEY"}"#);
}

#[test]
fn places_have_places_in_them() {
    for (above, below) in [("s3://bucket", "s3://bucket/a"), ("/data", "/data/a")] {
        let above: Place = above.parse().expect("a place");
        assert_eq!(above.join("a").to_string(), below);
        assert_eq!(above.join("a").split(), Some((above, "a".to_owned())));
    }
    assert_eq!(
        "s3://bucket".parse::<Place>().expect("a place").split(),
        None
    );
    assert!(Place::directory(Path::new("a")).is_directory());
}
