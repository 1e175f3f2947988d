//! Lines and clouds of points over two numeric axes.

use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::line::{LinePlot, LineStyle};
use kuva::plot::scatter::ScatterPlot;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

use super::data::{self, Point};
use super::{Axes, Series, Style, look};

/// Points of a line: more than the chart's pixels would only enlarge the file.
const LINE_POINTS: usize = 1_000;
/// Points of all lines together; a band counts for two more.
const ALL_LINE_POINTS: usize = 14_000;
/// Points of all clouds together: each is a separate element.
const ALL_CLOUD_POINTS: usize = 2_500;
/// Points of a cloud; more would hide each other.
const CLOUD_POINTS: usize = 900;
/// The most bands: more would be unreadable.
const BANDS: usize = 12;
/// Lines with at most this many points also show them.
const MARKED_POINTS: usize = 24;
/// With at most this many points they are solid and have whiskers.
const FEW_POINTS: usize = 150;

/// Lines with a legend, distinguished by colour and dash, each with its band if it has one.
///
/// A series keeps at most 1,000 points, including its extremes, and fewer with many series.
/// With more than 12 bands none is drawn.
pub fn lines(axes: &Axes, series: &[Series]) -> String {
    let bands = series.iter().filter(|series| series.band.is_some()).count();
    let weight = series.len() + if bands <= BANDS { 2 * bands } else { 0 };
    let room = (ALL_LINE_POINTS / weight.max(1)).min(LINE_POINTS);
    let points = series
        .iter()
        .map(|series| without_band(bands > BANDS, data::points(axes, series)));
    let points = points
        .map(|points| data::thin(&points, room, |point| point.y))
        .collect::<Vec<_>>();
    let draw = |place: usize, points: &[Point]| {
        let style = style(&series[place], place);
        let line = line(style, points);
        let banded = bands <= BANDS && series[place].band.is_some();
        let mut plots = vec![Plot::Line(if banded {
            with_band(line, points, bands)
        } else {
            line
        })];
        if points.len() <= MARKED_POINTS {
            plots.push(Plot::Scatter(cloud(style, points, 2.5)));
        }
        plots
    };
    chart(axes, series, &points, &draw, &|_| LegendShape::Line)
}

/// Single points, distinguished by colour and marker.
///
/// Bands become whiskers while there are at most 150 points; a series keeps about 900 points, and
/// all together about 2,500.
pub fn scatter(axes: &Axes, series: &[Series]) -> String {
    let room = (ALL_CLOUD_POINTS / series.len().max(1)).min(CLOUD_POINTS);
    let points = series.iter().map(|series| data::points(axes, series));
    let points: Vec<_> = points.map(|points| data::sample(&points, room)).collect();
    let few = points.iter().map(Vec::len).sum::<usize>() <= FEW_POINTS;
    let points: Vec<_> = points
        .into_iter()
        .map(|points| without_band(!few, points))
        .collect();
    let draw =
        |place: usize, points: &[Point]| {
            let cloud = cloud(style(&series[place], place), points, 3.0)
                .with_marker_opacity(if few { 1.0 } else { 0.6 });
            let whiskers = few && series[place].band.is_some();
            vec![Plot::Scatter(if whiskers {
                with_whiskers(cloud, points)
            } else {
                cloud
            })]
        };
    chart(axes, series, &points, &draw, &|place| {
        LegendShape::Marker(look::marker(place))
    })
}

fn chart(
    axes: &Axes,
    series: &[Series],
    points: &[Vec<Point>],
    draw: &dyn Fn(usize, &[Point]) -> Vec<Plot>,
    shape: &dyn Fn(usize) -> LegendShape,
) -> String {
    let entry = |(place, series): (usize, &Series)| {
        let style = style(series, place);
        look::entry(&series.label, style, shape(style.shape))
    };
    let legend = series.iter().enumerate().map(entry).collect();
    let layout = frame(axes, points, legend);
    let drawn = points
        .iter()
        .enumerate()
        .filter(|(_, points)| !points.is_empty());
    let mut plots: Vec<Plot> = drawn
        .flat_map(|(place, points)| draw(place, points))
        .collect();
    if plots.is_empty() {
        plots.push(Plot::Line(LinePlot::new()));
    }
    look::svg(&axes.title, render_multiple(plots, layout))
}

fn frame(axes: &Axes, points: &[Vec<Point>], legend: Vec<LegendEntry>) -> Layout {
    let all = || points.iter().flatten();
    let x = data::span(axes.log_x, all().map(|point| point.x));
    let marked = look::marks(axes).into_iter().map(|mark| mark.value);
    let drawn = all().flat_map(|point| [point.y, point.low, point.high]);
    let y = data::span(axes.log_y, drawn.chain(marked));
    let (layout, marks) = look::with_marks(look::layout(axes, x, y), axes);
    let mut layout = look::with_legend(layout, legend.into_iter().chain(marks).collect());
    if axes.counts_x && !axes.log_x {
        layout = layout.with_x_tick_step(whole_step(x.1 - x.0));
    }
    if axes.log_x {
        layout = layout.with_log_x();
        if spacious(x) {
            layout = layout.with_x_axis_min(x.0).with_x_axis_max(x.1);
        }
    }
    if axes.log_y {
        layout = layout.with_log_y();
        if spacious(y) {
            layout = layout.with_y_axis_min(y.0 / 1.1).with_y_axis_max(y.1 * 1.1);
        }
    }
    layout
}

/// The distance of some ten ticks over a span, a whole number.
fn whole_step(span: f64) -> f64 {
    let steps = (0..12).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
    let fits = |step: &f64| span / step <= 10.0;
    steps.into_iter().find(fits).unwrap_or(span)
}

/// Whether a logarithmic axis has enough ticks without being widened to whole decades.
fn spacious((low, high): (f64, f64)) -> bool {
    high / low >= 10.0
}

fn style(series: &Series, place: usize) -> Style {
    series.style.unwrap_or(look::style(place))
}

fn line(style: Style, points: &[Point]) -> LinePlot {
    LinePlot::new()
        .with_data(points.iter().map(|point| (point.x, point.y)))
        .with_color(look::colour(style.colour))
        .with_stroke_width(1.8)
        .with_line_style(look::dash(style.shape).map_or(LineStyle::Solid, LineStyle::Custom))
}

/// The line with its band, the fainter the more bands there are.
fn with_band(line: LinePlot, points: &[Point], bands: usize) -> LinePlot {
    let mut line = line.with_band(
        points.iter().map(|point| point.low),
        points.iter().map(|point| point.high),
    );
    if let Some(band) = &mut line.band {
        band.opacity = (0.6 / bands.max(1) as f64).clamp(0.08, 0.2);
    }
    line
}

/// Points without their band: one that is not drawn must not widen the axis.
fn without_band(without: bool, mut points: Vec<Point>) -> Vec<Point> {
    for point in points.iter_mut().filter(|_| without) {
        (point.low, point.high) = (point.y, point.y);
    }
    points
}

fn cloud(style: Style, points: &[Point], size: f64) -> ScatterPlot {
    ScatterPlot::new()
        .with_data(points.iter().map(|point| (point.x, point.y)))
        .with_color(look::colour(style.colour))
        .with_marker(look::marker(style.shape))
        .with_size(size)
}

fn with_whiskers(cloud: ScatterPlot, points: &[Point]) -> ScatterPlot {
    let reach = |point: &Point| (point.y - point.low, point.high - point.y);
    cloud.with_y_err_asymmetric(points.iter().map(reach))
}
