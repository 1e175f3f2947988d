//! Heat maps: one column per generation, one row per rank, the colour shows the value.
//!
//! The library draws the frame and the colour legend. The cells are ours: one element per cell would take
//! megabytes of text, so all cells of a colour are one path, and equal neighbours one stroke.

use std::fmt::Write;
use std::sync::Arc;

use kuva::plot::heatmap::{ColorMap, Heatmap};
use kuva::render::color::Color;
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::{PathData, Primitive, Scene, TextAnchor, render_multiple};

use super::shade::shade;
use super::{Axes, data, look};

const COLUMNS: usize = 200;
const ROWS: usize = 100;
/// Number of distinguishable colours; each is one path.
const SHADES: usize = 48;
/// Units along a row, so that columns have integer ends.
const FINENESS: f64 = 2_000.0;

/// A map of `rows[rank][column]`, the best rank first and on top, with `value` as the name of the colour legend. The best values are
/// the lightest.
///
/// `columns` are the generations, in rising order. Large maps are thinned out to 200 columns and 100 rows; cells
/// that are missing or not finite stay blank.
pub fn heat(
    axes: &Axes,
    value: &str,
    columns: &[f64],
    rows: &[Vec<f64>],
    lower_is_better: bool,
) -> String {
    let columns = rising(columns);
    let across = data::picks(columns.len(), COLUMNS);
    let cells = cells(rows, &across);
    let range = data::span(false, cells.iter().flatten().flatten().copied());
    let kept: Vec<f64> = across.iter().map(|&column| columns[column]).collect();
    let edges = edges(&kept);
    let x = (edges[0], edges[edges.len() - 1]);
    let colours = colours(lower_is_better);
    let mut scene = frame(axes, value, x, rows.len(), range, colours.clone());
    paint(&mut scene, &edges, &cells, range, &colours);
    look::svg(&axes.title, scene)
}

/// The colours of values from low to high.
fn colours(lower_is_better: bool) -> ColorMap {
    let share = move |share: f64| if lower_is_better { 1.0 - share } else { share };
    ColorMap::Custom(Arc::new(move |value| shade(share(value))))
}

/// The rows and columns that are drawn.
fn cells(rows: &[Vec<f64>], across: &[usize]) -> Vec<Vec<Option<f64>>> {
    let cell = |row: &Vec<f64>, column: usize| {
        let value = row.get(column).copied();
        value.filter(|&value| data::shows(false, value))
    };
    data::picks(rows.len(), ROWS)
        .into_iter()
        .map(|row| across.iter().map(|&c| cell(&rows[row], c)).collect())
        .collect()
}

/// The columns if they increase, otherwise their indices: cells need a width.
fn rising(columns: &[f64]) -> Vec<f64> {
    let fits = columns.iter().all(|&column| data::shows(false, column));
    if fits
        && columns
            .windows(2)
            .all(|pair| pair[1] - pair[0] > 1e-9 * pair[1].abs())
    {
        return columns.to_vec();
    }
    (0..columns.len()).map(|place| place as f64).collect()
}

/// Where each column begins, and where the last one ends: halfway between neighbours.
fn edges(columns: &[f64]) -> Vec<f64> {
    let (Some(&first), Some(&last)) = (columns.first(), columns.last()) else {
        return vec![0.0, 1.0];
    };
    let half = |pair: Option<&[f64]>| pair.map_or(0.5, |pair| (pair[1] - pair[0]) / 2.0);
    let inner = columns
        .windows(2)
        .map(|pair| f64::midpoint(pair[0], pair[1]));
    let begin = first - half(columns.windows(2).next());
    let end = last + half(columns.windows(2).next_back());
    [begin].into_iter().chain(inner).chain([end]).collect()
}

/// Axes and colour legend around two cells that cover the whole area of the map.
fn frame(
    axes: &Axes,
    value: &str,
    x: (f64, f64),
    ranks: usize,
    range: (f64, f64),
    colours: ColorMap,
) -> Scene {
    // The library's axis points up and ranks point down, so they are negative until they are formatted.
    let y = (-(ranks.max(1) as f64) - 0.5, -0.5);
    let cells = Heatmap::new()
        .with_data([[range.0, range.1]])
        .with_x_range(x.0, x.1)
        .with_y_range(y.0, y.1)
        .with_cell_size(1.0)
        .with_color_map(colours);
    let plots = vec![Plot::Heatmap(cells)];
    let mut layout = look::dressed(axes, Layout::auto_from_plots(&plots))
        .with_show_grid(false)
        .with_x_axis_min(x.0)
        .with_x_axis_max(x.1)
        .with_y_axis_min(y.0)
        .with_y_axis_max(y.1)
        .with_y_tick_format(TickFormat::Custom(Arc::new(rank)));
    if ranks < 10 {
        layout = layout.with_y_tick_step(1.0);
    }
    let mut scene = render_multiple(plots, layout);
    scene.elements.push(legend_name(&scene, value));
    scene
}

