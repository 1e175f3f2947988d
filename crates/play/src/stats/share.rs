//! How often something held, with Wilson's 95 % interval.

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
    /// `games` of `total`, which must not be 0.
    #[must_use]
    pub fn new(games: u64, total: u64) -> Self {
        let (n, share) = (total as f64, games as f64 / total as f64);
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
