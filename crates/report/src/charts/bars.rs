//! Bars side by side for each category, with their intervals as whiskers.

use kuva::plot::bar::BarPlot;
use kuva::plot::legend::LegendShape;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

use super::{Axes, Bar, BarSeries, data, look};

/// The most categories: more bars would be too thin.
const CATEGORIES: usize = 60;
/// The most bars in a category: more would be too thin.
const SERIES: usize = 24;

/// For each category a bar of each series; bars begin at zero, so their axis is never logarithmic.
///
/// Only the first 60 categories and the first 24 series are drawn.
pub fn bars(axes: &Axes, categories: &[String], series: &[BarSeries]) -> String {
    let categories = &categories[..categories.len().min(CATEGORIES)];
    let series = &series[..series.len().min(SERIES)];
    let shown = series
        .iter()
        .flat_map(|series| series.bars.iter().take(categories.len()).flat_map(ends));
    let y = data::span(false, shown.chain([0.0]));
    let entry = |(place, series): (usize, &BarSeries)| {
        look::entry(&series.label, look::style(place), LegendShape::Rect)
    };
    let layout = look::layout(axes, (0.5, categories.len().max(1) as f64 + 0.5), y);
    let layout = look::with_legend(layout, series.iter().enumerate().map(entry).collect());
    let layout = look::with_categories(layout, axes, categories);
    look::svg(
        &axes.title,
        render_multiple(vec![Plot::Bar(plot(categories, series))], layout),
    )
}

fn plot(categories: &[String], series: &[BarSeries]) -> BarPlot {
    let bar =
        |series: &BarSeries, category: usize| series.bars.get(category).copied().filter(drawable);
    let all =
        || (0..categories.len()).flat_map(|c| series.iter().map(move |series| bar(series, c)));
    let plot = BarPlot::new()
        .with_width(0.75)
        .with_asymmetric_error(all().map(whisker));
    let plot = plot
        .with_error_color("currentColor")
        .with_error_cap_width(0.3);
    (0..categories.len()).fold(plot, |plot, category| {
        let heights = series.iter().enumerate().map(|(place, series)| {
            let height = bar(series, category).map_or(0.0, |bar| bar.value);
            (height, look::colour(place))
        });
        plot.with_group("", heights)
    })
}

fn drawable(bar: &Bar) -> bool {
    data::shows(false, bar.value)
}

/// The interval of a bar if both its ends can be drawn.
fn interval(bar: &Bar) -> Option<[f64; 2]> {
    bar.interval
        .filter(|ends| ends.iter().all(|&end| data::shows(false, end)))
}

/// All values of a bar that the axis must cover.
fn ends(bar: &Bar) -> Vec<f64> {
    if !drawable(bar) {
        return Vec::new();
    }
    interval(bar)
        .into_iter()
        .flatten()
        .chain([bar.value])
        .collect()
}

/// How far the whisker extends below and above the end of the bar; zero if there is none.
fn whisker(bar: Option<Bar>) -> (f64, f64) {
    let reach = |bar: Bar| interval(&bar).map(|[low, high]| (bar.value - low, high - bar.value));
    bar.and_then(reach).unwrap_or((f64::NAN, f64::NAN))
}
