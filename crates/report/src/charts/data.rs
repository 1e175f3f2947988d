//! Prepares numbers and texts for drawing.

use super::{Axes, Series};

/// Larger magnitudes count as infinite: their differences would overflow.
const LARGEST: f64 = 1e100;
/// The range of a logarithmic axis: the labels of more decades would overlap.
const DECADES: std::ops::RangeInclusive<f64> = 1e-10..=1e15;

/// A point that can be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Whether an axis can show the value.
pub(super) fn shows(log: bool, value: f64) -> bool {
    if log {
        return DECADES.contains(&value);
    }
    value.abs() <= LARGEST
}

/// The points of a series that the axes can show; without a band its ends are at the point itself.
pub(super) fn points(axes: &Axes, series: &Series) -> Vec<Point> {
    let visible =
        |&(_, &(x, y)): &(usize, &(f64, f64))| shows(axes.log_x, x) && shows(axes.log_y, y);
    let floor = floor(axes.log_y, series);
    let end = |value: Option<f64>, y: f64| match value {
        Some(value) if axes.log_y && value <= 0.0 => floor.min(y),
        Some(value) if shows(axes.log_y, value) => value,
        _ => y,
    };
    let band = |i: usize| series.band.as_ref().and_then(|band| band.get(i));
    series
        .points
        .iter()
        .enumerate()
        .filter(visible)
        .map(|(i, &(x, y))| Point {
            x,
            y,
            low: end(band(i).map(|band| band.0), y),
            high: end(band(i).map(|band| band.1), y),
        })
        .collect()
}

/// The lower end of a band that would extend below a logarithmic axis: the lowest value of its series.
fn floor(log: bool, series: &Series) -> f64 {
    let lows = series.band.iter().flatten().map(|band| band.0);
    let heights = series.points.iter().map(|point| point.1);
    heights
        .chain(lows)
        .filter(|&value| shows(log, value))
        .fold(f64::INFINITY, f64::min)
}

/// At most `room` items in their order: the first, the last, and the lowest and highest of each stretch between.
pub(super) fn thin<T: Copy>(items: &[T], room: usize, height: impl Fn(&T) -> f64) -> Vec<T> {
    let (room, last) = (room.max(4), items.len().saturating_sub(1));
    if items.len() <= room {
        return items.to_vec();
    }
    let (stretches, inner) = ((room - 2) / 2, &items[1..last]);
    let mut kept = vec![items[0]];
    for i in 0..stretches {
        let stretch = &inner[i * inner.len() / stretches..(i + 1) * inner.len() / stretches];
        let by_height =
            |&a: &usize, &b: &usize| height(&stretch[a]).total_cmp(&height(&stretch[b]));
        let lowest = (0..stretch.len()).min_by(by_height).unwrap_or(0);
        let highest = (0..stretch.len()).max_by(by_height).unwrap_or(0);
        kept.push(stretch[lowest.min(highest)]);
        if lowest != highest {
            kept.push(stretch[lowest.max(highest)]);
        }
    }
    kept.push(items[last]);
    kept
}

/// About `room` points spread over the whole, and those at the four sides: a cloud keeps its shape.
pub(super) fn sample(points: &[Point], room: usize) -> Vec<Point> {
    let mut kept = picks(points.len(), room);
    if kept.len() < points.len() {
        for side in [
            |p: &Point| p.x,
            |p: &Point| -p.x,
            |p: &Point| p.y,
            |p: &Point| -p.y,
        ] {
            kept.extend(
                (0..points.len()).max_by(|&a, &b| side(&points[a]).total_cmp(&side(&points[b]))),
            );
        }
        kept.sort_unstable();
        kept.dedup();
    }
    kept.into_iter().map(|i| points[i]).collect()
}

/// At most `room` indices out of `count`, evenly spaced, with the first and the last.
pub(super) fn picks(count: usize, room: usize) -> Vec<usize> {
    let room = room.max(2);
    if count <= room {
        return (0..count).collect();
    }
    (0..room).map(|i| i * (count - 1) / (room - 1)).collect()
}

/// The range of the values, widened if it is too small for an axis.
pub(super) fn span(log: bool, values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let ends = values
        .into_iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
    match ends {
        (low, high) if low > high => (if log { 1.0 } else { 0.0 }, if log { 10.0 } else { 1.0 }),
        (low, high) if log && high / low < 1.0 + 1e-9 => (low / 2.0, high * 2.0),
        (low, high) if !log && high - low <= 1e-9 * low.abs().max(high.abs()) => {
            let apart = if low == 0.0 { 1.0 } else { low.abs() * 0.1 };
            (low - apart, high + apart)
        }
        ends => ends,
    }
}

/// A range with room above, so that what is highest does not touch the end of the axis.
pub(super) fn roomy(log: bool, (low, high): (f64, f64)) -> (f64, f64) {
    let room = if log { 0.0 } else { 0.04 * (high - low) };
    (low, high + room)
}

/// The text in at most `room` characters, without characters that XML forbids or the library takes for formulas.
pub(super) fn cut(text: &str, room: usize) -> String {
    let printable = |c: char| {
        if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') {
            ' '
        } else {
            c
        }
    };
    let mut cut: String = text.chars().map(printable).take(room).collect();
    if text.chars().nth(room).is_some() {
        cut.pop();
        cut.push('…');
    }
    cut.replace('$', "\\$")
}

/// Labels like "population 10, sigma 0.1" without the words that all have at the same place: those, and the rest of each label.
pub(super) fn factored(labels: &[String]) -> (String, Vec<String>) {
    let parts = |label: &String| -> Vec<(String, String)> {
        let parts = label.split(", ").map(|part| {
            let (key, value) = part.split_once(' ').unwrap_or(("", part));
            (key.to_owned(), value.to_owned())
        });
        parts.collect()
    };
    let all: Vec<Vec<(String, String)>> = labels.iter().map(parts).collect();
    let keys = |parts: &[(String, String)]| -> Vec<String> {
        parts.iter().map(|(key, _)| key.clone()).collect()
    };
    let common = all.first().map(|parts| keys(parts)).unwrap_or_default();
    let is_common = all.iter().all(|parts| keys(parts) == common);
    if labels.len() < 2 || !is_common || common.iter().any(String::is_empty) {
        return (String::new(), labels.to_vec());
    }
    let values = all.iter().map(|parts| {
        let values = parts.iter().map(|(_, value)| value.as_str());
        values.collect::<Vec<_>>().join(", ")
    });
    (common.join(", "), values.collect())
}
