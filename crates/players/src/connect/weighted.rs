//! `weighted` for Connect-N: the column whose position has the highest value, weights times features.
//!
//! Every move is judged by one pass over the lines of the board, of which there are fewer than 4 M N, so a move costs O(N^2 M)
//! for any M, N, C and P. The features of the position after the own move, when the opponent is to move:
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
//! | own-1 ... own-(C-1) | lines with this many own stones and none of the opponent |
//! | its-1 ... its-(C-1) | the same of the opponent |
//!
//! A threat is an empty cell that would complete a line. When a column fills up move by move, the first player gets its odd rows
//! and the second its even ones (on boards with an even number of rows), so a hanging threat is worth more there.

use std::sync::Arc;

use games::connect::{Bits, Column, Connect, Position};
use games::{Game, Stream};
use spec::{Kind, Parameter, Spec, SpecError};

use crate::player::{Named, Player, PlayerFactory, Prepared, Tunable, best};

/// Makes the players that weigh features.
#[derive(Debug, Clone, Copy)]
pub struct WeightedLines;

const WEIGHTS: Parameter = Parameter {
    name: "weights",
    default: "",
    help: "one number per feature; see 'gamete players show weighted'",
};

impl Named for WeightedLines {
    const KIND: Kind = Kind {
        name: "weighted",
        about: "plays the column with the highest sum of weighted features",
        more: "Features of the position after the move, in this order: wins (the move completed a line), gives (cells where the opponent can \
               win at once), threatens (cells where the next own move would win), own-right, own-wrong, its-right, its-wrong (threats \
               hanging in the air, own and the opponent's, on rows that fall to their owner when columns fill up, and on others), centre \
               (closeness of own stones to the middle, less the opponent's), own-moves, its-moves (columns to play into without \
               letting the other win on top), then own-1 to own-(C-1) and its-1 to its-(C-1): lines with that many stones of one \
               player and none of the other. So there are 10 + 2 (C - 1) weights, 16 for Connect Four. One pass over the board per move. \
               Of equal columns the first is played.",
        parameters: &[WEIGHTS],
    };
}

/// How many features there are before those that depend on C.
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

/// Names of the features for lines of `connect`, in the order of their weights.
fn feature_names(connect: u8) -> Vec<String> {
    let lines = |whose: &'static str| (1..connect).map(move |stones| format!("{whose}-{stones}"));
    let fixed = FIXED_NAMES.into_iter().map(str::to_owned);
    fixed.chain(lines("own")).chain(lines("its")).collect()
}

/// The weights when none are given.
fn weights_by_hand(connect: u8) -> Vec<f64> {
    let lines = |sign: f64| (1..connect).map(move |stones| sign * 0.1 * f64::from(stones * stones));
    BY_HAND
        .into_iter()
        .chain(lines(1.0))
        .chain(lines(-1.0))
        .collect()
}

impl<B: Bits> PlayerFactory<Connect<B>> for WeightedLines {
    fn prepare(game: &Connect<B>, spec: &Spec) -> Result<Prepared<Connect<B>>, SpecError> {
        let connect = game.rules().connect;
        let weights = if spec.value(&WEIGHTS).is_empty() {
            weights_by_hand(connect)
        } else {
            let names = feature_names(connect);
            spec.numbers(
                &WEIGHTS,
                &names.iter().map(String::as_str).collect::<Vec<_>>(),
            )?
        };
        Ok(Prepared::copies(Weigher::new(game, weights)))
    }

    fn tunable(game: &Connect<B>, _: &Spec) -> Result<Tunable, SpecError> {
        Ok(Tunable::weights(feature_names(game.rules().connect)))
    }
}

#[derive(Clone)]
struct Weigher<B> {
    weights: Arc<[f64]>,
    lines: Arc<[B]>,
    /// Cells of rows 1, 3, 5 ... counted from 1 at the bottom.
    odd_rows: B,
    /// Cells of all rows but the lowest.
    off_floor: B,
    /// Cells by their closeness to the middle, from 1 on.
    rings: Arc<[B]>,
    connect: u32,
    features: Vec<f64>,
}

