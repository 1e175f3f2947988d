//! How a population whose individuals play each other converges, as connect-n describes it: when its mean comes near the maximum, how far
//! mutations throw it back, and whether the finer objective tells individuals apart that the coarser one does not.

use evolve::{Candidate, Individual, Scores};

use crate::evolution::evaluator::Games;
use crate::evolution::fitness::{Objective, Opponents};
use crate::evolution::{Evolution, Plan, measurement_seed};
use crate::run::context::{RunContext, RunError};
use crate::run::history::{HISTORY, HistoryReader};
use crate::run::outcome::Outcome;

/// A mean that is called near the maximum of 1.
const NEAR: f64 = 0.95;
/// Sums of the same numbers in another order differ by less.
const ROUNDING: f64 = 1e-9;

/// Adds the numbers to the outcome, if the individuals played each other for wins.
pub(super) fn add(
    plan: &Plan,
    evolution: &Evolution<'_, Games>,
    seed: u64,
    context: &RunContext<'_>,
    outcome: &mut Outcome,
) -> Result<(), RunError> {
    let Games {
        encoding, fitness, ..
    } = &plan.evaluator;
    let for_wins = matches!(fitness.objective, Objective::NotLost | Objective::Graded);
    if fitness.opponents != Opponents::EachOther || !for_wins {
        return Ok(());
    }
    let history = HistoryReader::read(&context.path(HISTORY))?;
    let means = history.generations.iter().map(|one| one.generation.mean);
    let means: Vec<f64> = means.collect();
    add_means(&means, fitness.objective, outcome);
    let candidates = candidates(evolution.optimizer().population());
    let objectives = [Objective::NotLost, Objective::Graded];
    let (seed, workers) = (measurement_seed(seed), context.workers());
    let [coarse, fine] = fitness
        .score_by(objectives, encoding, &candidates, seed, workers, &|| {})?
        .map(|scores| scores.iter().map(mean).collect::<Vec<f64>>());
    let (tied, told_apart) = ties(&coarse, &fine);
    outcome.number("individuals tied by not-lost", tied as f64);
    outcome.number("of them told apart by graded", told_apart as f64);
    Ok(())
}

/// What the mean of the population did, by generation.
fn add_means(means: &[f64], objective: Objective, outcome: &mut Outcome) {
    let extreme = |means: &[f64], of: fn(f64, f64) -> f64| means.iter().copied().reduce(of);
    if let (Some(highest), Some(&last)) = (extreme(means, f64::max), means.last()) {
        outcome.number("highest mean fitness", highest);
        outcome.number("mean fitness at the end", last);
    }
    // The graded objective is at its maximum only for a player that wins every game.
    if objective != Objective::NotLost {
        return;
    }
    let reaches = |level: f64| means.iter().position(|&mean| mean >= level - ROUNDING);
    for (name, level) in [("1", 1.0), ("0.95", NEAR)] {
        let reached = reaches(level);
        let share = f64::from(u8::from(reached.is_some()));
        outcome.number(&format!("mean fitness reaches {name}"), share);
        if let Some(generation) = reached {
            let name = format!("generation in which mean fitness reaches {name}");
            outcome.number(&name, generation as f64);
        }
    }
    let after = reaches(NEAR).map_or(&[][..], |generation| &means[generation..]);
    if let Some(lowest) = extreme(after, f64::min) {
        outcome.number("lowest mean fitness after 0.95", lowest);
        for (name, level) in [("0.9", 0.9), ("0.8", 0.8)] {
            let below = after.iter().filter(|&&mean| mean < level).count();
            let share = below as f64 / after.len() as f64;
            outcome.number(&format!("share of means below {name} after 0.95"), share);
        }
    }
}

fn candidates(population: &[Individual]) -> Vec<Candidate> {
    let candidate = |(slot, one): (u32, &Individual)| Candidate {
        id: one.id,
        generation: 0,
        slot,
        games_before: 0,
        genome: one.genome.clone(),
    };
    (0..).zip(population).map(candidate).collect()
}

fn mean(scores: &Scores) -> f64 {
    scores.scores.iter().sum::<f64>() / scores.scores.len().max(1) as f64
}

/// How many individuals share their coarse fitness with others, and how many of these share their fine fitness with none of them.
fn ties(coarse: &[f64], fine: &[f64]) -> (usize, usize) {
    let same = |values: &[f64], a: usize, b: usize| (values[a] - values[b]).abs() < ROUNDING;
    let (mut tied, mut told_apart) = (0, 0);
    for one in 0..coarse.len() {
        let others = (0..coarse.len()).filter(|&other| other != one && same(coarse, one, other));
        let others: Vec<usize> = others.collect();
        if !others.is_empty() {
            tied += 1;
            told_apart += usize::from(!others.iter().any(|&other| same(fine, one, other)));
        }
    }
    (tied, told_apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(means: &[f64]) -> Vec<(String, f64)> {
        let mut outcome = Outcome::default();
        add_means(means, Objective::NotLost, &mut outcome);
        let metrics = outcome.metrics.into_iter();
        metrics.map(|(name, metric)| (name, metric.value)).collect()
    }

    #[test]
    fn a_mean_is_followed_to_its_maximum_and_back() {
        let numbers = numbers(&[0.5, 0.96, 0.7, 1.0, 0.85]);
        let value = |name: &str| numbers.iter().find(|one| one.0 == name).map(|one| one.1);
        let reached = "generation in which mean fitness reaches";
        assert_eq!(value(&format!("{reached} 0.95")), Some(1.0));
        assert_eq!(value(&format!("{reached} 1")), Some(3.0));
        assert_eq!(value("lowest mean fitness after 0.95"), Some(0.7));
        assert_eq!(value("share of means below 0.9 after 0.95"), Some(0.5));
        assert_eq!(value("share of means below 0.8 after 0.95"), Some(0.25));
        assert_eq!(value("mean fitness at the end"), Some(0.85));
    }

    #[test]
    fn a_mean_that_never_comes_near_has_no_generation() {
        let numbers = numbers(&[0.5, 0.6]);
        let has = |part: &str| numbers.iter().any(|(name, _)| name.contains(part));
        assert!(!has("generation in which") && !has("after"));
        assert!(numbers.contains(&("mean fitness reaches 1".to_owned(), 0.0)));
    }

    #[test]
    fn ties_are_counted_and_those_that_the_finer_objective_breaks() {
        assert_eq!(ties(&[1.0, 1.0, 1.0, 0.5], &[0.1, 0.2, 0.2, 0.2]), (3, 1));
        assert_eq!(ties(&[1.0, 0.9], &[0.1, 0.1]), (0, 0));
    }
}
