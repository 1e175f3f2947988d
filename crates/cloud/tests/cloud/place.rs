//! Places in buckets.

use cloud::place::Place;

#[test]
fn places_are_read_without_a_slash_at_the_end() {
    for (text, expected) in [
        ("s3://bucket", "s3://bucket"),
        ("gs://bucket/a/b/", "gs://bucket/a/b"),
        ("az://my-bucket/runs_2.1", "az://my-bucket/runs_2.1"),
    ] {
        let place: Place = text.parse().expect("a place");
        assert_eq!(place.to_string(), expected);
    }
    let place: Place = "s3://bucket/a/".parse().expect("a place");
    assert_eq!(place.join("b").to_string(), "s3://bucket/a/b");
}

#[test]
fn everything_else_is_refused() {
    for text in [
        "",
        "bucket",
        "/tmp/runs",
        "file:///tmp",
        "http://bucket/a",
        "s3:/bucket",
        "s3://",
        "s3:///a",
        "s3://bucket//a",
        "s3://bucket/../other",
        "s3://bucket/a b",
        "s3://bucket/$(id)",
        "s3://bucket/a'b",
        "s3://bucket/a\nb",
    ] {
        let refused = text.parse::<Place>().expect_err(text).to_string();
        assert!(refused.contains("s3://bucket/prefix"), "{refused}");
    }
}
