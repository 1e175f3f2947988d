//! Thirty-two random games at once, under standard rules: each lane plays one, and takes the next when it is over.
//!
//! A cell of all lanes is a vector of bytes, and every step is the same for all lanes, without branches.
//! A lane whose direction changes nothing draws another one in the next step; so does one whose game is over, in vain, until the end of the block. That is
//! why games are looked at only once per block.

use streams::below_given;
use streams::lanes::{LANES, Lanes, Vector, Words};

use super::position::{MOST_CELLS, Position, Tiles};
use crate::game::{Dice, Generators};

/// With fewer games left than this, the rest is played faster one by one.
pub(super) const FEWEST: usize = 5;

/// The exponents of a cell in all lanes, plus 1; 0 is empty. So no exponent looks like the 1 that stands for emptiness in [`slide`].
type Cells = [Vector; MOST_CELLS];

/// Plays random moves to the end of each game, or until few are left: those are then where the lanes left them. Adds the moves to `moves`.
pub(super) fn playouts<const ROWS: usize, const COLS: usize>(
    four: u64,
    games: &mut [(Position, Dice)],
    moves: &mut [u32],
) {
    let mut table = Table::<ROWS, COLS> {
        four,
        lanes: [None; LANES],
        cells: [[0; LANES]; MOST_CELLS],
        fours: [0; LANES],
        moves: [0; LANES],
        chance: Lanes::default(),
        seat: Lanes::default(),
    };
    let mut waiting = 0..games.len();
    let mut playing = 0;
    for lane in 0..LANES {
        playing += usize::from(table.sit_down(lane, waiting.next(), games));
    }
    while playing >= FEWEST {
        let over = table.play_block();
        for lane in (0..LANES).filter(|&lane| over[lane] != 0) {
            if table.stand_up(lane, games, moves) && !table.sit_down(lane, waiting.next(), games) {
                playing -= 1;
            }
        }
    }
    for lane in 0..LANES {
        table.stand_up(lane, games, moves);
    }
}

/// The games under way.
struct Table<const ROWS: usize, const COLS: usize> {
    /// Below this a word of 32 bits means a 4.
    four: u64,
    /// Which game a lane plays.
    lanes: [Option<usize>; LANES],
    /// The board of every lane, as bytes: lanes are set one by one.
    cells: [[u8; LANES]; MOST_CELLS],
    fours: [u32; LANES],
    moves: [u32; LANES],
    chance: Lanes,
    seat: Lanes,
}

impl<const ROWS: usize, const COLS: usize> Table<ROWS, COLS> {
    /// Puts a game into a lane, or nothing: an empty board never changes.
    fn sit_down(
        &mut self,
        lane: usize,
        game: Option<usize>,
        games: &mut [(Position, Dice)],
    ) -> bool {
        self.lanes[lane] = game;
        (self.fours[lane], self.moves[lane]) = (0, 0);
        let Some(game) = game else {
            self.cells.iter_mut().for_each(|cell| cell[lane] = 0);
            return false;
        };
        let (position, dice) = &mut games[game];
        for (cell, exponent) in self.cells.iter_mut().zip(position.tiles.exponents()) {
            cell[lane] = exponent + u8::from(exponent > 0);
        }
        self.chance.set(lane, dice.chance());
        self.seat.set(lane, dice.seat(0));
        true
    }

    /// Takes the game out of its lane, as it stands; was there one?
    fn stand_up(&mut self, lane: usize, games: &mut [(Position, Dice)], moves: &mut [u32]) -> bool {
        let Some(game) = self.lanes[lane].take() else {
            return false;
        };
        let exponents: [u8; MOST_CELLS] =
            std::array::from_fn(|cell| self.cells[cell][lane].saturating_sub(1));
        let (position, dice) = &mut games[game];
        position.tiles = Tiles::of(ROWS as u8, COLS as u8, &exponents);
        position.fours += self.fours[lane];
        *dice.chance() = self.chance.stream(lane);
        *dice.seat(0) = self.seat.stream(lane);
        moves[game] += self.moves[lane];
        true
    }

    /// One direction after the other, in all lanes. Says which of them have no move left.
    fn play_block(&mut self) -> [u8; LANES] {
        let mut cells = self.cells.map(Vector::from);
        // A block is short enough to be counted in bytes.
        let [mut moves, mut fours] = [Vector::default(); 2];
        for directions in self.seat.top_bits() {
            let slid = slide_all::<ROWS, COLS>(&mut cells, directions);
            let spawned = self.draw(&slid);
            let is_four = spawn_all(&mut cells[..ROWS * COLS], slid.moved, spawned);
            moves = moves.sub_bytes(slid.moved);
            fours = fours.sub_bytes(is_four);
        }
        add_bytes(&mut self.moves, moves);
        add_bytes(&mut self.fours, fours);
        self.cells = cells.map(<[u8; LANES]>::from);
        over::<ROWS, COLS>(&cells)
    }

