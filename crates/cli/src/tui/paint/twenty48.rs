//! 2048: tiles with their numbers, from light to dark as they grow.

use games::twenty48::{Direction, Position, Tiles, Twenty48};
use play::any::AnyPosition;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::Style;
use ratatui::text::Line;

use super::grid::Grid;
use super::{Painter, write};
use crate::output::number;
use crate::tui::stage::{Notice, Picture, Place, row};
use crate::tui::theme::{self, DARK, LIGHT, on};

/// Columns of a tile.
const WIDTH: u16 = 7;
/// Rows of a tile, the larger first.
const HEIGHTS: [u16; 2] = [3, 1];

/// Tiles 2, 4, 8 ...: lightness falls all the way, so the order is seen without colour vision.
const TILES: [Style; 14] = [
    on(255, DARK),
    on(230, DARK),
    on(229, DARK),
    on(222, DARK),
    on(215, DARK),
    on(208, DARK),
    on(203, DARK),
    on(168, DARK),
    on(162, LIGHT),
    on(127, LIGHT),
    on(91, LIGHT),
    on(55, LIGHT),
    on(18, LIGHT),
    on(235, LIGHT),
];

/// A board of tiles, one of which may just have come.
pub(crate) struct Board {
    pub(crate) tiles: Tiles,
    pub(crate) new: Option<usize>,
}

impl Board {
    fn grid(&self, height: u16) -> Grid {
        Grid {
            cols: self.tiles.cols().into(),
            rows: self.tiles.rows().into(),
            width: WIDTH,
            height,
        }
    }
}

impl Picture for Board {
    fn size(&self, room: Size) -> Size {
        let sizes = HEIGHTS.map(|height| self.grid(height).size());
        let fits = |size: &&Size| size.width <= room.width && size.height <= room.height;
        *sizes.iter().find(fits).unwrap_or(&sizes[sizes.len() - 1])
    }

    fn paint(&self, area: Rect, buffer: &mut Buffer) {
        let height = HEIGHTS
            .into_iter()
            .find(|&height| self.grid(height).size().height <= area.height)
            .unwrap_or(1);
        let grid = self.grid(height);
        grid.paint((area.x, area.y), theme::FAINT, buffer);
        for (place, exponent) in self.tiles.exponents().enumerate() {
            let (col, row) = (place as u16 % grid.cols, place as u16 / grid.cols);
            let (x, y) = grid.cell(col, row);
            let corner = (area.x + x, area.y + y);
            paint_tile(exponent, self.new == Some(place), corner, height, buffer);
        }
    }
}

fn paint_tile(exponent: u8, new: bool, (x, y): (u16, u16), height: u16, buffer: &mut Buffer) {
    if exponent == 0 {
        return;
    }
    let style = TILES[usize::from(exponent - 1).min(TILES.len() - 1)];
    let text = label(exponent, new);
    for line in 0..height {
        let text = if line == height / 2 { &text } else { "" };
        let centred = format!("{text:^width$}", width = usize::from(WIDTH));
        write(buffer, (x, y + line), &centred, style);
    }
}

/// The number on a tile; beyond seven digits as a power. A new tile is marked also without colours.
fn label(exponent: u8, new: bool) -> String {
    let value = (1_u64 << exponent).to_string();
    match new {
        _ if value.len() > usize::from(WIDTH) => format!("2^{exponent}"),
        true => format!("+{value} "),
        false => value,
    }
}

/// The cell in which a tile has come after sliding.
pub(crate) fn new_cell(before: &AnyPosition, chosen: &str, after: &AnyPosition) -> Option<usize> {
    let (game, before) = before.own::<Twenty48>();
    let (_, after) = after.own::<Twenty48>();
    let slid = game.slid(before.tiles(), chosen.parse::<Direction>().ok()?);
    slid.exponents()
        .zip(after.tiles().exponents())
        .position(|(before, after)| before != after)
}

/// A direction for people.
pub(crate) fn direction_name(direction: Direction) -> String {
    let arrow = match direction {
        Direction::Up => '↑',
        Direction::Right => '→',
        Direction::Down => '↓',
        Direction::Left => '←',
    };
    format!("{arrow} {direction}")
}

/// The line of the panel with the last move.
pub(crate) fn last_move(chosen: Option<&str>) -> Line<'static> {
    let direction = chosen.and_then(|chosen| chosen.parse().ok());
    let name = direction.map_or_else(|| "-".to_owned(), direction_name);
    row("Last move", &name)
}

/// Lines of the panel that every screen of 2048 shows.
pub(crate) fn highest(game: &Twenty48, position: &Position) -> [Line<'static>; 2] {
    let tile = |exponent: u8| match exponent {
        0 => "-".to_owned(),
        _ => (1_u64 << exponent).to_string(),
    };
    [
        row("Highest tile", &tile(position.tiles().highest())),
        row("Goal", &tile(game.rules().win)),
    ]
}

/// Draws 2048; remembers the last move, and where a tile came after it.
#[derive(Debug, Default)]
pub(crate) struct Painted {
    last: Option<String>,
    new: Option<usize>,
}

pub(super) fn painter(position: &AnyPosition) -> Option<Box<dyn Painter>> {
    position.typed::<Twenty48>()?;
    Some(Box::new(Painted::default()))
}

impl Painter for Painted {
    fn remember(&mut self, before: &AnyPosition, chosen: &str, after: &AnyPosition) {
        self.last = Some(chosen.to_owned());
        self.new = new_cell(before, chosen, after);
    }

    fn picture<'a>(&'a self, position: &'a AnyPosition) -> Box<dyn Picture + 'a> {
        let (_, position) = position.own::<Twenty48>();
        Box::new(Board {
            tiles: position.tiles(),
            new: self.new,
        })
    }

    fn panel(&self, position: &AnyPosition) -> Vec<Line<'static>> {
        let score = row("Score", &number(position.score() as f64, 0));
        let (game, position) = position.own::<Twenty48>();
        std::iter::once(score)
            .chain(highest(game, position))
            .chain([last_move(self.last.as_deref())])
            .collect()
    }

    fn verdict(&self, position: &AnyPosition, _: &[String]) -> Notice {
        let score = format!("Score {}", number(position.score() as f64, 0));
        let (game, position) = position.own::<Twenty48>();
        let (title, style) = if game.is_won(position) {
            ("Won", theme::GOOD)
        } else {
            ("Game over", theme::BAD)
        };
        let highest = 1_u64 << position.tiles().highest();
        Notice {
            title: title.to_owned(),
            style,
            lines: vec![score, format!("Highest tile {highest}")],
            place: Place::Picture,
        }
    }
}
