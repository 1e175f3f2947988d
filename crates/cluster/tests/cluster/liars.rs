//! Results that are wrong, forged, or from others than they should be.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_nats::Subscriber;
use cluster::address::Address;
use cluster::identity::Identity;
use cluster::link::{Link, Role};
use cluster::pool::{Pool, Settings};
use cluster::wire::{
    Answer, Message, Order, Outcome, PRESENCE, Presence, Task, VERSION, orders_to, pack, sent_by,
    unpack,
};
use fixtures::nats::program;
use futures_util::StreamExt;
use tokio::runtime::Runtime;

use crate::registry::{self, Hand, Told, during, pool, server, settings, until};
use crate::roles::secured;
use crate::sums::Sums;

fn has_told(told: &Told, part: &str) -> bool {
    let told = told.lock().expect("told");
    told.iter().any(|text| text.contains(part))
}

#[test]
fn a_worker_that_is_wrong_from_the_start_is_found_before_anything_of_it_is_taken() {
    let Some((nats, _place)) = server() else {
        return;
    };
    // No share is rechecked: the first result of a worker always is.
    let (pool, told) = pool(&nats.url(), 0.0);
    let _liar = Hand::join_as(&nats.url(), 2, Some(0));
    let sums = Sums::new(600, 1_000);
    during(&pool, &sums, || {
        until("it is found out", || {
            has_told(&told, "returned a wrong result")
        });
        Hand::join(&nats.url(), 2)
    });
    assert!(has_told(&told, "the worker a test ("), "it is named");
    assert_eq!(sums.again(), 0, "nothing of it was taken");
}

#[test]
fn what_a_worker_gave_before_it_was_found_wrong_is_done_again() {
    let Some((nats, _place)) = server() else {
        return;
    };
    let (mut settings, told) = settings(0.2);
    let found: Told = Arc::default();
    let hear = Arc::clone(&found);
    settings.found_wrong = Arc::new(move |worker| hear.lock().expect("found").push(worker.into()));
    let address = Address::read(&nats.url()).expect("an address");
    let pool = registry::open(&address, &settings).expect("a pool");
    let sums = Sums::new(20_000, 200);
    during(&pool, &sums, || {
        let liar = Hand::join_as(&nats.url(), 2, Some(20));
        until("it is found out", || {
            !found.lock().expect("found").is_empty()
        });
        (liar, Hand::join(&nats.url(), 2))
    });
    assert!(sums.again() > 0, "something of it had been taken");
    assert_eq!(pool.banned(), *found.lock().expect("found"));
    assert!(has_told(&told, "the worker a test ("));
}

#[test]
fn of_two_workers_that_disagree_the_wrong_one_is_banned() {
    let Some((nats, _place)) = server() else {
        return;
    };
    let (mut settings, told) = settings(0.0);
    settings.doubled = 1.0;
    let address = Address::read(&nats.url()).expect("an address");
    let pool = registry::open(&address, &settings).expect("a pool");
    let sums = Sums::new(3_000, 500);
    during(&pool, &sums, || {
        let honest = [2, 2].map(|cores| Hand::join(&nats.url(), cores));
        let liar = Hand::join_as(&nats.url(), 2, Some(5));
        until("it is found out", || !pool.banned().is_empty());
        (honest, liar)
    });
    assert_eq!(pool.banned().len(), 1, "the honest ones are not blamed");
    assert_eq!(sums.again(), 0, "nothing was taken before it was compared");
    assert_eq!(sums.checked(), 3_000);
    assert!(has_told(&told, "returned a wrong result"));
}

#[test]
fn with_one_worker_everything_can_be_compared_with_this_machine() {
    let Some((nats, _place)) = server() else {
        return;
    };
    let (mut settings, _) = settings(0.0);
    settings.doubled = 1.0;
    let address = Address::read(&nats.url()).expect("an address");
    let pool = registry::open(&address, &settings).expect("a pool");
    let sums = Sums::new(300, 500);
    during(&pool, &sums, || Hand::join(&nats.url(), 2));
    assert_eq!(sums.checked(), 300);
}

/// Somebody with a `worker.join` of their own making, who does not follow the rules.
struct Forger {
    runtime: Runtime,
    link: Link,
    identity: Identity,
    orders: Subscriber,
}

