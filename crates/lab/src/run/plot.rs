//! Plot data of a run, in addition to its history, which a report turns into charts. Plots of the same name from several runs share a chart.

use serde::{Deserialize, Serialize};

/// Data of a chart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// Joins plots of several runs and selects charts: `time-by-move`.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Label of the horizontal axis.
    pub x: String,
    /// Label of the vertical axis.
    pub y: String,
    /// How it is drawn.
    pub style: Style,
    /// Whether the axes are logarithmic, x and y.
    #[serde(default)]
    pub log: [bool; 2],
    /// The data: names and points.
    pub series: Vec<(String, Vec<(f64, f64)>)>,
}

/// How a plot is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Style {
    /// Points joined by lines.
    Lines,
    /// A cloud of points.
    Points,
}
