//! How often how many lines were cleared at once, and what it is worth.

use crate::game::{Fact, Facts};

/// Points for clearing `lines` at once: 10, 30, 60, 100, 150, 210 ...
#[must_use]
pub fn points(lines: u32) -> u64 {
    5 * u64::from(lines) * (u64::from(lines) + 1)
}

/// Clears so far, by the number of lines at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Clears {
    /// How often one, two, ... five lines were cleared at once.
    pub counts: [u64; 5],
    /// Clears of more than five, which only a hexomino or a cascade can do.
    pub avalanches: Avalanches,
}

/// Clears of six and more lines at once: rare, so only their sums are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Avalanches {
    /// How many.
    pub count: u64,
    /// Their lines.
    pub lines: u64,
    /// Their points.
    pub points: u64,
}

impl Clears {
    /// Counts one clear of this many lines at once; none is no clear.
    #[inline]
    pub fn add(&mut self, lines: u32) {
        match lines {
            0 => {}
            1..=5 => self.counts[lines as usize - 1] += 1,
            _ => {
                self.avalanches.count += 1;
                self.avalanches.lines += u64::from(lines);
                self.avalanches.points += points(lines);
            }
        }
    }

    /// All lines.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.weigh(u64::from) + self.avalanches.lines
    }

    /// All points.
    #[must_use]
    pub fn points(&self) -> u64 {
        self.weigh(points) + self.avalanches.points
    }

    /// Sums over single to fivefold clears what each is worth.
    fn weigh(&self, worth: impl Fn(u32) -> u64) -> u64 {
        (1..)
            .zip(self.counts)
            .map(|(lines, count)| worth(lines) * count)
            .sum()
    }

    /// A game's facts: how long it was and how its lines came, up to the most that come at once.
    pub(super) fn facts(&self, pieces: u64, most: u32) -> Facts {
        let names = [
            "singles",
            "doubles",
            "triples",
            "tetrises",
            "pentrises",
            "avalanches",
        ];
        let counts = self.counts.into_iter().chain([self.avalanches.count]);
        [("pieces", pieces), ("lines", self.lines())]
            .into_iter()
            .chain(names.into_iter().zip(counts).take(most as usize))
            .map(|(name, count)| (name, Fact::Count(count)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_those_of_tetris_ga() {
        assert_eq!([1, 2, 3, 4, 5].map(points), [10, 30, 60, 100, 150]);
    }

    #[test]
    fn clears_add_up() {
        let mut clears = Clears::default();
        for lines in [0, 1, 1, 4, 5, 6, 7] {
            clears.add(lines);
        }
        assert_eq!(clears.counts, [2, 0, 0, 1, 1]);
        assert_eq!(
            clears.avalanches,
            Avalanches {
                count: 2,
                lines: 13,
                points: 490
            }
        );
        assert_eq!((clears.lines(), clears.points()), (24, 760));
    }
}
