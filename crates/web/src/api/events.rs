//! `/api/events`: events of studies and runs, as they happen. One stream per tab; a tab that reconnects gets what it missed.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use serde::Deserialize;
use tokio::sync::OwnedSemaphorePermit;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::hub::{Delivery, HubEvent, Reader};
use crate::input::Params;
use crate::problem::{Failure, Problem};
use crate::site::Site;

/// How long a browser waits before it reconnects.
const RECONNECT: Duration = Duration::from_secs(1);

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(events))
}

/// Which events.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct EventFilter {
    /// Only events of this study.
    study: Option<String>,
    /// Only events of this run (`study/run`), and of its study as a whole.
    run: Option<String>,
    /// The last event that was seen, for clients that cannot send the header `Last-Event-ID`.
    last: Option<u64>,
}

impl EventFilter {
    fn matches(&self, event: &HubEvent) -> bool {
        let of_study = self
            .study
            .as_ref()
            .is_none_or(|study| event.study == *study);
        let of_run = self.run.as_ref().is_none_or(|run| match &event.run {
            Some(own) => own == run,
            None => run.split('/').next() == Some(&event.study),
        });
        of_study && of_run
    }
}

/// A tab that listens.
struct Tab {
    reader: Reader,
    filter: EventFilter,
    _permit: OwnedSemaphorePermit,
}

/// Server-sent events: `id`, and as data an event of the lab as JSON, with `event` as its kind. The event `resync` says that events were missed that are
/// no longer kept: load everything again.
#[utoipa::path(get, path = "/api/events", tag = "events", params(EventFilter),
    responses((status = 200, content_type = "text/event-stream", body = lab::run::event::Event), (status = 429, body = Failure)))]
async fn events(
    State(site): State<Arc<Site>>,
    Params(filter): Params<EventFilter>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let permit = site.stream()?;
    let last = headers.get("last-event-id");
    let last = last.and_then(|id| id.to_str().ok()?.parse().ok());
    let tab = Tab {
        reader: Reader::new(&site.hub, last.or(filter.last)),
        filter,
        _permit: permit,
    };
    let hello = Event::default().retry(RECONNECT).comment("hello");
    let hello = futures_util::stream::iter([Ok(hello)]);
    let stream = unfold(tab, |mut tab| async {
        let event = tab.next().await?;
        Some((Ok(event), tab))
    });
    Ok(Sse::new(futures_util::StreamExt::chain(hello, stream)).keep_alive(KeepAlive::default()))
}

impl Tab {
    /// Waits for the next event of interest; none when the server ends.
    async fn next(&mut self) -> Option<Event> {
        loop {
            match self.reader.next().await? {
                Delivery::Resync(last) => return Some(resync(last)),
                Delivery::Event(event) if self.filter.matches(&event) => {
                    return Some(Event::default().id(event.id.to_string()).data(&event.text));
                }
                Delivery::Event(_) => {}
            }
        }
    }
}

fn resync(last: u64) -> Event {
    let event = Event::default().event("resync").id(last.to_string());
    event.data("{\"event\":\"resync\"}")
}