/// The label of a rank; empty between two ranks.
fn rank(y: f64) -> String {
    Some(-y)
        .filter(|rank| rank.fract() == 0.0)
        .map_or_else(String::new, |rank| rank.to_string())
}

/// The title above the colour bar, which the library does not draw.
fn legend_name(scene: &Scene, value: &str) -> Primitive {
    let top = scene
        .elements
        .iter()
        .rev()
        .find_map(|element| match element {
            Primitive::Rect {
                y,
                fill: Color::None,
                ..
            } => Some(*y),
            _ => None,
        });
    Primitive::Text {
        x: scene.width - 8.0,
        y: top.unwrap_or(50.0) - 9.0,
        content: data::cut(value, 14),
        size: 11,
        anchor: TextAnchor::End,
        rotate: None,
        bold: false,
        color: None,
    }
}

/// Replaces the two cells that the library drew with ours.
fn paint(
    scene: &mut Scene,
    edges: &[f64],
    cells: &[Vec<Option<f64>>],
    range: (f64, f64),
    colours: &ColorMap,
) {
    let mut elements = scene.elements.iter().enumerate();
    let batch = elements.find_map(|(place, element)| match element {
        Primitive::RectBatch { x, y, h, .. } => Some((place, [x[0], x[1]], y[0], h[0])),
        _ => None,
    });
    let Some((place, [left, middle], top, height)) = batch else {
        return;
    };
    // The library makes each cell half a pixel too large, to avoid gaps.
    let row = (height - 0.5) / cells.len().max(1) as f64;
    let (across, down) = (2.0 * (middle - left) / FINENESS, top + row / 2.0);
    let opening = Primitive::GroupStart {
        transform: Some(format!(
            "translate({left:.2},{down:.2}) scale({across:.5},{row:.4})"
        )),
        title: None,
        extra_attrs: Some("shape-rendering=\"crispEdges\"".to_owned()),
    };
    let shades = strokes(edges, cells, range).into_iter().enumerate();
    let shades = shades.map(|(shade, d)| path(shade, d, colours));
    let painted = [opening].into_iter().chain(shades);
    let painted: Vec<Primitive> = painted.chain([Primitive::GroupEnd]).collect();
    scene.elements.splice(place..=place, painted);
}

/// For each shade all its strokes: equal neighbours of a row are one.
fn strokes(edges: &[f64], cells: &[Vec<Option<f64>>], range: (f64, f64)) -> Vec<String> {
    let whole = edges[edges.len() - 1] - edges[0];
    let place = |edge: f64| ((edge - edges[0]) / whole * FINENESS).round();
    let shade = |value: f64| {
        ((value - range.0) / (range.1 - range.0) * (SHADES - 1) as f64).round() as usize
    };
    let mut strokes = vec![String::new(); SHADES];
    for (row, cells) in cells.iter().enumerate() {
        let shades: Vec<Option<usize>> = cells.iter().map(|cell| cell.map(shade)).collect();
        let mut begin = 0;
        for run in shades.chunk_by(|a, b| a == b) {
            let (left, right) = (place(edges[begin]), place(edges[begin + run.len()]));
            begin += run.len();
            if let Some(shade) = run[0] {
                // Writing to a string cannot fail.
                let _ = write!(
                    strokes[shade.min(SHADES - 1)],
                    "M{left} {row}h{}",
                    right - left
                );
            }
        }
    }
    strokes
}

fn path(shade: usize, d: String, colours: &ColorMap) -> Primitive {
    let colour = colours.map(shade as f64 / (SHADES - 1) as f64);
    Primitive::Path(Box::new(PathData {
        d,
        fill: None,
        stroke: Color::from(colour),
        stroke_width: 1.02,
        opacity: None,
        stroke_dasharray: None,
    }))
}
