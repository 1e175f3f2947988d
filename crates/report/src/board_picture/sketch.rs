//! Any game: a grid of labelled cells.

use play::any::AnyPosition;

use super::{Drawing, ground};

/// The picture of a position of a game without a drawing of its own.
pub(super) fn drawing(position: &AnyPosition) -> Drawing {
    let (width, height) = (320, 64);
    Drawing {
        title: format!("{}, {position}", position.game()),
        width,
        height,
        shapes: ground(width, height, "#8b8f96"),
    }
}
