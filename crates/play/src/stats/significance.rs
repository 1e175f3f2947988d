//! Tests of whether a difference can be chance, and Holm's correction for several of them.

/// The probability that a fair coin is at least as uneven as `wins` to `losses` (the exact, two-sided sign test). Draws do not
/// count: they do not favour either side.
#[must_use]
pub fn sign_test(wins: u32, losses: u32) -> f64 {
    let (games, fewer) = (
        u64::from(wins) + u64::from(losses),
        u64::from(wins.min(losses)),
    );
    // Probabilities of up to half the wins, as multiples of the largest; counts too rare for an `f64` are left out.
    let (mut weight, mut all, mut as_few) = (1.0, 0.0, 0.0);
    for count in (0..=games / 2).rev() {
        all += weight;
        if count <= fewer {
            as_few += weight;
        }
        weight *= count as f64 / (games - count + 1) as f64;
        if weight < f64::MIN_POSITIVE {
            break;
        }
    }
    // The other half mirrors this one; of an even number of games the middle belongs to both.
    let middle = if games.is_multiple_of(2) { 1.0 } else { 0.0 };
    (2.0 * as_few / (2.0 * all - middle)).min(1.0)
}

/// Holm's correction (1979) of p-values for the number of tests.
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

/// Fisher's exact test (1922, 1935) of two rates, each given by how often it held and how often not: the probability of a table at
/// most as likely as this one if both rates are equal, given the sums of rows and columns.
#[must_use]
pub fn fisher(first: [u64; 2], second: [u64; 2]) -> f64 {
    let (row, column) = (first[0] + first[1], first[0] + second[0]);
    let total = row + second[0] + second[1];
    let lowest = (row + column).saturating_sub(total);
    let weights = tables(row, column, total);
    // Equally likely tables may differ by rounding.
    let limit = weights[(first[0] - lowest) as usize] * (1.0 + 1e-7);
    let unlikely: f64 = weights.iter().filter(|weight| **weight <= limit).sum();
    unlikely / weights.iter().sum::<f64>()
}

/// The probabilities of the tables with these sums, by the number in the corner, as multiples of the largest. They are computed
/// from that one outwards, so unlikely ones underflow to 0 and nothing overflows.
fn tables(row: u64, column: u64, total: u64) -> Vec<f64> {
    let (lowest, highest) = ((row + column).saturating_sub(total), row.min(column));
    let mode = ((row + 1) as f64 * (column + 1) as f64 / (total + 2) as f64) as u64;
    let mode = mode.clamp(lowest, highest);
    // The probability of the next table as a multiple of this one's.
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
