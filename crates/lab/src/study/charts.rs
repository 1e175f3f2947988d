//! The names of charts.

/// Charts of all studies; some kinds add further ones.
pub const CHARTS: [&str; 14] = [
    "fitness",
    "settings",
    "luck",
    "published",
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
