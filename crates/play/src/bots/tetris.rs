//! Tetris in the Tetris Bot Protocol: the board as cells, placements as locations.
//!
//! It supports boards of ten columns and the seven tetrominoes; other variants use texts only.
//! A location is a piece, its orientation (`north` when it appears, then clockwise) and the coordinates of its
//! centre, from 0 at the lower left. The centre is the cell it rotates about; I and O rotate about one
//! of their own cells: facing north, the second from the left of the I, the lower left of the O.

use games::tetris::{
    Choice, ColumnBits, Gravity, Kind, Piece, Placement, Position, Rules, ShapeSet, Tetris,
};
use serde_json::{Map, Value, json};

use super::protocol::{Dialect, by_text};
use super::tail::quoted;

/// Columns of the protocol's board.
const COLUMNS: u8 = 10;
/// Rows of the protocol's board, from the bottom. If ours has fewer, the upper ones stay empty.
const ROWS: u32 = 40;

/// Cells of the pieces facing north, relative to their centre, right and up.
const NORTH: [(char, [Cell; 4]); 7] = [
    ('I', [(-1, 0), (0, 0), (1, 0), (2, 0)]),
    ('O', [(0, 0), (1, 0), (0, 1), (1, 1)]),
    ('T', [(-1, 0), (0, 0), (1, 0), (0, 1)]),
    ('J', [(-1, 0), (0, 0), (1, 0), (-1, 1)]),
    ('L', [(-1, 0), (0, 0), (1, 0), (1, 1)]),
    ('S', [(-1, 0), (0, 0), (0, 1), (1, 1)]),
    ('Z', [(-1, 1), (0, 1), (0, 0), (1, 0)]),
];

/// Orientations, each a quarter turn clockwise from the previous one.
const ORIENTATIONS: [&str; 4] = ["north", "east", "south", "west"];

type Cell = (i64, i64);

/// Placements as locations or as texts.
pub(super) struct Locations;

impl<C: ColumnBits> Dialect<Tetris<C>> for Locations {
    fn rules(&self, game: &Tetris<C>) -> Map<String, Value> {
        if is_standard(game.rules()) {
            Map::from_iter([("randomizer".to_owned(), randomizer(game.rules()).into())])
        } else {
            Map::new()
        }
    }

    fn start(&self, game: &Tetris<C>, position: &Position<C>) -> Map<String, Value> {
        if is_standard(game.rules()) {
            start(game, position)
        } else {
            Map::new()
        }
    }

    fn read(
        &self,
        game: &Tetris<C>,
        position: &Position<C>,
        said: &Value,
    ) -> Result<Placement, String> {
        if !said.is_object() {
            return by_text(said);
        }
        if !is_standard(game.rules()) {
            return Err(
                "locations work only on boards of ten columns with the seven tetrominoes; otherwise \
                write moves as texts like r1c4"
                    .to_owned(),
            );
        }
        placement(game, position, said)
            .map_err(|why| format!("{}: {why}", quoted(&said["location"].to_string())))
    }
}

/// Does the protocol support these rules?
fn is_standard(rules: &Rules) -> bool {
    let tetrominoes: ShapeSet = "tetrominoes".parse().expect("the name is known");
    let is_known = |drawing| tetrominoes.drawings().contains(drawing);
    rules.columns == COLUMNS
        && rules.gravity == Gravity::Rows
        && rules.shapes.drawings().iter().all(is_known)
}

/// The protocol's name for the randomizer.
fn randomizer(rules: &Rules) -> &'static str {
    match rules.generator.kind() {
        _ if rules.shapes.drawings().len() < NORTH.len() => "unknown",
        Kind::Uniform => "uniform",
        Kind::Bag => "seven_bag",
        Kind::Weights(_) => "unknown",
    }
}

