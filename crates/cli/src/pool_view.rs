//! The workers of a pool, for the page.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cluster::address::Address;
use cluster::metrics::metrics;
use cluster::survey::{Survey, survey};
use cluster::wire::VERSION;
use web::{PoolStudy, PoolSurvey, PoolView, PoolWorker};

use crate::output::Failure;

/// Whoever asks again within this time hears the same.
const FRESH: Duration = Duration::from_secs(2);

/// Looks at a pool, one look at a time.
#[derive(Debug)]
struct View {
    address: Address,
    last: Mutex<Option<(Instant, Survey)>>,
}

/// The view of a pool, if there is to be one. The server need not be there yet.
pub(crate) fn pool_view(server: Option<&str>) -> Result<Option<Arc<dyn PoolView>>, Failure> {
    let Some(server) = server else {
        return Ok(None);
    };
    let address = Address::read(server)?;
    let last = Mutex::default();
    Ok(Some(Arc::new(View { address, last })))
}

impl View {
    fn look(&self) -> Result<Survey, String> {
        let mut last = self.last.lock().expect("mutex poisoned");
        if let Some((at, seen)) = &*last
            && at.elapsed() < FRESH
        {
            return Ok(seen.clone());
        }
        let seen = survey(&self.address).map_err(|error| error.to_string())?;
        *last = Some((Instant::now(), seen.clone()));
        Ok(seen)
    }
}

impl PoolView for View {
    fn survey(&self) -> Result<PoolSurvey, String> {
        let seen = self.look()?;
        let workers = seen.workers.into_iter().map(|worker| PoolWorker {
            refused_version: (worker.version != VERSION).then_some(worker.version),
            id: worker.id,
            name: worker.name,
            cores: worker.cores,
            jobs: worker.jobs,
            jobs_per_second: worker.jobs_per_second,
            busy: worker.busy,
        });
        let studies = seen.studies.into_iter().map(|study| PoolStudy {
            study: study.study,
            jobs: study.jobs,
            jobs_per_second: study.jobs_per_second,
            on_their_way: study.on_their_way,
            checked: study.checked,
        });
        Ok(PoolSurvey {
            workers: workers.collect(),
            studies: studies.collect(),
            url: seen.url,
            cores: seen.cores,
            jobs_per_second: seen.jobs_per_second,
            waiting: seen.waiting,
            begun: seen.begun,
            efficiency: seen.efficiency,
        })
    }

    fn metrics(&self) -> Result<String, String> {
        self.look().map(|seen| metrics(&seen))
    }
}
