//! Results that are wrong, forged, or from others than they should be.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Sender, channel};

use cluster::address::Address;
use cluster::link::{Link, Role};
use cluster::pool::PoolError;
use cluster::wire::{Answer, Outcome, Presence, Slot, Task, VERSION, pack, presence_of, unpack};
use futures_util::StreamExt;

use crate::registry::{Hand, during, pool, server, until};
use crate::sums::Sums;

#[test]
fn a_worker_that_is_wrong_from_the_start_is_found_before_anything_of_it_is_taken() {
    let Some((nats, _place)) = server() else {
        return;
    };
    // No share is rechecked: the first result of a worker always is.
    let (pool, told) = pool(&nats.url(), 0.0);
    let _liar = Hand::join_as(&nats.url(), 2, Some(0));
    let sums = Sums::new(600, 1_000);
    let has_told = |part: &str| {
        let told = told.lock().expect("told");
        told.iter().any(|text| text.contains(part))
    };
    during(&pool, &sums, || {
        until("it is found out", || has_told("returned a wrong result"));
        assert_eq!(sums.done(), 0, "nothing of it was taken");
        Hand::join(&nats.url(), 2)
    });
    assert!(has_told("the worker a test ("), "it is named");
}

#[test]
fn a_worker_that_becomes_wrong_is_found_by_the_share_that_is_rechecked() {
    let Some((nats, _place)) = server() else {
        return;
    };
    let (pool, _) = pool(&nats.url(), 1.0);
    let _liar = Hand::join_as(&nats.url(), 2, Some(20));
    // Far more than it needs: while other results are being checked some are taken unchecked.
    let ended = pool.run(&Sums::new(20_000, 1_000), &AtomicBool::new(false));
    let Err(PoolError::Wrong { worker }) = ended else {
        panic!("{ended:?}")
    };
    assert!(worker.starts_with("a test ("), "{worker}");
}

/// Somebody takes every task and answers it as `change` has it; `listening` hears when it is ready for the first.
fn impostor(url: &str, listening: &Sender<()>, change: impl Fn(&mut Answer)) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(async {
        let address = Address::read(url).expect("an address");
        let link = Link::open(&address, Role::Coordinator)
            .await
            .expect("a link");
        let mut tasks = link
            .client
            .subscribe("gamete.tasks.>")
            .await
            .expect("tasks");
        let presence = Presence {
            id: "impostor".to_owned(),
            name: "impostor".to_owned(),
            version: "0.0.1-old".to_owned(),
            cores: 1,
            held: 0,
            chunks: 0,
            jobs: 0,
            jobs_per_second: 0.0,
            busy: 0.0,
            seconds: 0.0,
            leaving: false,
        };
        let presence = serde_json::to_vec(&presence).expect("json");
        let told = link
            .client
            .publish(presence_of("impostor"), presence.into());
        told.await.expect("told");
        link.client.flush().await.expect("the server knows");
        listening.send(()).expect("somebody waits for it");
        for _ in 0..3 {
            let message = tasks.next().await.expect("a task");
            let task: Task = unpack(&message.payload).expect("a task");
            let mut answer = Answer {
                version: VERSION.to_owned(),
                study: task.study,
                token: task.token,
                worker: "impostor".to_owned(),
                seconds: 0.001,
                outcome: Outcome::Done(pack(&vec![0_u64; task.jobs as usize]).into()),
            };
            change(&mut answer);
            let subject = Slot::result_of(&message.subject).expect("a slot");
            let sent = link.client.publish(subject, pack(&answer).into());
            sent.await.expect("sent");
            link.client.flush().await.expect("flushed");
        }
    });
}

fn check_refused(change: impl Fn(&mut Answer) + Send + 'static, reason: &str) {
    let Some((nats, _place)) = server() else {
        return;
    };
    let (pool, told) = pool(&nats.url(), 0.0);
    let url = nats.url();
    let (listening, is_listening) = channel();
    let forger = std::thread::spawn(move || impostor(&url, &listening, change));
    is_listening.recv().expect("it is ready");
    during(&pool, &Sums::new(300, 1_000), || {
        forger.join().expect("the forger ends");
        Hand::join(&nats.url(), 2)
    });
    let told = told.lock().expect("told").join("\n");
    assert!(told.contains("impostor"), "{told}");
    assert!(told.contains(reason), "{told}");
}

#[test]
fn results_of_another_version_are_refused_by_name() {
    check_refused(
        |answer| answer.version = "0.0.1-old".to_owned(),
        "it runs gamete 0.0.1-old",
    );
}

#[test]
fn results_of_another_study_are_refused_by_name() {
    check_refused(
        |answer| answer.study = "sums@2".to_owned(),
        "it belongs to the study 'sums@2'",
    );
}

#[test]
fn results_of_whoever_was_not_given_the_task_are_refused_by_name() {
    check_refused(
        |answer| answer.token ^= 1,
        "it answers a task that it was not given",
    );
}
