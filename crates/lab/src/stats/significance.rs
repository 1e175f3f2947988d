//! Whether a difference can be luck.

use statrs::distribution::{Binomial, DiscreteCDF};

/// The probability that a fair coin is at least as uneven as `wins` to `losses` (the exact, two-sided sign test). Draws say
/// nothing about who is better and do not count.
#[must_use]
pub fn sign_test(wins: u32, losses: u32) -> f64 {
    let games = u64::from(wins + losses);
    if games == 0 {
        return 1.0;
    }
    let fair = Binomial::new(0.5, games).expect("a half is a probability");
    (2.0 * fair.cdf(u64::from(wins.min(losses)))).min(1.0)
}

/// Holm's correction (Holm 1979): p-values as they count when so many questions are asked at once.
#[must_use]
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut corrected = vec![0.0; values.len()];
    let mut highest: f64 = 0.0;
    for (rank, &place) in order.iter().enumerate() {
        highest = highest
            .max(values[place] * (values.len() - rank) as f64)
            .min(1.0);
        corrected[place] = highest;
    }
    corrected
}
