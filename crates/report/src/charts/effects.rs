//! Main effects: for each key the mean at each of its values, with intervals, side by side over one axis.

use kuva::plot::legend::LegendShape;
use kuva::plot::line::LinePlot;
use kuva::plot::scatter::ScatterPlot;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

use super::{Axes, data, look};

/// The most values of all keys together: the labels of more would not fit.
const LEVELS: usize = 40;

/// A key, or several that vary together.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its name.
    pub label: String,
    /// Its values, in order.
    pub levels: Vec<Level>,
}

/// The mean at one value.
#[derive(Clone, Debug)]
pub struct Level {
    /// The value.
    pub label: String,
    /// The mean.
    pub mean: f64,
    /// Its interval.
    pub interval: Option<[f64; 2]>,
}

/// A line for each group over its levels, with whiskers; groups stand side by side and share the vertical axis.
///
/// Groups that would make more than 40 levels are left out.
pub fn effects(axes: &Axes, groups: &[Group]) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut placed = Vec::new();
    for group in groups {
        if names.len() + group.levels.len() > LEVELS {
            break;
        }
        if !names.is_empty() {
            names.push(String::new());
        }
        placed.push((names.len() as f64 + 1.0, group));
        names.extend(group.levels.iter().map(|level| level.label.clone()));
    }
    let drawn = placed.iter().flat_map(|(_, group)| &group.levels);
    let y = data::span(axes.log_y, drawn.flat_map(|level| ends(axes, level)));
    let entry = |(place, (_, group)): (usize, &(f64, &Group))| {
        let shape = LegendShape::Marker(look::marker(place));
        look::entry(&group.label, look::style(place), shape)
    };
    let legend = placed.iter().enumerate().map(entry).collect();
    let layout = look::layout(axes, (0.5, names.len().max(1) as f64 + 0.5), y);
    let layout = look::with_legend(layout, legend);
    let mut layout = look::with_categories(layout, axes, &names);
    if axes.log_y {
        layout = layout.with_log_y();
    }
    let mut plots: Vec<Plot> = placed
        .iter()
        .enumerate()
        .flat_map(|(place, (first, group))| plots(axes, place, *first, group))
        .collect();
    if plots.is_empty() {
        plots.push(Plot::Line(LinePlot::new()));
    }
    look::svg(&axes.title, render_multiple(plots, layout))
}

/// The values that the axis must cover.
fn ends(axes: &Axes, level: &Level) -> Vec<f64> {
    let ends = level.interval.into_iter().flatten().chain([level.mean]);
    ends.filter(|&end| data::shows(axes.log_y, end)).collect()
}

fn plots(axes: &Axes, place: usize, first: f64, group: &Group) -> Vec<Plot> {
    let levels = group.levels.iter().enumerate();
    let shown: Vec<(f64, &Level)> = levels
        .filter(|(_, level)| data::shows(axes.log_y, level.mean))
        .map(|(at, level)| (first + at as f64, level))
        .collect();
    if shown.is_empty() {
        return Vec::new();
    }
    let points = || shown.iter().map(|(x, level)| (*x, level.mean));
    let reach = |(_, level): &(f64, &Level)| {
        let ends = level.interval;
        let ends = ends.filter(|ends| ends.iter().all(|&end| data::shows(axes.log_y, end)));
        ends.map_or((0.0, 0.0), |[low, high]| {
            (level.mean - low, high - level.mean)
        })
    };
    let line = LinePlot::new()
        .with_data(points())
        .with_color(look::colour(place))
        .with_stroke_width(1.4);
    let dots = ScatterPlot::new()
        .with_data(points())
        .with_color(look::colour(place))
        .with_marker(look::marker(place))
        .with_size(4.0)
        .with_y_err_asymmetric(shown.iter().map(reach));
    vec![Plot::Line(line), Plot::Scatter(dots)]
}
