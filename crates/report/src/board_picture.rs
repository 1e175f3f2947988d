//! Positions as pictures: small self-contained SVG files. One file per game.
//!
//! A picture has its own background, so it is readable on light and dark pages, and anything that differs in colour also differs
//! in shape. It has no ids, so that a page can hold any number of them.

mod connect;
mod sketch;
mod tetris;
mod twenty48;

use games::{AnyGame, PositionError};
use play::any::AnyPosition;

use crate::figures;

/// Drawings made for one game.
static DRAWINGS: &[fn(&AnyPosition) -> Option<Drawing>] =
    &[twenty48::drawing, tetris::drawing, connect::drawing];

/// The content of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// Description for screen readers. Contains no SVG markup.
    pub title: String,
    /// Default size in pixels.
    pub width: u32,
    /// Default size in pixels.
    pub height: u32,
    /// SVG elements.
    pub shapes: String,
}

/// Draws the position given as text.
pub fn picture(game: &AnyGame, position: &str) -> Result<String, PositionError> {
    Ok(draw(&AnyPosition::parse(game, position)?))
}

/// A position as an SVG picture.
#[must_use]
pub fn draw(position: &AnyPosition) -> String {
    let own = DRAWINGS.iter().find_map(|drawing| drawing(position));
    let Drawing {
        title,
        width,
        height,
        shapes,
    } = own.unwrap_or_else(|| sketch::drawing(position));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\"><title>{title}</title>{shapes}</svg>\n"
    )
}

/// A picture of pixels: red, green and blue, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// Pixels beside each other.
    pub width: usize,
    /// Pixels above each other.
    pub height: usize,
    /// Three numbers a pixel.
    pub colours: Vec<u8>,
}

/// A position as pixels.
#[must_use]
pub fn pixels(position: &AnyPosition) -> Pixels {
    let drawn = figures::pixels(&draw(position), None);
    let colours = drawn.pixels().iter();
    Pixels {
        width: drawn.width() as usize,
        height: drawn.height() as usize,
        colours: colours
            .flat_map(|colour| [colour.red(), colour.green(), colour.blue()])
            .collect(),
    }
}

/// The background of a picture of this size.
fn ground(width: u32, height: u32, colour: &str) -> String {
    format!("<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{colour}\"/>")
}

/// How well two colours (`#rrggbb`) can be told apart: 1 not at all, 21 as well as black and white. From 4.5 on text can be read.
/// <https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio>
#[cfg(test)]
fn contrast(one: &str, other: &str) -> f64 {
    let channel = |colour: &str, place: usize| {
        let value = u8::from_str_radix(&colour[1 + 2 * place..3 + 2 * place], 16);
        let value = f64::from(value.expect("#rrggbb")) / 255.0;
        if value <= 0.040_45 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    let light = |colour: &str| {
        0.2126 * channel(colour, 0) + 0.7152 * channel(colour, 1) + 0.0722 * channel(colour, 2)
    };
    let (one, other) = (light(one), light(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[cfg(test)]
mod tests {
    use games::registry::FAMILIES;

    use super::*;

    #[test]
    fn every_game_is_drawn_without_outside_help() {
        for family in FAMILIES {
            for rules in family.examples {
                let game = family.build(&rules.parse().unwrap()).unwrap();
                let start = AnyPosition::start(&game).to_string();
                let svg = picture(&game, &start).unwrap();
                assert!(
                    svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
                    "{svg}"
                );
                assert!(svg.contains(&format!("<title>{}", family.name)), "{svg}");
                assert!(!svg.contains("href") && !svg.contains("url(") && !svg.contains(" id="));
                assert!(svg.len() < 20_000, "{} {rules}: {}", family.name, svg.len());
            }
        }
    }

    #[test]
    fn what_is_no_position_of_the_game_is_refused() {
        let game = FAMILIES[0].build(&"".parse().unwrap()).unwrap();
        assert!(picture(&game, "nonsense").is_err());
        let error = picture(&game, "000/000/000").unwrap_err().to_string();
        assert!(error.contains("should be 4x4"), "{error}");
    }

    #[test]
    fn contrast_is_that_of_the_standard() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
        assert!((contrast("#777777", "#ffffff") - 4.478).abs() < 1e-3);
    }
}
