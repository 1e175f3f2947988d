//! The ratio of two sums over games, with its 95 % interval.

use super::mean::interval_around;
use super::mean_interval;

/// The sum of `above` by the sum of `below`, one value each for every game; `None` if the latter is 0. The interval is that of the mean of
/// the linearised ratio (the delta method): long games count more, as they do in the ratio.
pub(crate) fn ratio(above: &[f64], below: &[f64]) -> Option<(f64, Option<[f64; 2]>)> {
    let total: f64 = below.iter().sum();
    if total == 0.0 {
        return None;
    }
    let value = above.iter().sum::<f64>() / total;
    let mean = total / below.len() as f64;
    let pairs = above.iter().zip(below);
    let linear: Vec<f64> = pairs
        .map(|(above, below)| value + (above - value * below) / mean)
        .collect();
    Some((value, mean_interval(&linear)))
}

/// The same ratio of whole numbers that are added game by game: exact sums of their powers and products are all that it needs.
#[derive(Debug, Clone, Default)]
pub(crate) struct RatioOfSums {
    games: u64,
    above: i128,
    below: i128,
    /// Of above², above x below, below².
    squares: [i128; 3],
    /// Of above³, above² x below, above x below², below³.
    cubes: [i128; 4],
}

impl RatioOfSums {
    /// Adds a game.
    pub(crate) fn add(&mut self, above: i64, below: i64) {
        let (a, b) = (i128::from(above), i128::from(below));
        self.games += 1;
        self.above += a;
        self.below += b;
        let squares = [a * a, a * b, b * b];
        for (sum, square) in self.squares.iter_mut().zip(squares) {
            *sum += square;
        }
        let [aa, ab, bb] = squares;
        for (sum, cube) in self.cubes.iter_mut().zip([aa * a, aa * b, ab * b, bb * b]) {
            *sum += cube;
        }
    }

    /// The ratio and its interval.
    pub(crate) fn ratio(&self) -> Option<(f64, Option<[f64; 2]>)> {
        if self.below == 0 {
            return None;
        }
        let (n, value) = (self.games as f64, self.above as f64 / self.below as f64);
        let mean = self.below as f64 / n;
        let [aa, ab, bb] = self.squares.map(|sum| sum as f64);
        let [aaa, aab, abb, bbb] = self.cubes.map(|sum| sum as f64);
        let squares = (aa - 2.0 * value * ab + value * value * bb) / (mean * mean);
        let cubes =
            aaa - 3.0 * value * aab + 3.0 * value * value * abb - value * value * value * bbb;
        // What is left of equal games are rounding errors.
        let squares = if squares * mean * mean > 1e-12 * aa {
            squares
        } else {
            0.0
        };
        let interval = interval_around(value, n, squares, cubes / (mean * mean * mean));
        Some((value, (self.games > 1).then_some(interval)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use streams::stream;

    #[test]
    fn games_of_equal_length_have_the_interval_of_their_mean() {
        let (points, moves) = ([30.0, 50.0, 10.0, 70.0], [10.0; 4]);
        let (value, interval) = ratio(&points, &moves).expect("moves");
        assert!((value - 4.0).abs() < 1e-12);
        let [low, high] = mean_interval(&points.map(|points| points / 10.0)).expect("four");
        let [ours_low, ours_high] = interval.expect("four games");
        assert!((low - ours_low).abs() < 1e-12 && (high - ours_high).abs() < 1e-12);
    }

    #[test]
    fn sums_have_the_ratio_of_their_games() {
        let of_sums = |games: &[(i64, i64)]| {
            let mut sums = RatioOfSums::default();
            for &(above, below) in games {
                sums.add(above, below);
            }
            sums.ratio()
        };
        let of_games = |games: &[(i64, i64)]| {
            let (above, below): (Vec<f64>, Vec<f64>) =
                games.iter().map(|&(a, b)| (a as f64, b as f64)).unzip();
            ratio(&above, &below)
        };
        let mut dice = stream(3, &[]);
        let mut number = |bound| streams::below(&mut dice, bound) as i64;
        let many: Vec<(i64, i64)> = (0..500)
            .map(|_| (1000 + number(90_000), 10 + number(3000)))
            .collect();
        let (value, interval) = of_sums(&many).expect("moves");
        let (expected, around) = of_games(&many).expect("moves");
        let ours = [[value; 2], interval.expect("many")].concat();
        let theirs = [[expected; 2], around.expect("many")].concat();
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert!((ours / theirs - 1.0).abs() < 1e-9, "{ours} {theirs}");
        }
        for few in [&[][..], &[(5, 0)], &[(6, 2)], &[(3, 1), (9, 3), (30, 10)]] {
            assert_eq!(of_sums(few), of_games(few), "{few:?}");
        }
    }

    #[test]
    fn nothing_is_no_ratio() {
        assert_eq!(ratio(&[1.0], &[0.0]), None);
        assert_eq!(ratio(&[], &[]), None);
        assert_eq!(ratio(&[6.0], &[2.0]), Some((3.0, None)));
    }

    /// Of 400 studies with 40 games each, a right interval misses 20 and more than 40 with a probability below 0.0001.
    #[test]
    fn the_interval_holds_the_truth_in_most_studies() {
        let mut missed = 0;
        for study in 0..400 {
            let mut dice = stream(1, &[study]);
            let mut uniform = || streams::below(&mut dice, 1000) as f64 / 1000.0;
            let moves: Vec<f64> = (0..40).map(|_| 10.0 + 90.0 * uniform()).collect();
            // Three points a move, and noise without a mean.
            let points: Vec<f64> = moves
                .iter()
                .map(|moves| 3.0 * moves + 40.0 * (uniform() - 0.4995))
                .collect();
            let [low, high] = ratio(&points, &moves)
                .and_then(|of| of.1)
                .expect("40 games");
            missed += u32::from(!(low..=high).contains(&3.0));
        }
        assert!((5..=40).contains(&missed), "{missed} of 400");
    }
}
