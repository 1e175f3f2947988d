//! Shapes turned: what a board needs to know of every rotation.
//!
//! Rotation 0 is the shape as drawn, each further one is turned clockwise by a quarter; those that look
//! the same as an earlier one are left out.

use arrayvec::ArrayVec;

use super::piece::{Piece, Placement};
use super::shapes::{Cell, Drawing, MAX_SIDE};

/// One rotation of a shape, column by column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Oriented {
    width: u8,
    height: u8,
    cells: u8,
    gaps: u8,
    bottoms: [u8; MAX_SIDE],
    masks: [u8; MAX_SIDE],
}

impl Oriented {
    /// The rotation that fills these cells, which must lie in a tight box at the origin.
    fn new(cells: &[Cell]) -> Self {
        let mut masks = [0u8; MAX_SIDE];
        for &(column, row) in cells {
            masks[usize::from(column)] |= 1 << row;
        }
        let used = || masks.into_iter().take_while(|&mask| mask != 0);
        let span = |mask: u8| (u8::BITS - mask.leading_zeros() - mask.trailing_zeros()) as u8;
        Self {
            width: used().count() as u8,
            height: used()
                .map(|mask| 8 - mask.leading_zeros() as u8)
                .max()
                .unwrap_or(0),
            cells: cells.len() as u8,
            gaps: used().map(span).sum::<u8>() - cells.len() as u8,
            bottoms: masks.map(|mask| {
                if mask == 0 {
                    0
                } else {
                    mask.trailing_zeros() as u8
                }
            }),
            masks,
        }
    }

    /// Columns of the box.
    #[inline]
    #[must_use]
    pub fn width(&self) -> u32 {
        u32::from(self.width)
    }

    /// Rows of the box.
    #[inline]
    #[must_use]
    pub fn height(&self) -> u32 {
        u32::from(self.height)
    }

    /// How many cells the piece fills.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> u32 {
        u32::from(self.cells)
    }

    /// Empty cells of the piece that are covered by its own, as in a U that lies on its side.
    #[inline]
    #[must_use]
    pub fn gaps(&self) -> u32 {
        u32::from(self.gaps)
    }

    /// The lowest filled row of each column of the box.
    #[inline]
    #[must_use]
    pub fn bottoms(&self) -> &[u8] {
        &self.bottoms[..usize::from(self.width).min(MAX_SIDE)]
    }

    /// The filled rows of each column of the box, the lowest row as bit 0.
    #[inline]
    #[must_use]
    pub fn masks(&self) -> &[u8] {
        &self.masks[..usize::from(self.width).min(MAX_SIDE)]
    }
}

/// A shape with its rotations, and where they may go on a board of a certain width.
#[derive(Debug, Clone)]
pub struct Shape {
    piece: Piece,
    rotations: ArrayVec<Oriented, 4>,
    placements: Vec<Placement>,
    flattest: u32,
}

impl Shape {
    /// The rotations of a drawing, on a board of this many columns.
    #[must_use]
    pub fn new(drawing: &Drawing, columns: u8) -> Self {
        let rotations = rotations(&drawing.cells);
        let fitting = || rotations.iter().filter(|turned| turned.width <= columns);
        let mut placements = Vec::new();
        for (rotation, oriented) in rotations.iter().enumerate() {
            let columns = 0..(columns + 1).saturating_sub(oriented.width);
            placements.extend(columns.map(|column| Placement {
                hold: false,
                rotation: rotation as u8,
                column,
            }));
        }
        let flattest = fitting().map(Oriented::height).min().unwrap_or(u32::MAX);
        Self {
            piece: drawing.piece,
            rotations,
            placements,
            flattest,
        }
    }

    /// The letter of the shape.
    #[must_use]
    pub fn piece(&self) -> Piece {
        self.piece
    }

    /// The rotations that differ.
    #[inline]
    #[must_use]
    pub fn rotations(&self) -> &[Oriented] {
        &self.rotations
    }

    /// All placements on an empty board of sufficient height, in the order of the game's moves.
    #[inline]
    #[must_use]
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// The least height of a rotation that is not wider than the board; huge if all are.
    #[inline]
    #[must_use]
    pub fn flattest(&self) -> u32 {
        self.flattest
    }
}

fn rotations(cells: &[Cell]) -> ArrayVec<Oriented, 4> {
    let mut found = ArrayVec::new();
    let mut turned = cells.to_vec();
    for _ in 0..4 {
        let oriented = Oriented::new(&turned);
        if !found.contains(&oriented) {
            found.push(oriented);
        }
        for cell in &mut turned {
            *cell = (cell.1, oriented.width - 1 - cell.0);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tetris::ShapeSet;

    fn shapes(text: &str, columns: u8) -> Vec<Shape> {
        let set: ShapeSet = text.parse().unwrap();
        set.drawings()
            .iter()
            .map(|drawing| Shape::new(drawing, columns))
            .collect()
    }

    #[test]
    fn tetrominoes_have_their_placements_on_ten_columns() {
        let found: Vec<(String, usize, usize)> = shapes("tetrominoes", 10)
            .iter()
            .map(|s| {
                (
                    s.piece().to_string(),
                    s.rotations().len(),
                    s.placements().len(),
                )
            })
            .collect();
        let expected = [
            ("I", 2, 17),
            ("O", 1, 9),
            ("T", 4, 34),
            ("J", 4, 34),
            ("L", 4, 34),
            ("S", 2, 17),
            ("Z", 2, 17),
        ];
        assert_eq!(
            found,
            expected.map(|(letter, r, p)| (letter.to_owned(), r, p))
        );
    }

    #[test]
    fn pentominoes_are_the_18_one_sided_and_all_differ() {
        let all = shapes("pentominoes", 10);
        assert_eq!(all.len(), 18);
        assert!(all.iter().all(|shape| shape.rotations()[0].cells() == 5));
        // 63 fixed pentominoes: no rotation of one shape is a rotation of another.
        let mut fixed: Vec<Oriented> = Vec::new();
        for oriented in all.iter().flat_map(Shape::rotations) {
            assert!(!fixed.contains(oriented));
            fixed.push(*oriented);
        }
        assert_eq!(fixed.len(), 63);
    }

    #[test]
    fn hexominoes_have_216_rotations() {
        let all = shapes("hexominoes", 10);
        assert!(all.iter().all(|shape| shape.rotations()[0].cells() == 6));
        let fixed: Vec<Oriented> = all.iter().flat_map(Shape::rotations).copied().collect();
        let differ = |(place, one)| !fixed[..place].contains(one);
        assert!(fixed.iter().enumerate().all(differ));
        assert_eq!(fixed.len(), 216);
    }

    #[test]
    fn a_lying_u_covers_a_cell_of_its_own() {
        let gaps: Vec<u32> = shapes("#.#/###", 10)[0]
            .rotations()
            .iter()
            .map(Oriented::gaps)
            .collect();
        assert_eq!(gaps, [0, 1, 0, 1]);
    }

    #[test]
    fn rotation_turns_clockwise() {
        let j = &shapes("J", 10)[0];
        assert_eq!(j.rotations()[0].masks(), [0b11, 0b01, 0b01]);
        assert_eq!(j.rotations()[1].masks(), [0b111, 0b100]);
        assert_eq!(j.rotations()[1].bottoms(), [0, 2]);
    }
}
