//! `/api/events`: what happens, as it happens. One stream a tab; whoever comes back gets what it missed.

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

use crate::hub::{News, Reader, Told};
use crate::input::Asked;
use crate::problem::{Failure, Problem};
use crate::site::Site;

/// So long a browser waits before it comes back after a break.
const COME_BACK: Duration = Duration::from_secs(1);

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(events))
}

/// What is of interest.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Interest {
    /// Only events of this study.
    study: Option<String>,
    /// Only events of this run (`study/run`), and of its study as a whole.
    run: Option<String>,
    /// For whoever cannot send the header `Last-Event-ID`: the last event that was seen.
    last: Option<u64>,
}

impl Interest {
    fn is_in(&self, news: &News) -> bool {
        let of_study = self.study.as_ref().is_none_or(|study| news.study == *study);
        let of_run = self.run.as_ref().is_none_or(|run| match &news.run {
            Some(own) => own == run,
            None => run.split('/').next() == Some(&news.study),
        });
        of_study && of_run
    }
}

/// A tab that listens.
struct Tab {
    reader: Reader,
    interest: Interest,
    _permit: OwnedSemaphorePermit,
}

/// What happens, as server-sent events: `id`, and as data an event of the lab as JSON, with `event` as its kind. The event `resync` says that more was missed than is
/// kept: look at everything anew.
#[utoipa::path(get, path = "/api/events", tag = "events", params(Interest),
    responses((status = 200, content_type = "text/event-stream", body = lab::run::event::Event), (status = 429, body = Failure)))]
async fn events(
    State(site): State<Arc<Site>>,
    Asked(interest): Asked<Interest>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let permit = site.stream()?;
    let last = headers.get("last-event-id");
    let last = last.and_then(|id| id.to_str().ok()?.parse().ok());
    let tab = Tab {
        reader: Reader::new(&site.hub, last.or(interest.last)),
        interest,
        _permit: permit,
    };
    let hello = Event::default().retry(COME_BACK).comment("hello");
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
                Told::Resync(last) => return Some(resync(last)),
                Told::News(news) if self.interest.is_in(&news) => {
                    return Some(Event::default().id(news.id.to_string()).data(&news.text));
                }
                Told::News(_) => {}
            }
        }
    }
}

fn resync(last: u64) -> Event {
    let event = Event::default().event("resync").id(last.to_string());
    event.data("{\"event\":\"resync\"}")
}
