//! A rotation of a piece made ready: all that the features ask of it, found once.

use arrayvec::ArrayVec;
use games::tetris::{ColumnBits, MAX_COLUMNS, MAX_SIDE, Oriented, Tetris};

/// The rows of one column of the piece's box, the lowest as bit 0.
type Mask = u32;

/// Columns of the widest piece, and one more on each side.
const NEAR: usize = MAX_SIDE + 2;

/// Sets of rows beside a piece that fit into one word, and how many words the largest piece needs.
type Word = ArrayVec<Beside, { 2 * NEAR }>;
const WORDS: usize = (2 * NEAR * MAX_SIDE).div_ceil(Mask::BITS as usize) + 1;

/// Cells of a column that a cell of the piece lies beside, if they are filled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beside {
    /// The column, counted from one to the left of the piece.
    pub(crate) place: usize,
    /// Its rows that have a cell of the piece on one side, in the piece's box.
    pub(crate) rows: Mask,
    /// Where they have room in a word that they share.
    pub(crate) shift: i32,
}

/// One column of a rotation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Foot {
    /// The column, counted from the piece's first.
    pub(crate) place: usize,
    /// Its rows.
    pub(crate) mask: u8,
    /// Its lowest row, and one more than its highest.
    pub(crate) bottom: i32,
    pub(crate) top: i32,
    /// How many cells lie on one another from the lowest on.
    pub(crate) solid: i32,
}

/// A column of the piece or next to it, with the piece's rows there and on both sides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Near {
    /// The column, counted from one to the left of the piece.
    pub(crate) place: usize,
    pub(crate) left: Mask,
    pub(crate) own: Mask,
    pub(crate) right: Mask,
}

/// One rotation of a piece.
#[derive(Debug, Clone)]
pub(crate) struct Turned {
    pub(crate) oriented: Oriented,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) cells: i32,
    /// Its columns.
    pub(crate) feet: ArrayVec<Foot, MAX_SIDE>,
    /// Cells it covers of its own box, and their rows.
    pub(crate) gaps: i32,
    pub(crate) gap_rows: u8,
    /// Its rows by how many cells they have: a number, and the rows with that many.
    pub(crate) rows_of: ArrayVec<(usize, Mask), MAX_SIDE>,
    /// The same numbers as binary digits, the lowest first: the rows whose number has the digit.
    pub(crate) digits: [u8; 3],
    /// Its columns and one more on each side.
    pub(crate) near: ArrayVec<Near, NEAR>,
    /// All cells beside it, to the left of one of its own and to the right, by words that they fit into.
    pub(crate) beside: ArrayVec<Word, WORDS>,
    /// Edges to its left and right, and edges below and above, to whatever is not the piece.
    pub(crate) side_edges: i32,
    pub(crate) level_edges: i32,
    /// Of the former those of its first and of its last column to what is beside the piece, and those to cells below it.
    pub(crate) first_edges: i32,
    pub(crate) last_edges: i32,
    pub(crate) edges_below: i32,
    /// Columns that reach the lowest row.
    pub(crate) soles: i32,
    /// Edges at the walls, by the column of the left edge.
    pub(crate) wall_edges: [i32; MAX_COLUMNS],
    pub(crate) most_wall_edges: i32,
    /// The height of its first and last column, and the set of steps between neighbouring ones.
    pub(crate) first_top: i32,
    pub(crate) last_top: i32,
    pub(crate) steps: u32,
}

impl Turned {
    /// All rotations of all shapes of the game, in its order.
    pub(crate) fn all<C: ColumnBits>(game: &Tetris<C>) -> Vec<Vec<Self>> {
        let columns = usize::from(game.rules().columns);
        let turn = |oriented| Self::new(oriented, columns);
        game.shapes()
            .iter()
            .map(|shape| shape.rotations().iter().map(turn).collect())
            .collect()
    }