/// What the lines of one player come to.
struct Lines<B> {
    /// The empty cells that would complete a line.
    threats: B,
    /// Whether one is complete.
    won: bool,
}

impl<B: Bits> Weigher<B> {
    fn new(game: &Connect<B>, weights: Vec<f64>) -> Self {
        let rules = game.rules();
        let (rows, cols) = (u32::from(rules.rows), u32::from(rules.cols));
        let cells = |keep: &dyn Fn(u32, u32) -> bool| {
            let kept = (0..rows * cols).filter(|cell| keep(cell % rows, cell / rows));
            kept.fold(B::ZERO, |set, cell| set | B::bit(cell))
        };
        Self {
            features: vec![0.0; weights.len()],
            weights: weights.into(),
            lines: game.all_lines().into(),
            odd_rows: cells(&|row, _| row % 2 == 0),
            off_floor: cells(&|row, _| row > 0),
            rings: (1..cols.div_ceil(2))
                .map(|near| cells(&|_, column| column.min(cols - 1 - column) >= near))
                .collect(),
            connect: u32::from(rules.connect),
        }
    }

    /// Counts the lines that `own` alone has stones in, into the features from `first` on.
    fn count_lines(&mut self, own: B, other: B, first: usize) -> Lines<B> {
        let (mut threats, mut won) = (B::ZERO, false);
        for &line in &*self.lines {
            if !(line & other).is_empty() {
                continue;
            }
            let stones = (line & own).count();
            if stones == self.connect {
                won = true;
            } else if stones > 0 {
                self.features[first + stones as usize - 1] += 1.0;
                if stones + 1 == self.connect {
                    threats |= line & !own;
                }
            }
        }
        Lines { threats, won }
    }

    fn value(&mut self, game: &Connect<B>, position: &Position<B>, Column(column): Column) -> f64 {
        let mover = (position.plies() % 2) as u8;
        let mut after = *position;
        game.play_unchecked(&mut after, Column(column));
        let (own, other) = (after.stones(mover), after.stones(1 - mover));
        self.features.fill(0.0);
        let lines = self.connect as usize - 1;
        let mine = self.count_lines(own, other, FIXED);
        let its = self.count_lines(other, own, FIXED + lines);
        let playable = game.playable(&after);
        let (own_rows, its_rows) = if mover == 0 {
            (self.odd_rows, !self.odd_rows)
        } else {
            (!self.odd_rows, self.odd_rows)
        };
        let count = |cells: B| f64::from(cells.count());
        let hanging = |threats: B| threats & !playable;
        let centre = |stones: B| {
            self.rings
                .iter()
                .map(|&ring| count(stones & ring))
                .sum::<f64>()
        };
        // A cell whose upper neighbour is a threat: who plays there lets the other win on top.
        let below_threats = |threats: B| (threats & self.off_floor) >> 1;
        let fixed = [
            f64::from(u8::from(mine.won)),
            count(its.threats & playable),
            count(mine.threats & playable),
            count(hanging(mine.threats) & own_rows),
            count(hanging(mine.threats) & !own_rows),
            count(hanging(its.threats) & its_rows),
            count(hanging(its.threats) & !its_rows),
            centre(own) - centre(other),
            count(playable & !below_threats(its.threats)),
            count(playable & !below_threats(mine.threats)),
        ];
        self.features[..FIXED].copy_from_slice(&fixed);
        self.features
            .iter()
            .zip(&*self.weights)
            .map(|(feature, weight)| feature * weight)
            .sum()
    }
}

impl<B: Bits> Player<Connect<B>> for Weigher<B> {
    fn choose(&mut self, game: &Connect<B>, position: &Position<B>, rng: &mut Stream) -> Column {
        best(&self.judge(game, position, rng))
    }

    fn judge(
        &mut self,
        game: &Connect<B>,
        position: &Position<B>,
        _: &mut Stream,
    ) -> Vec<(Column, f64)> {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        moves
            .into_iter()
            .map(|column| (column, self.value(game, position, column)))
            .collect()
    }
}
