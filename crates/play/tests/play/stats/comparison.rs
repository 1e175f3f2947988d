//! What a comparison says, word for word.

use play::stats::{
    Better, Comparison, Effect, Observed, Pairing, Sample, Test, compare, compare_games,
    compare_with,
};

fn sample(label: &str, values: impl IntoIterator<Item = f64>) -> Sample {
    Sample {
        label: label.to_owned(),
        values: values.into_iter().collect(),
        range: [f64::NEG_INFINITY, f64::INFINITY],
    }
}

/// `n` values 1, 2, 3 ..., all moved by `shift`.
fn steps(label: &str, n: u32, shift: f64) -> Sample {
    sample(label, (1..=n).map(|value| f64::from(value) + shift))
}

fn independent(samples: &[Sample]) -> Comparison {
    compare(samples, Pairing::Independent, Better::Higher)
}

fn check(comparison: &Comparison, verdict: &str) {
    assert_eq!(comparison.verdict, verdict);
}

#[test]
fn a_clear_difference_is_told_from_the_side_of_the_winner() {
    let samples = [
        steps("population 10", 10, 0.0),
        steps("population 100", 10, 5.5),
    ];
    let numbers = "(p = 0.003 by Holm, A12 = 0.90: a large effect).";
    let higher = independent(&samples);
    check(
        &higher,
        &format!("population 100 is better than population 10 {numbers}"),
    );
    assert_eq!(higher.best, Some(1));
    let pair = higher.pairs[0];
    assert_eq!((pair.test, pair.winner), (Test::MannWhitney, Some(1)));
    assert!(pair.a12 < 0.15 && pair.effect == Effect::Large && pair.significant);
    let lower = compare(&samples, Pairing::Independent, Better::Lower);
    check(
        &lower,
        &format!("population 10 is better than population 100 {numbers}"),
    );
    assert_eq!((lower.best, lower.pairs[0].winner), (Some(0), Some(0)));
}

#[test]
fn all_are_compared_with_one_if_there_is_a_base() {
    let samples = [
        steps("all", 12, 0.0),
        steps("without a", 12, -5.0),
        steps("without b", 12, 0.0),
        steps("without c", 12, 3.0),
    ];
    let compared = compare_with(&samples, 0, Pairing::Paired, Better::Higher);
    let verdict = "Better than all (p < 0.05 by Holm): without c. Worse than all (p < 0.05 by Holm): without a. No significant difference from all: without b. ";
    assert!(
        compared.verdict.starts_with(verdict),
        "{}",
        compared.verdict
    );
    let ends: Vec<_> = compared
        .pairs
        .iter()
        .map(|pair| (pair.first, pair.second))
        .collect();
    assert_eq!(ends, [(0, 1), (0, 2), (0, 3)]);
    let difference = compared.pairs[0].difference.expect("paired repeats");
    assert_eq!(
        (difference.mean, difference.ci95),
        (-5.0, Some([-5.0, -5.0]))
    );
    // Three comparisons are corrected for, not six.
    let all = compare(&samples, Pairing::Paired, Better::Higher);
    assert!(compared.pairs[0].p_holm < all.pairs[0].p_holm);
    assert_eq!(all.pairs[0].difference, None);
    // Too few repeats for a paired test still have paired differences.
    let few: Vec<Sample> = samples
        .iter()
        .map(|one| sample(&one.label, one.values[..3].to_vec()))
        .collect();
    let compared = compare_with(&few, 0, Pairing::Paired, Better::Higher);
    assert_eq!(compared.pairing, Pairing::Independent);
    assert_eq!(compared.pairs[2].difference.map(|one| one.mean), Some(3.0));
}

#[test]
fn pairs_that_share_their_luck_tell_more() {
    let samples = [steps("a", 12, 0.0), steps("b", 12, 0.5)];
    check(
        &independent(&samples),
        "These 12 repeats do not show which setting is better: the largest effect seen (A12 = 0.54) is negligible. 12 repeats per setting have about 22 % power to detect a medium effect (A12 = 0.64); 67 would have 80 %.",
    );
    let paired = compare(&samples, Pairing::Paired, Better::Higher);
    check(
        &paired,
        "b is better than a (p < 0.001 by Holm, A12 = 0.54: a negligible effect).",
    );
    assert_eq!(paired.pairs[0].test, Test::Wilcoxon);
    let unequal = [steps("a", 12, 0.0), steps("b", 11, 0.5)];
    let fallen_back = compare(&unequal, Pairing::Paired, Better::Higher);
    assert_eq!(fallen_back.pairing, Pairing::Independent);
    assert_eq!(fallen_back.pairs[0].test, Test::MannWhitney);
}

/// Wilcoxon's test of five pairs has no p below 0.0625: whoever asked for pairs is still told of a difference as clear as this.
#[test]
fn pairs_too_few_for_a_paired_test_are_compared_as_independent() {
    let check = |repeats, settings, test| {
        let samples: Vec<Sample> = (0..settings)
            .map(|setting| steps(&format!("s{setting}"), repeats, 100.0 * f64::from(setting)))
            .collect();
        let comparison = compare(&samples, Pairing::Paired, Better::Higher);
        assert!(
            comparison
                .pairs
                .iter()
                .all(|pair| pair.test == test && pair.significant)
        );
    };
    check(5, 2, Test::MannWhitney);
    check(6, 2, Test::Wilcoxon);
    check(6, 5, Test::MannWhitney);
    check(9, 5, Test::Wilcoxon);
    check(10, 10, Test::MannWhitney);
    check(11, 10, Test::Wilcoxon);
}

