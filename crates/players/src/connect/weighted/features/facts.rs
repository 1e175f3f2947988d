//! Facts that outweigh everything else: who has won, and who cannot be stopped any more.
//!
//! Positions are ordered by these before any other feature counts, the best first:
//!
//! 1. `wins`: the move completed a line.
//! 2. `traps`: the opponent has no reply that prevents a line with the next own stone.
//! 3. None of these.
//! 4. `its-traps-1`, `its-traps-2`: a reply of the opponent leaves no such move.
//! 5. `gives`: the opponent can complete a line at once; the fewer cells, the better.
//!
//! Their weights are fixed multiples of what all others together can sum up to, so the others only decide between positions with the same
//! facts.

/// The features with fixed weights.
pub(super) const FACTS: [&str; 5] = ["wins", "gives", "traps", "its-traps-1", "its-traps-2"];

/// The weights of all features: the others as they are given, and in between those of the facts. `most` is more than any of the others can
/// count, or than there are columns.
pub(super) fn outweigh(features: &[String], weights: &[f64], most: f64) -> Vec<f64> {
    let magnitude: f64 = weights.iter().map(|weight| weight.abs()).sum();
    let unit = most * if magnitude > 0.0 { magnitude } else { 1.0 };
    let mut given = weights.iter();
    let weight = |name: &String| match name.as_str() {
        // A winning move may leave a cell to give in every column.
        "wins" => 5.0 * most * unit,
        "traps" => 2.0 * unit,
        "its-traps-1" | "its-traps-2" => -2.0 * unit,
        "gives" => -4.0 * unit,
        _ => *given.next().expect("a weight per feature"),
    };
    features.iter().map(weight).collect()
}
