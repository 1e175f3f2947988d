//! Features of a position of Connect-N after a move, when the opponent is to move. `own` is who has just moved, `its` the opponent.
//!
//! | feature | counts |
//! |---|---|
//! | wins | 1 if the move completed a line |
//! | gives | cells where the opponent can complete a line at once |
//! | threatens | cells where the own next move would complete a line |
//! | own-right, own-wrong | own threats still hanging in the air, on rows that fall to their owner in the end, and on others |
//! | its-right, its-wrong | the same of the opponent |
//! | centre | own stones' closeness to the middle column, less the opponent's |
//! | own-moves, its-moves | columns each could play into without letting the other win on top of it |
//!
//! Then the lines that hold stones of one player only, by their number of stones K, from 1 to C - 1. The set `lines` has own-K and its-K.
//! The set `parity` tells more of them apart, by what their empty cells are like:
//!
//! | feature | counts |
//! |---|---|
//! | traps | 1 if the opponent has no reply that prevents a line with the next own stone |
//! | own-K-wrong-J, its-K-wrong-J | lines of K stones, J of whose empty cells are on rows that fall to the other player; J from 0 to C - K |
//! | own-K-now-1, own-K-now-2, ... | lines of K stones, one of whose empty cells can be played at once, and more than one |
//!
//! The set `traps` is `parity` without `now-2` of lines that have one empty cell, which is always 0, and with more of what threats
//! will come to, after `traps` (see [`outlook`]):
//!
//! | feature | counts |
//! |---|---|
//! | own-traps-1, own-traps-2 | 1 if one own move would be such a trap if the opponent passed, and if more would |
//! | its-traps-1, its-traps-2 | 1 if one reply of the opponent is such a trap, and if more are |
//! | fills-won, fills-lost | 1 if who has just moved wins when the columns fill up, and if the opponent does |
//!
//! The set `facts` counts the same as `traps`, and decides by five of them before it weighs the others (see [`facts`]).
//!
//! A threat is an empty cell that would complete a line. When a column fills up move by move, the first player gets its odd rows
//! and the second its even ones (on boards with an even number of rows), so a threat or a line is worth more there.

mod facts;
mod outlook;
mod sets;

use games::connect::{Bits, Connect, Position};

use self::outlook::Outlook;
pub(super) use self::sets::Set;
use self::sets::{COMING, FIXED, MOST_NOW};

/// Counts the features of positions of one board.
#[derive(Debug)]
pub(super) struct Counter<B> {
    set: Set,
    lines: Vec<B>,
    /// Cells of rows 1, 3, 5 ... counted from 1 at the bottom.
    odd_rows: B,
    /// Cells of all rows but the lowest.
    off_floor: B,
    /// Cells by their closeness to the middle, from 1 on.
    rings: Vec<B>,
    connect: usize,
    /// Where the features of own lines of so many stones begin.
    firsts: Vec<usize>,
    /// How many features the lines of one player have.
    of_lines: usize,
}

/// What the lines of one player come to.
struct Lines<B> {
    /// The empty cells that would complete a line.
    threats: B,
    /// Whether one is complete.
    won: bool,
}

/// A player's stones, and the cells that the features of its lines ask about.
struct Side<B> {
    stones: B,
    other: B,
    /// Rows that fall to the other player.
    wrong_rows: B,
}

impl<B: Bits> Counter<B> {
    pub(super) fn new(game: &Connect<B>, set: Set) -> Self {
        let rules = game.rules();
        let (rows, cols) = (u32::from(rules.rows), u32::from(rules.cols));
        let cells = |keep: &dyn Fn(u32, u32) -> bool| {
            let kept = (0..rows * cols).filter(|cell| keep(cell % rows, cell / rows));
            kept.fold(B::ZERO, |set, cell| set | B::bit(cell))
        };
        let connect = usize::from(rules.connect);
        let first = |stones| set.before_lines() + set.of_fewer(connect, stones);
        Self {
            set,
            lines: game.all_lines(),
            odd_rows: cells(&|row, _| row % 2 == 0),
            off_floor: cells(&|row, _| row > 0),
            rings: (1..cols.div_ceil(2))
                .map(|near| cells(&|_, column| column.min(cols - 1 - column) >= near))
                .collect(),
            connect,
            firsts: (0..connect.max(1)).map(first).collect(),
            of_lines: set.of_fewer(connect, connect),
        }
    }

