//! Where events are heard and told.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use lab::run::event::{Event, Observer};
use web::hub::{Delivery, Hub, KEPT, Reader};

fn progress(done: u64) -> Event {
    Event::Progress {
        run: "study/r1".to_owned(),
        done,
        of: 100,
        best: None,
        mean: None,
        games: done,
        seconds: 0.0,
    }
}

fn note(number: usize) -> Event {
    Event::Note {
        run: "study/r1".to_owned(),
        text: number.to_string(),
    }
}

struct Listener(Reader);

impl Listener {
    fn new(hub: &Arc<Hub>, last: Option<u64>) -> Self {
        Self(Reader::new(hub, last))
    }

    /// The next events, as many as there are.
    fn all(&mut self) -> Vec<String> {
        let next = || self.0.next().now_or_never().flatten();
        let text = |told| match told {
            Delivery::Event(news) => news.text.clone(),
            Delivery::Resync(_) => "resync".to_owned(),
        };
        std::iter::from_fn(next).map(text).collect()
    }
}

#[test]
fn of_progress_that_comes_too_fast_the_newest_wins() {
    let (hub, start) = (Arc::<Hub>::default(), Instant::now());
    let at = |ms: u64| start + Duration::from_millis(ms);
    let mut listener = Listener::new(&hub, None);
    (0..50).for_each(|done| hub.hear_at(&progress(done), at(done)));
    assert_eq!(listener.all().len(), 1);
    assert!(hub.flush(at(99)), "it waits");
    assert_eq!(listener.all().len(), 0);
    assert!(!hub.flush(at(100)));
    let told = listener.all();
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("\"done\":49"), "{told:?}");
}

#[test]
fn progress_comes_at_most_ten_times_a_second() {
    let (hub, start) = (Arc::<Hub>::default(), Instant::now());
    let mut listener = Listener::new(&hub, None);
    for ms in (0..2_000).step_by(7) {
        let now = start + Duration::from_millis(ms);
        hub.hear_at(&progress(ms), now);
        hub.flush(now);
    }
    assert_eq!(listener.all().len(), 20, "in two seconds");
}

#[test]
fn an_event_is_written_once_however_many_listen() {
    let hub = Arc::<Hub>::default();
    let mut readers = [(); 200].map(|()| Reader::new(&hub, None));
    hub.hear(&note(1));
    let mut heard = readers.iter_mut().map(|reader| {
        let Some(Some(Delivery::Event(news))) = reader.next().now_or_never() else {
            panic!("there is news for everybody");
        };
        news
    });
    let first = heard.next().unwrap();
    assert!(heard.all(|news| Arc::ptr_eq(&news, &first)));
}

#[test]
fn what_waits_comes_before_the_end() {
    let hub = Arc::<Hub>::default();
    let mut listener = Listener::new(&hub, None);
    (0..3).for_each(|done| hub.hear(&progress(done)));
    hub.hear(&Event::FinalsBegan {
        run: "study/r1".to_owned(),
        games: 5,
    });
    let told = listener.all();
    assert!(
        told[1].contains("\"done\":2") && told[2].contains("finals"),
        "{told:?}"
    );
}

#[test]
fn whoever_is_behind_the_ring_or_from_another_time_looks_anew() {
    let hub = Arc::<Hub>::default();
    let start = hub.last();
    assert!(Listener::new(&hub, Some(start)).all().is_empty());
    (0..KEPT + 5).for_each(|number| hub.hear(&note(number)));
    let after = |last: u64| Listener::new(&hub, Some(last)).all();
    assert_eq!(after(start), ["resync"]);
    assert_eq!(after(start + 5).len(), KEPT);
    assert_eq!(after(hub.last() + 1), ["resync"]);
    assert_eq!(after(0), ["resync"]);
    assert!(after(hub.last()).is_empty());
}

#[test]
fn a_reader_that_falls_behind_is_told_once_and_goes_on_from_there() {
    let hub = Arc::<Hub>::default();
    let mut slow = Listener::new(&hub, None);
    hub.hear(&note(0));
    assert_eq!(slow.all().len(), 1);
    (0..=KEPT).for_each(|number| hub.hear(&note(number)));
    assert_eq!(slow.all(), ["resync"]);
    (0..2).for_each(|number| hub.hear(&note(number)));
    let told = slow.all();
    assert!(
        told.len() == 2 && told.iter().all(|text| text.contains("text")),
        "{told:?}"
    );
}
