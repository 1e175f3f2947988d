//! Where events are heard and told.

use std::sync::Arc;
use std::time::Duration;

use lab::run::event::{Event, Observer};
use tokio::runtime::{Builder, Runtime};
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

/// A reader, and time to wait for it.
struct Listener {
    reader: Reader,
    threads: Runtime,
}

impl Listener {
    fn new(hub: &Arc<Hub>, last: Option<u64>) -> Self {
        let threads = Builder::new_current_thread().enable_time().build();
        Self {
            reader: Reader::new(hub, last),
            threads: threads.unwrap(),
        }
    }

    /// The next events, as many as there are.
    fn all(&mut self) -> Vec<String> {
        let mut all = Vec::new();
        let Self { reader, threads } = self;
        threads.block_on(async {
            let pause = Duration::from_millis(20);
            while let Ok(Some(told)) = tokio::time::timeout(pause, reader.next()).await {
                all.push(match told {
                    Delivery::Event(event) => event.text.clone(),
                    Delivery::Resync(_) => "resync".to_owned(),
                });
            }
        });
        all
    }
}

#[test]
fn of_progress_that_comes_too_fast_the_newest_wins() {
    let hub = Arc::<Hub>::default();
    let mut listener = Listener::new(&hub, None);
    (0..50).for_each(|done| hub.hear(&progress(done)));
    assert_eq!(listener.all().len(), 1);
    while hub.flush() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let told = listener.all();
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("\"done\":49"), "{told:?}");
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
