//! Requests tasks and handles the server's replies.
//!
//! The requests are built by hand, since a worker has no permission for anything else, not even for listing streams.

use std::time::{Duration, Instant};

use async_nats::jetstream::message::Message as StreamMessage;
use async_nats::{Message, StatusCode, Subject, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt;
use serde::Serialize;

use super::WorkerError;
use crate::link::Link;
use crate::wire::{TASKS, WORKERS};

/// Lifetime of a request.
const EXPIRY: Duration = Duration::from_secs(10);
/// How often the server confirms a pending request.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// Delay before asking again after a refusal or without a server.
const PAUSE: Duration = Duration::from_millis(500);

/// A message from the server.
pub(super) enum Reply {
    /// A task.
    Task {
        subject: String,
        acknowledge: Subject,
        payload: Bytes,
        /// How often it was delivered to any worker.
        delivered: i64,
    },
    /// A status of the request.
    Status,
}

/// A request for tasks; there is one at a time. It stays unfilled only while there are none.
pub(super) struct Taking {
    inbox: Subject,
    messages: Subscriber,
    streams: async_nats::jetstream::Context,
    /// Requested tasks that have not arrived.
    open: usize,
    /// When the server last sent something.
    last_message: Instant,
    /// No request before this.
    pause: Option<Instant>,
    /// Number of connections so far: a request ends with its connection.
    connects: u64,
}

#[derive(Serialize)]
struct Request {
    batch: usize,
    expires: u128,
    idle_heartbeat: u128,
}

impl Taking {
    pub(super) async fn begin(link: &Link) -> Result<Self, WorkerError> {
        let inbox: Subject = link.client.new_inbox().into();
        let subscribed = link.client.subscribe(inbox.clone()).await;
        let messages = subscribed.map_err(|error| WorkerError::System(error.to_string()))?;
        Ok(Self {
            inbox,
            messages,
            streams: link.streams.clone(),
            open: 0,
            last_message: Instant::now(),
            pause: None,
            connects: connects(link),
        })
    }

    /// Requests `count` tasks, unless a request is pending.
    pub(super) async fn want(&mut self, link: &Link, count: usize) {
        let pausing = self.pause.is_some_and(|until| Instant::now() < until);
        if count == 0 || self.open > 0 || pausing {
            return;
        }
        let request = Request {
            batch: count,
            expires: EXPIRY.as_nanos(),
            idle_heartbeat: HEARTBEAT.as_nanos(),
        };
        let request = serde_json::to_vec(&request).expect("plain data can be written");
        let subject = format!("$JS.API.CONSUMER.MSG.NEXT.{TASKS}.{WORKERS}");
        let asked = link
            .client
            .publish_with_reply(subject, self.inbox.clone(), request.into());
        if asked.await.is_ok() {
            (self.open, self.last_message, self.pause) = (count, Instant::now(), None);
        }
    }

    pub(super) async fn next_reply(&mut self) -> Reply {
        let Some(message) = self.messages.next().await else {
            // The connection is closed for good; the maintenance finds out why.
            return std::future::pending().await;
        };
        self.last_message = Instant::now();
        match message.status {
            None | Some(StatusCode::OK) => self.task(message),
            Some(StatusCode::IDLE_HEARTBEAT) => Reply::Status,
            // The request has expired.
            Some(StatusCode::TIMEOUT) => {
                self.open = 0;
                Reply::Status
            }
            // No study yet, a server restart, or a recreated consumer: ask again later.
            Some(_) => {
                (self.open, self.pause) = (0, Some(Instant::now() + PAUSE));
                Reply::Status
            }
        }
    }

    fn task(&mut self, message: Message) -> Reply {
        self.open = self.open.saturating_sub(1);
        let Some(acknowledge) = message.reply.clone() else {
            return Reply::Status;
        };
        let message = StreamMessage {
            message,
            context: self.streams.clone(),
        };
        let delivered = message.info().map_or(1, |info| info.delivered);
        Reply::Task {
            subject: message.subject.to_string(),
            acknowledge,
            payload: message.payload.clone(),
            delivered,
        }
    }

    /// Drops a request that the server no longer confirms.
    pub(super) async fn maintain(&mut self, link: &Link) {
        let connects = connects(link);
        if connects != self.connects
            || (self.open > 0 && self.last_message.elapsed() > 3 * HEARTBEAT)
        {
            (self.open, self.connects) = (0, connects);
        }
    }
}

fn connects(link: &Link) -> u64 {
    let statistics = link.client.statistics();
    statistics
        .connects
        .load(std::sync::atomic::Ordering::Relaxed)
}
