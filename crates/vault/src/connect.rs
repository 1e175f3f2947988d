//! Clients of the stores, set up from the environment so that every call ends within a bounded time.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzure, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorage, GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::local::LocalFileSystem;
use object_store::{BackoffConfig, ClientConfigKey, ObjectStore, RetryConfig};
use url::{Host, Url};

use crate::environment::Environment;
use crate::error::VaultError;
use crate::place::{Cloud, Place, Root};

/// A client, of which only the kind is known.
pub(crate) enum Client {
    S3(AmazonS3),
    Google(GoogleCloudStorage),
    Azure(MicrosoftAzure),
    Directory(LocalFileSystem),
}

/// What the environment may say otherwise, by variables like `AWS_TIMEOUT`.
const LIMITS: [(ClientConfigKey, &str); 2] = [
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

/// The address of the store, if the environment names another than the usual one.
pub(crate) fn endpoint<'a>(place: &Place, environment: &'a Environment) -> Option<&'a str> {
    let Root::Bucket(cloud, _) = &place.root else {
        return None;
    };
    let names: &[&str] = match cloud {
        Cloud::S3 => &["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"],
        Cloud::Google => &["GOOGLE_BASE_URL"],
        Cloud::Azure => &["AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT"],
    };
    names.iter().find_map(|name| environment.get(name))
}

/// A client for the place. Nobody is asked yet.
pub(crate) fn client(place: &Place, environment: &Environment) -> Result<Client, VaultError> {
    // All clients of the process use ring. Whoever installed it before does as well as we.
    let _ = rustls::crypto::ring::default_provider().install_default();
    if has_half_of_credentials(place, environment) {
        return Err(VaultError::NoCredentials {
            place: place.clone(),
        });
    }
    let plain = may_be_plain(place, environment)?;
    let built = match &place.root {
        Root::Directory(path) => LocalFileSystem::new_with_prefix(path)
            .map(|store| Client::Directory(store.with_fsync(true))),
        Root::Bucket(Cloud::S3, bucket) => s3(bucket, environment, plain).map(Client::S3),
        Root::Bucket(Cloud::Google, bucket) => {
            google(bucket, environment, plain).map(Client::Google)
        }
        Root::Bucket(Cloud::Azure, bucket) => azure(bucket, environment, plain).map(Client::Azure),
    };
    built.map_err(|error| match &place.root {
        Root::Directory(_) => VaultError::NoBucket {
            place: place.clone(),
        },
        Root::Bucket(..) => VaultError::Settings {
            place: place.clone(),
            why: error.to_string(),
        },
    })
}

/// Is something set that is of no use without what is not?
fn has_half_of_credentials(place: &Place, environment: &Environment) -> bool {
    let is_set = |name: &str| environment.get(name).is_some();
    match &place.root {
        Root::Bucket(Cloud::S3, _) => {
            is_set("AWS_ACCESS_KEY_ID") != is_set("AWS_SECRET_ACCESS_KEY")
        }
        Root::Bucket(Cloud::Azure, _) => !is_set("AZURE_STORAGE_ACCOUNT_NAME"),
        Root::Bucket(Cloud::Google, _) | Root::Directory(_) => false,
    }
}

/// Is the store to be used without credentials?
pub(crate) fn is_public(environment: &Environment) -> bool {
    let skip = [
        "AWS_SKIP_SIGNATURE",
        "GOOGLE_SKIP_SIGNATURE",
        "AZURE_SKIP_SIGNATURE",
    ];
    skip.iter()
        .any(|name| environment.get(name) == Some("true"))
}

/// Without encryption only this machine is spoken to, unless the environment allows more.
fn may_be_plain(place: &Place, environment: &Environment) -> Result<bool, VaultError> {
    let Some(endpoint) = endpoint(place, environment) else {
        return Ok(false);
    };
    let wrong = |why: String| VaultError::Settings {
        place: place.clone(),
        why,
    };
    let url = Url::parse(endpoint);
    let url = url.map_err(|error| {
        wrong(format!(
            "the address '{endpoint}' of the store is wrong: {error}"
        ))
    })?;
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let allow = ["AWS_ALLOW_HTTP", "GOOGLE_ALLOW_HTTP", "AZURE_ALLOW_HTTP"];
    let is_allowed = allow
        .iter()
        .any(|name| environment.get(name) == Some("true"));
    match url.scheme() {
        "https" => Ok(false),
        "http" if is_here || is_allowed => Ok(true),
        "http" => Err(wrong(format!(
            "the address {endpoint} of the store is not encrypted; use https, or allow it by AWS_ALLOW_HTTP=true"
        ))),
        _ => Err(wrong(format!(
            "the address '{endpoint}' of the store must begin with https:// or http://"
        ))),
    }
}

/// Settings in the order in which they count: our limits, the environment, the bucket.
macro_rules! set_up {
    ($builder:expr, $key:ident, $prefix:literal, $environment:ident, $plain:ident) => {{
        let mut builder = $builder;
        for (key, value) in LIMITS {
            builder = builder.with_config($key::Client(key), value);
        }
        for (name, value) in $environment.starting_with($prefix) {
            if let Ok(key) = name.to_ascii_lowercase().parse::<$key>() {
                builder = builder.with_config(key, value);
            }
        }
        let plain = $plain.to_string();
        let builder = builder.with_config($key::Client(ClientConfigKey::AllowHttp), plain);
        builder.with_retry(retries())
    }};
}

fn s3(bucket: &str, environment: &Environment, plain: bool) -> object_store::Result<AmazonS3> {
    let builder = set_up!(
        AmazonS3Builder::new(),
        AmazonS3ConfigKey,
        "AWS_",
        environment,
        plain
    );
    builder.with_bucket_name(bucket).build()
}

fn google(
    bucket: &str,
    environment: &Environment,
    plain: bool,
) -> object_store::Result<GoogleCloudStorage> {
    let builder = GoogleCloudStorageBuilder::new();
    let builder = set_up!(builder, GoogleConfigKey, "GOOGLE_", environment, plain);
    builder.with_bucket_name(bucket).build()
}

fn azure(
    bucket: &str,
    environment: &Environment,
    plain: bool,
) -> object_store::Result<MicrosoftAzure> {
    let builder = MicrosoftAzureBuilder::new();
    let builder = set_up!(builder, AzureConfigKey, "AZURE_", environment, plain);
    builder.with_container_name(bucket).build()
}

impl Client {
    /// Are there credentials? For those of a machine's role, the machine is asked.
    pub(crate) async fn has_credentials(&self) -> bool {
        match self {
            Self::S3(store) => store.credentials().get_credential().await.is_ok(),
            Self::Google(store) => store.credentials().get_credential().await.is_ok(),
            Self::Azure(store) => store.credentials().get_credential().await.is_ok(),
            Self::Directory(_) => true,
        }
    }

    pub(crate) fn into_store(self) -> Arc<dyn ObjectStore> {
        match self {
            Self::S3(store) => Arc::new(store),
            Self::Google(store) => Arc::new(store),
            Self::Azure(store) => Arc::new(store),
            Self::Directory(store) => Arc::new(store),
        }
    }
}
