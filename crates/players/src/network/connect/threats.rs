//! Threats: empty cells that would complete a line. They decide games long before they can be played, by who must play below them.
//!
//! For every pair of columns a table knows how high they are and where the lowest threat of each player is. One more table knows how many
//! threats of each can be played at once, and how many columns have one in an odd or an even row that is not above one of the other
//! player.

use std::ops::Range;

use games::connect::{Bits, Connect, Rules};

use super::super::ShapeError;

/// Boards with more rows or columns would need too many entries.
const MOST_ROWS: u8 = 8;
const MOST_COLS: u8 = 10;

/// A number of threats that has entries of its own is at most this, two bits.
const MOST: usize = 3;
/// Numbers in the table of all threats.
const NUMBERS: u32 = 6;

/// Finds threats of a board and looks them up.
#[derive(Debug, Clone)]
pub(super) struct Threats<B> {
    game: Box<Connect<B>>,
    /// Columns that share a table with each other, and with their mirror images.
    pairs: Vec<[usize; 2]>,
    /// How many heights a column can have; as many places its lowest threat can be at, or none.
    heights: usize,
}

/// Can threats of this board be looked up?
pub(super) fn fit(rules: Rules) -> bool {
    rules.rows <= MOST_ROWS && rules.cols <= MOST_COLS
}

/// An error if they cannot.
pub(super) fn check(rules: Rules) -> Result<(), ShapeError> {
    match fit(rules) {
        true => Ok(()),
        false => Err(ShapeError(format!(
            "threats are known on boards of at most {MOST_ROWS} rows and {MOST_COLS} columns, not of {} and {}",
            rules.rows, rules.cols
        ))),
    }
}

impl<B: Bits> Threats<B> {
    pub(super) fn new(rules: Rules) -> Self {
        let cols = usize::from(rules.cols);
        let pairs = (0..cols).flat_map(|left| (left + 1..cols).map(move |right| [left, right]));
        // The others are mirror images of these.
        let pairs = pairs.filter(|[left, right]| left + right < cols).collect();
        Self {
            game: Box::new(Connect::new(rules)),
            pairs,
            heights: usize::from(rules.rows) + 1,
        }
    }

    /// Entries of each table.
    pub(super) fn sizes(&self) -> Vec<usize> {
        let pairs = self.pairs.iter().map(|_| 2 * self.heights.pow(6));
        pairs.chain([2 << (2 * NUMBERS)]).collect()
    }

    /// Calls `found` with every table of a range and the entries of the position in it, as it is and mirrored.
    #[inline]
    pub(super) fn each(
        &self,
        [own, other]: [B; 2],
        second: usize,
        tables: Range<usize>,
        mut found: impl FnMut(usize, &[usize]),
    ) {
        if tables.is_empty() {
            return;
        }
        let occupied = own | other;
        let next = self.game.on_top(occupied);
        let threats = [own, other].map(|stones| self.game.completing(stones) & !occupied);
        let mut codes = [0; MOST_COLS as usize];
        let mut numbers = [0; NUMBERS as usize];
        let playable = threats.map(|cells| (cells & next).count() as usize);
        numbers[..2].copy_from_slice(&playable);
        for (column, code) in self.game.columns().iter().zip(&mut codes) {
            let floor = column.lowest();
            let lowest = threats.map(|cells| match cells & *column {
                cells if cells.is_empty() => 0,
                cells => (cells.lowest() - floor) as usize + 1,
            });
            let height = (occupied & *column).count() as usize;
            *code = (height * self.heights + lowest[0]) * self.heights + lowest[1];
            let [mine, its] = lowest;
            for (first, threat, against) in [(2, mine, its), (4, its, mine)] {
                if threat > 0 && (against == 0 || threat <= against) {
                    numbers[first + threat % 2] += 1;
                }
            }
        }
        let last = self.game.columns().len() - 1;
        for table in tables {
            let entries = match self.pairs.get(table) {
                Some(&[left, right]) => {
                    let entry = |left: usize, right: usize| {
                        let columns = self.heights.pow(3);
                        (second * columns + codes[left]) * columns + codes[right]
                    };
                    [entry(left, right), entry(last - left, last - right)]
                }
                None => {
                    let all = numbers
                        .iter()
                        .fold(second, |entry, &number| entry << 2 | number.min(MOST));
                    [all; 2]
                }
            };
            found(table, &entries);
        }
    }
}
