//! How often something held, with Wilson's 95 % interval.
//!
//! Simulated for 10 to 100 pairs of games that are independent, nearly always equal or nearly always opposite, the interval over pairs
//! holds shares from 5 to 50 % in 93 to 100 %.

use serde::Serialize;

use super::NORMAL_95;

/// A count of games out of all games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Share {
    /// Number of games in which it held.
    pub games: u64,
    /// Their share of all games.
    pub share: f64,
    /// Wilson's 95 % interval of the probability (1927), which is valid near 0 and 1 too.
    pub ci95: [f64; 2],
}

impl Share {
    /// `games` of `total`, which must not be 0. The games are independent.
    #[must_use]
    pub fn new(games: u64, total: u64) -> Self {
        Self::as_sure_as(games, total, total as f64)
    }

    /// Over units of games that are not independent, pairs that begin alike: how many games it held in, how many there are, and how many
    /// such units. The interval is that of as many independent games as have the spread of the units; at least one per unit, at most all.
    #[must_use]
    pub fn of_units(units: impl Iterator<Item = (u64, u64, u64)> + Clone) -> Self {
        let (held, total) = units
            .clone()
            .fold((0, 0), |(held, total), (in_unit, games, units)| {
                (held + in_unit * units, total + games * units)
            });
        Self::as_sure_as(held, total, independent(units, held, total))
    }

    /// `games` of `total`, with the interval of `n` independent games.
    fn as_sure_as(games: u64, total: u64, n: f64) -> Self {
        let share = games as f64 / total as f64;
        let z2 = NORMAL_95 * NORMAL_95;
        let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half =
            NORMAL_95 / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
        // The formula gives 0 and 1 here, up to rounding.
        let low = if games == 0 { 0.0 } else { middle - half };
        let high = if games == total { 1.0 } else { middle + half };
        Self {
            games,
            share,
            ci95: [low, high],
        }
    }
}

/// How many independent games would have as sure a share as these units: p (1 - p) over the variance of their mean.
fn independent(units: impl Iterator<Item = (u64, u64, u64)> + Clone, held: u64, total: u64) -> f64 {
    let count = units.clone().map(|(.., units)| units).sum::<u64>() as f64;
    let total = total as f64;
    let share = held as f64 / total;
    let spread = share * (1.0 - share);
    // Units that are all alike might always be, and one tells nothing of others.
    if count < 2.0 || spread == 0.0 {
        return count;
    }
    let squares = units.map(|(held, games, units)| {
        let off = held as f64 - share * games as f64;
        units as f64 * off * off
    });
    let squares: f64 = squares.sum();
    let variance = squares / (total * total) * count / (count - 1.0);
    (spread / variance).clamp(count, total)
}
