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
//! A threat is an empty cell that would complete a line. When a column fills up move by move, the first player gets its odd rows
//! and the second its even ones (on boards with an even number of rows), so a threat or a line is worth more there.

use games::connect::{Bits, Connect, Position};

/// A set of features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Set {
    Lines,
    Parity,
}

/// How many features both sets begin with.
const FIXED: usize = 10;

const FIXED_NAMES: [&str; FIXED] = [
    "wins",
    "gives",
    "threatens",
    "own-right",
    "own-wrong",
    "its-right",
    "its-wrong",
    "centre",
    "own-moves",
    "its-moves",
];

/// Set by hand: win, do not let win, collect threats where they last, stay in the middle.
const BY_HAND: [f64; FIXED] = [1000.0, -100.0, 4.0, 6.0, 2.0, -6.0, -2.0, 0.3, 0.5, -0.5];

/// The weight of `traps`, set by hand: worth more than any threat, less than a line.
const TRAPS_BY_HAND: f64 = 50.0;

/// More playable cells of a line than this are not told apart.
const MOST_NOW: usize = 2;

impl Set {
    /// All sets, by name.
    pub(super) const ALL: [(&'static str, Self); 2] =
        [("lines", Self::Lines), ("parity", Self::Parity)];

    /// Features before those of lines.
    fn before_lines(self) -> usize {
        FIXED + usize::from(self == Self::Parity)
    }

    /// How many features lines of this many stones have, for one player.
    fn of_stones(self, connect: usize, stones: usize) -> usize {
        match self {
            Self::Lines => 1,
            Self::Parity => connect - stones + 1 + MOST_NOW,
        }
    }

    /// How many features lines of fewer stones than this have, for one player.
    fn of_fewer(self, connect: usize, stones: usize) -> usize {
        (1..stones)
            .map(|fewer| self.of_stones(connect, fewer))
            .sum()
    }

    /// Names of the features for lines of `connect`, in the order of their weights.
    pub(super) fn names(self, connect: u8) -> Vec<String> {
        let fixed = FIXED_NAMES.into_iter().map(str::to_owned);
        match self {
            Self::Lines => fixed
                .chain(each_line(connect, |whose, stones| {
                    vec![format!("{whose}-{stones}")]
                }))
                .collect(),
            Self::Parity => fixed
                .chain(["traps".to_owned()])
                .chain(each_line(connect, |whose, stones| {
                    let wrong = (0..=connect - stones).map(|wrong| format!("wrong-{wrong}"));
                    let now = (1..=MOST_NOW).map(|now| format!("now-{now}"));
                    let name = |what| format!("{whose}-{stones}-{what}");
                    wrong.chain(now).map(name).collect()
                }))
                .collect(),
        }
    }

    /// The weights when none are given: the fuller a line the better, and the fewer of its cells fall to the other player.
    pub(super) fn weights_by_hand(self, connect: u8) -> Vec<f64> {
        let signed = |whose: &str, weight: f64| if whose == "own" { weight } else { -weight };
        let of_line = |stones: u8| 0.1 * f64::from(stones * stones);
        match self {
            Self::Lines => BY_HAND
                .into_iter()
                .chain(each_line(connect, |whose, stones| {
                    vec![signed(whose, of_line(stones))]
                }))
                .collect(),
            Self::Parity => BY_HAND
                .into_iter()
                .chain([TRAPS_BY_HAND])
                .chain(each_line(connect, |whose, stones| {
                    let wrong = (0..=connect - stones)
                        .map(|wrong| signed(whose, of_line(stones) / f64::from(1 + wrong)));
                    wrong.chain([0.0; MOST_NOW]).collect()
                }))
                .collect(),
        }
    }
}

/// What is given for each player and each number of stones in a line, own lines first.
fn each_line<T>(connect: u8, of: impl Fn(&str, u8) -> Vec<T>) -> Vec<T> {
    let players = ["own", "its"].into_iter();
    let both = players.flat_map(|whose| (1..connect).map(move |stones| (whose, stones)));
    both.flat_map(|(whose, stones)| of(whose, stones)).collect()
}

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
        if self.set == Set::Parity {
            let wins = its.threats & playable;
            let blocks = mine.threats & playable;
            let saves = match blocks.count() {
                0 => its_moves,
                1 => its_moves & blocks,
                _ => B::ZERO,
            };
            let trapped = wins.is_empty() && saves.is_empty() && !playable.is_empty();
            features[FIXED] = f64::from(u8::from(trapped));
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
                Set::Parity => {
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
