//! The names of charts.

/// Charts of all studies; some kinds add further ones.
pub const CHARTS: [&str; 19] = [
    "fitness",
    "fitness-by-games",
    "learning",
    "results-by-game",
    "settings",
    "effects",
    "map",
    "parallel",
    "luck",
    "published",
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

/// Charts that are no longer drawn; studies that ask for them are still read.
pub(super) const RETIRED: [&str; 2] = ["genes", "generation"];
