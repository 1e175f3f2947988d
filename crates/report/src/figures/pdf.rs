//! PDF of one page as large as the picture, all of it shapes: texts are outlines, so no font is needed where it is shown.
//!
//! Written by ourselves: pictures consist of filled and stroked paths only, and a library for all of PDF is larger than everything else
//! that draws.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use resvg::tiny_skia::{PathSegment, Point, Transform};
use resvg::usvg::{FillRule, Group, LineCap, LineJoin, Node, Paint, Path, Stroke};

use super::Figure;
use super::tree::tree;
use crate::Picture;

pub(super) const FIGURE: Figure = Figure { name: "pdf", make };

fn make(picture: &Picture) -> Vec<u8> {
    let tree = tree(&picture.svg);
    let (width, height) = (tree.size().width(), tree.size().height());
    let mut page = Page::default();
    // PDF counts from the bottom.
    let _ = writeln!(page.content, "1 0 0 -1 0 {height} cm");
    page.group(tree.root(), Transform::identity(), 1.0);
    let states = page.opacities.iter().enumerate();
    let states = states.map(|(place, (fill, stroke))| {
        format!(
            "/G{place} << /ca {} /CA {} >>",
            share(*fill),
            share(*stroke)
        )
    });
    let states = states.collect::<Vec<_>>().join(" ");
    let content = compressed(&page.content);
    let mut file = File::default();
    file.object("<< /Type /Catalog /Pages 2 0 R >>", None);
    file.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>", None);
    let page = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R /Resources << /ExtGState << {states} >> >> >>"
    );
    file.object(&page, None);
    let head = format!("<< /Length {} /Filter /FlateDecode >>", content.len());
    file.object(&head, Some(&content));
    file.end()
}

fn compressed(content: &str) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder
        .write_all(content.as_bytes())
        .expect("memory can be written");
    encoder.finish().expect("memory can be written")
}

/// Objects, numbered from 1, and where each begins.
#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    begins: Vec<usize>,
}

impl File {
    fn object(&mut self, dictionary: &str, stream: Option<&[u8]>) {
        if self.bytes.is_empty() {
            // The second line tells programs that the file is not text.
            self.bytes.extend(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n");
        }
        self.begins.push(self.bytes.len());
        let number = self.begins.len();
        self.bytes
            .extend(format!("{number} 0 obj\n{dictionary}\n").bytes());
        if let Some(stream) = stream {
            self.bytes.extend(b"stream\n");
            self.bytes.extend(stream);
            self.bytes.extend(b"\nendstream\n");
        }
        self.bytes.extend(b"endobj\n");
    }

    /// The file with its table of objects.
    fn end(mut self) -> Vec<u8> {
        let (table, count) = (self.bytes.len(), self.begins.len() + 1);
        let mut text = format!("xref\n0 {count}\n0000000000 65535 f \n");
        for begin in &self.begins {
            let _ = writeln!(text, "{begin:010} 00000 n ");
        }
        let _ = write!(
            text,
            "trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n"
        );
        self.bytes.extend(text.bytes());
        self.bytes
    }
}

/// What is drawn on the page. Writing to a string cannot fail.
#[derive(Default)]
struct Page {
    content: String,
    /// Opacities of fills and strokes that are used, in 255ths.
    opacities: Vec<(u8, u8)>,
}

impl Page {
    fn group(&mut self, group: &Group, transform: Transform, opacity: f32) {
        let opacity = opacity * group.opacity().get();
        let transform = transform.pre_concat(group.transform());
        for node in group.children() {
            match node {
                Node::Group(group) => self.group(group, transform, opacity),
                Node::Path(path) => self.path(path, transform, opacity),
                Node::Text(text) => self.group(text.flattened(), transform, opacity),
                // No picture of ours has one.
                Node::Image(_) => {}
            }
        }
    }

    fn path(&mut self, path: &Path, transform: Transform, opacity: f32) {
        let fill = path.fill().and_then(|fill| {
            let colour = colour(fill.paint())?;
            Some((colour, fill.opacity().get() * opacity, fill.rule()))
        });
        let stroke = path.stroke().and_then(|stroke| {
            let colour = colour(stroke.paint())?;
            Some((colour, stroke.opacity().get() * opacity, stroke))
        });
        if !path.is_visible() || (fill.is_none() && stroke.is_none()) {
            return;
        }
        let of = |part: Option<f32>| (part.unwrap_or(1.0) * 255.0).round() as u8;
        let opacities = (
            of(fill.as_ref().map(|it| it.1)),
            of(stroke.as_ref().map(|it| it.1)),
        );
        let known = self.opacities.iter().position(|one| *one == opacities);
        let state = known.unwrap_or_else(|| {
            self.opacities.push(opacities);
            self.opacities.len() - 1
        });
        let Transform {
            sx,
            kx,
            ky,
            sy,
            tx,
            ty,
        } = transform;
        let _ = writeln!(
            self.content,
            "q /G{state} gs {sx} {ky} {kx} {sy} {tx} {ty} cm"
        );
        if let Some((colour, ..)) = &fill {
            let _ = writeln!(self.content, "{colour} rg");
        }
        if let Some((colour, _, stroke)) = &stroke {
            let _ = writeln!(self.content, "{colour} RG {}", pen(stroke));
        }
        self.outline(path);
        let paint = match (fill.as_ref().map(|it| it.2), stroke.is_some()) {
            (Some(FillRule::NonZero), false) => "f",
            (Some(FillRule::EvenOdd), false) => "f*",
            (Some(FillRule::NonZero), true) => "B",
            (Some(FillRule::EvenOdd), true) => "B*",
            (None, _) => "S",
        };
        let _ = writeln!(self.content, "{paint} Q");
    }

