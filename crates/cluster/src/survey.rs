//! The status of a pool: its workers, waiting chunks, and utilisation.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt;
use serde::Serialize;

use crate::address::Address;
use crate::link::{Link, LinkError, Role};
use crate::wire::{PRESENCE, Presence, Report, VERSION, WHO, report_of, sent_by};

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
    /// Chunks waiting for a core of a worker.
    pub waiting: u64,
    /// Chunks being done.
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
    let able = || workers.iter().filter(|worker| worker.version == VERSION);
    let cores: usize = able().map(|worker| worker.cores).sum();
    // A worker plays as many chunks as it has cores; the others wait there.
    let begun: usize = able().map(|worker| worker.held.min(worker.cores)).sum();
    let held: usize = able().map(|worker| worker.held).sum();
    let busy: f64 = able().map(|worker| worker.busy * worker.cores as f64).sum();
    Survey {
        url: link.url.clone(),
        server: link.client.server_info().version,
        cores,
        jobs_per_second: able().map(|worker| worker.jobs_per_second).sum(),
        waiting: (held - begun) as u64,
        begun: begun as u64,
        efficiency: if cores == 0 { 0.0 } else { busy / cores as f64 },
        workers,
        studies,
    }
}

/// Collects the reports of a moment.
async fn listen(link: &Link) -> (Vec<Presence>, Vec<Report>) {
    let (mut workers, mut studies) = (BTreeMap::new(), BTreeMap::new());
    let presences = link.client.subscribe(sent_by("*", PRESENCE)).await;
    let reports = link.client.subscribe(report_of("*")).await;
    let (Ok(mut presences), Ok(mut reports)) = (presences, reports) else {
        return (Vec::new(), Vec::new());
    };
    let _ = link.client.publish(WHO, bytes::Bytes::new()).await;
    let end = tokio::time::Instant::now() + LISTENING;
    loop {
        tokio::select! {
            Some(message) = presences.next() => {
                if let Some(one) = Presence::read(&message.subject, &message.payload) {
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
