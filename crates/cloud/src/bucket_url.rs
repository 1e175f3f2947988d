//! Where results are stored: a prefix in a bucket that every machine can reach.

use std::fmt;
use std::str::FromStr;

/// A prefix in a bucket, like `s3://bucket/prefix`, without a trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketUrl {
    kind: &'static Kind,
    path: String,
}

/// A kind of bucket.
#[derive(Debug, PartialEq, Eq)]
struct Kind {
    /// The part before `://`.
    scheme: &'static str,
    /// Environment variables for access to such a bucket.
    variables: &'static [&'static str],
}

const KINDS: &[Kind] = &[
    Kind {
        scheme: "s3",
        variables: &[
            "AWS_ACCESS_KEY_ID",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_SESSION_TOKEN",
            "AWS_REGION",
            "AWS_DEFAULT_REGION",
            "AWS_ENDPOINT_URL",
            "AWS_ENDPOINT_URL_S3",
            "AWS_ALLOW_HTTP",
        ],
    },
    Kind {
        scheme: "gs",
        variables: &["GOOGLE_SERVICE_ACCOUNT_KEY", "GOOGLE_BASE_URL"],
    },
    Kind {
        scheme: "az",
        variables: &[
            "AZURE_STORAGE_ACCOUNT_NAME",
            "AZURE_STORAGE_ACCOUNT_KEY",
            "AZURE_STORAGE_SAS_KEY",
            "AZURE_STORAGE_CLIENT_ID",
            "AZURE_STORAGE_CLIENT_SECRET",
            "AZURE_STORAGE_TENANT_ID",
            "AZURE_ENDPOINT",
        ],
    },
];

/// Not a bucket URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{text}' is not a bucket location; expected s3://bucket/prefix, gs://bucket/prefix or az://bucket/prefix, made of letters, digits and ._-/"
)]
pub struct InvalidBucketUrl {
    /// The text.
    pub text: String,
}

impl BucketUrl {
    /// The URL of this name below this one.
    #[must_use]
    pub fn join(&self, below: &str) -> Self {
        Self {
            kind: self.kind,
            path: format!("{}/{below}", self.path),
        }
    }

    /// Environment variables for access to the bucket, which may be set or not.
    #[must_use]
    pub fn variables(&self) -> &'static [&'static str] {
        self.kind.variables
    }

    /// Does the bucket speak S3?
    #[must_use]
    pub fn is_s3(&self) -> bool {
        self.kind.scheme == "s3"
    }
}

impl FromStr for BucketUrl {
    type Err = InvalidBucketUrl;

    fn from_str(text: &str) -> Result<Self, InvalidBucketUrl> {
        let bad = || InvalidBucketUrl {
            text: text.to_owned(),
        };
        let (scheme, path) = text.split_once("://").ok_or_else(bad)?;
        let kind = KINDS.iter().find(|kind| kind.scheme == scheme);
        let path = path.trim_end_matches('/');
        let is_plain = |part: &str| {
            let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
            !part.is_empty() && part != ".." && part != "." && part.chars().all(fits)
        };
        match kind {
            Some(kind) if path.split('/').all(is_plain) => Ok(Self {
                kind,
                path: path.to_owned(),
            }),
            _ => Err(bad()),
        }
    }
}

impl fmt::Display for BucketUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.kind.scheme, self.path)
    }
}