fn start<C: ColumnBits>(game: &Tetris<C>, position: &Position<C>) -> Map<String, Value> {
    let board = position.board();
    let letters = |pieces: &mut dyn Iterator<Item = Piece>| -> Vec<String> {
        pieces.map(|piece| piece.to_string()).collect()
    };
    // Our boards do not record which piece filled a cell: the protocol writes G, for garbage.
    let cell = |column, row| (row < board.rows() && board.is_filled(column, row)).then_some("G");
    let row = |row| {
        (0..COLUMNS.into())
            .map(|column| cell(column, row))
            .collect()
    };
    let cells: Vec<Vec<Option<&str>>> = (0..ROWS).map(row).collect();
    let mut state = json!({"type": randomizer(game.rules())});
    if state["type"] == "seven_bag" {
        // The protocol has no empty bag: it sends the next full one.
        let mut left = letters(&mut position.bag().iter());
        if left.is_empty() {
            left = letters(&mut game.rules().shapes.pieces());
        }
        state["bag_state"] = left.into();
    }
    let fields = json!({
        "hold": position.held().map(|piece| piece.to_string()),
        "queue": letters(&mut position.queue().iter()),
        "combo": 0,
        "back_to_back": false,
        "board": cells,
        "randomizer": state,
    });
    match fields {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// The placement whose hard drop ends at this move's location.
fn placement<C: ColumnBits>(
    game: &Tetris<C>,
    position: &Position<C>,
    said: &Value,
) -> Result<Placement, String> {
    let location = &said["location"];
    let choice = choice(game, position, &location["type"])?;
    if !matches!(said["spin"].as_str(), None | Some("none")) {
        return Err("pieces drop straight down, without a spin".to_owned());
    }
    let quarters = ORIENTATIONS
        .iter()
        .position(|name| location["orientation"] == *name)
        .ok_or("the orientation must be north, east, south or west")?;
    let coordinate = |name: &str| {
        let value = location[name].as_i64().filter(|value| value.abs() < 100);
        value.ok_or_else(|| format!("{name} must be a whole number on the board"))
    };
    let centre = (coordinate("x")?, coordinate("y")?);
    drop_at(game, position, choice, quarters, centre)
}

/// The piece that a location names: the current one, or the one it can be exchanged for.
fn choice<C: ColumnBits>(
    game: &Tetris<C>,
    position: &Position<C>,
    named: &Value,
) -> Result<Choice, String> {
    let mut choices = game.hand(position).choices();
    if let Some(choice) = choices.find(|choice| *named == choice.piece.to_string()) {
        return Ok(choice);
    }
    let pieces = game.hand(position).choices();
    let pieces: Vec<String> = pieces.map(|choice| choice.piece.to_string()).collect();
    Err(match &pieces[..] {
        [] => "there is no piece to place".to_owned(),
        [current] => {
            format!("the current piece is {current}, and there is no other to exchange it for")
        }
        [current, other, ..] => {
            format!("the current piece is {current}; it can be exchanged for {other}")
        }
    })
}

/// Cells of a piece relative to its centre, after this many quarter turns clockwise.
fn cells(piece: Piece, quarters: usize) -> [Cell; 4] {
    let north = NORTH.iter().find(|(letter, _)| *letter == piece.letter());
    let (_, north) = north.expect("a standard game has only these pieces");
    (0..quarters).fold(*north, |cells, _| cells.map(|(x, y)| (y, -x)))
}

fn drop_at<C: ColumnBits>(
    game: &Tetris<C>,
    position: &Position<C>,
    Choice { piece, hold }: Choice,
    quarters: usize,
    (x, y): Cell,
) -> Result<Placement, String> {
    let cells = cells(piece, quarters);
    let left = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
    let lowest = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
    let mut masks = [0u8; 4];
    for cell in &cells {
        masks[(cell.0 - left) as usize] |= 1 << (cell.1 - lowest);
    }
    let width = masks.iter().filter(|&&mask| mask != 0).count();
    let mut rotations = game.shape(piece).rotations().iter().enumerate();
    let (rotation, oriented) = rotations
        .find(|(_, oriented)| oriented.masks() == &masks[..width])
        .ok_or("the piece has no such rotation")?;
    let column = u32::try_from(x + left)
        .ok()
        .filter(|&column| column + oriented.width() <= position.board().width())
        .ok_or("the piece would be outside the board")?;
    let rests = i64::from(position.board().landing(oriented, column)) - lowest;
    if rests != y {
        return Err(format!("a piece dropped there comes to rest at y {rests}"));
    }
    Ok(Placement {
        hold,
        rotation: rotation as u8,
        column: column as u8,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game;

    fn game(options: &str) -> Tetris<u32> {
        Tetris::new(Rules::from_options(&options.parse().unwrap()).unwrap())
    }

    fn read(board: &str, piece: &str, orientation: &str, x: i64, y: i64) -> Result<String, String> {
        let game = game("known=1");
        let position: Position<u32> = format!("10x20 {board} {piece}").parse().unwrap();
        game.check(&position).unwrap();
        let location = json!({"type": piece, "orientation": orientation, "x": x, "y": y});
        let said = json!({"location": location, "spin": "none"});
        Locations
            .read(&game, &position, &said)
            .map(|placement| placement.to_string())
    }

    #[test]
    fn centres_are_those_of_the_protocol() {
        let check = |piece, orientation, x, y, expected: &str| {
            assert_eq!(read("-", piece, orientation, x, y), Ok(expected.to_owned()));
        };
        check("I", "north", 1, 0, "r0c0");
        check("I", "east", 0, 2, "r1c0");
        check("I", "south", 2, 0, "r0c0");
        check("I", "west", 9, 1, "r1c9");
        check("O", "north", 0, 0, "r0c0");
        check("O", "east", 8, 1, "r0c8");
        check("O", "south", 1, 1, "r0c0");
        check("O", "west", 1, 0, "r0c0");
        check("T", "north", 4, 0, "r0c3");
        check("T", "east", 4, 1, "r1c4");
        check("T", "south", 4, 1, "r2c3");
        check("T", "west", 4, 1, "r3c3");
        check("J", "east", 0, 1, "r1c0");
        check("L", "west", 1, 1, "r3c0");
        check("S", "north", 1, 0, "r0c0");
        check("S", "east", 0, 1, "r1c0");
        check("S", "south", 1, 1, "r0c0");
        check("Z", "west", 1, 1, "r1c0");
    }

    #[test]
    fn every_legal_placement_has_a_location_of_its_own() {
        let game = game("known=1");
        for (letter, _) in NORTH {
            let position: Position<u32> = format!("10x20 #...#....# {letter}").parse().unwrap();
            let mut legal = Vec::new();
            game.moves(&position, &mut legal);
            let mut found: Vec<Placement> = Vec::new();
            for (quarters, centre) in
                (0..4).flat_map(|q| (0..10).flat_map(move |x| (0..20).map(move |y| (q, (x, y)))))
            {
                let choice = game.hand(&position).choices().next().unwrap();
                found.extend(drop_at(&game, &position, choice, quarters, centre));
            }
            found.sort();
            found.dedup();
            legal.sort();
            assert_eq!(found, legal, "{letter}");
        }
    }

    #[test]
    fn a_location_of_the_other_piece_holds_the_current_one() {
        let game = game("hold=true");
        let read = |text: &str, piece: &str| {
            let position: Position<u32> = text.parse().unwrap();
            let location = json!({"type": piece, "orientation": "north", "x": 4, "y": 0});
            let said = json!({"location": location, "spin": "none"});
            let read = Locations.read(&game, &position, &said);
            read.map(|placement| placement.to_string())
        };
        assert_eq!(read("10x20 - TO", "T"), Ok("r0c3".to_owned()));
        assert_eq!(read("10x20 - TO", "O"), Ok("hr0c4".to_owned()));
        assert_eq!(read("10x20 - TO hold S", "S"), Ok("hr0c3".to_owned()));
        let error = read("10x20 - TO hold S", "O").unwrap_err();
        assert!(error.contains("it can be exchanged for S"), "{error}");
        let held: Position<u32> = "10x20 - TO hold S".parse().unwrap();
        assert_eq!(start(&game, &held)["hold"], "S");
    }

    #[test]
    fn what_is_no_hard_drop_is_refused_with_the_reason() {
        let check = |board, piece, orientation, x, y, part: &str| {
            let error = read(board, piece, orientation, x, y).unwrap_err();
            assert!(error.contains(part), "{error}");
        };
        check("-", "T", "north", 4, 1, "comes to rest at y 0");
        check(".#......../..........", "O", "north", 0, 0, "at y 2");
        check("-", "T", "north", 0, 0, "outside the board");
        check("-", "I", "north", 8, 0, "outside the board");
        check("-", "T", "up", 4, 0, "north, east, south or west");
        check("-", "T", "north", i64::MAX, 0, "x must be");
    }

    #[test]
    fn other_boards_and_shapes_are_not_the_protocols() {
        for (options, standard) in [
            ("", true),
            ("board=10x8 generator=bag", true),
            ("shapes=SZ", true),
            ("board=9x20", false),
            ("shapes=pentominoes", false),
            ("shapes=####", false),
            ("gravity=cascade", false),
        ] {
            assert_eq!(is_standard(game(options).rules()), standard, "{options}");
        }
    }
}