    /// Where tiles come, as the number of the empty cell; the highest bit marks a 4.
    fn draw(&mut self, slid: &Slid) -> Vector {
        let words = self.chance.next_where(slid.moved);
        let (spawned, is_fair) = spawns(&words, slid.empty, self.four);
        if is_fair {
            return spawned;
        }
        let [mut spawned, moved, empty] =
            [spawned, slid.moved, slid.empty].map(<[u8; LANES]>::from);
        for lane in (0..LANES).filter(|&lane| moved[lane] != 0) {
            let mut rng = self.chance.stream(lane);
            let word = <[u64; 4]>::from(words[lane % 8])[lane / 8];
            let cell = below_given((word >> 32) as u32, &mut rng, empty[lane].into());
            spawned[lane] = spawned[lane] & FOUR | cell as u8;
            self.chance.set(lane, &rng);
        }
        spawned.into()
    }
}

/// Adds each byte to the number of its lane.
fn add_bytes(numbers: &mut [u32; LANES], bytes: Vector) {
    for (number, byte) in numbers.iter_mut().zip(<[u8; LANES]>::from(bytes)) {
        *number += u32::from(byte);
    }
}

/// What sliding has done.
struct Slid {
    /// 255 where something has changed.
    moved: Vector,
    /// How many cells are empty.
    empty: Vector,
}

/// Marks a new tile as a 4.
const FOUR: u8 = 128;

/// All ones in the bytes that are 0.
#[inline(always)]
fn zeros(bytes: Vector) -> Vector {
    bytes.equal_bytes(Vector::default())
}

/// Exchanges two cells where the mask is set.
#[inline(always)]
fn exchange(cells: &mut Cells, one: usize, other: usize, mask: Vector) {
    let (before, after) = (cells[one], cells[other]);
    cells[one] = before.or_where(mask, after);
    cells[other] = after.or_where(mask, before);
}

/// Exchanges rows and columns of a square board where the mask is set.
#[inline(always)]
fn transpose<const SIDE: usize>(cells: &mut Cells, mask: Vector) {
    for row in 0..SIDE {
        for col in 0..row {
            exchange(cells, row * SIDE + col, col * SIDE + row, mask);
        }
    }
}

/// Slides lines towards their first cells, or where the mask is set towards their last ones; not 0 where that changes anything. Cell `step` of line
/// `line` has the number `line * across + step * along`.
#[inline(always)]
fn slide_lines<const LINES: usize, const LENGTH: usize>(
    cells: &mut Cells,
    [across, along]: [usize; 2],
    away: Vector,
) -> Vector {
    let mut changed = Vector::default();
    for line in 0..LINES {
        let place = |step: usize| line * across + step * along;
        for step in 0..LENGTH / 2 {
            exchange(cells, place(step), place(LENGTH - 1 - step), away);
        }
        let mut before = [Vector::default(); LENGTH];
        for step in 0..LENGTH {
            before[step] = cells[place(step)];
        }
        let after = slide(before);
        for step in 0..LENGTH {
            cells[place(step)] = after[step];
        }
        // What leaves the last cell comes to another one.
        for step in 0..LENGTH - 1 {
            changed = changed | (before[step] ^ after[step]);
        }
        for step in 0..LENGTH / 2 {
            exchange(cells, place(step), place(LENGTH - 1 - step), away);
        }
    }
    changed
}

/// Moves what follows an empty cell one step forward.
#[inline(always)]
fn close<const LENGTH: usize>(line: &mut [Vector; LENGTH], hole: usize) {
    let empty = zeros(line[hole]);
    line[hole] = line[hole] | (line[hole + 1] & empty);
    for step in hole + 1..LENGTH - 1 {
        line[step] = line[step].or_where(empty, line[step + 1]);
    }
    line[LENGTH - 1] = empty.outside(line[LENGTH - 1]);
}

/// Moves one tile into the empty cell before it.
#[inline(always)]
fn step_forward<const LENGTH: usize>(line: &mut [Vector; LENGTH], hole: usize) {
    let moved = line[hole + 1] & zeros(line[hole]);
    line[hole] = line[hole] | moved;
    line[hole + 1] = line[hole + 1] ^ moved;
}

/// A line after sliding towards index 0.
#[inline(always)]
fn slide<const LENGTH: usize>(mut line: [Vector; LENGTH]) -> [Vector; LENGTH] {
    for hole in (0..LENGTH - 1).rev() {
        close(&mut line, hole);
    }
    let mut merged_before = Vector::default();
    for step in 0..LENGTH - 1 {
        // Two empty cells are equal, too, but 0 is not 1.
        let next = line[step + 1].max_bytes(Vector::of_byte(1));
        let merges = merged_before.outside(line[step].equal_bytes(next));
        line[step] = merged_before.outside(line[step]).sub_bytes(merges);
        merged_before = merges;
    }
    line[LENGTH - 1] = merged_before.outside(line[LENGTH - 1]);
    // Merges leave at most every second cell empty, never the first: of five cells the last hole but one is closed first.
    if LENGTH == 5 {
        step_forward(&mut line, 3);
    }
    for hole in 1..LENGTH - 1 {
        step_forward(&mut line, hole);
    }
    line
}

