//! Box plots: quartiles, whiskers to the last value within 1.5 box heights, and the individual values as dots.

use kuva::plot::boxplot::BoxPlot;
use kuva::plot::strip::StripPlot;
use kuva::render::color::Color;
use kuva::render::plots::Plot;
use kuva::render::render::{Primitive, render_multiple};

use super::{Axes, data, look};

/// Dots of all groups together; the boxes always include all values.
const ALL_DOTS: usize = 2_500;
/// Dots of one group: more would merge into a solid column.
const DOTS: usize = 300;
/// The most groups: more boxes would be too thin.
const GROUPS: usize = 60;

/// One box for each group, with the individual values as dots; many values are thinned out evenly.
///
/// Only the first 60 groups are drawn.
pub fn boxes(axes: &Axes, groups: &[(String, Vec<f64>)]) -> String {
    let groups = &groups[..groups.len().min(GROUPS)];
    let values: Vec<Vec<f64>> = groups
        .iter()
        .map(|(_, values)| sorted(axes, values))
        .collect();
    let names: Vec<String> = groups.iter().map(|(name, _)| name.clone()).collect();
    let marked = look::marks(axes).into_iter().map(|mark| mark.value);
    let y = data::span(axes.log_y, values.iter().flatten().copied().chain(marked));
    let y = data::roomy(axes.log_y, y);
    let layout = look::layout(axes, (0.5, groups.len().max(1) as f64 + 0.5), y);
    let layout = look::with_categories(layout, axes, &names);
    let (layout, marks) = look::with_marks(layout, axes);
    let mut layout = look::with_legend(layout, marks);
    if axes.log_y {
        layout = layout.with_log_y();
    }
    let mut scene = render_multiple(
        vec![Plot::Box(quartiles(&values)), Plot::Strip(dots(&values))],
        layout,
    );
    scene.elements.iter_mut().for_each(lighten);
    look::svg(&axes.title, scene)
}

fn sorted(axes: &Axes, values: &[f64]) -> Vec<f64> {
    let mut values: Vec<f64> = values
        .iter()
        .copied()
        .filter(|&value| data::shows(axes.log_y, value))
        .collect();
    values.sort_by(f64::total_cmp);
    values
}

fn quartiles(groups: &[Vec<f64>]) -> BoxPlot {
    let colours = (0..groups.len()).map(look::colour);
    let empty = BoxPlot::new().with_width(0.5).with_group_colors(colours);
    groups.iter().fold(empty, |plot, values| {
        plot.with_group("", values.iter().copied())
    })
}

fn dots(groups: &[Vec<f64>]) -> StripPlot {
    let room = (ALL_DOTS / groups.len().max(1)).min(DOTS);
    let colours = (0..groups.len()).map(look::colour);
    let empty = StripPlot::new()
        .with_jitter(0.25)
        .with_point_size(2.2)
        .with_group_colors(colours);
    groups
        .iter()
        .fold(empty.with_marker_opacity(0.6), |plot, values| {
            plot.with_group(
                "",
                data::picks(values.len(), room)
                    .into_iter()
                    .map(|i| values[i]),
            )
        })
}

/// Makes a box transparent, so that its dots and the grid are visible.
fn lighten(element: &mut Primitive) {
    if let Primitive::Rect {
        fill,
        stroke,
        stroke_width,
        opacity,
        ..
    } = element
        && !matches!(fill, Color::None)
    {
        *opacity = Some(0.25);
        *stroke = Some(fill.clone());
        *stroke_width = Some(1.2);
    }
}
