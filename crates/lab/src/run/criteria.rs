//! The three criteria by which 2048-ga judges an evolution: its best fitness, how steadily that rose, and how far best and mean are apart.

use super::outcome::Outcome;
use crate::evolution::Generation;

/// The best fitness of any generation.
pub const BEST_FITNESS: &str = "best fitness";
/// 1 less the share of the largest step in the rise of the best fitness so far.
pub const STEADINESS: &str = "steadiness";
/// The distance between best and mean fitness of the last generation.
pub const BEST_MINUS_MEAN: &str = "best minus mean";

/// Adds the criteria of a whole evolution. If lower fitness is better, falling is rising.
pub fn add(generations: &[Generation], is_lower_better: bool, outcome: &mut Outcome) {
    let Some(last) = generations.last() else {
        return;
    };
    let sign = if is_lower_better { -1.0 } else { 1.0 };
    let fitness: Vec<f64> = generations.iter().map(|one| sign * one.best).collect();
    let rise = Rise::of(&fitness);
    outcome.number(BEST_FITNESS, sign * rise.best);
    if let Some(steadiness) = rise.steadiness() {
        outcome.number(STEADINESS, steadiness);
    }
    outcome.number(BEST_MINUS_MEAN, sign * (last.best - last.mean));
}

/// The rise of the best fitness so far.
struct Rise {
    first: f64,
    best: f64,
    /// The largest step.
    step: f64,
}

impl Rise {
    fn of(fitness: &[f64]) -> Self {
        let first = fitness[0];
        let begin = Self {
            first,
            best: first,
            step: 0.0,
        };
        fitness.iter().fold(begin, |rise, &next| Self {
            best: rise.best.max(next),
            step: rise.step.max(next - rise.best),
            ..rise
        })
    }

    fn steadiness(&self) -> Option<f64> {
        let whole = self.best - self.first;
        (whole > 0.0).then(|| 1.0 - self.step / whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(best: &[f64], mean: f64, is_lower_better: bool, expected: [Option<f64>; 3]) {
        let generation = |&best: &f64| Generation {
            number: 0,
            best,
            mean,
            games: 0,
        };
        let generations: Vec<Generation> = best.iter().map(generation).collect();
        let mut outcome = Outcome::default();
        add(&generations, is_lower_better, &mut outcome);
        let value = |name| outcome.metrics.get(name).map(|metric| metric.value);
        let found = [BEST_FITNESS, STEADINESS, BEST_MINUS_MEAN].map(value);
        assert_eq!(found, expected, "{best:?}");
    }

    #[test]
    fn a_rise_is_steady_if_no_step_stands_out() {
        check(
            &[1.0, 2.0, 3.0, 4.0, 5.0],
            3.0,
            false,
            [Some(5.0), Some(0.75), Some(2.0)],
        );
        check(
            &[1.0, 1.0, 5.0, 5.0],
            5.0,
            false,
            [Some(5.0), Some(0.0), Some(0.0)],
        );
        // What was reached before is no rise, and the last best need not be the best.
        check(
            &[1.0, 3.0, 2.0, 5.0, 4.0],
            1.0,
            false,
            [Some(5.0), Some(0.5), Some(3.0)],
        );
        check(&[7.0, 6.0, 7.0], 6.5, false, [Some(7.0), None, Some(0.5)]);
        check(&[], 0.0, false, [None, None, None]);
    }

    #[test]
    fn where_lower_is_better_falling_is_rising() {
        check(
            &[9.0, 7.0, 5.0],
            6.0,
            true,
            [Some(5.0), Some(0.5), Some(1.0)],
        );
    }
}