    /// The weights of all features that are counted, given those that have a weight of choice.
    pub(super) fn weights(&self, of_choice: &[f64]) -> Vec<f64> {
        let cells = self.rings.iter().map(|ring| ring.count());
        // Lines of one player, cells, or closeness of stones to the middle.
        let most = self.lines.len() as u32 + cells.sum::<u32>() + B::BITS;
        self.set
            .complete(self.connect as u8, of_choice, f64::from(most))
    }

    /// Counts the features of a position in which the opponent of `own` is to move.
    pub(super) fn count(&self, game: &Connect<B>, after: &Position<B>, features: &mut [f64]) {
        features.fill(0.0);
        let mover = ((after.plies() + 1) % 2) as u8;
        let (own, other) = (after.stones(mover), after.stones(1 - mover));
        let playable = game.playable(after);
        let (own_rows, its_rows) = match mover {
            0 => (self.odd_rows, !self.odd_rows),
            _ => (!self.odd_rows, self.odd_rows),
        };
        let side = |stones, other, wrong_rows| Side {
            stones,
            other,
            wrong_rows,
        };
        let mine = self.count_lines(&side(own, other, its_rows), playable, features);
        let of_its = &mut features[self.of_lines..];
        let its = self.count_lines(&side(other, own, own_rows), playable, of_its);
        let count = |cells: B| f64::from(cells.count());
        let hanging = |threats: B| threats & !playable;
        let centre = |stones: B| {
            let rings = self.rings.iter().map(|&ring| count(stones & ring));
            rings.sum::<f64>()
        };
        // A cell whose upper neighbour is a threat: who plays there lets the other win on top.
        let below = |threats: B| (threats & self.off_floor) >> 1;
        let (own_moves, its_moves) = (
            playable & !below(its.threats),
            playable & !below(mine.threats),
        );
        let fixed = [
            f64::from(u8::from(mine.won)),
            count(its.threats & playable),
            count(mine.threats & playable),
            count(hanging(mine.threats) & own_rows),
            count(hanging(mine.threats) & !own_rows),
            count(hanging(its.threats) & its_rows),
            count(hanging(its.threats) & !its_rows),
            centre(own) - centre(other),
            count(own_moves),
            count(its_moves),
        ];
        features[..FIXED].copy_from_slice(&fixed);
        if self.set == Set::Lines {
            return;
        }
        let outlook = Outlook::new(game, self.off_floor);
        let threats = [mine.threats, its.threats];
        features[FIXED] = f64::from(u8::from(outlook.is_trapped(playable, threats)));
        if matches!(self.set, Set::Traps | Set::Facts) {
            let coming = outlook.coming([own, other], threats, mine.won);
            features[FIXED + 1..FIXED + COMING].copy_from_slice(&coming.map(f64::from));
        }
    }

    /// Counts the lines that a player alone has stones in.
    fn count_lines(&self, side: &Side<B>, playable: B, features: &mut [f64]) -> Lines<B> {
        let (mut threats, mut won) = (B::ZERO, false);
        for &line in &self.lines {
            if !(line & side.other).is_empty() {
                continue;
            }
            let stones = (line & side.stones).count() as usize;
            if stones == self.connect {
                won = true;
                continue;
            }
            if stones == 0 {
                continue;
            }
            let empty = line & !side.stones;
            if stones + 1 == self.connect {
                threats |= empty;
            }
            let first = self.firsts[stones];
            match self.set {
                Set::Lines => features[first] += 1.0,
                Set::Parity | Set::Traps | Set::Facts => {
                    features[first + (empty & side.wrong_rows).count() as usize] += 1.0;
                    let now = ((empty & playable).count() as usize).min(MOST_NOW);
                    if now > 0 {
                        features[first + self.connect - stones + now] += 1.0;
                    }
                }
            }
        }
        Lines { threats, won }
    }
}

#[cfg(test)]
mod tests;