#[test]
fn champions_are_compared_by_their_games() {
    let comparison = compare_games(
        &[steps("x/s1-r1", 12, 0.0), steps("x/s2-r1", 12, 0.5)],
        Observed::Games,
        Better::Higher,
    );
    check(
        &comparison,
        "These 12 games do not show which run is better: the largest effect seen (A12 = 0.54) is negligible. 12 games per run have about 22 % power to detect a medium effect (A12 = 0.64); 67 would have 80 %.",
    );
}

#[test]
fn without_a_difference_the_repeats_needed_are_told() {
    check(
        &independent(&[steps("a", 5, 0.0), steps("b", 5, 0.7)]),
        "These 5 repeats do not show which setting is better. If the largest effect seen (A12 = 0.60) is real, about 131 repeats per setting would show it. 5 repeats per setting have about 12 % power to detect a medium effect (A12 = 0.64); 67 would have 80 %.",
    );
    check(
        &independent(&[steps("a", 3, 0.0), steps("b", 4, 10.0)]),
        "These 3 to 4 repeats do not show which setting is better. If the largest effect seen (A12 = 1.00) is real, about 6 repeats per setting would show it. 3 to 4 repeats per setting have about 9 % power to detect a medium effect (A12 = 0.64); 67 would have 80 %.",
    );
    check(
        &independent(&[sample("a", [1.0; 100]), sample("b", [1.0; 100])]),
        "These 100 repeats do not show which setting is better: the largest effect seen (A12 = 0.50) is negligible. 100 repeats per setting are enough to detect a medium effect (A12 = 0.64): 93 % power.",
    );
}

#[test]
fn several_settings_are_told_in_one_sentence() {
    let far = [
        steps("a", 20, 0.0),
        steps("b", 20, 10.3),
        steps("c", 20, 20.6),
    ];
    let comparison = independent(&far);
    check(
        &comparison,
        "c is better than both others (p < 0.001 by Holm, A12 at least 0.89: a large effect).",
    );
    assert_eq!(
        comparison.overall.map(|overall| overall.test),
        Some(Test::KruskalWallis)
    );
    let paired = compare(&far, Pairing::Paired, Better::Higher);
    assert_eq!(
        paired.overall.map(|overall| overall.test),
        Some(Test::Friedman)
    );
    check(
        &independent(&[
            steps("a", 20, 0.0),
            steps("b", 20, 0.2),
            steps("c", 20, 20.6),
            steps("d", 20, 20.5),
        ]),
        "c is better than a and b; whether it is better than d is open (p < 0.001 by Holm, A12 at least 1.00: a large effect). 20 repeats per setting have about 13 % power to detect a medium effect (A12 = 0.64) in one of 6 comparisons; 103 would have 80 %.",
    );
}

#[test]
fn too_few_repeats_are_told() {
    check(&independent(&[]), "Nothing is compared.");
    check(
        &independent(&[steps("a", 9, 0.0)]),
        "Nothing is compared: there is only one setting.",
    );
    check(
        &independent(&[steps("a", 1, 0.0), steps("b", 1, 4.0)]),
        "Nothing can be concluded from one repeat per setting; 67 are needed to detect a medium effect (A12 = 0.64) with 80 % power.",
    );
    check(
        &independent(&[steps("a", 0, 0.0), steps("b", 9, 4.0)]),
        "Nothing can be concluded until two settings have at least two repeats each; 67 are needed to detect a medium effect (A12 = 0.64) with 80 % power.",
    );
    let left_out = independent(&[steps("a", 1, 0.0), steps("b", 9, 0.0), steps("c", 9, 20.0)]);
    check(
        &left_out,
        "c is better than b (p < 0.001 by Holm, A12 = 1.00: a large effect). Too few repeats to compare: a.",
    );
    assert_eq!((left_out.pairs.len(), left_out.overall), (1, None));
}

#[test]
fn effects_have_the_same_word_on_both_sides() {
    let check = |a12: f64, effect: Effect| {
        assert_eq!((Effect::of(a12), Effect::of(1.0 - a12)), (effect, effect));
    };
    check(0.5, Effect::Negligible);
    check(0.55, Effect::Negligible);
    check(0.57, Effect::Small);
    check(0.64, Effect::Medium);
    check(0.72, Effect::Large);
    check(1.0, Effect::Large);
}

#[test]
fn a_comparison_is_written_flat() {
    let comparison = independent(&[steps("a", 5, 0.0), steps("b", 1, 0.0), steps("c", 0, 0.0)]);
    let json = serde_json::to_value(&comparison).expect("numbers and words");
    let sample = |place: usize| &json["samples"][place];
    assert_eq!(sample(0)["median"], 3.0);
    assert_eq!(
        (&sample(0)["p25"], &sample(0)["max"]),
        (&2.0.into(), &5.0.into())
    );
    assert!(sample(0)["mean_ci95"][0].is_number());
    assert!(sample(1)["mean_ci95"].is_null() && sample(1)["mean"] == 1.0);
    assert!(sample(2).get("mean").is_none() && sample(2)["n"] == 0);
    assert_eq!(
        (&json["pairing"], &json["better"]),
        (&"independent".into(), &"higher".into())
    );
}
