//! The look of all charts: size, font, colours, legend, and the conversion of the library's scene to our SVG.

use std::sync::Arc;

use kuva::backend::svg::SvgBackend;
use kuva::plot::legend::{LegendEntry, LegendPosition, LegendShape};
use kuva::plot::scatter::MarkerShape;
use kuva::render::annotations::ReferenceLine;
use kuva::render::layout::{AxisLabelOverlap, Layout, TickFormat};
use kuva::render::render::{Primitive, Scene};
use kuva::render::theme::Theme;
use play::numbers::figure;

use super::data::{self, cut, factored};
use super::{Axes, COLOURS, Mark, Size, Style};

/// The longest legend: more lines could not be told apart.
const LEGEND_ENTRIES: usize = 35;
const LABEL_CHARACTERS: usize = 60;
/// The mean width of a character of a label.
const CHARACTER: f64 = 6.2;
/// The height of a row of the legend.
const LEGEND_ROW: f64 = 17.0;
/// What the margins and the labels of the vertical axis take.
const SIDES: f64 = 120.0;

/// Okabe and Ito's colours that are visible on white and on black, with a grey for their black and yellow.
const PALETTE: [&str; COLOURS] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#808080",
];
/// Five dashes with seven colours: 35 lines differ before a pair repeats.
const DASHES: [&str; 5] = ["", "8 3", "2 3", "9 3 2 3", "16 4"];
const MARKERS: [MarkerShape; 5] = [
    MarkerShape::Circle,
    MarkerShape::Square,
    MarkerShape::Triangle,
    MarkerShape::Diamond,
    MarkerShape::TriangleDown,
];

impl Size {
    /// Texts have the same size in all charts; where they should be larger, the chart around them is smaller.
    pub(super) fn width(self) -> f64 {
        match self {
            Self::Page => 760.0,
            Self::Big => 480.0,
        }
    }

    pub(super) fn height(self) -> f64 {
        match self {
            Self::Page => 400.0,
            Self::Big => 310.0,
        }
    }

    /// How many characters of a title fit.
    pub(super) fn title(self) -> usize {
        match self {
            Self::Page => 72,
            Self::Big => 52,
        }
    }
}

/// The colour of the series at this index.
pub(super) fn colour(place: usize) -> &'static str {
    PALETTE[place % PALETTE.len()]
}

/// A style of its own for the series at this index.
pub(super) fn style(place: usize) -> Style {
    Style {
        colour: place,
        shape: place,
    }
}

/// The dash of the line at this index; the first is solid.
pub(super) fn dash(place: usize) -> Option<String> {
    Some(DASHES[place % DASHES.len()])
        .filter(|dash| !dash.is_empty())
        .map(str::to_owned)
}

/// The marker of the points at this index.
pub(super) fn marker(place: usize) -> MarkerShape {
    MARKERS[place % MARKERS.len()]
}

/// A frame with the axis labels; logarithmic scales are left to the caller, since not every chart supports them.
pub(super) fn layout(axes: &Axes, x: (f64, f64), y: (f64, f64)) -> Layout {
    dressed(axes, Layout::new(x, y))
}

/// The library's layout in our size, font and colours.
pub(super) fn dressed(axes: &Axes, layout: Layout) -> Layout {
    let mut layout = layout
        .with_width(axes.size.width())
        .with_height(axes.size.height())
        .with_title_size(15)
        .with_label_size(12)
        .with_tick_size(11)
        .with_body_size(11)
        .with_x_label_overlap(AxisLabelOverlap::Thin)
        .with_legend_box(false)
        .with_x_tick_format(ticks())
        .with_y_tick_format(ticks())
        .with_theme(theme());
    if !axes.title.is_empty() {
        layout = layout.with_title(cut(&axes.title, axes.size.title()));
    }
    if !axes.x.is_empty() {
        layout = layout.with_x_label(cut(&axes.x, axes.size.title()));
    }
    if !axes.y.is_empty() {
        layout = layout.with_y_label(cut(&axes.y, axes.size.title() / 2));
    }
    layout
}

