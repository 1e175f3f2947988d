//! Estimates time and cost of a study on rented machines, before any is rented.
//!
//! A vCPU is assumed to be as fast as a processor of this machine at best, and half as fast at worst, since two vCPUs are usually the two threads
//! of one core, and some are older. So times and costs are spans. The time a machine needs to start is paid for, too.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::Serialize;

use crate::clouds::Cloud;
use crate::prices::{Catalogue, Market, Offer};
use crate::span::Span;

/// The amount of work, as measured on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Work {
    /// Seconds that one processor of this machine would take for everything.
    pub core_seconds: f64,
    /// Steps (generations, say) of all runs together.
    pub steps: u64,
    /// The most jobs that can run at the same time: more processors would be idle.
    pub at_once: u64,
}

/// What the user asks for.
#[derive(Debug, Clone)]
pub struct Requirements {
    /// Number of workers.
    pub workers: u32,
    /// How workers are paid for.
    pub market: Market,
    /// How the head is paid for.
    pub head_market: Market,
    /// Clouds to consider; if empty, all.
    pub clouds: Vec<&'static Cloud>,
    /// The only region to consider.
    pub region: Option<String>,
    /// The only machine type to consider for workers.
    pub machine_type: Option<String>,
    /// The most that a machine may cost, in dollars per hour.
    pub max_price: Option<f64>,
    /// The time within which everything should be finished.
    pub deadline: Option<Duration>,
}

/// Seconds that a machine takes to start.
pub const START: Span = Span {
    low: 180.0,
    high: 600.0,
};
/// How much slower a vCPU is than a processor of this machine.
pub const SLOWER: Span = Span {
    low: 1.0,
    high: 2.0,
};
/// The head only hands out work, verifies some of it, and breeds.
const HEAD_VCPUS: u32 = 2;
/// The most workers to allow or suggest.
pub const MOST_WORKERS: u32 = 1000;

const HOUR: f64 = 3600.0;

/// Time and cost on one machine type.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The machine of each worker.
    pub worker: Offer,
    /// Dollars per hour of a worker.
    pub worker_price: f64,
    /// The machine of the head, in the same region.
    pub head: Offer,
    /// Dollars per hour of the head.
    pub head_price: f64,
    /// Seconds per step on one worker.
    pub step_seconds: Span,
    /// Dollars per step on one worker.
    pub step_cost: Span,
    /// Seconds for everything with all workers.
    pub seconds: Span,
    /// Dollars for everything with all workers and the head.
    pub cost: Span,
    /// Will it meet the deadline even at worst?
    pub is_in_time: bool,
}

/// All machine types within the price limit, cheapest study first.
#[derive(Debug, Clone, PartialEq)]
pub struct CostEstimates {
    /// One per machine type, in its cheapest region.
    pub rows: Vec<Row>,
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// The catalogue has no such machine.
    #[error("no {market} machine{wanted} in the price table ({source_of_prices})")]
    NothingOffered {
        /// The market.
        market: &'static str,
        /// The other requirements.
        wanted: String,
        /// Where the prices come from.
        source_of_prices: String,
    },
    /// Everything costs more than the limit.
    #[error(
        "every machine costs more than {limit} dollars per hour: the cheapest worker, {cheapest}, costs {price}; nothing was rented"
    )]
    TooExpensive {
        /// The limit.
        limit: f64,
        /// The cheapest machine type.
        cheapest: String,
        /// Its price.
        price: f64,
    },
    /// There are machines for workers but none for the head.
    #[error(
        "no {market} machine for the head (at least {HEAD_VCPUS} vCPUs){limit} in any region with workers"
    )]
    NoHead {
        /// The market.
        market: &'static str,
        /// The price limit, if there is one.
        limit: String,
    },
}

/// Estimates time and cost on each machine type.
pub fn plan(
    work: &Work,
    required: &Requirements,
    catalogue: &Catalogue,
) -> Result<CostEstimates, PlanError> {
    let matching: Vec<(&Offer, f64)> = catalogue
        .offers
        .iter()
        .filter(|offer| required.matches(offer))
        .filter_map(|offer| Some((offer, offer.price(required.market)?)))
        .collect();
    let affordable: Vec<(&Offer, f64)> = matching
        .iter()
        .copied()
        .filter(|&(_, price)| required.allows(price))
        .collect();
    if affordable.is_empty() {
        return Err(required.refusal(&matching, catalogue));
    }
    let rows = affordable.iter().filter_map(|&(worker, price)| {
        let (head, head_price) = required.head_near(worker, catalogue)?;
        Some(row(work, required, (worker, price), (head, head_price)))
    });
    let mut rows: Vec<Row> = rows.collect();
    if rows.is_empty() {
        return Err(PlanError::NoHead {
            market: required.head_market.name(),
            limit: required.limit(),
        });
    }
    rows.sort_by(|a, b| a.cost.high.total_cmp(&b.cost.high));
    Ok(CostEstimates {
        rows: first_of_each_type(rows),
    })
}

