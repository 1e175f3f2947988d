//! The object store behind a location, configured from the environment so that every call ends within a bounded time.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::local::LocalFileSystem;
use object_store::{BackoffConfig, ClientConfigKey, ObjectStore, RetryConfig};
use url::{Host, Url};

use crate::environment::Environment;
use crate::error::SnapshotError;
use crate::location::{Cloud, Location, Root};

/// A store, before the first request.
pub(crate) struct Backend {
    pub(crate) store: Arc<dyn ObjectStore>,
    /// Are there credentials? If they come from a machine's role, its metadata service is asked.
    pub(crate) has_credentials: Pin<Box<dyn Future<Output = bool>>>,
}

/// Defaults; variables such as `AWS_TIMEOUT` override them.
const TIMEOUTS: [(ClientConfigKey, &str); 2] = [
    (ClientConfigKey::ConnectTimeout, "3s"),
    (ClientConfigKey::Timeout, "20s"),
];

fn retries() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig::default(),
        max_retries: 2,
        retry_timeout: Duration::from_secs(20),
    }
}

/// The address of the store, if the environment overrides the usual one.
pub(crate) fn endpoint<'a>(location: &Location, environment: &'a Environment) -> Option<&'a str> {
    let names: &[&str] = match location.cloud()? {
        Cloud::S3 => &["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"],
        Cloud::Google => &["GOOGLE_BASE_URL"],
        Cloud::Azure => &["AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT"],
    };
    names.iter().find_map(|name| environment.get(name))
}

/// Builds the store of a bucket. In order of precedence: the bucket, the environment, our timeouts.
macro_rules! bucket_store {
    ($builder:ty, $key:ident, $prefix:literal, $environment:expr, $allow_http:expr, $with_bucket:ident($bucket:expr)) => {{
        let mut builder = <$builder>::new();
        for (key, value) in TIMEOUTS {
            builder = builder.with_config($key::Client(key), value);
        }
        for (name, value) in $environment.starting_with($prefix) {
            if let Ok(key) = name.to_ascii_lowercase().parse::<$key>() {
                builder = builder.with_config(key, value);
            }
        }
        let allow_http = $key::Client(ClientConfigKey::AllowHttp);
        let builder = builder.with_config(allow_http, $allow_http.to_string());
        let built = builder
            .with_retry(retries())
            .$with_bucket($bucket.as_str())
            .build();
        built.map(|store| {
            let credentials = Arc::clone(store.credentials());
            Backend {
                store: Arc::new(store),
                has_credentials: Box::pin(
                    async move { credentials.get_credential().await.is_ok() },
                ),
            }
        })
    }};
}

/// The store behind a location. No request is sent yet.
pub(crate) fn connect(
    location: &Location,
    environment: &Environment,
) -> Result<Backend, SnapshotError> {
    // All TLS clients of the process use ring; it does not matter who installs it first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (cloud, bucket) = match &location.root {
        Root::Directory(path) => return directory(path, location),
        Root::Bucket(cloud, bucket) => (*cloud, bucket),
    };
    if has_incomplete_credentials(cloud, environment) {
        let location = location.clone();
        return Err(SnapshotError::NoCredentials { location });
    }
    let http = allows_http(location, environment)?;
    let built = match cloud {
        Cloud::S3 => {
            bucket_store!(
                AmazonS3Builder,
                AmazonS3ConfigKey,
                "AWS_",
                environment,
                http,
                with_bucket_name(bucket)
            )
        }
        Cloud::Google => {
            bucket_store!(
                GoogleCloudStorageBuilder,
                GoogleConfigKey,
                "GOOGLE_",
                environment,
                http,
                with_bucket_name(bucket)
            )
        }
        Cloud::Azure => {
            bucket_store!(
                MicrosoftAzureBuilder,
                AzureConfigKey,
                "AZURE_",
                environment,
                http,
                with_container_name(bucket)
            )
        }
    };
    built.map_err(|error| SnapshotError::Settings {
        location: location.clone(),
        reason: error.to_string(),
    })
}

fn directory(path: &std::path::Path, location: &Location) -> Result<Backend, SnapshotError> {
    let store = LocalFileSystem::new_with_prefix(path);
    let store = store.map_err(|_| SnapshotError::NoBucket {
        location: location.clone(),
    })?;
    Ok(Backend {
        store: Arc::new(store.with_fsync(true)),
        has_credentials: Box::pin(async { true }),
    })
}

/// Is only one half of the credentials set?
fn has_incomplete_credentials(cloud: Cloud, environment: &Environment) -> bool {
    let is_set = |name: &str| environment.get(name).is_some();
    match cloud {
        Cloud::S3 => is_set("AWS_ACCESS_KEY_ID") != is_set("AWS_SECRET_ACCESS_KEY"),
        Cloud::Azure => !is_set("AZURE_STORAGE_ACCOUNT_NAME"),
        Cloud::Google => false,
    }
}

fn is_any_true(names: [&str; 3], environment: &Environment) -> bool {
    names
        .iter()
        .any(|name| environment.get(name) == Some("true"))
}

/// Is the store to be used without credentials?
pub(crate) fn is_public(environment: &Environment) -> bool {
    let names = [
        "AWS_SKIP_SIGNATURE",
        "GOOGLE_SKIP_SIGNATURE",
        "AZURE_SKIP_SIGNATURE",
    ];
    is_any_true(names, environment)
}

/// Unencrypted HTTP is for this machine only, unless the environment allows more.
fn allows_http(location: &Location, environment: &Environment) -> Result<bool, SnapshotError> {
    let Some(endpoint) = endpoint(location, environment) else {
        return Ok(false);
    };
    let invalid = |problem: String| SnapshotError::Settings {
        location: location.clone(),
        reason: format!("the store address '{endpoint}' {problem}"),
    };
    let url = Url::parse(endpoint).map_err(|error| invalid(format!("is invalid: {error}")))?;
    let is_local = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let allow = ["AWS_ALLOW_HTTP", "GOOGLE_ALLOW_HTTP", "AZURE_ALLOW_HTTP"];
    match url.scheme() {
        "https" => Ok(false),
        "http" if is_local || is_any_true(allow, environment) => Ok(true),
        "http" => Err(invalid(
            "is not encrypted; use https, or set AWS_ALLOW_HTTP=true".to_owned(),
        )),
        _ => Err(invalid("must start with https:// or http://".to_owned())),
    }
}
