//! Comparing two samples by ranks, without assumptions about their distribution.
//!
//! Small samples without ties are tested exactly, others by the normal approximation corrected for ties: the same choice and the
//! same numbers as scipy 1.17 by default. Values must not be NaN; samples too small for any conclusion give p = 1.

use super::distributions::normal_two_sided;

/// Above this size the counts of [`orders`] may overflow, and the normal approximation is as good.
const EXACT_SIZE: usize = 100_000;

/// Vargha and Delaney's A12 (2000): the probability that a value of `a` is above one of `b`, equal ones counting half. 0.5 means
/// no difference, also if a sample is empty; 0.56, 0.64 and 0.71 are called small, medium and large.
#[must_use]
pub fn a12(a: &[f64], b: &[f64]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 0.5;
    }
    let (u, _) = wins(a, b);
    u / (a.len() as f64 * b.len() as f64)
}

/// The Mann-Whitney test (1947): the two-sided probability of ranks at least this different if both samples come from one
/// distribution. Exact if a sample has at most 8 values and no two are equal, otherwise the normal approximation with
/// corrections for ties and continuity.
#[must_use]
pub fn mann_whitney(a: &[f64], b: &[f64]) -> f64 {
    if a.is_empty() || b.is_empty() {
        return 1.0;
    }
    let (u, ties) = wins(a, b);
    let (n, m) = (a.len() as f64, b.len() as f64);
    let u = u.max(n * m - u);
    let small = a.len().min(b.len()) <= 8 && a.len().max(b.len()) <= EXACT_SIZE;
    if small && ties == 0.0 {
        let counts = orders(a.len(), b.len());
        return two_sided_tail(&counts, u as usize);
    }
    let all = n + m;
    let deviation = libm::sqrt(n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0))));
    // Continuity correction: U is a whole number.
    let off = (u - 0.5 * n * m - 0.5).max(0.0);
    if deviation > 0.0 {
        normal_two_sided(off / deviation)
    } else {
        1.0
    }
}

/// The Wilcoxon signed-rank test (1945): the two-sided probability of differences at least this one-sided if their distribution is
/// symmetric around 0. Pairs without a difference do not count. Exact for up to 50 pairs with distinct differences and for up
/// to 13 in any case, otherwise the normal approximation with correction for ties. Values without a partner are left out.
#[must_use]
pub fn wilcoxon(a: &[f64], b: &[f64]) -> f64 {
    let pairs = a.len().min(b.len());
    let signed = SignedRanks::of(a, b);
    let clean = signed.ties == 0.0 && signed.ranks.len() == pairs;
    if signed.ranks.is_empty() {
        1.0
    } else if pairs <= 13 || (pairs <= 50 && clean) {
        signed.exact()
    } else {
        signed.approximate()
    }
}

/// The share of averages of two differences (also of a difference with itself) that favour `a`: the effect the signed-rank test
/// measures, as [`a12`] is the one the Mann-Whitney test measures. 0.5 if no pair differs.
#[must_use]
pub fn paired_effect(a: &[f64], b: &[f64]) -> f64 {
    let signed = SignedRanks::of(a, b);
    if signed.ranks.is_empty() {
        return 0.5;
    }
    signed.plus / signed.total()
}

/// The differences of pairs, ranked by their size.
struct SignedRanks {
    ranks: Vec<f64>,
    /// Sum of the ranks of positive differences.
    plus: f64,
    ties: f64,
}

impl SignedRanks {
    fn of(a: &[f64], b: &[f64]) -> Self {
        let differences: Vec<f64> = a
            .iter()
            .zip(b)
            .map(|(a, b)| a - b)
            .filter(|difference| *difference != 0.0)
            .collect();
        let sizes: Vec<f64> = differences.iter().map(|value| value.abs()).collect();
        let (ranks, ties) = midranks(&sizes);
        let positive = |(_, difference): &(&f64, &f64)| **difference > 0.0;
        let plus = ranks.iter().zip(&differences).filter(positive);
        Self {
            plus: plus.map(|(rank, _)| rank).sum(),
            ranks,
            ties,
        }
    }

    fn total(&self) -> f64 {
        let n = self.ranks.len() as f64;
        n * (n + 1.0) / 2.0
    }

    /// By chance each difference could as well have the other sign: counts all choices of signs by their sum of ranks. Ranks are
    /// doubled, because those of ties may be halves.
    fn exact(&self) -> f64 {
        let mut counts = vec![0_u128; 2 * self.total() as usize + 1];
        counts[0] = 1;
        for rank in &self.ranks {
            let doubled = (2.0 * rank) as usize;
            for sum in (doubled..counts.len()).rev() {
                counts[sum] += counts[sum - doubled];
            }
        }
        let farther = self.plus.max(self.total() - self.plus);
        two_sided_tail(&counts, (2.0 * farther) as usize)
    }

    fn approximate(&self) -> f64 {
        let n = self.ranks.len() as f64;
        let variance = (n * (n + 1.0) * (2.0 * n + 1.0) - 0.5 * self.ties) / 24.0;
        normal_two_sided((self.plus - 0.5 * self.total()) / libm::sqrt(variance))
    }
}

/// Ranks from 1, equal values sharing their mean rank; and the sum of t^3 - t over groups of t equal values.
pub(super) fn midranks(values: &[f64]) -> (Vec<f64>, f64) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let (mut ranks, mut ties, mut before) = (vec![0.0; values.len()], 0.0, 0);
    for equals in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let count = equals.len() as f64;
        for &place in equals {
            ranks[place] = before as f64 + 0.5 * (count + 1.0);
        }
        ties += count * count * count - count;
        before += equals.len();
    }
    (ranks, ties)
}

/// U, the number of pairs of values that `a` wins, a tie counting half; and the ties as in [`midranks`].
fn wins(a: &[f64], b: &[f64]) -> (f64, f64) {
    let (ranks, ties) = midranks(&[a, b].concat());
    let sum: f64 = ranks[..a.len()].iter().sum();
    let n = a.len() as f64;
    (sum - 0.5 * n * (n + 1.0), ties)
}

/// The number of orders of `n` and `m` distinct values in which U is 0, 1, 2 ...: the coefficients of the Gaussian binomial, the
/// product of (1 - q^(m + i)) / (1 - q^i) over i up to the smaller number.
///
/// Intermediate values may overflow or be negative; modulo 2^128 the result is right nevertheless, as the counts themselves fit.
fn orders(n: usize, m: usize) -> Vec<u128> {
    let (small, large) = (n.min(m), n.max(m));
    let mut counts = vec![0_u128; n * m + 1];
    counts[0] = 1;
    for i in 1..=small {
        for u in (large + i..counts.len()).rev() {
            counts[u] = counts[u].wrapping_sub(counts[u - large - i]);
        }
        for u in i..counts.len() {
            counts[u] = counts[u].wrapping_add(counts[u - i]);
        }
    }
    counts
}

/// Twice the share of the counts from `from` on, for a distribution symmetric around its middle.
fn two_sided_tail(counts: &[u128], from: usize) -> f64 {
    let tail: u128 = counts[from..].iter().sum();
    let all: u128 = counts.iter().sum();
    (2.0 * (tail as f64 / all as f64)).min(1.0)
}
