//! 2048: tiles with their numbers, from light to dark as they grow.

use games::twenty48::{Position, Twenty48};

use super::{Drawing, ground};
use play::any::AnyPosition;

/// Side of a tile, and the gap between two.
const TILE: u32 = 64;
const GAP: u32 = 8;
const GROUND: &str = "#8b8f96";
const EMPTY: &str = "#a5a9af";
const DARK: &str = "#111111";
const LIGHT: &str = "#ffffff";

/// Background and text colours of the tiles 2, 4, 8 ..., as on the page: lightness decreases, so the order is visible without colour
/// vision.
const TILES: [(&str, &str); 13] = [
    ("#fff8d6", DARK),
    ("#fbe98a", DARK),
    ("#dbe04a", DARK),
    ("#a8db4a", DARK),
    ("#6ece58", DARK),
    ("#35b779", DARK),
    ("#26a98f", DARK),
    ("#1d7480", LIGHT),
    ("#2c5f85", LIGHT),
    ("#3b4687", LIGHT),
    ("#482878", LIGHT),
    ("#3a0d56", LIGHT),
    ("#1c0b2e", LIGHT),
];

/// The picture of a position of this game; `None` for other games.
pub(super) fn drawing(position: &AnyPosition) -> Option<Drawing> {
    let (game, position) = position.typed::<Twenty48>()?;
    Some(draw(game, position))
}

fn draw(_: &Twenty48, position: &Position) -> Drawing {
    let tiles = position.tiles();
    let side = |cells: u8| GAP + u32::from(cells) * (TILE + GAP);
    let (width, height) = (side(tiles.cols()), side(tiles.rows()));
    let mut shapes = ground(width, height, GROUND);
    shapes += "<g font-family=\"sans-serif\" font-weight=\"bold\" text-anchor=\"middle\">";
    for (place, exponent) in (0..).zip(tiles.exponents()) {
        let (row, column) = (
            place / u32::from(tiles.cols()),
            place % u32::from(tiles.cols()),
        );
        shapes += &tile(
            exponent,
            GAP + column * (TILE + GAP),
            GAP + row * (TILE + GAP),
        );
    }
    let highest = match tiles.highest() {
        0 => "no tiles".to_owned(),
        exponent => format!("highest tile {}", 1_u64 << exponent),
    };
    Drawing {
        title: format!("2048, {}x{}, {highest}", tiles.rows(), tiles.cols()),
        width,
        height,
        shapes: shapes + "</g>",
    }
}

fn tile(exponent: u8, x: u32, y: u32) -> String {
    let (ground, text) = match exponent {
        0 => (EMPTY, DARK),
        _ => TILES[usize::from(exponent - 1).min(TILES.len() - 1)],
    };
    let square = format!(
        "<rect x=\"{x}\" y=\"{y}\" width=\"{TILE}\" height=\"{TILE}\" rx=\"5\" fill=\"{ground}\"/>"
    );
    if exponent == 0 {
        return square;
    }
    let number = (1_u64 << exponent).to_string();
    // Bold digits are up to 0.7 times as wide as the text is high, and should not touch the edge.
    let size = (TILE * 5 / 4 / number.len() as u32).min(TILE * 7 / 16);
    let (middle, base) = (x + TILE / 2, y + TILE / 2 + size * 7 / 20);
    format!(
        "{square}<text x=\"{middle}\" y=\"{base}\" font-size=\"{size}\" fill=\"{text}\">{number}</text>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board_picture::contrast;

    #[test]
    fn every_number_can_be_read() {
        for (ground, text) in TILES {
            let contrast = contrast(ground, text);
            assert!(contrast >= 4.5, "{text} on {ground}: {contrast}");
        }
    }

    #[test]
    fn tiles_have_the_colours_of_the_page() {
        let page = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../web/ui/src/boards/Board2048.svelte"
        );
        let page = std::fs::read_to_string(page).expect("the board of the page");
        for (number, (ground, _)) in (1..).zip(TILES) {
            let style = format!(".s{number} {{ background: {ground};");
            assert!(page.contains(&style), "no {style}");
        }
    }

    #[test]
    fn tiles_show_their_numbers() {
        assert!(tile(11, 0, 0).contains(">2048</text>"));
        assert!(tile(25, 0, 0).contains(">33554432</text>"));
        assert!(!tile(0, 0, 0).contains("text"));
    }
}
