//! Taking tasks: requests for the next ones, and what the server says to them.
//!
//! The requests are written by hand, since a worker may ask for nothing else, not even what streams there are.

use std::time::{Duration, Instant};

use async_nats::jetstream::message::Message as StreamMessage;
use async_nats::{Message, StatusCode, Subject, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt;
use serde::Serialize;

use super::WorkerError;
use crate::link::Link;
use crate::wire::{TASKS, WORKERS};

/// A request is good for so long.
const EXPIRY: Duration = Duration::from_secs(10);
/// The server says this often that it still knows of the request.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// When there is nobody to ask, or the server refuses, it is asked again after this.
const PAUSE: Duration = Duration::from_millis(500);

/// What was heard.
pub(super) enum Heard {
    /// A task.
    Task {
        subject: String,
        acknowledge: Subject,
        payload: Bytes,
        /// How often it was given to anybody.
        delivered: i64,
    },
    /// Something about the request.
    Word,
}

/// A request for tasks; there is one at a time. It stays unfilled only while there are none.
pub(super) struct Taking {
    inbox: Subject,
    messages: Subscriber,
    streams: async_nats::jetstream::Context,
    /// Tasks that were asked for and have not come.
    open: usize,
    /// When the server was last heard.
    heard: Instant,
    /// Not to be asked before.
    pause: Option<Instant>,
    /// Connections so far: requests do not outlive one.
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
            heard: Instant::now(),
            pause: None,
            connects: connects(link),
        })
    }

    /// Asks for so many, unless it waits for some already.
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
            (self.open, self.heard, self.pause) = (count, Instant::now(), None);
        }
    }

    pub(super) async fn hear(&mut self) -> Heard {
        let Some(message) = self.messages.next().await else {
            // The connection is closed for good; whoever looks after it finds out why.
            return std::future::pending().await;
        };
        self.heard = Instant::now();
        match message.status {
            None | Some(StatusCode::OK) => self.task(message),
            Some(StatusCode::IDLE_HEARTBEAT) => Heard::Word,
            // The request has run out.
            Some(StatusCode::TIMEOUT) => {
                self.open = 0;
                Heard::Word
            }
            // No study yet, a restart, a consumer that was made again: ask again in a while.
            Some(_) => {
                (self.open, self.pause) = (0, Some(Instant::now() + PAUSE));
                Heard::Word
            }
        }
    }

    fn task(&mut self, message: Message) -> Heard {
        self.open = self.open.saturating_sub(1);
        let Some(acknowledge) = message.reply.clone() else {
            return Heard::Word;
        };
        let message = StreamMessage {
            message,
            context: self.streams.clone(),
        };
        let delivered = message.info().map_or(1, |info| info.delivered);
        Heard::Task {
            subject: message.subject.to_string(),
            acknowledge,
            payload: message.payload.clone(),
            delivered,
        }
    }

    /// A request of which nothing is heard any more is forgotten.
    pub(super) async fn look_after(&mut self, link: &Link) {
        let connects = connects(link);
        if connects != self.connects || (self.open > 0 && self.heard.elapsed() > 3 * HEARTBEAT) {
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
