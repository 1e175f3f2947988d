//! Radar charts: one spoke for each axis, one polygon for each champion.

use kuva::plot::legend::LegendShape;
use kuva::plot::radar::RadarPlot;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

use super::{Axes, Bar, BarSeries, bars, data, look};

/// The most spokes: the names of more would overlap.
const SPOKES: usize = 40;
/// The most polygons: more would hide each other.
pub const POLYGONS: usize = 4;
/// Taller than other charts, since it is square.
const HEIGHT: f64 = 520.0;

/// Champions over spokes from -1 (middle) to 1 (rim), with zero as a dashed ring.
///
/// The caller scales the values; values outside are clamped to their spoke, missing and non-finite ones
/// count as zero. With fewer than three axes bars are drawn instead.
/// Only the first 40 axes and the first 4 champions are drawn.
pub fn radar(axes: &Axes, spokes: &[String], champions: &[(String, Vec<f64>)]) -> String {
    let spokes = &spokes[..spokes.len().min(SPOKES)];
    let champions = &champions[..champions.len().min(POLYGONS)];
    if spokes.len() < 3 || champions.is_empty() {
        return as_bars(axes, spokes, champions);
    }
    let entry = |(place, (name, _)): (usize, &(String, Vec<f64>))| {
        look::entry(name, look::style(place), LegendShape::Line)
    };
    let layout = look::layout(axes, (0.0, 1.0), (0.0, 1.0))
        .with_height(HEIGHT)
        .with_force_margins_y(44.0, 40.0);
    let layout = look::with_legend(layout, champions.iter().enumerate().map(entry).collect());
    let plots = vec![Plot::Radar(polygons(spokes, champions))];
    look::svg(&axes.title, render_multiple(plots, layout))
}

fn polygons(axes: &[String], champions: &[(String, Vec<f64>)]) -> RadarPlot {
    let names = axes.iter().map(|name| data::cut(name, 32));
    let empty = RadarPlot::new(names)
        .with_range(-1.0, 1.0)
        .with_grid_lines(4)
        .with_stroke_width(1.8)
        .with_dot_size(2.5)
        .with_reference_color(vec![0.0; axes.len()], "", "currentColor");
    champions
        .iter()
        .enumerate()
        .fold(empty, |plot, (place, (_, values))| {
            let values = (0..axes.len())
                .map(|i| reach(values, i))
                .collect::<Vec<_>>();
            let plot = plot.with_series_color(values, "", look::colour(place));
            match look::dash(place) {
                Some(dash) => plot.with_series_dasharray(dash),
                None => plot,
            }
        })
}

/// The value on a spoke, clamped to it.
fn reach(values: &[f64], spoke: usize) -> f64 {
    values
        .get(spoke)
        .copied()
        .filter(|value| !value.is_nan())
        .unwrap_or(0.0)
        .clamp(-1.0, 1.0)
}

fn as_bars(axes: &Axes, spokes: &[String], champions: &[(String, Vec<f64>)]) -> String {
    let bar = |values: &[f64], i: usize| Bar {
        value: reach(values, i),
        interval: None,
    };
    let series = champions.iter().map(|(label, values)| BarSeries {
        label: label.clone(),
        bars: (0..spokes.len()).map(|i| bar(values, i)).collect(),
    });
    bars(axes, spokes, &series.collect::<Vec<_>>())
}
