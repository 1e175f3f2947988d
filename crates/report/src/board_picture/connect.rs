//! Connect-N: discs with X and O on them, those of a winning line with a white rim.

use games::connect::{Bits, Connect, Position};

use super::{Drawing, ground};
use play::any::AnyPosition;

/// Side of a cell, and the edge of the board.
const CELL: u32 = 40;
const EDGE: u32 = 6;
/// Radius of a disc.
const DISC: u32 = 16;
const GROUND: &str = "#27364f";
const HOLE: &str = "#121b2b";
/// Marks on the discs.
const INK: &str = "#111111";
/// Orange and blue differ in every kind of colour blindness.
const DISCS: [&str; 2] = ["#ffaf00", "#5fafd7"];

/// The picture of a position of this game; `None` for other games.
pub(super) fn drawing(position: &AnyPosition) -> Option<Drawing> {
    let small = position.typed::<Connect<u64>>();
    let large = || position.typed::<Connect<u128>>();
    let small = small.map(|(game, position)| draw(game, position));
    small.or_else(|| large().map(|(game, position)| draw(game, position)))
}

fn draw<B: Bits>(game: &Connect<B>, position: &Position<B>) -> Drawing {
    let (rows, cols) = (position.rows(), position.cols());
    let (width, height) = (length(cols), length(rows));
    let winning = winning(game, position);
    let mut shapes = ground(width, height, GROUND);
    for (column, row) in (0..cols).flat_map(|column| (0..rows).map(move |row| (column, row))) {
        let cell = B::bit(u32::from(column) * u32::from(rows) + u32::from(row));
        let middle = (centre(column), centre(rows - 1 - row));
        shapes += &match position.stone(row, column) {
            None => circle(middle, DISC, &format!("fill=\"{HOLE}\"")),
            Some(seat) => disc(seat, middle, !(winning & cell).is_empty()),
        };
    }
    let result = match game.winner(position) {
        Some(seat) => format!(", {} has a line", ["X", "O"][usize::from(seat)]),
        None => String::new(),
    };
    Drawing {
        title: format!(
            "connect, {rows}x{cols}, {} stones{result}",
            position.plies()
        ),
        width,
        height,
        shapes,
    }
}

fn length(cells: u8) -> u32 {
    2 * EDGE + u32::from(cells) * CELL
}

fn centre(place: u8) -> u32 {
    EDGE + u32::from(place) * CELL + CELL / 2
}

/// All cells of winning lines.
fn winning<B: Bits>(game: &Connect<B>, position: &Position<B>) -> B {
    let Some(seat) = game.winner(position) else {
        return B::ZERO;
    };
    let own = position.stones(seat);
    let lines = game.all_lines().into_iter();
    lines
        .filter(|&line| line & own == line)
        .fold(B::ZERO, |all, line| all | line)
}

fn disc(seat: u8, (x, y): (u32, u32), wins: bool) -> String {
    let rim = if wins {
        " stroke=\"#ffffff\" stroke-width=\"4\""
    } else {
        ""
    };
    let look = format!("fill=\"{}\"{rim}", DISCS[usize::from(seat) % 2]);
    let ink = format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"3\"");
    let mark = match seat {
        0 => format!("<path d=\"M{} {}l12 12m0-12l-12 12\" {ink}/>", x - 6, y - 6),
        _ => circle((x, y), 7, &ink),
    };
    circle((x, y), DISC, &look) + &mark
}

fn circle((x, y): (u32, u32), radius: u32, look: &str) -> String {
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {look}/>")
}

#[cfg(test)]
mod tests {
    use games::connect::Rules;

    use super::*;
    use crate::board_picture::{contrast, picture};
    use games::AnyGame;

    #[test]
    fn the_sides_differ_in_form_and_a_line_has_a_rim() {
        let rules = Rules::from_options(&"".parse().unwrap()).unwrap();
        let game: Connect<u64> = Connect::new(rules);
        let position = game.position_after("1212121").unwrap();
        let svg = picture(&AnyGame::from(game), &position.to_string()).unwrap();
        assert_eq!(svg.matches("<path").count(), 4);
        assert_eq!(svg.matches("r=\"7\"").count(), 3);
        assert_eq!(svg.matches("#ffffff").count(), 4);
        assert!(svg.contains("7 stones, X has a line"), "{svg}");
    }

    #[test]
    fn marks_and_discs_stand_out() {
        for disc in DISCS {
            assert!(contrast(disc, INK) >= 4.5 && contrast(disc, HOLE) >= 4.5);
        }
    }
}