/// Thousands are grouped, as in all texts.
fn ticks() -> TickFormat {
    TickFormat::Custom(Arc::new(|value: f64| {
        if value.abs() >= 1000.0 && value.abs() < 1e15 && value.fract() == 0.0 {
            figure(value)
        } else {
            TickFormat::Auto.format(value)
        }
    }))
}

/// Names below the horizontal axis, slanted where they would not fit side by side, upright where they are many. Keys that all have are the
/// label of the axis. The chart becomes as much higher as the names need.
pub(super) fn with_categories(layout: Layout, axes: &Axes, names: &[String]) -> Layout {
    let (common, names) = match axes.keys_x {
        true => factored(names),
        false => (String::new(), names.to_vec()),
    };
    let names: Vec<String> = names
        .iter()
        .map(|name| cut(name, LABEL_CHARACTERS))
        .collect();
    let widest = CHARACTER * longest(names.iter());
    let width = width(&layout);
    let room = (width - SIDES) / names.len().max(1) as f64;
    let mut layout = layout
        .with_x_categories(names)
        .with_x_label_overlap(AxisLabelOverlap::Allow);
    if layout.x_label.is_none() && !common.is_empty() {
        layout = layout.with_x_label(cut(&common, (width / CHARACTER) as usize));
    }
    if widest <= room {
        return layout;
    }
    let angle: f64 = if room > 20.0 { 40.0 } else { 90.0 };
    let below = widest * angle.to_radians().sin();
    higher(layout.with_x_tick_rotate(-angle), below - 30.0)
}

fn longest<'a>(texts: impl Iterator<Item = &'a String>) -> f64 {
    let widths = texts.map(|text| text.chars().count());
    widths.max().unwrap_or(0) as f64
}

fn width(layout: &Layout) -> f64 {
    layout.width.unwrap_or(Size::Page.width())
}

fn higher(layout: Layout, by: f64) -> Layout {
    let height = layout.height.unwrap_or(Size::Page.height()) + by.max(0.0);
    layout.with_height(height)
}

/// Page colours instead of fixed ones, so that a chart is readable on white, on black and on paper.
fn theme() -> Theme {
    let page = || "currentColor".to_owned();
    Theme {
        background: "none".to_owned(),
        axis_color: page(),
        grid_color: "rgba(128,128,128,0.3)".to_owned(),
        tick_color: page(),
        text_color: page(),
        legend_bg: "none".to_owned(),
        legend_border: "none".to_owned(),
        pie_leader: page(),
        box_median: page(),
        violin_border: page(),
        colorbar_border: page(),
        font_family: None,
        show_grid: true,
    }
}

/// A row of the legend.
pub(super) fn entry(label: &str, style: Style, shape: LegendShape) -> LegendEntry {
    let dasharray = if matches!(shape, LegendShape::Line) {
        dash(style.shape)
    } else {
        None
    };
    LegendEntry {
        label: cut(label, LABEL_CHARACTERS),
        color: colour(style.colour).to_owned(),
        shape,
        dasharray,
    }
}

/// Dashes of marks, which no line has.
const MARK_DASHES: [&str; 4] = ["4 4", "1 4", "10 5", "10 4 1 4"];
/// Their colour, readable on white and on black.
const MARK_COLOUR: &str = "#808080";

/// The marks of a chart that its axis can show.
pub(super) fn marks(axes: &Axes) -> Vec<&Mark> {
    let shown = |mark: &&Mark| data::shows(axes.log_y, mark.value);
    axes.marks
        .iter()
        .filter(shown)
        .take(MARK_DASHES.len())
        .collect()
}

/// Dashed lines across the chart, and their rows of the legend.
pub(super) fn with_marks(mut layout: Layout, axes: &Axes) -> (Layout, Vec<LegendEntry>) {
    let mut entries = Vec::new();
    for (mark, dash) in marks(axes).into_iter().zip(MARK_DASHES) {
        let line = ReferenceLine::horizontal(mark.value)
            .with_color(MARK_COLOUR)
            .with_stroke_width(1.6)
            .with_dasharray(dash);
        layout = layout.with_reference_line(line);
        entries.push(LegendEntry {
            label: cut(&mark.label, LABEL_CHARACTERS),
            color: MARK_COLOUR.to_owned(),
            shape: LegendShape::Line,
            dasharray: Some(dash.to_owned()),
        });
    }
    (layout, entries)
}