/// Slides every lane its own way: 0 up, 1 right, 2 down, 3 left.
#[inline(never)]
fn slide_all<const ROWS: usize, const COLS: usize>(cells: &mut Cells, directions: Vector) -> Slid {
    let way = |number: u8| directions.equal_bytes(Vector::of_byte(number));
    let (up, right, down) = (way(0), way(1), way(2));
    let (vertical, away) = (up | down, right | down);
    let (rows, cols) = ([COLS, 1], [1, COLS]);
    let changed = if ROWS == COLS {
        transpose::<ROWS>(cells, vertical);
        let changed = slide_lines::<ROWS, COLS>(cells, rows, away);
        transpose::<ROWS>(cells, vertical);
        changed
    } else {
        let mut other = *cells;
        let in_rows = slide_lines::<ROWS, COLS>(cells, rows, away);
        let in_cols = slide_lines::<COLS, ROWS>(&mut other, cols, away);
        for (cell, other) in cells.iter_mut().zip(other).take(ROWS * COLS) {
            *cell = cell.or_where(vertical, other);
        }
        in_rows.or_where(vertical, in_cols)
    };
    let board = &cells[..ROWS * COLS];
    let add = |empty: Vector, &cell| empty.sub_bytes(zeros(cell));
    Slid {
        moved: zeros(zeros(changed)),
        empty: board.iter().fold(Vector::default(), add),
    }
}

/// What the words say of new tiles, as [`below_given`] reads them; and whether it would surely take all of them as they are.
#[inline(always)]
fn spawns(words: &Words, empty: Vector, four: u64) -> (Vector, bool) {
    // A lane without an empty cell has not moved.
    let empty = empty.max_bytes(Vector::of_byte(1));
    let half = Vector::of_word(32);
    let (low, small) = (Vector::of_word(u64::from(u32::MAX)), Vector::of_word(31));
    let (mut spawned, mut least) = (Vector::default(), low);
    for (word, k) in words.iter().zip(0..) {
        let lane = Vector::of_word(8 * k);
        let empty = empty.shift_down(lane) & Vector::of_word(255);
        let product = word.shift_down(half).mul_halves(empty);
        least = least.min_halves(product);
        let is_four =
            Vector::of_word(four).larger_words(*word & low) & Vector::of_word(FOUR.into());
        spawned = spawned | (product.shift_down(half) | is_four).shift_up(lane);
    }
    let unfair = small.larger_words(least & low);
    (spawned, <[u64; 4]>::from(unfair) == [0; 4])
}

/// Puts a tile on the chosen empty cell of every lane that has moved; 255 where it is a 4.
#[inline(always)]
fn spawn_all(cells: &mut [Vector], moved: Vector, spawned: Vector) -> Vector {
    let mut before = spawned & Vector::of_byte(!FOUR);
    let is_four = zeros(zeros(spawned & Vector::of_byte(FOUR))) & moved;
    let tile = (Vector::of_byte(2) & moved).sub_bytes(is_four);
    for cell in cells {
        let here = zeros(before | *cell) & tile;
        before = before.add_bytes(zeros(*cell));
        *cell = *cell | here;
    }
    is_four
}

/// Which lanes have no move left?
fn over<const ROWS: usize, const COLS: usize>(cells: &Cells) -> [u8; LANES] {
    let mut can = Vector::default();
    for cell in 0..ROWS * COLS {
        can = can | zeros(cells[cell]);
        if (cell + 1) % COLS != 0 {
            can = can | cells[cell].equal_bytes(cells[cell + 1]);
        }
        if cell + COLS < ROWS * COLS {
            can = can | cells[cell].equal_bytes(cells[cell + COLS]);
        }
    }
    zeros(can).into()
}

#[cfg(test)]
mod tests {
    use streams::Stream;

    use super::*;
    use crate::game::Game;
    use crate::options::Options;
    use crate::twenty48::{Rules, Twenty48};

    fn check(text: &str, chance: [u64; 4]) {
        let rules = Rules::from_options(&Options::default()).expect("the defaults are allowed");
        let game = Twenty48::new(rules);
        let position: Position = text.parse().expect("a position");
        let mut games: Vec<_> = (0..40).map(|n| (position, Dice::of(1, n))).collect();
        for (_, dice) in games.iter_mut().step_by(3) {
            *dice.chance() = Stream::of_state(chance);
        }
        let alone = games.clone().into_iter().map(|(mut position, mut dice)| {
            let moves = game.playout(&mut position, &mut dice);
            (position, moves)
        });
        let alone: Vec<_> = alone.collect();
        let moves = game.playouts(&mut games);
        let at_once = games.iter().map(|(position, _)| *position).zip(moves);
        assert_eq!(at_once.collect::<Vec<_>>(), alone, "{text}");
    }

    #[test]
    fn a_word_that_would_not_be_fair_is_drawn_again() {
        // The first word of this state is 0, which no number of empty cells but a power of two takes.
        check("0000/0110/0000/0000", [0, 1, 2, 0]);
    }

    #[test]
    fn tiles_that_four_bits_do_not_hold_are_kept() {
        check("ff00/0110/0000/0000", [1, 2, 3, 4]);
        check("gf00/0110/0000/0000", [1, 2, 3, 4]);
    }
}
