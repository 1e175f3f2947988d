//! A place that is connected: objects are put, got, listed and removed, by calls that block.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions};
use tokio::runtime::{Builder, Runtime};

use crate::connect::{client, endpoint, is_public};
use crate::environment::Environment;
use crate::error::{Deed, VaultError, told};
use crate::place::Place;

/// A place and the way to it.
#[derive(Clone)]
pub(crate) struct Depot {
    place: Place,
    endpoint: Option<String>,
    store: Arc<dyn ObjectStore>,
    runtime: Arc<Runtime>,
}

impl fmt::Debug for Depot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Depot")
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

/// Before anything starts a person waits: nobody who does not answer is waited for any longer.
const PATIENCE: Duration = Duration::from_secs(10);
/// A machine's role is known at once, or not at all.
const ROLE_PATIENCE: Duration = Duration::from_secs(4);
/// Requests at a time.
pub(crate) const AT_ONCE: usize = 8;

/// What became of an object that may not be there yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Created {
    /// It is ours.
    Now,
    /// There was one of that name.
    Before,
}

impl Depot {
    /// Connects, and sees that there are credentials.
    pub(crate) fn connect(place: &Place, environment: &Environment) -> Result<Self, VaultError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("vault")
            .enable_all()
            .build()
            .map_err(|error| VaultError::Store {
                place: place.clone(),
                why: error.to_string(),
            })?;
        let client = client(place, environment)?;
        let asked = runtime.block_on(async {
            tokio::time::timeout(ROLE_PATIENCE, client.has_credentials()).await
        });
        if !is_public(environment) && !asked.unwrap_or(false) {
            return Err(VaultError::NoCredentials {
                place: place.clone(),
            });
        }
        Ok(Self {
            place: place.clone(),
            endpoint: endpoint(place, environment).map(str::to_owned),
            store: client.into_store(),
            runtime: Arc::new(runtime),
        })
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// Where something stands in the store.
    pub(crate) fn path(&self, names: &[&str]) -> Path {
        let above = self.place.names.iter().map(String::as_str);
        Path::from_iter(above.chain(names.iter().copied()))
    }

    fn wait<T>(
        &self,
        deed: Deed,
        work: impl Future<Output = object_store::Result<T>>,
    ) -> Result<T, VaultError> {
        self.runtime
            .block_on(work)
            .map_err(|error| self.told(deed, &error))
    }

    pub(crate) fn told(&self, deed: Deed, error: &object_store::Error) -> VaultError {
        told(&self.place, self.endpoint.as_deref(), deed, error)
    }

    /// Does something that a person waits for.
    pub(crate) fn soon<T>(
        &self,
        work: impl Future<Output = Result<T, VaultError>>,
    ) -> Result<T, VaultError> {
        let done = self
            .runtime
            .block_on(async { tokio::time::timeout(PATIENCE, work).await });
        done.unwrap_or_else(|_| {
            let seconds = PATIENCE.as_secs();
            Err(VaultError::Away {
                place: self.place.clone(),
                endpoint: self.endpoint.clone(),
                why: format!("no answer within {seconds} s"),
            })
        })
    }

    /// Runs work that asks for many things at once.
    pub(crate) fn run<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    pub(crate) async fn get(&self, path: &Path) -> Result<Option<Bytes>, VaultError> {
        let got = async { self.store.get(path).await?.bytes().await };
        match got.await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error @ object_store::Error::NotFound { .. }) => {
                match self.told(Deed::Read, &error) {
                    missing @ VaultError::NoBucket { .. } => Err(missing),
                    _ => Ok(None),
                }
            }
            Err(error) => Err(self.told(Deed::Read, &error)),
        }
    }

    /// Puts an object, over one of that name if there is one.
    pub(crate) async fn put(&self, path: &Path, bytes: Bytes) -> Result<(), VaultError> {
        let put = self.store.put(path, bytes.into()).await;
        put.map(|_| ())
            .map_err(|error| self.told(Deed::Write, &error))
    }

    /// Puts an object unless there is one of that name.
    pub(crate) async fn create(&self, path: &Path, bytes: Bytes) -> Result<Created, VaultError> {
        let options = PutOptions::from(PutMode::Create);
        match self.store.put_opts(path, bytes.into(), options).await {
            Ok(_) => Ok(Created::Now),
            Err(object_store::Error::AlreadyExists { .. }) => Ok(Created::Before),
            Err(error) => Err(self.told(Deed::Write, &error)),
        }
    }

    /// All objects below.
    pub(crate) fn list(&self, below: &Path) -> Result<Vec<ObjectMeta>, VaultError> {
        self.wait(Deed::Read, self.store.list(Some(below)).try_collect())
    }

    /// Names of what stands directly below and has something below itself.
    pub(crate) fn folders(&self, below: &Path) -> Result<Vec<String>, VaultError> {
        let listed = self.wait(Deed::Read, self.store.list_with_delimiter(Some(below)))?;
        let names = listed
            .common_prefixes
            .iter()
            .filter_map(|path| path.filename().map(str::to_owned));
        Ok(names.collect())
    }

    /// Sees that the place answers and may be listed.
    pub(crate) async fn look(&self) -> Result<(), VaultError> {
        let below = self.path(&[]);
        let first = self.store.list(Some(&below)).next().await;
        let first = first
            .transpose()
            .map_err(|error| self.told(Deed::Read, &error));
        first.map(|_| ())
    }

    /// Removes objects; those that are gone already are no trouble.
    pub(crate) fn remove(&self, paths: Vec<Path>) -> Result<(), VaultError> {
        let removals = stream::iter(paths)
            .map(|path| async move { self.erase(&path).await })
            .buffer_unordered(AT_ONCE)
            .try_collect::<()>();
        self.runtime.block_on(removals)
    }

    pub(crate) async fn erase(&self, path: &Path) -> Result<(), VaultError> {
        match self.store.delete(path).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.told(Deed::Write, &error)),
        }
    }
}
