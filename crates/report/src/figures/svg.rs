//! SVG, as the pictures are drawn.

use super::Figure;
use crate::Picture;

pub(crate) const FIGURE: Figure = Figure { name: "svg", make };

fn make(picture: &Picture) -> Vec<u8> {
    picture.svg.clone().into_bytes()
}
