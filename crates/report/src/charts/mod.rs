//! Charts as SVG text: plain data in, one self-contained picture out.
//!
//! The text is meant to be inlined in a page: it has no background, takes its text colour from the page
//! (`currentColor`), scales to the width it is given, and has neither ids, scripts nor references, so that any
//! number of charts share a page. The same data give the same bytes. As a standalone file it is black on white.
//!
//! Nothing here fails: values that are not finite (on a logarithmic axis: not within 1e-10 to 1e15) are left out, long
//! series are thinned, long labels are cut, and a chart without data is an empty frame. Only this folder uses
//! the plotting library.

mod bars;
mod boxes;
mod data;
mod effects;
mod grid;
mod heat;
mod look;
mod parallel;
mod radar;
mod shade;
mod xy;

pub use bars::bars;
pub use boxes::boxes;
pub use effects::{Group, Level, effects};
pub use grid::{Grid, grid};
pub use heat::heat;
pub use parallel::{Parallel, parallel};
pub use radar::{POLYGONS, radar};
pub use xy::{lines, scatter};

/// The texts of a chart and the scale of its axes.
#[derive(Clone, Debug, Default)]
pub struct Axes {
    /// The title above the chart, also for screen readers.
    pub title: String,
    /// The label of the horizontal axis.
    pub x: String,
    /// The label of the vertical axis.
    pub y: String,
    /// Whether the horizontal axis is logarithmic; only for [`lines`] and [`scatter`].
    pub log_x: bool,
    /// Whether the vertical axis is logarithmic; only for [`lines`], [`scatter`] and [`boxes`].
    pub log_y: bool,
    /// Whether the horizontal axis counts something, so that its ticks are whole numbers; only for [`lines`] and [`scatter`].
    pub counts_x: bool,
    /// Whether names below the horizontal axis are made of keys and values (`population 10, sigma 0.1`), so that keys that all have may
    /// become its label; only for [`bars`] and [`boxes`].
    pub keys_x: bool,
    /// How large the texts are beside the chart.
    pub size: Size,
    /// Values to compare with, each a dashed line across the chart; only for [`lines`] and [`boxes`].
    pub marks: Vec<Mark>,
}

/// How large the texts of a chart are beside its width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// To be read on a page.
    #[default]
    Page,
    /// To be read from the back of a room.
    Big,
}

/// A value to compare with.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// What has this value.
    pub label: String,
    /// The value, on the vertical axis.
    pub value: f64,
}

/// The number of colours; then they repeat.
pub const COLOURS: usize = 7;

/// How a line or a cloud differs from others: those of one colour belong together, and so do those of one dash or marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Number of the colour.
    pub colour: usize,
    /// Number of the dash of a line, or of the marker of points.
    pub shape: usize,
}

/// Points of one series, in the order of its line.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// The name in the legend; an empty one is left out.
    pub label: String,
    /// The horizontal and the vertical value of each point.
    pub points: Vec<(f64, f64)>,
    /// The low and the high end at each point: a shaded band of a line, a whisker of a lone point.
    pub band: Option<Vec<(f64, f64)>>,
    /// Its style; by default every series has its own.
    pub style: Option<Style>,
}

/// One bar; a value that is not finite is not drawn.
#[derive(Clone, Copy, Debug)]
pub struct Bar {
    /// Where the bar ends; it begins at zero.
    pub value: f64,
    /// The low and the high end of the whisker.
    pub interval: Option<[f64; 2]>,
}

/// The bars of one colour: one for each category, in the order of the categories.
#[derive(Clone, Debug, Default)]
pub struct BarSeries {
    /// The name in the legend; an empty one is left out.
    pub label: String,
    /// One bar for each category; missing ones at the end are left out.
    pub bars: Vec<Bar>,
}
