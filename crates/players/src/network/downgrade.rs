//! Boards with large tiles as boards with smaller ones, which a network has met more often (tile-downgrading, Guei et al. 2021).

use games::twenty48::{Position, Tiles};
use spec::{Parameter, Spec, SpecError};

/// From which tile on boards are downgraded.
pub(crate) const DOWNGRADE: Parameter = Parameter {
    name: "downgrade",
    default: "0",
    help: "from this tile on, tiles above the largest missing one count as half; a power of two from 8 to 65536, or 0 for never",
};

/// The exponent of the tile; `None` for never.
pub(crate) fn read(spec: &Spec) -> Result<Option<u8>, SpecError> {
    let tile: u64 = spec.number(&DOWNGRADE, 0..=65_536)?;
    match tile {
        0 => Ok(None),
        8.. if tile.is_power_of_two() => Ok(Some(tile.trailing_zeros() as u8)),
        _ => Err(spec.at(
            DOWNGRADE.name,
            format!("downgrade must be a power of two from 8 to 65536, or 0, not {tile}"),
        )),
    }
}

/// The position as it is looked at. It has the same moves: tiles that were equal stay so, and no others become equal.
pub(crate) fn downgraded(position: &Position, from: Option<u8>) -> Position {
    let tiles = position.tiles();
    match from {
        Some(from) if tiles.has_at_least(from) => position.with_tiles(halved(tiles)),
        _ => *position,
    }
}

/// Halves the tiles above the largest that is missing.
fn halved(tiles: Tiles) -> Tiles {
    let is_there = |exponent: u8| tiles.exponents().any(|one| one == exponent);
    let missing = (1..tiles.highest())
        .rev()
        .find(|&exponent| !is_there(exponent));
    match missing {
        Some(missing) => tiles.mapped(|exponent| exponent - u8::from(exponent > missing)),
        None => tiles,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_above_the_largest_missing_one_are_halved() {
        let position = |text: &str| text.parse::<Position>().expect("a position");
        let check = |before: &str, after: &str| {
            let found = downgraded(&position(before), Some(11));
            assert_eq!(found.to_string(), position(after).to_string());
        };
        // 1024 is the largest missing one; in the second board 256 is, below three that move.
        check("b971/0000/0000/0000", "a971/0000/0000/0000");
        check("ba90/0000/0000/0000", "a980/0000/0000/0000");
        // Too small, or nothing missing.
        check("a971/0000/0000/0000", "a971/0000/0000/0000");
        check("ba98/4567/3210/0000", "ba98/4567/3210/0000");
        // A board that needs five bits fits four again.
        check("g000/0000/0000/0001", "f000/0000/0000/0001");
    }
}
