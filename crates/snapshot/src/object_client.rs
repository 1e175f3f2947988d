//! Blocking calls that get, put, list and delete the objects below a location.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions};
use tokio::runtime::{Builder, Runtime};

use crate::backend::{self, Backend};
use crate::environment::Environment;
use crate::error::{Access, SnapshotError, explain};
use crate::location::Location;

/// A connection to a location.
#[derive(Clone)]
pub(crate) struct ObjectClient {
    location: Location,
    endpoint: Option<String>,
    store: Arc<dyn ObjectStore>,
    runtime: Arc<Runtime>,
}

impl fmt::Debug for ObjectClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectClient")
            .field("location", &self.location)
            .finish_non_exhaustive()
    }
}

/// Timeout of calls that somebody waits for before the work starts.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The metadata service that knows a machine's role answers at once, or does not exist.
const ROLE_TIMEOUT: Duration = Duration::from_secs(4);
/// Concurrent requests.
pub(crate) const CONCURRENCY: usize = 8;

/// The result of a write that must not overwrite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Created {
    /// The object was written.
    New,
    /// An object of that name already exists.
    AlreadyExists,
}

impl ObjectClient {
    /// Connects, and checks that there are credentials.
    pub(crate) fn connect(
        location: &Location,
        environment: &Environment,
    ) -> Result<Self, SnapshotError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("snapshot")
            .enable_all()
            .build()
            .map_err(|error| SnapshotError::Store {
                location: location.clone(),
                reason: error.to_string(),
            })?;
        let Backend {
            store,
            has_credentials,
        } = backend::connect(location, environment)?;
        let answer =
            runtime.block_on(async { tokio::time::timeout(ROLE_TIMEOUT, has_credentials).await });
        if !backend::is_public(environment) && !answer.unwrap_or(false) {
            return Err(SnapshotError::NoCredentials {
                location: location.clone(),
            });
        }
        Ok(Self {
            location: location.clone(),
            endpoint: backend::endpoint(location, environment).map(str::to_owned),
            store,
            runtime: Arc::new(runtime),
        })
    }

    pub(crate) fn location(&self) -> &Location {
        &self.location
    }

    /// The path of an object in the store.
    pub(crate) fn path(&self, names: &[&str]) -> Path {
        let above = self.location.names.iter().map(String::as_str);
        Path::from_iter(above.chain(names.iter().copied()))
    }

    fn explain(&self, access: Access, error: &object_store::Error) -> SnapshotError {
        explain(&self.location, self.endpoint.as_deref(), access, error)
    }

    /// Runs a call that somebody waits for.
    pub(crate) fn with_timeout<T>(
        &self,
        work: impl Future<Output = Result<T, SnapshotError>>,
    ) -> Result<T, SnapshotError> {
        let done = self.run(async { tokio::time::timeout(TIMEOUT, work).await });
        done.unwrap_or_else(|_| {
            Err(SnapshotError::Unreachable {
                location: self.location.clone(),
                endpoint: self.endpoint.clone(),
                reason: format!("no answer within {} s", TIMEOUT.as_secs()),
            })
        })
    }

    /// Runs calls to their end.
    pub(crate) fn run<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    pub(crate) async fn get(&self, path: &Path) -> Result<Option<Bytes>, SnapshotError> {
        let got = async { self.store.get(path).await?.bytes().await };
        match got.await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) => match (self.explain(Access::Read, &error), error) {
                (explained @ SnapshotError::NoBucket { .. }, _) => Err(explained),
                (_, object_store::Error::NotFound { .. }) => Ok(None),
                (explained, _) => Err(explained),
            },
        }
    }

    /// Puts an object, replacing one of that name.
    pub(crate) async fn put(&self, path: &Path, bytes: Bytes) -> Result<(), SnapshotError> {
        let put = self.store.put(path, bytes.into()).await;
        put.map(|_| ())
            .map_err(|error| self.explain(Access::Write, &error))
    }

    /// Puts an object unless there is one of that name.
    pub(crate) async fn create(&self, path: &Path, bytes: Bytes) -> Result<Created, SnapshotError> {
        let options = PutOptions::from(PutMode::Create);
        match self.store.put_opts(path, bytes.into(), options).await {
            Ok(_) => Ok(Created::New),
            Err(object_store::Error::AlreadyExists { .. }) => Ok(Created::AlreadyExists),
            Err(error) => Err(self.explain(Access::Write, &error)),
        }
    }

    /// All objects below a path.
    pub(crate) fn list(&self, below: &Path) -> Result<Vec<ObjectMeta>, SnapshotError> {
        let listed = self.run(self.store.list(Some(below)).try_collect());
        listed.map_err(|error| self.explain(Access::Read, &error))
    }

    /// Names of the directories (common prefixes) directly below a path.
    pub(crate) fn directories(&self, below: &Path) -> Result<Vec<String>, SnapshotError> {
        let listed = self.run(self.store.list_with_delimiter(Some(below)));
        let listed = listed.map_err(|error| self.explain(Access::Read, &error))?;
        let names = listed.common_prefixes.iter().filter_map(Path::filename);
        Ok(names.map(str::to_owned).collect())
    }

    /// Checks that the location answers and can be listed.
    pub(crate) async fn check_readable(&self) -> Result<(), SnapshotError> {
        let below = self.path(&[]);
        let first = self.store.list(Some(&below)).next().await.transpose();
        first
            .map(|_| ())
            .map_err(|error| self.explain(Access::Read, &error))
    }

    /// Deletes objects, concurrently.
    pub(crate) fn delete_all(&self, paths: Vec<Path>) -> Result<(), SnapshotError> {
        let deletions = stream::iter(paths)
            .map(|path| async move { self.delete(&path).await })
            .buffer_unordered(CONCURRENCY)
            .try_collect::<()>();
        self.run(deletions)
    }

    /// Deletes an object, if it still exists.
    pub(crate) async fn delete(&self, path: &Path) -> Result<(), SnapshotError> {
        match self.store.delete(path).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.explain(Access::Write, &error)),
        }
    }
}
