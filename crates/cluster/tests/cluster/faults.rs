//! Workers and servers that die, freeze and forget: every result comes, once, and right.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cluster::address::Address;
use cluster::link::{Link, Role};
use cluster::pool::{PoolError, Settings};
use cluster::survey::survey;
use rustix::process::Signal;

use crate::registry::{Hand, Told, answered, during, open, pool, server, settings, until};
use crate::sums::Sums;

fn has_told(told: &Told, part: &str) -> bool {
    let told = told.lock().expect("told");
    told.iter().any(|text| text.contains(part))
}

#[test]
fn every_result_comes_once_from_jobs_of_any_length() {
    let Some((nats, _place)) = server() else {
        return;
    };
    let (pool, _) = pool(&nats.url(), 0.1);
    let _hands = [1, 3, 2].map(|cores| Hand::join(&nats.url(), cores));
    for (jobs, micros) in [(1, 0), (50_000, 0), (3_000, 200), (40, 20_000)] {
        let sums = Sums::new(jobs, micros);
        during(&pool, &sums, || {});
    }
}

#[test]
fn errands_go_side_by_side() {
    let Some((nats, _place)) = server() else {
        return;
    };
    let (pool, _) = pool(&nats.url(), 0.0);
    let _hand = Hand::join(&nats.url(), 2);
    let several = [(); 5].map(|()| Sums::new(500, 500));
    std::thread::scope(|scope| {
        for sums in &several {
            scope.spawn(|| pool.run(sums, &AtomicBool::new(false)).expect("done"));
        }
    });
    several.iter().for_each(Sums::check);
}

#[test]
fn workers_that_are_killed_or_frozen_cost_nothing_but_time() {
    let Some((nats, _place)) = server() else {
        return;
    };
    let (pool, _) = pool(&nats.url(), 0.0);
    let mut hands: Vec<Hand> = (0..4).map(|_| Hand::join(&nats.url(), 2)).collect();
    let sums = Sums::new(4_000, 2_000);
    during(&pool, &sums, || {
        until("some results are there", || sums.done() > 200);
        drop(hands.remove(0));
        hands[0].send(Signal::STOP);
        drop(hands.remove(1));
        // What the frozen one holds was given to others when these are all done; what it sends then is refused.
        let given = sums.given();
        until("others have done it", || sums.are_done(given));
        hands[0].send(Signal::CONT);
        hands.push(Hand::join(&nats.url(), 2));
    });
}

#[test]
fn a_server_that_is_killed_costs_nothing_but_time() {
    let Some((mut nats, _place)) = server() else {
        return;
    };
    let (pool, told) = pool(&nats.url(), 0.0);
    let _hands = [2, 2].map(|cores| Hand::join(&nats.url(), cores));
    let has_told = |part: &str| has_told(&told, part);
    let sums = Sums::new(4_000, 2_000);
    during(&pool, &sums, || {
        until("some results are there", || sums.done() > 200);
        nats.restart();
        until("it goes on", || sums.done() > 1_200);
        nats.restart();
        until("it goes on again", || sums.done() > 2_400);
        nats.kill();
        until("it is missed", || has_told("is not reachable"));
        nats.restart();
        until("it is back", || has_told("is back"));
    });
}

/// As over a link that was cut without a word: the connection stands, and nothing comes of it.
#[test]
fn a_server_that_says_nothing_any_more_is_missed_and_lets_nobody_wait() {
    let Some((mut nats, _place)) = server() else {
        return;
    };
    let (pool, told) = pool(&nats.url(), 0.0);
    let _hands = [2, 2].map(|cores| Hand::join(&nats.url(), cores));
    let sums = Sums::new(100_000, 2_000);
    let stop = AtomicBool::new(false);
    let ended = std::thread::scope(|scope| {
        let running = scope.spawn(|| pool.run(&sums, &stop));
        until("some results are there", || sums.done() > 200);
        nats.freeze();
        until("it is missed", || has_told(&told, "is not reachable"));
        nats.restart();
        until("it is back", || has_told(&told, "is back"));
        let done = sums.done();
        until("it goes on", || sums.done() > done + 200);
        nats.freeze();
        stop.store(true, Ordering::Relaxed);
        running.join().expect("it runs")
    });
    assert!(matches!(ended, Err(PoolError::Stopped)), "{ended:?}");
}

