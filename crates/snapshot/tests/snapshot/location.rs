//! Locations as written by users.

use snapshot::{Environment, Location};

fn check(text: &str, expected: &str) {
    let location: Location = text
        .parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(location.to_string(), expected);
    assert_eq!(expected.parse::<Location>().as_ref(), Ok(&location));
}

fn check_refused(text: &str, expected: &str) {
    let error = text.parse::<Location>().expect_err(text).to_string();
    assert!(error.contains(expected), "{text}: {error}");
}

#[test]
fn locations_are_buckets_or_directories() {
    check("s3://bucket", "s3://bucket");
    check("s3://bucket/", "s3://bucket");
    check("s3://bucket/a/b/", "s3://bucket/a/b");
    check("gs://my_bucket.eu/studies", "gs://my_bucket.eu/studies");
    check("az://container/x", "az://container/x");
    check("/data/backups", "/data/backups");
    check("backups", "backups");
    check("file:///data/backups", "/data/backups");
}

#[test]
fn anything_else_is_refused_with_what_is_expected() {
    check_refused("", "the location is empty; expected s3://bucket/prefix");
    check_refused("  ", "is empty");
    check_refused(
        "http://bucket/a",
        "unknown scheme 'http://'; expected s3://bucket/prefix, gs://",
    );
    check_refused("S3://bucket", "unknown scheme 'S3://'");
    check_refused("s3://", "'s3://' has no valid bucket name; expected");
    check_refused("s3:///prefix", "no valid bucket name");
    check_refused("s3://two words/a", "no valid bucket name");
    check_refused("s3://bucket/a//b", "'' is not a valid path segment");
    check_refused("s3://bucket/../other", "'..' is not a valid path segment");
    check_refused("s3://bucket/a?b", "'a?b' is not a valid path segment");
    check_refused("file://backups", "file:// takes an absolute path");
}

#[test]
fn credentials_in_a_location_are_refused_and_not_repeated() {
    let error = "s3://key:geheim@bucket/a"
        .parse::<Location>()
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
fn locations_are_joined_and_split() {
    for (above, below) in [("s3://bucket", "s3://bucket/a"), ("/data", "/data/a")] {
        let above: Location = above.parse().expect("a location");
        assert_eq!(above.join("a").to_string(), below);
        assert_eq!(above.join("a").split(), Some((above, "a".to_owned())));
    }
    let bucket: Location = "s3://bucket".parse().expect("a location");
    assert_eq!(bucket.split(), None);
}
