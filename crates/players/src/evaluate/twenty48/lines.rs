//! `lines`: weights of twelve features of rows and columns, those at the border (outer) and the others (inner) apart.
//!
//! | feature of a line | counts |
//! |---|---|
//! | empty | empty cells |
//! | merges, merges-3 | pairs that would merge in a slide; the same by x^3 of their tile |
//! | sum, sum-5 | sum of x and of x^5 over the tiles |
//! | breaks | by how much x rises or falls along the line, whichever is less: 0 when it is in order |
//! | steps, steps-3, steps-squared | differences of neighbours, of x and of x^3; squares of those of x |
//! | ends | x^4 at both ends |
//! | trapped, peaks | by how much a tile lies below both its neighbours; and above both |
//!
//! x is a tile's exponent over that of 2048. Features and powers are the best of five sets, tried by one short evolution each.

use std::array::from_fn;
use std::sync::{Arc, LazyLock};

use games::twenty48::{Packed, Position, Tiles, Twenty48};
use spec::{Spec, SpecError};

use super::features::{Columns, Feature, Table, apart, below, empty, power, weighed};
use crate::evaluate::{Evaluate, WEIGHTS};

/// The features of a line.
pub(crate) static FEATURES: [Feature; 12] = [
    Feature::new("empty", 0.55, empty),
    Feature::new("merges", 0.43, |line| merges(line, 0)),
    Feature::new("merges-3", 0.2, |line| merges(line, 3)),
    Feature::new("sum", 0.63, |line| sum(line, 1)),
    Feature::new("sum-5", 0.61, |line| sum(line, 5)),
    Feature::new("breaks", 0.26, breaks),
    Feature::new("steps", 0.48, |line| steps(line, |a, b| apart(a, b, 1))),
    Feature::new("steps-3", 0.6, |line| steps(line, |a, b| apart(a, b, 3))),
    Feature::new("steps-squared", 0.44, |line| {
        steps(line, |a, b| power(a.abs_diff(b), 2))
    }),
    Feature::new("ends", 0.44, |line| {
        power(line[0], 4) + power(line[line.len() - 1], 4)
    }),
    Feature::new("trapped", 0.22, |line| {
        inside(line, |left, cell, right| below(cell, left.min(right)))
    }),
    Feature::new("peaks", 0.22, |line| {
        inside(line, |left, cell, right| below(left.max(right), cell))
    }),
];

/// Where lines are told apart.
const PLACES: [&str; 2] = ["outer", "inner"];

/// How many weights there are.
pub(crate) const COUNT: usize = PLACES.len() * FEATURES.len();

/// How much more a board is worth than a lost one, in units of the sum of all weights' sizes; a search needs to know.
const ALIVE: f64 = 4.0;

/// Used when a spec gives none: evolved by `studies/2048-records/lines.toml`.
pub(crate) const EVOLVED: [f64; COUNT] = [
    3.6636828958012786,
    3.9746481408983683,
    -13.719470771585721,
    -13.47127541300804,
    2.4736782529027654,
    3.147661845078683,
    -31.35865803437604,
    -0.04772070025095394,
    3.9153919809001416,
    -0.031514818649068195,
    4.592710238333353,
    8.011045502499744,
    2.355781323525283,
    6.034481086486469,
    36.72589290569308,
    -29.535759940832328,
    -29.149314102506683,
    1.6833656361824572,
    -32.296334654230414,
    -27.134637720075812,
    2.631765585023687,
    -7.1980745416598335,
    8.719117212631373,
    1.0401853416854014,
];

fn sum(line: &[u8], by: i32) -> f64 {
    let tiles = line.iter().filter(|&&exponent| exponent > 0);
    tiles.map(|&exponent| power(exponent, by)).sum()
}

/// The pairs that merge when the line is slid, each by a power of its tile.
fn merges(line: &[u8], by: i32) -> f64 {
    let (mut merged, mut open) = (0.0, 0);
    for &exponent in line.iter().filter(|&&exponent| exponent > 0) {
        if exponent == open {
            merged += power(exponent, by);
            open = 0;
        } else {
            open = exponent;
        }
    }
    merged
}

