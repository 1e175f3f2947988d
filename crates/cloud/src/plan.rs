//! What a study would take and cost on rented machines, before any is rented.
//!
//! A machine is taken to be as fast as this one, processor for processor, at best; at worst half as fast, since two processors of a rented machine are
//! usually the two threads of one core, and some are older. So times and costs are spans. Starting a machine takes time that is paid for.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::Serialize;

use crate::clouds::Cloud;
use crate::prices::{Catalogue, Market, Offer};
use crate::span::Span;

/// How much there is to do, as measured on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Work {
    /// Seconds that one processor of this machine would need for everything.
    pub core_seconds: f64,
    /// Steps (generations, say) of all runs together.
    pub steps: u64,
    /// Jobs that may be worked on at the same time, at most: more processors would be idle.
    pub at_once: u64,
}

/// What is wanted.
#[derive(Debug, Clone)]
pub struct Wish {
    /// Machines that work.
    pub workers: u32,
    /// How workers are paid for.
    pub market: Market,
    /// How the head is paid for.
    pub head_market: Market,
    /// Clouds to look at; none: all.
    pub clouds: Vec<&'static Cloud>,
    /// The one region to look at.
    pub region: Option<String>,
    /// The one machine type to look at, for workers.
    pub machine_type: Option<String>,
    /// Dollars an hour that a machine may cost.
    pub max_price: Option<f64>,
    /// Time in which everything should be over.
    pub deadline: Option<Duration>,
}

/// Seconds until a rented machine works.
pub const START: Span = Span {
    low: 180.0,
    high: 600.0,
};
/// How much longer a rented processor takes than one of this machine.
pub const SLOWER: Span = Span {
    low: 1.0,
    high: 2.0,
};
/// The head only hands out work, checks some of it and breeds.
const HEAD_VCPUS: u32 = 2;
/// No more workers are suggested than anybody would rent.
pub const MOST_WORKERS: u32 = 1000;

const HOUR: f64 = 3600.0;

/// One machine type, and what everything would take and cost on it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The workers.
    pub worker: Offer,
    /// Dollars an hour of a worker.
    pub worker_price: f64,
    /// The head, in the same region.
    pub head: Offer,
    /// Dollars an hour of the head.
    pub head_price: f64,
    /// Seconds a step on one such machine.
    pub step_seconds: Span,
    /// Dollars a step on one such machine.
    pub step_cost: Span,
    /// Seconds for everything with all workers.
    pub seconds: Span,
    /// Dollars for everything with all workers and the head.
    pub cost: Span,
    /// Whether it is over in time even at worst.
    pub is_in_time: bool,
}

/// All machine types that are within the price, the cheapest for the whole study first.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// One for each machine type, in the region where it is cheapest.
    pub rows: Vec<Row>,
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// Nothing in the catalogue is what was wanted.
    #[error("the prices have no {market} machine{wanted}; they come from {source_of_prices}")]
    NothingOffered {
        /// How it was to be paid for.
        market: &'static str,
        /// What else was wanted of it.
        wanted: String,
        /// Where prices come from.
        source_of_prices: String,
    },
    /// Everything is dearer than allowed.
    #[error(
        "every machine costs more than {limit} dollars an hour: the cheapest worker, {cheapest}, costs {price}; nothing was rented"
    )]
    TooDear {
        /// What a machine may cost.
        limit: f64,
        /// The cheapest one.
        cheapest: String,
        /// What it costs.
        price: f64,
    },
    /// The region has machines for workers but none for the head.
    #[error(
        "no {market} machine for the head (at least {HEAD_VCPUS} vCPUs){limit} stands in a region where workers do"
    )]
    NoHead {
        /// How it was to be paid for.
        market: &'static str,
        /// The limit, if there is one.
        limit: String,
    },
}

/// What everything would take and cost on each machine type.
pub fn plan(work: &Work, wish: &Wish, catalogue: &Catalogue) -> Result<Plan, PlanError> {
    let wanted: Vec<(&Offer, f64)> = catalogue
        .offers
        .iter()
        .filter(|offer| wish.suits(offer))
        .filter_map(|offer| Some((offer, offer.price(wish.market)?)))
        .collect();
    let affordable: Vec<(&Offer, f64)> = wanted
        .iter()
        .copied()
        .filter(|&(_, price)| wish.allows(price))
        .collect();
    if affordable.is_empty() {
        return Err(wish.refusal(&wanted, catalogue));
    }
    let rows = affordable.iter().filter_map(|&(worker, price)| {
        let (head, head_price) = wish.head_near(worker, catalogue)?;
        Some(row(work, wish, (worker, price), (head, head_price)))
    });
    let mut rows: Vec<Row> = rows.collect();
    if rows.is_empty() {
        return Err(PlanError::NoHead {
            market: wish.head_market.words(),
            limit: wish.limit_words(),
        });
    }
    rows.sort_by(|a, b| a.cost.high.total_cmp(&b.cost.high));
    Ok(Plan {
        rows: one_of_each_type(rows),
    })
}

