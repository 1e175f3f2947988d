//! The status of a pool: its workers, waiting chunks, and utilisation.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt;
use serde::Serialize;

use crate::address::Address;
use crate::link::{Link, LinkError, Role};
use crate::wire::{Presence, Report, TASKS, VERSION, WHO, WORKERS, presence_of, report_of};

/// The status of a pool.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Survey {
    /// The server.
    pub url: String,
    /// Its version.
    pub server: String,
    /// The workers.
    pub workers: Vec<Presence>,
    /// The running studies.
    pub studies: Vec<Report>,
    /// Cores of all workers of this version.
    pub cores: usize,
    /// Total jobs per second.
    pub jobs_per_second: f64,
    /// Chunks waiting for a worker.
    pub waiting: u64,
    /// Chunks held by workers.
    pub begun: u64,
    /// The share of busy cores.
    pub efficiency: f64,
}

/// Coordinators report every two seconds; workers answer at once.
const LISTENING: Duration = Duration::from_millis(2300);

/// Observes a pool for a moment.
pub fn survey(address: &Address) -> Result<Survey, LinkError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| LinkError::NotReachable {
        url: address.url.clone(),
        why: error.to_string(),
    })?;
    runtime.block_on(async {
        let link = Link::open(address, Role::Coordinator).await?;
        let survey = look(&link).await;
        match link.fault() {
            Some(fault) => Err(fault),
            None => Ok(survey),
        }
    })
}

async fn look(link: &Link) -> Survey {
    let (workers, studies) = listen(link).await;
    let (waiting, begun) = queue(link).await;
    let able = || workers.iter().filter(|worker| worker.version == VERSION);
    let cores: usize = able().map(|worker| worker.cores).sum();
    let busy: f64 = able().map(|worker| worker.busy * worker.cores as f64).sum();
    Survey {
        url: link.url.clone(),
        server: link.client.server_info().version,
        cores,
        jobs_per_second: able().map(|worker| worker.jobs_per_second).sum(),
        waiting,
        begun,
        efficiency: if cores == 0 { 0.0 } else { busy / cores as f64 },
        workers,
        studies,
    }
}

/// Collects the reports of a moment.
async fn listen(link: &Link) -> (Vec<Presence>, Vec<Report>) {
    let (mut workers, mut studies) = (BTreeMap::new(), BTreeMap::new());
    let presences = link.client.subscribe(presence_of("*")).await;
    let reports = link.client.subscribe(report_of("*")).await;
    let (Ok(mut presences), Ok(mut reports)) = (presences, reports) else {
        return (Vec::new(), Vec::new());
    };
    let _ = link.client.publish(WHO, bytes::Bytes::new()).await;
    let end = tokio::time::Instant::now() + LISTENING;
    loop {
        tokio::select! {
            Some(message) = presences.next() => {
                if let Ok(one) = serde_json::from_slice::<Presence>(&message.payload) {
                    workers.insert((one.name.clone(), one.id.clone()), one);
                }
            }
            Some(message) = reports.next() => {
                if let Ok(one) = serde_json::from_slice::<Report>(&message.payload) {
                    studies.insert(one.key.clone(), one);
                }
            }
            () = tokio::time::sleep_until(end) => break,
        }
    }
    let present = workers.into_values().filter(|worker| !worker.leaving);
    (present.collect(), studies.into_values().collect())
}

/// Waiting and running chunks; zero before the first study.
async fn queue(link: &Link) -> (u64, u64) {
    let Ok(stream) = link.streams.get_stream(TASKS).await else {
        return (0, 0);
    };
    match stream.consumer_info(WORKERS).await {
        Ok(info) => (info.num_pending, info.num_ack_pending as u64),
        Err(_) => (stream.cached_info().state.messages, 0),
    }
}
