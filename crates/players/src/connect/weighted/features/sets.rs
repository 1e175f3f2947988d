//! Sets of features: their names, their order, and weights set by hand.

use super::facts::{self, FACTS};

/// A set of features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Set {
    Lines,
    Parity,
    Traps,
    Facts,
}

/// How many features all sets begin with.
pub(super) const FIXED: usize = 10;

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

/// Features between those and the lines: what threats will come to. `parity` has the first of them, `traps` and `facts` have all.
pub(super) const COMING: usize = 7;

pub(super) const COMING_NAMES: [&str; COMING] = [
    "traps",
    "own-traps-1",
    "own-traps-2",
    "its-traps-1",
    "its-traps-2",
    "fills-won",
    "fills-lost",
];

/// Set by hand: a trap is worth more than any threat and less than a line, one that is still to be made a little less.
const COMING_BY_HAND: [f64; COMING] = [50.0, 2.0, 4.0, -30.0, -40.0, 5.0, -5.0];

/// More playable cells of a line than this are not told apart.
pub(super) const MOST_NOW: usize = 2;

impl Set {
    /// All sets, by name.
    pub(in super::super) const ALL: [(&'static str, Self); 4] = [
        ("lines", Self::Lines),
        ("parity", Self::Parity),
        ("traps", Self::Traps),
        ("facts", Self::Facts),
    ];

    /// How many of the features of what threats will come to it has.
    fn coming(self) -> usize {
        match self {
            Self::Lines => 0,
            Self::Parity => 1,
            Self::Traps | Self::Facts => COMING,
        }
    }

    /// Features before those of lines.
    pub(super) fn before_lines(self) -> usize {
        FIXED + self.coming()
    }

    /// How many playable cells are told apart in a line with so many empty ones.
    fn most_now(self, empty: usize) -> usize {
        match self {
            Self::Lines => 0,
            Self::Parity => MOST_NOW,
            Self::Traps | Self::Facts => empty.min(MOST_NOW),
        }
    }

    /// How many features lines of this many stones have, for one player.
    fn of_stones(self, connect: usize, stones: usize) -> usize {
        match self {
            Self::Lines => 1,
            Self::Parity | Self::Traps | Self::Facts => {
                connect - stones + 1 + self.most_now(connect - stones)
            }
        }
    }

    /// How many features lines of fewer stones than this have, for one player.
    pub(super) fn of_fewer(self, connect: usize, stones: usize) -> usize {
        (1..stones)
            .map(|fewer| self.of_stones(connect, fewer))
            .sum()
    }

    /// Names of the features that are counted for lines of `connect`, in their order.
    pub(super) fn features(self, connect: u8) -> Vec<String> {
        let coming = &COMING_NAMES[..self.coming()];
        let fixed = FIXED_NAMES.iter().chain(coming);
        let lines = each_line(connect, |whose, stones| match self {
            Self::Lines => vec![format!("{whose}-{stones}")],
            Self::Parity | Self::Traps | Self::Facts => {
                let empty = connect - stones;
                let wrong = (0..=empty).map(|wrong| format!("wrong-{wrong}"));
                let now = (1..=self.most_now(usize::from(empty))).map(|now| format!("now-{now}"));
                let name = |what| format!("{whose}-{stones}-{what}");
                wrong.chain(now).map(name).collect()
            }
        });
        fixed.map(|&name| name.to_owned()).chain(lines).collect()
    }

    /// Names of the features that have a weight of choice, in the order of the weights.
    pub(in super::super) fn names(self, connect: u8) -> Vec<String> {
        let features = self.features(connect).into_iter();
        features.filter(|name| !self.is_fact(name)).collect()
    }

    /// The weights of all features, given those of choice. `most` is more than any feature but facts can count.
    pub(super) fn complete(self, connect: u8, weights: &[f64], most: f64) -> Vec<f64> {
        match self {
            Self::Lines | Self::Parity | Self::Traps => weights.to_vec(),
            Self::Facts => facts::outweigh(&self.features(connect), weights, most),
        }
    }

    fn is_fact(self, name: &str) -> bool {
        self == Self::Facts && FACTS.contains(&name)
    }

    /// The weights when none are given: the fuller a line the better, and the fewer of its cells fall to the other player.
    pub(in super::super) fn weights_by_hand(self, connect: u8) -> Vec<f64> {
        let signed = |whose: &str, weight: f64| if whose == "own" { weight } else { -weight };
        let of_line = |stones: u8| 0.1 * f64::from(stones * stones);
        let coming = &COMING_BY_HAND[..self.coming()];
        let lines = each_line(connect, |whose, stones| match self {
            Self::Lines => vec![signed(whose, of_line(stones))],
            Self::Parity | Self::Traps | Self::Facts => {
                let empty = connect - stones;
                let wrong =
                    (0..=empty).map(|wrong| signed(whose, of_line(stones) / f64::from(1 + wrong)));
                let now = std::iter::repeat_n(0.0, self.most_now(usize::from(empty)));
                wrong.chain(now).collect()
            }
        });
        let all = BY_HAND.iter().chain(coming).copied().chain(lines);
        let named = self.features(connect).into_iter().zip(all);
        let of_choice = named.filter(|(name, _)| !self.is_fact(name));
        of_choice.map(|(_, weight)| weight).collect()
    }
}

/// What is given for each player and each number of stones in a line, own lines first.
fn each_line<T>(connect: u8, of: impl Fn(&str, u8) -> Vec<T>) -> Vec<T> {
    let players = ["own", "its"].into_iter();
    let both = players.flat_map(|whose| (1..connect).map(move |stones| (whose, stones)));
    both.flat_map(|(whose, stones)| of(whose, stones)).collect()
}
