//! The charts that a study may ask for.

/// Names of charts that a study may ask for; kinds of studies bring further ones.
pub const CHARTS: [&str; 12] = [
    "fitness",
    "settings",
    "genes",
    "generation",
    "surface",
    "champions",
    "classes",
    "game",
    "time-by-move",
    "deviation",
    "cost",
    "cost-flat",
];
