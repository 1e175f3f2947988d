//! The names of charts.

/// Charts of all studies; some kinds add further ones.
pub const CHARTS: [&str; 15] = [
    "fitness",
    "settings",
    "luck",
    "published",
    "genes",
    "generation",
    "individuals",
    "surface",
    "champions",
    "classes",
    "game",
    "time-by-move",
    "deviation",
    "cost",
    "cost-flat",
];
