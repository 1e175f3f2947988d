//! Work that a client follows: it runs on a thread of its own, tells events as it goes on, and ends with its client.

use std::convert::Infallible;
use std::sync::Arc;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::watch::event;
use crate::problem::Problem;
use crate::searches::{Cancelled, Place, Wanted};
use crate::threads::on_thread;

/// The events of `work`, and then the one that it returns, or a `problem`.
pub(super) fn streamed<F>(
    stream: OwnedSemaphorePermit,
    place: Place,
    work: F,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>>
where
    F: FnOnce(&Cancelled, &Sender<Event>) -> Result<Event, Problem> + Send + 'static,
{
    let wanted = Wanted::default();
    let (sender, events) = channel(2);
    let cancelled = Arc::clone(wanted.cancelled());
    let progress = sender.clone();
    tokio::spawn(async move {
        let last = on_thread(move || {
            let _place = place;
            work(&cancelled, &progress)
        });
        // A client that does not read is waited for without a place and a thread. One that is gone needs nothing.
        let _ = sender
            .send(last.await.unwrap_or_else(|error| problem(&error)))
            .await;
    });
    let followed = Followed {
        events,
        _wanted: wanted,
        _stream: stream,
    };
    let stream = unfold(followed, |mut followed| async {
        let event = followed.events.recv().await?;
        Some((Ok(event), followed))
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

/// What a client gets to know; the work ends with it.
struct Followed {
    events: Receiver<Event>,
    _wanted: Wanted,
    _stream: OwnedSemaphorePermit,
}

fn problem(problem: &Problem) -> Event {
    let message = serde_json::json!({"message": problem.message()});
    event("problem", &message)
}
