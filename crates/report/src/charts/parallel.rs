//! Parallel coordinates: a line for each setting through its values of all keys, ending at what came out; the best are the lightest.

use std::fmt::Write;

use super::shade::{shade, share};
use super::{Axes, data, look};
use play::numbers::figure;

/// The most lines: more would hide each other.
const LINES: usize = 300;
const TOP: f64 = 80.0;
/// Where the names of the keys stand.
const NAMES: f64 = 56.0;
const SIDE: f64 = 60.0;
/// About the width of a character of a value.
const CHARACTER: f64 = 6.4;
/// The ticks on the axis of the result.
const TICKS: usize = 5;

/// What is drawn.
#[derive(Clone, Debug, Default)]
pub struct Parallel {
    /// The keys: their names, and the names of their values in order.
    pub keys: Vec<(String, Vec<String>)>,
    /// For each setting the number of its value of each key, and what came out.
    pub lines: Vec<(Vec<usize>, f64)>,
    /// Whether the lowest is the best.
    pub lower_is_better: bool,
}

/// The width of the longest of these names.
fn names(values: &[String]) -> f64 {
    let longest = values.iter().map(|value| value.chars().count()).max();
    CHARACTER * longest.unwrap_or(0) as f64 + 12.0
}

/// The lines as SVG; the label of the vertical axis names the result. Of more than 300 settings some are left out.
pub fn parallel(axes: &Axes, drawn: &Parallel) -> String {
    let (width, height) = (axes.size.width(), axes.size.height());
    let bottom = height - 24.0;
    let mut svg = look::opening(&axes.title, width, height);
    let lines = drawn.lines.iter().filter(|line| data::shows(false, line.1));
    let mut lines: Vec<&(Vec<usize>, f64)> = lines.collect();
    let picks = data::picks(lines.len(), LINES);
    lines = picks.into_iter().map(|place| lines[place]).collect();
    // The best are drawn last, on top of the others.
    lines.sort_by(|a, b| a.1.total_cmp(&b.1));
    if drawn.lower_is_better {
        lines.reverse();
    }
    let range = data::span(false, lines.iter().map(|line| line.1));
    let step = (width - 2.0 * SIDE) / drawn.keys.len().max(1) as f64;
    let x = |axis: usize| SIDE + step * axis as f64;
    let level = |number: usize, of: usize| {
        let share = if of < 2 {
            0.5
        } else {
            number as f64 / (of - 1) as f64
        };
        bottom - share * (bottom - TOP)
    };
    let result = |value: f64| bottom - (value - range.0) / (range.1 - range.0) * (bottom - TOP);
    for (numbers, value) in &lines {
        let mut path = String::new();
        for (axis, (number, (_, values))) in numbers.iter().zip(&drawn.keys).enumerate() {
            let y = level(*number, values.len());
            // It runs level below the name of its value, so that no line crosses a name.
            if axis > 0 {
                let _ = write!(
                    path,
                    "{:.1},{y:.1} ",
                    x(axis) - names(values).min(step / 2.0)
                );
            }
            let _ = write!(path, "{:.1},{y:.1} ", x(axis));
        }
        let _ = write!(path, "{:.1},{:.1}", x(drawn.keys.len()), result(*value));
        let colour = shade(share(*value, range, drawn.lower_is_better));
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\" stroke-opacity=\"0.85\"/>"
        );
    }
    let mut text = |x: f64, y: f64, size: u8, anchor: &str, content: &str, room: usize| {
        let _ = write!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\">{}</text>",
            look::xml(content, room)
        );
    };
    let whole = axes.size.title();
    text(width / 2.0, 20.0, 15, "middle", &axes.title, whole);
    let room = (step / CHARACTER) as usize;
    for (axis, (name, values)) in drawn.keys.iter().enumerate() {
        // Names of neighbours stand at two heights, so that long ones do not touch.
        let y = NAMES - 14.0 * (axis % 2) as f64;
        text(x(axis), y, 12, "middle", name, 2 * room);
        for (number, value) in values.iter().enumerate() {
            let y = level(number, values.len()) + 4.0;
            let above = if axis == 0 { 0.0 } else { 8.0 };
            text(x(axis) - 6.0, y - above, 11, "end", value, room.max(6));
        }
    }
    let last = drawn.keys.len();
    text(
        x(last),
        NAMES - 14.0 * (last % 2) as f64,
        12,
        "middle",
        &axes.y,
        whole,
    );
    for tick in 0..TICKS {
        let value = range.0 + (range.1 - range.0) * tick as f64 / (TICKS - 1) as f64;
        text(
            x(last) + 6.0,
            result(value) + 4.0,
            11,
            "start",
            &figure(value),
            whole,
        );
    }
    for axis in 0..=last {
        let _ = write!(
            svg,
            "<path d=\"M{0:.1} {TOP}V{bottom:.1}\" stroke=\"currentColor\" stroke-width=\"1\"/>",
            x(axis)
        );
    }
    svg + "</svg>"
}