impl Wish {
    fn suits(&self, offer: &Offer) -> bool {
        (self.clouds.is_empty() || self.clouds.contains(&offer.cloud))
            && (self.region.is_none() || self.region == offer.region)
            && self
                .machine_type
                .as_ref()
                .is_none_or(|wanted| *wanted == offer.machine_type)
    }

    fn allows(&self, price: f64) -> bool {
        self.max_price.is_none_or(|limit| price <= limit)
    }

    /// The cheapest machine beside the workers that can be the head.
    fn head_near<'a>(&self, worker: &Offer, catalogue: &'a Catalogue) -> Option<(&'a Offer, f64)> {
        let is_near = |offer: &&Offer| offer.cloud == worker.cloud && offer.region == worker.region;
        let offers = catalogue.offers.iter().filter(is_near);
        offers
            .filter(|offer| offer.vcpus >= HEAD_VCPUS)
            .filter_map(|offer| Some((offer, offer.price(self.head_market)?)))
            .filter(|&(_, price)| self.allows(price))
            .min_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    fn refusal(&self, wanted: &[(&Offer, f64)], catalogue: &Catalogue) -> PlanError {
        let cheapest = wanted.iter().min_by(|(_, a), (_, b)| a.total_cmp(b));
        match (cheapest, self.max_price) {
            (Some(&(cheapest, price)), Some(limit)) => PlanError::TooDear {
                limit,
                cheapest: cheapest.machine_type.clone(),
                price,
            },
            _ => PlanError::NothingOffered {
                market: self.market.words(),
                wanted: self.wanted_words(),
                source_of_prices: catalogue.source.to_string(),
            },
        }
    }

    fn wanted_words(&self) -> String {
        let clouds: Vec<&str> = self.clouds.iter().map(|cloud| cloud.name).collect();
        let machine_type = self.machine_type.as_ref();
        let parts = [
            machine_type.map(|name| format!(" called {name}")),
            (!clouds.is_empty()).then(|| format!(" of {}", clouds.join(" or "))),
            self.region.as_ref().map(|name| format!(" in {name}")),
        ];
        parts.into_iter().flatten().collect()
    }

    fn limit_words(&self) -> String {
        let limit = self.max_price;
        limit.map_or(String::new(), |limit| {
            format!(" for at most {limit} dollars an hour")
        })
    }
}

impl Market {
    fn words(self) -> &'static str {
        match self {
            Self::Spot => "spot",
            Self::OnDemand => "on-demand",
        }
    }
}

fn row(work: &Work, wish: &Wish, worker: (&Offer, f64), head: (&Offer, f64)) -> Row {
    let ((worker, worker_price), (head, head_price)) = (worker, head);
    let one_step = work.core_seconds / work.steps.max(1) as f64;
    let step_seconds = SLOWER * (one_step / work.usable(1, worker.vcpus));
    let seconds = work.seconds(wish.workers, worker.vcpus);
    let prices = f64::from(wish.workers) * worker_price + head_price;
    Row {
        worker: worker.clone(),
        worker_price,
        head: head.clone(),
        head_price,
        step_seconds,
        step_cost: step_seconds * (worker_price / HOUR),
        seconds,
        cost: seconds * (prices / HOUR),
        is_in_time: is_in_time(seconds, wish.deadline),
    }
}

fn is_in_time(seconds: Span, deadline: Option<Duration>) -> bool {
    deadline.is_none_or(|deadline| seconds.high <= deadline.as_secs_f64())
}

impl Work {
    /// Processors that have something to do.
    fn usable(&self, workers: u32, vcpus: u32) -> f64 {
        let all = u64::from(workers) * u64::from(vcpus);
        all.min(self.at_once.max(1)) as f64
    }

    /// Seconds for everything, from the order to the end.
    fn seconds(&self, workers: u32, vcpus: u32) -> Span {
        START + SLOWER * (self.core_seconds / self.usable(workers, vcpus))
    }
}

/// Rows are sorted, so the first of a type is the cheapest.
fn one_of_each_type(mut rows: Vec<Row>) -> Vec<Row> {
    let mut known = BTreeSet::new();
    rows.retain(|row| known.insert((row.worker.cloud.name, row.worker.machine_type.clone())));
    rows
}

impl Plan {
    /// The cheapest that is over in time even at worst.
    #[must_use]
    pub fn recommended(&self) -> Option<&Row> {
        self.rows.iter().find(|row| row.is_in_time)
    }

    /// The least number of workers, and their type, with which everything would be over in time, if any number would do.
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