    fn new(oriented: &Oriented, columns: usize) -> Self {
        let own: Vec<Mask> = oriented.masks().iter().map(|&mask| mask.into()).collect();
        let width = own.len();
        let near = near(&own);
        let beside = beside(&near, oriented.height());
        let wall_edges = wall_edges(&own, columns);
        let tops: Vec<i32> = own.iter().map(|mask| mask.height() as i32).collect();
        Self {
            oriented: *oriented,
            width,
            height: oriented.height() as usize,
            cells: oriented.cells() as i32,
            feet: own.iter().enumerate().map(Foot::new).collect(),
            gaps: oriented.gaps() as i32,
            gap_rows: own.iter().fold(0, |rows, &mask| rows | gaps(mask)) as u8,
            digits: digits(&rows_of(&own)),
            rows_of: rows_of(&own),
            near,
            side_edges: beside.iter().flatten().map(|side| count(side.rows)).sum(),
            beside,
            first_edges: count(own[0]),
            last_edges: count(own[width - 1]),
            edges_below: own
                .windows(2)
                .map(|pair| edges_below(pair[0], pair[1]))
                .sum(),
            level_edges: own.iter().map(|&mask| count(mask ^ (mask << 1))).sum(),
            soles: own.iter().filter(|&&mask| mask & 1 == 1).count() as i32,
            wall_edges,
            most_wall_edges: wall_edges.iter().fold(0, |most, &edges| most.max(edges)),
            first_top: tops[0],
            last_top: tops[width - 1],
            steps: tops
                .windows(2)
                .fold(0, |steps, pair| steps | step(pair[1] - pair[0])),
        }
    }

    /// How many lanes have a placement, on a board of this many columns.
    #[inline]
    pub(crate) fn lanes(&self, columns: usize) -> usize {
        (columns + 1).saturating_sub(self.width)
    }
}

impl Foot {
    fn new((place, &mask): (usize, &Mask)) -> Self {
        let bottom = mask.trailing_zeros();
        Self {
            place,
            mask: mask as u8,
            bottom: bottom as i32,
            top: mask.height() as i32,
            solid: (mask >> bottom).trailing_ones() as i32,
        }
    }
}

fn count(rows: Mask) -> i32 {
    rows.count_ones() as i32
}

/// Side edges between two neighbouring columns whose empty cell is below all of the other's.
fn edges_below(left: Mask, right: Mask) -> i32 {
    let below = |own: Mask| (1 << own.trailing_zeros()) - 1;
    count(left & below(right)) + count(right & below(left))
}

/// The empty rows between filled ones.
fn gaps(mask: Mask) -> Mask {
    mask.covered() & !mask & !((1 << mask.trailing_zeros()) - 1)
}

fn rows_of(own: &[Mask]) -> ArrayVec<(usize, Mask), MAX_SIDE> {
    let cells = |row: usize| own.iter().filter(|&&mask| mask >> row & 1 == 1).count();
    let rows_with = |count: usize| {
        (0..MAX_SIDE)
            .filter(|&row| cells(row) == count)
            .fold(0, |rows, row| rows | 1 << row)
    };
    let all = (1..=MAX_SIDE).map(|count| (count, rows_with(count)));
    all.filter(|&(_, rows)| rows != 0).collect()
}

fn digits(rows_of: &[(usize, Mask)]) -> [u8; 3] {
    [0, 1, 2].map(|digit| {
        let with_digit = rows_of.iter().filter(|(count, _)| count >> digit & 1 == 1);
        with_digit.fold(0, |rows, of| rows | of.1 as u8)
    })
}

fn near(own: &[Mask]) -> ArrayVec<Near, NEAR> {
    let empty = [0, 0];
    let padded = [&empty, own, &empty].concat();
    let around = padded.windows(3).enumerate();
    around
        .map(|(place, rows)| Near {
            place,
            left: rows[0],
            own: rows[1],
            right: rows[2],
        })
        .collect()
}

fn beside(near: &[Near], height: u32) -> ArrayVec<Word, WORDS> {
    let sides = |near: &Near| {
        let place = near.place;
        [near.left & !near.own, near.right & !near.own].map(|rows| (place, rows))
    };
    let all: Vec<_> = near
        .iter()
        .flat_map(sides)
        .filter(|side| side.1 != 0)
        .collect();
    let fit = Mask::BITS / height;
    let word = |sides: &[(usize, Mask)]| {
        let places = (0..).step_by(height as usize).zip(sides);
        let beside = places.map(|(shift, &(place, rows))| Beside { place, rows, shift });
        beside.collect()
    };
    all.chunks(fit as usize).map(word).collect()
}

fn wall_edges(own: &[Mask], columns: usize) -> [i32; MAX_COLUMNS] {
    let mut edges = [0; MAX_COLUMNS];
    if let Some(last) = columns.checked_sub(own.len()) {
        edges[0] += count(own[0]);
        edges[last] += count(own[own.len() - 1]);
    }
    edges
}

/// The step from a height to the next as a set of one, or an empty set if it is more than two.
#[inline(always)]
pub(crate) fn step(difference: i32) -> u32 {
    let place = (difference + 2) as u32;
    if place <= 4 { 1 << (place & 7) } else { 0 }
}
