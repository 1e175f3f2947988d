//! The streams of the server: created, checked, repaired, cleared.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use async_nats::jetstream::context::{CreateStreamError, GetStreamError, GetStreamErrorKind};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType, Stream};

use futures_util::StreamExt;

use super::PoolError;
use crate::address::Address;
use crate::link::{Link, Role};
use crate::wire::{PROTOCOL, PROTOCOL_KEY, RESULTS, TASKS, WORKERS};

/// Unread messages are deleted after this.
const FORGOTTEN: Duration = Duration::from_secs(24 * 60 * 60);

/// Both streams, as they are now.
#[derive(Debug, Clone)]
pub(super) struct Streams {
    pub(super) tasks: Stream,
    pub(super) results: Stream,
    /// When they were created: newer streams have lost everything.
    pub(super) made: String,
}

fn config(name: &str, subject: &str) -> Config {
    Config {
        name: name.to_owned(),
        subjects: vec![subject.to_owned()],
        max_age: FORGOTTEN,
        // Lost chunks are published again, so disk storage is not needed.
        storage: StorageType::Memory,
        metadata: HashMap::from([(PROTOCOL_KEY.to_owned(), PROTOCOL.to_owned())]),
        ..Config::default()
    }
}

fn tasks() -> Config {
    Config {
        retention: RetentionPolicy::WorkQueue,
        ..config(TASKS, "gamete.tasks.>")
    }
}

/// One result per chunk: the server always refuses a second.
fn results() -> Config {
    Config {
        retention: RetentionPolicy::Limits,
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        ..config(RESULTS, "gamete.results.>")
    }
}

impl Streams {
    /// Opens the streams, creating missing ones.
    pub(super) async fn open(link: &Link, patience: Duration) -> Result<Self, PoolError> {
        let tasks = take_or_make(link, tasks()).await?;
        let results = take_or_make(link, results()).await?;
        let workers = pull::Config {
            durable_name: Some(WORKERS.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: patience,
            max_ack_pending: 1_000_000,
            max_waiting: 100_000,
            deliver_policy: DeliverPolicy::All,
            ..pull::Config::default()
        };
        let made = tasks.create_consumer(workers).await;
        made.map_err(|error| refused(link, &error))?;
        let made = format!(
            "{} {}",
            tasks.cached_info().created,
            results.cached_info().created
        );
        Ok(Self {
            tasks,
            results,
            made,
        })
    }

    /// Which of a batch's chunks the server still has as tasks, started or not.
    pub(super) async fn waiting(&self, filter: &str) -> Option<HashSet<String>> {
        let info = self.tasks.info_builder().subjects(filter).fetch().await;
        let mut info = info.ok()?;
        let mut found = HashSet::new();
        while let Some(subject) = info.next().await {
            found.insert(subject.ok()?.0);
        }
        Some(found)
    }

    /// Has the server given out all tasks, and were all that were given out acknowledged?
    pub(super) async fn is_idle(&self) -> bool {
        let info = self.tasks.consumer_info(WORKERS).await;
        info.is_ok_and(|info| info.num_pending == 0 && info.num_ack_pending == 0)
    }

    /// A result that the server has, whether or not we have seen it.
    pub(super) async fn result(&self, subject: &str) -> Option<bytes::Bytes> {
        let message = self.results.get_last_raw_message_by_subject(subject).await;
        message.ok().map(|message| message.payload)
    }

    /// Removes tasks and results of a subject's tail.
    pub(super) async fn clear(&self, tail: &str) {
        // Anything left is deleted later, and never read.
        let _ = self
            .tasks
            .purge()
            .filter(format!("gamete.tasks.{tail}"))
            .await;
        let _ = self.clear_results(tail).await;
    }

    /// Removes results of a subject's tail, so that new ones are accepted.
    pub(super) async fn clear_results(&self, tail: &str) -> bool {
        let purged = self
            .results
            .purge()
            .filter(format!("gamete.results.{tail}"));
        purged.await.is_ok()
    }
}

async fn take_or_make(link: &Link, config: Config) -> Result<Stream, PoolError> {
    let found = match link.streams.get_stream(&config.name).await {
        Ok(found) => found,
        Err(error) if is_missing(&error) => {
            let made = link.streams.create_stream(config).await;
            made.map_err(|error: CreateStreamError| refused(link, &error))?
        }
        Err(error) => return Err(refused(link, &error)),
    };
    let metadata = &found.cached_info().config.metadata;
    let theirs = metadata.get(PROTOCOL_KEY).map_or("unknown", String::as_str);
    match theirs == PROTOCOL {
        true => Ok(found),
        false => Err(PoolError::Protocol {
            url: link.url.clone(),
            theirs: theirs.to_owned(),
        }),
    }
}

fn is_missing(error: &GetStreamError) -> bool {
    matches!(error.kind(), GetStreamErrorKind::JetStream(error) if error.error_code() == ErrorCode::STREAM_NOT_FOUND)
}

/// A forbidden request looks like a timeout; the connection has the real cause.
fn refused(link: &Link, error: &dyn std::error::Error) -> PoolError {
    if let Some(fault) = link.fault() {
        return fault.into();
    }
    let why = error
        .source()
        .map_or_else(|| error.to_string(), |source| format!("{error}: {source}"));
    PoolError::Server {
        url: link.url.clone(),
        why,
    }
}

/// Removes everything of Gamete from a server.
pub fn reset(address: &Address) -> Result<(), PoolError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| PoolError::System(error.to_string()))?;
    runtime.block_on(async {
        let link = Link::open(address, Role::Coordinator).await?;
        for name in [TASKS, RESULTS] {
            match link.streams.get_stream(name).await {
                Ok(_) => {
                    let removed = link.streams.delete_stream(name).await;
                    removed.map_err(|error| refused(&link, &error))?;
                }
                Err(error) if is_missing(&error) => {}
                Err(error) => return Err(refused(&link, &error)),
            }
        }
        Ok(())
    })
}
