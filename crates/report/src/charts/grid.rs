//! A map of two keys: a cell for each combination of their values, with its number; the best is the lightest.

use std::fmt::Write;

use super::shade::{ink, shade, share};
use super::{Axes, data, look};
use play::numbers::figure;

/// The most cells along a side: their numbers would not fit.
const SIDE: usize = 24;
const TOP: f64 = 40.0;
/// The least height of a cell.
const CELL: f64 = 34.0;
/// The mean width of a character.
const CHARACTER: f64 = 6.4;

/// The cells of a map.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// Names of the columns, from left to right.
    pub columns: Vec<String>,
    /// Names of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// A value for each row and column; one that is not finite is left blank.
    pub cells: Vec<Vec<f64>>,
    /// Whether the lowest is the best.
    pub lower_is_better: bool,
}

/// The map as SVG. The labels of the axes name the keys of columns and rows.
///
/// Only the first 24 columns and rows are drawn.
pub fn grid(axes: &Axes, grid: &Grid) -> String {
    let columns = &grid.columns[..grid.columns.len().min(SIDE)];
    let rows = &grid.rows[..grid.rows.len().min(SIDE)];
    let value = |row: usize, column: usize| {
        let value = grid.cells.get(row).and_then(|cells| cells.get(column));
        value.copied().filter(|&value| data::shows(false, value))
    };
    let places = || (0..rows.len()).flat_map(|row| (0..columns.len()).map(move |c| (row, c)));
    let shown: Vec<f64> = places().filter_map(|(row, c)| value(row, c)).collect();
    let range = data::span(false, shown);
    let named = rows
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0);
    let left = 44.0 + (CHARACTER * named as f64).min(axes.size.width() / 3.0);
    let width = axes.size.width();
    let cell = (width - left - 16.0) / columns.len().max(1) as f64;
    // The name of the rows stands upright beside them.
    let upright = CHARACTER * axes.y.chars().count() as f64;
    let tall = CELL.max(upright.min(width / 2.0) / rows.len().max(1) as f64);
    let bottom = TOP + tall * rows.len() as f64;
    let widest = columns
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0);
    let is_slanted = CHARACTER * widest as f64 > cell - 4.0;
    let below = if is_slanted {
        0.65 * CHARACTER * widest as f64 + 16.0
    } else {
        18.0
    };
    let height = bottom + below + 28.0;
    let mut svg = look::opening(&axes.title, width, height);
    let mut text = |x: f64, y: f64, attributes: &str, content: &str| {
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" {attributes}>{}</text>",
            look::xml(content, axes.size.title())
        );
    };
    text(
        width / 2.0,
        20.0,
        "font-size=\"15\" text-anchor=\"middle\"",
        &axes.title,
    );
    let (middle, centre) = ((left + width - 16.0) / 2.0, f64::midpoint(TOP, bottom));
    text(
        middle,
        height - 8.0,
        "font-size=\"12\" text-anchor=\"middle\"",
        &axes.x,
    );
    let turned =
        format!("font-size=\"12\" text-anchor=\"middle\" transform=\"rotate(-90 16 {centre:.1})\"");
    text(16.0, centre, &turned, &axes.y);
    for (row, name) in rows.iter().enumerate() {
        let y = TOP + tall * (row as f64 + 0.5) + 4.0;
        text(left - 6.0, y, "font-size=\"11\" text-anchor=\"end\"", name);
    }
    for (column, name) in columns.iter().enumerate() {
        let (x, y) = (left + cell * (column as f64 + 0.5), bottom + 15.0);
        let slanted =
            format!("font-size=\"11\" text-anchor=\"end\" transform=\"rotate(-40 {x:.1} {y:.1})\"");
        let level = "font-size=\"11\" text-anchor=\"middle\"";
        text(x, y, if is_slanted { &slanted } else { level }, name);
    }
    for (row, column) in places() {
        let Some(value) = value(row, column) else {
            continue;
        };
        let share = share(value, range, grid.lower_is_better);
        let (x, y) = (left + cell * column as f64, TOP + tall * row as f64);
        let number = figure(value);
        let size = (1.5 * cell / number.chars().count().max(1) as f64).min(11.0);
        let _ = write!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size:.1}\" text-anchor=\"middle\" fill=\"{}\">{number}</text>",
            cell - 1.0,
            tall - 1.0,
            shade(share),
            x + cell / 2.0,
            y + tall / 2.0 + 4.0,
            ink(share),
        );
    }
    svg + "</svg>"
}