/// The legend below the chart, which becomes as much higher, with a count instead of the entries that are too many.
pub(super) fn with_legend(layout: Layout, mut entries: Vec<LegendEntry>) -> Layout {
    entries.retain(|entry| !entry.label.is_empty());
    if entries.is_empty() {
        return layout;
    }
    if entries.len() > LEGEND_ENTRIES {
        let label = format!("and {} more", entries.len() - (LEGEND_ENTRIES - 1));
        entries.truncate(LEGEND_ENTRIES - 1);
        entries.push(LegendEntry {
            label,
            color: "none".to_owned(),
            shape: LegendShape::Rect,
            dasharray: None,
        });
    }
    let column = 40.0 + CHARACTER * longest(entries.iter().map(|entry| &entry.label));
    let columns = ((width(&layout) - SIDES) / column).floor().max(1.0);
    let rows = (entries.len() as f64 / columns).ceil();
    let layout = layout
        .with_legend_entries(entries)
        .with_legend_position(LegendPosition::OutsideBottomColumns);
    higher(layout, rows * LEGEND_ROW + 30.0)
}

/// The scene as SVG text that can be inlined in any page.
pub(super) fn svg(title: &str, mut scene: Scene) -> String {
    scene.background_color = None;
    // Clip ids come from a process-wide counter: the text would differ each time, and ids would clash within a page.
    // Clips are not needed, since all points lie within the axes.
    scene.defs.clear();
    scene.elements.retain(visible);
    let drawn = SvgBackend::new().render_scene(&scene);
    opening(title, scene.width, scene.height) + &tidied(inside(&drawn))
}

/// Whether an element is visible: missing values become zero-length lines and flat bars.
fn visible(element: &Primitive) -> bool {
    match element {
        Primitive::ClipStart { .. } | Primitive::ClipEnd => false,
        Primitive::Line { x1, y1, x2, y2, .. } => {
            [x1, y1, x2, y2].iter().all(|end| end.is_finite())
        }
        Primitive::Rect { width, height, .. } => *width > 0.0 && *height > 0.0,
        Primitive::Circle { cx, cy, .. } => cx.is_finite() && cy.is_finite(),
        _ => true,
    }
}

/// The title, for those who do not see the chart, and the size.
pub(super) fn opening(title: &str, width: f64, height: f64) -> String {
    let title = xml(title, Size::Page.title());
    let (width, height) = (width.round(), height.round());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width} {height}\" width=\"100%\" \
         role=\"img\" aria-label=\"{title}\" font-family=\"system-ui, 'DejaVu Sans', sans-serif\" \
         fill=\"currentColor\">"
    )
}

/// A text in at most `room` characters, as part of XML.
pub(super) fn xml(text: &str, room: usize) -> String {
    let text = cut(text, room).replace("\\$", "$");
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The content of the library's `svg` element, without its metadata, and with the closing tag.
fn inside(drawn: &str) -> &str {
    let body = drawn.split_once('>').map_or("</svg>", |(_, body)| body);
    match body
        .strip_prefix("<!--")
        .and_then(|stamped| stamped.split_once("-->"))
    {
        Some((_, body)) => body,
        None => body,
    }
}

/// The same tags with two decimals: the library rounds its coordinates in binary and writes 473.46000000000004.
fn tidied(body: &str) -> String {
    let (mut tidy, mut rest, mut within_tag) = (String::with_capacity(body.len()), body, false);
    while let Some(dot) = rest.find('.') {
        let digits = rest[dot + 1..]
            .bytes()
            .take_while(u8::is_ascii_digit)
            .count();
        let (before, after) = rest.split_at(dot + 1 + digits);
        if let Some(bracket) = before.rfind(['<', '>']) {
            within_tag = before[bracket..].starts_with('<');
        }
        let begin = before[..dot]
            .bytes()
            .rposition(|byte| !byte.is_ascii_digit())
            .map_or(0, |place| place + 1);
        match before[begin..].parse::<f64>() {
            Ok(number) if within_tag && digits > 6 => {
                tidy += &before[..begin];
                tidy += &((number * 100.0).round() / 100.0).to_string();
            }
            _ => tidy += before,
        }
        rest = after;
    }
    tidy + rest
}
