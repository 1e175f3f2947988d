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

/// Fisher's exact test (1922, 1935) of two rates, each as how often it held and how often not: the probability of a table at most
/// as likely as this one if both rates are equal and the sums of rows and columns are as they are.
#[must_use]
pub fn fisher(first: [u64; 2], second: [u64; 2]) -> f64 {
    let (row, column) = (first[0] + first[1], first[0] + second[0]);
    let total = row + second[0] + second[1];
    let lowest = (row + column).saturating_sub(total);
    let weights = tables(row, column, total);
    // Tables equally likely by the formula may differ by rounding.
    let limit = weights[(first[0] - lowest) as usize] * (1.0 + 1e-7);
    let unlikely: f64 = weights.iter().filter(|weight| **weight <= limit).sum();
    unlikely / weights.iter().sum::<f64>()
}

/// How likely the tables with these sums are, by the number in the corner, measured by the likeliest. From that one outwards:
/// far tables fade to 0 and nothing overflows.
fn tables(row: u64, column: u64, total: u64) -> Vec<f64> {
    let (lowest, highest) = ((row + column).saturating_sub(total), row.min(column));
    let mode = ((row + 1) as f64 * (column + 1) as f64 / (total + 2) as f64) as u64;
    let mode = mode.clamp(lowest, highest);
    // How much likelier the table after this one is.
    let odds = |corner: u64| {
        let below = (corner + 1) as f64 * (total + corner + 1 - row - column) as f64;
        (row - corner) as f64 * (column - corner) as f64 / below
    };
    let upwards = (mode..highest).scan(1.0, |weight, corner| {
        *weight *= odds(corner);
        Some(*weight)
    });
    let downwards = (lowest..mode).rev().scan(1.0, |weight, corner| {
        *weight /= odds(corner);
        Some(*weight)
    });
    let mut weights: Vec<f64> = downwards.collect();
    weights.reverse();
    weights.push(1.0);
    weights.extend(upwards);
    weights
}
