//! PNG on white, at the same width for all pictures.

use resvg::render;
use resvg::tiny_skia::{Color, Pixmap, Transform};

use super::Figure;
use super::tree::tree;
use crate::Picture;

pub(super) const FIGURE: Figure = Figure { name: "png", make };

/// Pixels across: two per point of a column of text.
const WIDTH: f32 = 1520.0;

fn make(picture: &Picture) -> Vec<u8> {
    let pixels = pixels(&picture.svg, Some(WIDTH));
    pixels.encode_png().expect("memory can be written")
}

/// The pixels of a picture, so many across or as many as it says.
pub(crate) fn pixels(svg: &str, width: Option<f32>) -> Pixmap {
    let tree = tree(svg);
    let size = tree.size();
    let width = width.unwrap_or(size.width());
    let scale = width / size.width();
    let height = (size.height() * scale).ceil();
    let mut pixels = Pixmap::new(width as u32, height as u32).expect("pictures have a size");
    pixels.fill(Color::WHITE);
    let scaled = Transform::from_scale(scale, scale);
    render(&tree, scaled, &mut pixels.as_mut());
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dark_pixels(text: &str) -> usize {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 20\"><text x=\"5\" y=\"15\" font-family=\"sans-serif\">{text}</text></svg>"
        );
        let (name, caption) = (String::new(), String::new());
        let picture = Picture { name, caption, svg };
        let pixels = Pixmap::decode_png(&make(&picture)).expect("a PNG");
        pixels
            .pixels()
            .iter()
            .filter(|pixel| pixel.red() < 100)
            .count()
    }

    #[test]
    fn texts_have_glyphs() {
        assert_eq!(dark_pixels(" "), 0);
        for text in ["a", "9", "…", "≥", "é", "ω"] {
            assert!(dark_pixels(text) > 50, "{text}");
        }
    }
}
