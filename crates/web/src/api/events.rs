//! `/api/events`: what happens, as it happens. One stream a tab; whoever comes back gets what it missed.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, watch};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::hub::{News, Next};
use crate::input::Asked;
use crate::problem::{Failure, Problem};
use crate::site::Site;

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

/// A reader of events.
struct Reader {
    site: Arc<Site>,
    interest: Interest,
    /// The last event it was given.
    seen: u64,
    ready: VecDeque<Arc<News>>,
    changes: watch::Receiver<u64>,
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
    let changes = site.hub.follow();
    let reader = Reader {
        seen: last.or(interest.last).unwrap_or_else(|| site.hub.last()),
        ready: VecDeque::new(),
        changes,
        interest,
        _permit: permit,
        site,
    };
    let hello = futures_util::stream::iter([Ok(Event::default().comment("hello"))]);
    let stream = unfold(reader, |mut reader| async {
        let event = reader.next().await?;
        Some((Ok(event), reader))
    });
    Ok(Sse::new(futures_util::StreamExt::chain(hello, stream)).keep_alive(KeepAlive::default()))
}

impl Reader {
    /// Waits for the next event; none when the server ends.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(news) = self.ready.pop_front() {
                return Some(Event::default().id(news.id.to_string()).data(&news.text));
            }
            self.changes.borrow_and_update();
            match self.site.hub.after(self.seen) {
                Next::Resync(last) => {
                    self.seen = last;
                    return Some(resync(last));
                }
                Next::News(news) => self.take(news),
            }
            if self.ready.is_empty() {
                self.changes.changed().await.ok()?;
            }
        }
    }

    fn take(&mut self, news: Vec<Arc<News>>) {
        self.seen = news.last().map_or(self.seen, |news| news.id);
        let interesting = news.into_iter().filter(|news| self.interest.is_in(news));
        self.ready.extend(interesting);
    }
}

fn resync(last: u64) -> Event {
    let event = Event::default().event("resync").id(last.to_string());
    event.data("{\"event\":\"resync\"}")
}

#[cfg(test)]
mod tests {
    use lab::run::event::{Event as Happened, Observer};
    use lab::store::Store;

    use super::*;
    use crate::hub::KEPT;
    use crate::settings::Settings;

    fn reader(site: &Arc<Site>) -> Reader {
        Reader {
            site: Arc::clone(site),
            interest: Interest::default(),
            seen: site.hub.last(),
            ready: VecDeque::new(),
            changes: site.hub.follow(),
            _permit: site.stream().unwrap(),
        }
    }

    fn happen(site: &Site, times: usize) {
        for number in 0..times {
            site.hub.hear(&Happened::Note {
                run: "study/r1".to_owned(),
                text: number.to_string(),
            });
        }
    }

    #[test]
    fn a_reader_that_falls_behind_is_told_once_and_goes_on_from_there() {
        let folder = tempfile::tempdir().unwrap();
        let site = Site::open(Settings::local(Store::new(folder.path()))).unwrap();
        let site = Arc::new(site);
        let mut slow = reader(&site);
        let threads = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let mut next = || format!("{:?}", threads.block_on(slow.next()).unwrap());
        happen(&site, 1);
        assert!(next().contains("text"));
        happen(&site, KEPT + 1);
        assert!(next().contains("resync"));
        happen(&site, 2);
        for _ in 0..2 {
            let event = next();
            assert!(
                event.contains("text") && !event.contains("resync"),
                "{event}"
            );
        }
    }
}