#[test]
fn while_the_server_is_away_nobody_is_told_to_start_workers() {
    let Some((mut nats, _place)) = server() else {
        return;
    };
    let (pool, told) = pool(&nats.url(), 0.0);
    let _hands = [2, 2].map(|cores| Hand::join(&nats.url(), cores));
    let sums = Sums::new(4_000, 2_000);
    during(&pool, &sums, || {
        until("some results are there", || sums.done() > 200);
        nats.kill();
        until("no worker is heard", || pool.slots() == 1);
        // It would be told at once.
        std::thread::sleep(Duration::from_secs(1));
        assert!(!has_told(&told, "no workers are connected"), "{told:?}");
        nats.restart();
    });
}

#[test]
fn messages_to_a_server_that_is_away_keep_nobody_waiting() {
    let Some((mut nats, _place)) = server() else {
        return;
    };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let address = Address::read(&nats.url()).expect("an address");
    let opened = || runtime.block_on(Link::open(&address, Role::Coordinator));
    let link = answered(opened, |_| true).expect("a link");
    nats.kill();
    until("it is missed", || !link.is_connected());
    // Far more than the client keeps.
    runtime.block_on(async {
        for _ in 0..10_000 {
            link.send("gamete.who".to_owned(), Vec::new()).await;
        }
    });
}

#[test]
fn a_worker_that_speaks_less_often_than_it_is_waited_for_gets_nothing_twice() {
    let Some((nats, _place)) = server() else {
        return;
    };
    let address = Address::read(&nats.url()).expect("an address");
    let (settings, _) = settings(0.0);
    let settings = Settings {
        patience: Duration::from_millis(10),
        ..settings
    };
    let pool = open(&address, &settings).expect("a pool");
    let _hand = Hand::join(&nats.url(), 1);
    let jobs = 20;
    during(&pool, &Sums::new(jobs, 300_000), || {});
    let done = || survey(&address).map_or(0, |seen| seen.workers.iter().map(|one| one.jobs).sum());
    until("it has told of all", || done() >= jobs as u64);
    assert_eq!(done(), jobs as u64);
}

#[test]
fn jobs_that_kill_whoever_does_them_are_found_and_named() {
    let Some((nats, _place)) = server() else {
        return;
    };
    let (pool, _) = pool(&nats.url(), 0.0);
    let url = nats.url();
    // The last one: it is in a chunk of its own, since chunks become small towards the end.
    let sums = Sums::new(60, 1_000).poisoned_at(59);
    let over = AtomicBool::new(false);
    let ended = std::thread::scope(|scope| {
        // Somebody starts workers again whenever they die.
        scope.spawn(|| {
            let mut hands: Vec<Hand> = (0..2).map(|_| Hand::join(&url, 1)).collect();
            while !over.load(Ordering::Relaxed) {
                for hand in &mut hands {
                    if hand.0.try_wait().expect("its state").is_some() {
                        *hand = Hand::join(&url, 1);
                    }
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        let ended = pool.run(&sums, &AtomicBool::new(false));
        over.store(true, Ordering::Relaxed);
        ended
    });
    assert!(matches!(ended, Err(PoolError::Poison { .. })), "{ended:?}");
    // Its neighbours are innocent.
    assert!(sums.done() >= 50, "{}", sums.done());
}

#[test]
fn a_coordinator_that_is_gone_leaves_nothing_that_disturbs_the_next() {
    let Some((nats, _place)) = server() else {
        return;
    };
    let _hands = [2, 2].map(|cores| Hand::join(&nats.url(), cores));
    for _ in 0..3 {
        let (pool, _) = pool(&nats.url(), 0.0);
        // Far more than can be done before it is stopped.
        let sums = Sums::new(100_000, 1_000);
        let stop = AtomicBool::new(false);
        let ended = std::thread::scope(|scope| {
            let running = scope.spawn(|| pool.run(&sums, &stop));
            until("some results are there", || sums.done() > 100);
            stop.store(true, Ordering::Relaxed);
            running.join().expect("it runs")
        });
        assert!(matches!(ended, Err(PoolError::Stopped)));
        // As if it had been killed: nothing is cleared away.
        std::mem::forget(pool);
    }
    let (pool, _) = pool(&nats.url(), 0.0);
    during(&pool, &Sums::new(500, 1_000), || {});
}