/// By how much the line rises or falls, whichever is less.
fn breaks(line: &[u8]) -> f64 {
    let rises = steps(line, below);
    let falls = steps(line, |a, b| below(b, a));
    rises.min(falls)
}

fn steps(line: &[u8], of: impl Fn(u8, u8) -> f64) -> f64 {
    line.windows(2).map(|pair| of(pair[0], pair[1])).sum()
}

fn inside(line: &[u8], of: impl Fn(u8, u8, u8) -> f64) -> f64 {
    let three = line.windows(3);
    three.map(|three| of(three[0], three[1], three[2])).sum()
}

/// The names of the weights, the outer lines' first.
pub(crate) fn names() -> impl Iterator<Item = String> + Clone {
    let of_place = |place: &'static str| {
        let names = FEATURES.iter().map(|feature| feature.name);
        names.map(move |name| format!("{place}-{name}"))
    };
    PLACES.into_iter().flat_map(of_place)
}

/// The evaluation with its weights: the value of every outer and every inner line of four cells.
#[derive(Clone)]
pub struct Lines {
    tables: Arc<[Box<Table>; 2]>,
    weights: Arc<[f64]>,
    alive: f32,
}

impl Lines {
    /// The evaluation with these weights, as many as there are names.
    pub(crate) fn new(weights: &[f64]) -> Self {
        static COLUMNS: LazyLock<Columns> = LazyLock::new(|| Columns::new(&FEATURES));
        let of_place = |place: usize| COLUMNS.weighed(&weights[place * FEATURES.len()..]);
        let size: f64 = weights.iter().map(|weight| weight.abs()).sum();
        Self {
            tables: Arc::new(from_fn(of_place)),
            weights: weights.into(),
            alive: (ALIVE * size) as f32,
        }
    }

    /// The evaluation with the weights of a spec, or those that were evolved.
    pub(crate) fn from_spec(spec: &Spec) -> Result<Self, SpecError> {
        if spec.value(&WEIGHTS).is_empty() {
            return Ok(Self::new(&EVOLVED));
        }
        let names: Vec<String> = names().collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Ok(Self::new(&spec.numbers(&WEIGHTS, &names)?))
    }

    /// The value of any tiles.
    #[inline]
    #[must_use]
    pub fn of(&self, tiles: Tiles) -> f32 {
        match tiles {
            Tiles::Packed(packed) => self.of_packed(packed),
            Tiles::Wide(_) => self.of_any(tiles) as f32,
        }
    }

    #[inline]
    pub(crate) fn of_packed(&self, packed: Packed) -> f32 {
        let [outer, inner] = &*self.tables;
        let rows = |board: u64| {
            let line = |table: &Table, shift: u32| table[usize::from((board >> shift) as u16)];
            (line(outer, 0) + line(outer, 48)) + (line(inner, 16) + line(inner, 32))
        };
        rows(packed.0) + rows(packed.transposed().0)
    }

    /// The same from the exponents, for boards of other sizes and with larger tiles.
    fn of_any(&self, tiles: Tiles) -> f64 {
        of_any(&self.weights, tiles)
    }

    /// What it is worth to a search, where a lost board is worth 0.
    #[inline]
    pub(crate) fn alive(&self, value: f32) -> f32 {
        self.alive + value
    }
}

/// The weighed features of all lines of any board.
pub(crate) fn of_any(weights: &[f64], tiles: Tiles) -> f64 {
    let cells: Vec<u8> = tiles.exponents().collect();
    let (rows, cols) = (usize::from(tiles.rows()), usize::from(tiles.cols()));
    let value = |line: &[u8], place: usize, count: usize| {
        let inner = usize::from(place > 0 && place + 1 < count);
        weighed(&FEATURES, &weights[inner * FEATURES.len()..], line)
    };
    let across = (0..rows).map(|row| value(&cells[row * cols..][..cols], row, rows));
    let down = (0..cols).map(|col| {
        let line: Vec<u8> = (0..rows).map(|row| cells[row * cols + col]).collect();
        value(&line, col, cols)
    });
    across.chain(down).sum()
}

impl Evaluate<Twenty48> for Lines {
    fn value(&self, _: &Twenty48, position: &Position) -> f64 {
        f64::from(self.alive(self.of(position.tiles())))
    }
}
