//! The 95 % interval of a median, from the ranks of the values alone.
//!
//! The median lies between the k-th smallest and the k-th largest of n values unless fewer than k of them fall on one side, as of n
//! coins: so often that no assumption on the distribution is needed. The k that holds at least 95 % and the next are interpolated to 95 %
//! by Hettmansperger and Sheather (1986).

use super::LEVEL;

/// The 95 % interval of the median; missing for fewer than two values.
///
/// Fewer than six values cannot have it: two hold the median between them in 50 % of samples, three in 75 %, four in 87.5 %, five in 93.75 %,
/// and their interval is their range.
#[must_use]
pub fn median_interval(sample: &[f64]) -> Option<[f64; 2]> {
    if sample.len() < 2 {
        return None;
    }
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    let inner = sorted.len() - 1;
    let Some((rank, towards_next)) = place(sorted.len()) else {
        return Some([sorted[0], sorted[inner]]);
    };
    let between = |outer: f64, inner: f64| outer + towards_next * (inner - outer);
    Some([
        between(sorted[rank - 1], sorted[rank]),
        between(sorted[inner + 1 - rank], sorted[inner - rank]),
    ])
}

/// The rank k that holds at least 95 %, and how far the end lies towards the next value; `None` for fewer than six values.
fn place(n: usize) -> Option<(usize, f64)> {
    let mut missed = 2.0 * coins(n, 0);
    if missed > LEVEL {
        return None;
    }
    let mut rank = 1;
    loop {
        let next = missed + 2.0 * coins(n, rank);
        if next > LEVEL {
            let share = (LEVEL - missed) / (next - missed);
            let (n, k) = (n as f64, rank as f64);
            let towards_next = (n - k) * share / (k + (n - 2.0 * k) * share);
            return Some((rank, towards_next));
        }
        (missed, rank) = (next, rank + 1);
    }
}

/// The probability that `heads` of `n` coins show heads.
fn coins(n: usize, heads: usize) -> f64 {
    let log_factorial = |n: usize| libm::lgamma(n as f64 + 1.0);
    let ways = log_factorial(n) - log_factorial(heads) - log_factorial(n - heads);
    libm::exp(ways - n as f64 * std::f64::consts::LN_2)
}
