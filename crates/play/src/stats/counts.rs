//! How often each value occurred: as much of a sample as its statistics need, in memory that does not grow with its size.

use std::collections::BTreeMap;

use super::mean::interval_of;
use super::summary::{Quantiles, Summary};

/// How often each value occurred.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    of: BTreeMap<i64, u64>,
    total: u64,
}

impl Counts {
    /// Adds a sample.
    pub(crate) fn add(&mut self, mut values: Vec<i64>) {
        self.total += values.len() as u64;
        // Far fewer look-ups than one per value.
        values.sort_unstable();
        for equal in values.chunk_by(|a, b| a == b) {
            *self.of.entry(equal[0]).or_default() += equal.len() as u64;
        }
    }

    /// The summary of all values, of which there must be some.
    pub(crate) fn summary(&self) -> Summary {
        let mean = self.mean();
        let quantile = |share| self.quantile(share);
        let (first, last) = (self.of.first_key_value(), self.of.last_key_value());
        let (min, max) = (first.expect("a value"), last.expect("a value"));
        Summary {
            mean,
            sd: self.deviation(mean),
            ci95: interval_of(self.values()),
            median: quantile(0.5),
            quantiles: Quantiles {
                p05: quantile(0.05),
                p25: quantile(0.25),
                p75: quantile(0.75),
                p95: quantile(0.95),
            },
            min: *min.0,
            max: *max.0,
        }
    }

    /// The values in ascending order, each with its count.
    pub(crate) fn values(&self) -> impl Iterator<Item = (f64, u64)> + Clone {
        self.of.iter().map(|(&value, &count)| (value as f64, count))
    }

    /// The sum is exact, so the mean does not depend on the order.
    fn mean(&self) -> f64 {
        let of_value = |(&value, &count): (&i64, &u64)| i128::from(value) * i128::from(count);
        let sum: i128 = self.of.iter().map(of_value).sum();
        sum as f64 / self.total as f64
    }

    fn deviation(&self, mean: f64) -> Option<f64> {
        if self.total < 2 {
            return None;
        }
        let off = self
            .values()
            .map(|(value, count)| count as f64 * (value - mean) * (value - mean));
        Some((off.sum::<f64>() / (self.total - 1) as f64).sqrt())
    }

    /// The value below which this share lies, interpolated linearly between neighbours.
    fn quantile(&self, share: f64) -> f64 {
        let place = share * (self.total - 1) as f64;
        let [low, high] = [place.floor(), place.ceil()].map(|place| self.at(place as u64));
        low + (high - low) * place.fract()
    }

    /// The value at this place of the sorted sample.
    fn at(&self, place: u64) -> f64 {
        let mut before = 0;
        let mut values = self.values();
        let found = values.find(|&(_, count)| {
            before += count;
            place < before
        });
        found.expect("a place in the sample").0
    }
}