impl Forger {
    fn join(address: &Address) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let identity = Identity::new();
        let (link, orders) = runtime.block_on(async {
            let link = Link::open(address, Role::Worker(identity.clone()))
                .await
                .expect("a link");
            let orders = link.client.subscribe(orders_to(&identity.name())).await;
            (link, orders.expect("its own orders"))
        });
        Self {
            runtime,
            link,
            identity,
            orders,
        }
    }

    fn send(&self, to: &str, payload: Vec<u8>) {
        self.runtime.block_on(async {
            let subject = sent_by(&self.identity.name(), to);
            let sent = self.link.client.publish(subject, payload.into()).await;
            sent.expect("sent");
            self.link.client.flush().await.expect("flushed");
        });
    }

    fn be_present(&self, cores: usize, version: &str) {
        let presence = Presence {
            id: "somebody else".to_owned(),
            name: "forger\nstudy finished".to_owned(),
            version: version.to_owned(),
            cores,
            held: usize::MAX,
            chunks: u64::MAX,
            jobs: u64::MAX,
            jobs_per_second: f64::MAX,
            busy: -1.0,
            seconds: f64::MAX,
            leaving: false,
        };
        self.send(PRESENCE, serde_json::to_vec(&presence).expect("json"));
    }

    fn next_task(&mut self) -> Task {
        let orders = &mut self.orders;
        self.runtime.block_on(async {
            loop {
                let order = orders.next().await.expect("an order");
                if let Some(Order::Do(task)) = unpack(&order.payload) {
                    return task;
                }
            }
        })
    }

    fn answer(&self, task: &Task, chunk: u64) {
        let answer = Message::Answer(Answer {
            batch: task.batch,
            chunk,
            seconds: f64::NAN,
            outcome: Outcome::Done(pack(&vec![0_u64; task.jobs as usize]).into()),
        });
        self.send(&task.session, pack(&answer));
    }
}

fn open_at(address: &Address, settings: &Settings) -> Pool {
    registry::open(address, settings).expect("a pool")
}

/// Forges as fast as it can until the study is over; the honest worker does it.
fn check_forger(act: impl Fn(&mut Forger, Task) + Send + Sync) -> Option<Told> {
    program()?;
    let secured = secured()?;
    let (settings, told) = settings(0.0);
    let pool = open_at(&secured.running.coordinator, &settings);
    let worker_file = secured.running.files[1].display().to_string();
    let sums = Sums::new(2_000, 1_000);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let mut forger = Forger::join(&secured.running.worker);
        forger.be_present(usize::MAX, VERSION);
        let (over, act) = (&over, &act);
        scope.spawn(move || {
            let task = forger.next_task();
            while !over.load(Ordering::Relaxed) {
                act(&mut forger, task.clone());
                forger.be_present(usize::MAX, VERSION);
            }
        });
        during(&pool, &sums, || Hand::join(&worker_file, 2));
        over.store(true, Ordering::Relaxed);
    });
    Some(told)
}

#[test]
fn a_forger_that_answers_tasks_of_others_is_refused_and_nobody_else_is_blamed() {
    let Some(told) = check_forger(|forger, task| {
        (0..200).for_each(|chunk| forger.answer(&task, chunk));
    }) else {
        return;
    };
    let told = told.lock().expect("told").join("\n");
    assert!(told.contains("forger study finished ("), "{told}");
    assert!(!told.contains("a test ("), "{told}");
}

#[test]
fn a_forger_that_keeps_its_tasks_for_itself_holds_nobody_up() {
    let told = check_forger(|_, _| std::thread::sleep(std::time::Duration::from_millis(200)));
    let Some(told) = told else { return };
    assert!(!has_told(&told, "wrong"));
}

#[test]
fn a_forger_that_says_it_failed_ends_no_study() {
    let told = check_forger(|forger, task| {
        for chunk in 0..200 {
            let answer = Message::Answer(Answer {
                batch: task.batch,
                chunk,
                seconds: -1.0,
                outcome: Outcome::Failed("no".to_owned()),
            });
            forger.send(&task.session, pack(&answer));
        }
    });
    let Some(told) = told else { return };
    assert!(!has_told(&told, "wrong result"));
}

#[test]
fn messages_that_cannot_be_read_do_nothing() {
    let told = check_forger(|forger, task| {
        for payload in [
            Vec::new(),
            vec![0xc1; 100],
            vec![0xdf, 0xff, 0xff, 0xff, 0xff],
        ] {
            forger.send(&task.session, payload.clone());
            forger.send(PRESENCE, payload);
        }
        let far = Message::Returns {
            batch: u64::MAX,
            chunks: vec![u64::MAX; 10],
        };
        forger.send(&task.session, pack(&far));
    });
    assert!(told.is_none_or(|told| !has_told(&told, "wrong")));
}

#[test]
fn a_worker_of_another_version_is_refused_and_told_so() {
    let Some((nats, _place)) = server() else {
        return;
    };
    let address = Address::read(&nats.url()).expect("an address");
    let (pool, told) = pool(&nats.url(), 0.0);
    let mut old = Forger::join(&address);
    old.be_present(2, "0.0.1-old");
    let order = old.runtime.block_on(old.orders.next()).expect("it is told");
    let order = unpack::<Order>(&order.payload).expect("an order");
    assert!(matches!(order, Order::Refuse { version, .. } if version == VERSION));
    assert!(has_told(&told, "it runs gamete 0.0.1-old"));
    assert_eq!(pool.slots(), 1, "it is not counted");
}