impl Requirements {
    fn matches(&self, offer: &Offer) -> bool {
        (self.clouds.is_empty() || self.clouds.contains(&offer.cloud))
            && (self.region.is_none() || self.region == offer.region)
            && self
                .machine_type
                .as_ref()
                .is_none_or(|name| *name == offer.machine_type)
    }

    fn allows(&self, price: f64) -> bool {
        self.max_price.is_none_or(|limit| price <= limit)
    }

    /// The cheapest machine in the region of the workers that can be the head.
    fn head_near<'a>(&self, worker: &Offer, catalogue: &'a Catalogue) -> Option<(&'a Offer, f64)> {
        let is_near = |offer: &&Offer| offer.cloud == worker.cloud && offer.region == worker.region;
        let offers = catalogue.offers.iter().filter(is_near);
        offers
            .filter(|offer| offer.vcpus >= HEAD_VCPUS)
            .filter_map(|offer| Some((offer, offer.price(self.head_market)?)))
            .filter(|&(_, price)| self.allows(price))
            .min_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    fn refusal(&self, matching: &[(&Offer, f64)], catalogue: &Catalogue) -> PlanError {
        let cheapest = matching.iter().min_by(|(_, a), (_, b)| a.total_cmp(b));
        match (cheapest, self.max_price) {
            (Some(&(cheapest, price)), Some(limit)) => PlanError::TooExpensive {
                limit,
                cheapest: cheapest.machine_type.clone(),
                price,
            },
            _ => PlanError::NothingOffered {
                market: self.market.name(),
                wanted: self.description(),
                source_of_prices: catalogue.source.to_string(),
            },
        }
    }

    fn description(&self) -> String {
        let clouds: Vec<&str> = self.clouds.iter().map(|cloud| cloud.name).collect();
        let machine_type = self.machine_type.as_ref();
        let parts = [
            machine_type.map(|name| format!(" of type {name}")),
            (!clouds.is_empty()).then(|| format!(" on {}", clouds.join(" or "))),
            self.region.as_ref().map(|name| format!(" in {name}")),
        ];
        parts.into_iter().flatten().collect()
    }

    fn limit(&self) -> String {
        let limit = self.max_price;
        limit.map_or(String::new(), |limit| {
            format!(" for at most {limit} dollars per hour")
        })
    }
}

impl Market {
    fn name(self) -> &'static str {
        match self {
            Self::Spot => "spot",
            Self::OnDemand => "on-demand",
        }
    }
}

fn row(work: &Work, required: &Requirements, worker: (&Offer, f64), head: (&Offer, f64)) -> Row {
    let ((worker, worker_price), (head, head_price)) = (worker, head);
    let one_step = work.core_seconds / work.steps.max(1) as f64;
    let step_seconds = SLOWER * (one_step / work.usable(1, worker.vcpus));
    let seconds = work.seconds(required.workers, worker.vcpus);
    let prices = f64::from(required.workers) * worker_price + head_price;
    Row {
        worker: worker.clone(),
        worker_price,
        head: head.clone(),
        head_price,
        step_seconds,
        step_cost: step_seconds * (worker_price / HOUR),
        seconds,
        cost: seconds * (prices / HOUR),
        is_in_time: is_in_time(seconds, required.deadline),
    }
}

fn is_in_time(seconds: Span, deadline: Option<Duration>) -> bool {
    deadline.is_none_or(|deadline| seconds.high <= deadline.as_secs_f64())
}

impl Work {
    /// Processors that are not idle.
    fn usable(&self, workers: u32, vcpus: u32) -> f64 {
        let all = u64::from(workers) * u64::from(vcpus);
        all.min(self.at_once.max(1)) as f64
    }

    /// Seconds for everything, including the start.
    fn seconds(&self, workers: u32, vcpus: u32) -> Span {
        START + SLOWER * (self.core_seconds / self.usable(workers, vcpus))
    }
}

/// Of sorted rows, the first of each type: the cheapest.
fn first_of_each_type(mut rows: Vec<Row>) -> Vec<Row> {
    let mut known = BTreeSet::new();
    rows.retain(|row| known.insert((row.worker.cloud.name, row.worker.machine_type.clone())));
    rows
}

impl CostEstimates {
    /// The cheapest that meets the deadline even at worst.
    #[must_use]
    pub fn recommended(&self) -> Option<&Row> {
        self.rows.iter().find(|row| row.is_in_time)
    }

    /// The smallest number of workers that would meet the deadline, and their type; `None` if no number would.
    #[must_use]
    pub fn workers_in_time(&self, work: &Work, deadline: Duration) -> Option<(u32, &Row)> {
        let largest = self.rows.iter().max_by_key(|row| row.worker.vcpus)?;
        let is_enough = |&workers: &u32| {
            let seconds = work.seconds(workers, largest.worker.vcpus);
            is_in_time(seconds, Some(deadline))
        };
        (1..=MOST_WORKERS)
            .find(is_enough)
            .map(|workers| (workers, largest))
    }
}