    fn outline(&mut self, path: &Path) {
        let mut last = Point::zero();
        for segment in path.data().segments() {
            let line = match segment {
                PathSegment::MoveTo(to) => {
                    last = to;
                    format!("{} m", at(to))
                }
                PathSegment::LineTo(to) => {
                    last = to;
                    format!("{} l", at(to))
                }
                PathSegment::QuadTo(by, to) => {
                    // A cubic curve whose handles reach two thirds of the way.
                    let (first, second) = (towards(last, by), towards(to, by));
                    last = to;
                    format!("{} {} {} c", at(first), at(second), at(to))
                }
                PathSegment::CubicTo(first, second, to) => {
                    last = to;
                    format!("{} {} {} c", at(first), at(second), at(to))
                }
                PathSegment::Close => "h".to_owned(),
            };
            self.content += &line;
            self.content.push('\n');
        }
    }
}

fn towards(from: Point, to: Point) -> Point {
    let share = 2.0 / 3.0;
    Point::from_xy(
        from.x + share * (to.x - from.x),
        from.y + share * (to.y - from.y),
    )
}

fn at(point: Point) -> String {
    format!("{} {}", short(point.x), short(point.y))
}

/// A coordinate: a hundredth of a point cannot be seen, but paths of glyphs are scaled.
fn short(value: f32) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// The components of a plain colour; no picture of ours has others.
fn colour(paint: &Paint) -> Option<String> {
    let Paint::Color(colour) = paint else {
        return None;
    };
    let parts = [colour.red, colour.green, colour.blue].map(share);
    Some(parts.join(" "))
}

fn share(part: u8) -> String {
    short(f32::from(part) / 255.0)
}

fn pen(stroke: &Stroke) -> String {
    let cap = match stroke.linecap() {
        LineCap::Butt => 0,
        LineCap::Round => 1,
        LineCap::Square => 2,
    };
    let join = match stroke.linejoin() {
        LineJoin::Round => 1,
        LineJoin::Bevel => 2,
        LineJoin::Miter | LineJoin::MiterClip => 0,
    };
    let dashes = stroke.dasharray().unwrap_or_default().iter();
    let dashes = dashes
        .map(|&dash| short(dash))
        .collect::<Vec<_>>()
        .join(" ");
    format!(
        "{} w {cap} J {join} j {} M [{dashes}] {} d",
        short(stroke.width().get()),
        short(stroke.miterlimit().get()),
        short(stroke.dashoffset())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The drawing of a picture, before it is compressed.
    fn drawn(svg: &str) -> String {
        let mut page = Page::default();
        page.group(tree(svg).root(), Transform::identity(), 1.0);
        page.content
    }

    #[test]
    fn texts_are_turned() {
        let text = |turn: &str| {
            drawn(&format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 20 20\"><text x=\"5\" y=\"15\"{turn}>l</text></svg>"
            ))
        };
        assert_ne!(text(""), text(" transform=\"rotate(-90 5 15)\""));
    }

    #[test]
    fn the_table_of_objects_says_where_each_begins() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 20\"><text x=\"5\" y=\"15\">Ω</text><path d=\"M0 0L9 9\" stroke=\"#f00\" stroke-dasharray=\"2 1\" stroke-opacity=\"0.5\"/></svg>";
        let (name, caption) = (String::new(), String::new());
        let svg = svg.to_owned();
        let bytes = make(&Picture { name, caption, svg });
        let text = String::from_utf8_lossy(&bytes);
        let begin: usize = (text.lines().rev().nth(1))
            .and_then(|line| line.parse().ok())
            .expect("where the table begins");
        assert!(bytes[begin..].starts_with(b"xref\n0 5\n"));
        let table = String::from_utf8_lossy(&bytes[begin..]).into_owned();
        let places = table.lines().filter(|line| line.ends_with(" n "));
        for (number, place) in (1..).zip(places) {
            let place: usize = place[..10].parse().expect("a place");
            let object = format!("{number} 0 obj\n");
            assert!(bytes[place..].starts_with(object.as_bytes()), "{number}");
        }
        assert!(
            text.contains("/CA 0.502"),
            "the stroke is transparent: {text}"
        );
    }
}
