//! Bucket URLs.

use cloud::bucket_url::BucketUrl;

#[test]
fn a_trailing_slash_is_dropped() {
    for (text, expected) in [
        ("s3://bucket", "s3://bucket"),
        ("gs://bucket/a/b/", "gs://bucket/a/b"),
        ("az://my-bucket/runs_2.1", "az://my-bucket/runs_2.1"),
    ] {
        let url: BucketUrl = text.parse().expect("a URL");
        assert_eq!(url.to_string(), expected);
    }
    let url: BucketUrl = "s3://bucket/a/".parse().expect("a URL");
    assert_eq!(url.join("b").to_string(), "s3://bucket/a/b");
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
        let refused = text.parse::<BucketUrl>().expect_err(text).to_string();
        assert!(refused.contains("s3://bucket/prefix"), "{refused}");
    }
}
