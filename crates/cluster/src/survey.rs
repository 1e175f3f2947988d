//! How a pool is getting on: who is there, what waits, how busy everybody is.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt;
use serde::Serialize;

use crate::address::Address;
use crate::link::{Link, LinkError, Role};
use crate::wire::{Presence, Report, TASKS, VERSION, WHO, WORKERS, presence_of, report_of};

/// How a pool is getting on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Survey {
    /// The server.
    pub url: String,
    /// Its version.
    pub server: String,
    /// The workers.
    pub workers: Vec<Presence>,
    /// The studies that are run.
    pub studies: Vec<Report>,
    /// Cores of all workers that this version could use.
    pub cores: usize,
    /// Jobs a second, all together.
    pub jobs_per_second: f64,
    /// Chunks that wait for a worker.
    pub waiting: u64,
    /// Chunks that workers have.
    pub begun: u64,
    /// The share of the cores that is busy.
    pub efficiency: f64,
}

/// Coordinators tell of themselves every two seconds; workers answer at once.
const LISTENING: Duration = Duration::from_millis(2300);

/// Looks at a pool for a moment.
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

/// Who tells of itself within a moment.
async fn listen(link: &Link) -> (Vec<Presence>, Vec<Report>) {
    let (mut workers, mut studies) = (BTreeMap::new(), BTreeMap::new());
    let heard = link.client.subscribe(presence_of("*")).await;
    let told = link.client.subscribe(report_of("*")).await;
    let (Ok(mut heard), Ok(mut told)) = (heard, told) else {
        return (Vec::new(), Vec::new());
    };
    let _ = link.client.publish(WHO, bytes::Bytes::new()).await;
    let end = tokio::time::Instant::now() + LISTENING;
    loop {
        tokio::select! {
            Some(message) = heard.next() => {
                if let Ok(one) = serde_json::from_slice::<Presence>(&message.payload) {
                    workers.insert((one.name.clone(), one.id.clone()), one);
                }
            }
            Some(message) = told.next() => {
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

/// Chunks that wait, and chunks that are being done. None before the first study.
async fn queue(link: &Link) -> (u64, u64) {
    let Ok(stream) = link.streams.get_stream(TASKS).await else {
        return (0, 0);
    };
    match stream.consumer_info(WORKERS).await {
        Ok(info) => (info.num_pending, info.num_ack_pending as u64),
        Err(_) => (stream.cached_info().state.messages, 0),
    }
}
