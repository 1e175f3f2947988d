//! What a run has to draw beside its history: plain data, which a report turns into a chart. Plots of the same name from several runs are drawn as one.

use serde::{Deserialize, Serialize};

/// Data of a chart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// By which plots of several runs are joined, and charts chosen: `time-by-move`.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// What the horizontal axis is.
    pub x: String,
    /// What the vertical axis is.
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
