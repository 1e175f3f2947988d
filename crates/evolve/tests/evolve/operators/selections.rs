//! Selections, by how often each pair becomes parents.

use evolve::operator::AnyOperator;
use evolve::select::AnySelection;
use streams::stream;

use super::{DRAWS, check_counts, chosen};

/// The fitness of five individuals; their ranks, 0 is the best.
const FITNESS: [f64; 5] = [3.0, 1.0, 5.0, 4.0, 2.0];
const RANKS: [usize; 5] = [2, 4, 0, 1, 3];

/// Compares how often each ordered pair is chosen with `expected`.
fn check(text: &str, fitness: &[f64], expected: impl Fn(usize, usize) -> f64) {
    let selection = chosen::<AnySelection>(text);
    let n = fitness.len();
    let mut counts = vec![0; n * n];
    let mut rng = stream(1, &[]);
    for _ in 0..DRAWS {
        let [a, b] = selection.select(fitness, 1, &mut rng).pairs[0];
        counts[a * n + b] += 1;
    }
    let expected: Vec<f64> = (0..n * n).map(|at| expected(at / n, at % n)).collect();
    check_counts(text, &counts, &expected);
}

/// As [`check`], for independent parents with these odds.
fn check_odds(text: &str, fitness: &[f64], odds: &[f64]) {
    let sum: f64 = odds.iter().sum();
    check(text, fitness, |a, b| odds[a] * odds[b] / (sum * sum));
}

/// As [`check_odds`] for [`FITNESS`], odds by rank, the best first.
fn check_ranks(text: &str, odds: [f64; 5]) {
    check_odds(text, &FITNESS, &RANKS.map(|rank| odds[rank]));
}

#[test]
fn roulette_is_proportional() {
    check_odds("roulette", &FITNESS, &FITNESS);
    check_odds("roulette", &[-1.0, 0.0, 1.0], &[0.0, 1.0, 2.0]);
    check_odds("roulette", &[0.0; 4], &[1.0; 4]);
}

#[test]
fn universal_sampling_gives_the_expected_number_up_to_rounding() {
    let selection = chosen::<AnySelection>("sus");
    for seed in 0..200 {
        let selected = selection.select(&FITNESS, 10, &mut stream(seed, &[]));
        for (place, fitness) in FITNESS.iter().enumerate() {
            let times = selected.pairs.iter().flatten().filter(|&&p| p == place);
            let expected = 20.0 * fitness / 15.0;
            assert!((times.count() as f64 - expected).abs() < 1.0);
        }
    }
    // Two pointers are half a turn apart.
    let halves = selection.select(&[1.0, 1.0], 1, &mut stream(0, &[]));
    assert_ne!(halves.pairs[0][0], halves.pairs[0][1]);
}

#[test]
fn universal_sampling_shuffles_its_parents() {
    // Three equal shares and two pointers: every ordered pair of distinct individuals is equally likely.
    check("sus", &[1.0; 3], |a, b| f64::from(a != b) / 6.0);
}

#[test]
fn larger_tournaments_have_more_pressure() {
    check_ranks("tournament", [9.0, 7.0, 5.0, 3.0, 1.0]);
    check_ranks("tournament(size=3)", [61.0, 37.0, 19.0, 7.0, 1.0]);
    check_ranks("tournament(size=1)", [1.0; 5]);
    check_odds("tournament", &[2.0, 2.0, 1.0], &[4.0, 4.0, 1.0]);
}

#[test]
fn ranking_is_linear() {
    check_ranks("rank", [6.0, 5.0, 4.0, 3.0, 2.0]);
    check_ranks("rank(pressure=2)", [4.0, 3.0, 2.0, 1.0, 0.0]);
    check_ranks("rank(pressure=1)", [1.0; 5]);
    check_odds("rank", &[-1e9, 1e9], &[1.0, 3.0]);
    check_odds("rank", &[7.0], &[1.0]);
}

#[test]
fn truncation_takes_the_best_share() {
    check_ranks("truncation(share=0.4)", [1.0, 1.0, 0.0, 0.0, 0.0]);
    check_ranks("truncation(share=0)", [1.0, 0.0, 0.0, 0.0, 0.0]);
    check_ranks("truncation(share=1)", [1.0; 5]);
    check_odds("truncation", &[1.0, 1.0, 1.0, 2.0], &[1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn the_better_half_is_rounded_up() {
    check_ranks("better-half", [1.0, 1.0, 1.0, 0.0, 0.0]);
    check_odds("better-half", &[1.0, 2.0, 3.0, 4.0], &[0.0, 0.0, 1.0, 1.0]);
}

#[test]
fn random_ignores_fitness() {
    check_ranks("random", [1.0; 5]);
}

#[test]
fn the_second_is_at_least_as_good_as_the_first() {
    check("at-least-as-good(share=0.6)", &FITNESS, |a, b| {
        let (first, second) = (RANKS[a], RANKS[b]);
        let possible = first < 3 && second <= first;
        f64::from(possible) / (3.0 * (first as f64 + 1.0))
    });
    // Equals count as at least as good.
    check(
        "at-least-as-good(share=1)",
        &[5.0, 5.0, 1.0],
        |a, b| match (a, b) {
            (2, _) => 1.0 / 9.0,
            (_, 2) => 0.0,
            _ => 1.0 / 6.0,
        },
    );
    check("at-least-as-good", &FITNESS, |a, b| {
        f64::from((a, b) == (2, 2))
    });
}

#[test]
fn parents_are_the_elite_and_its_children() {
    // Two of five are the elite: places 2 and 3.
    let selection = chosen::<AnySelection>("elite-and-children(elite=0.4)");
    let mut counts = [[0; 7]; 2];
    let mut rng = stream(1, &[]);
    for _ in 0..DRAWS {
        let pairs = selection.select(&FITNESS, 2, &mut rng).pairs;
        for (pair, counts) in pairs.iter().zip(&mut counts) {
            counts[pair[0]] += 1;
        }
        // The second stands before the first in the list 2, 3, 5, 6.
        let place = |parent| [2, 3, 5, 6].iter().position(|&one| one == parent);
        let [first, second] = pairs[1].map(place);
        assert!(second < first || (first, second) == (Some(0), Some(0)));
    }
    let half = [0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.0];
    check_counts("the first pair", &counts[0], &half);
    let quarter = [0.0, 0.0, 0.25, 0.25, 0.0, 0.25, 0.25];
    check_counts("the second pair", &counts[1], &quarter);
}

/// All ordered draws of four out of five.
fn fours_of_five() -> Vec<[usize; 4]> {
    let all = (0..625).map(|n| [n / 125, n / 25 % 5, n / 5 % 5, n % 5]);
    all.filter(|four| (0..4).all(|i| !four[..i].contains(&four[i])))
        .collect()
}

#[test]
fn the_better_of_each_two_are_parents() {
    let fours = fours_of_five();
    let better = |a: usize, b: usize| if RANKS[a] < RANKS[b] { a } else { b };
    check("fours", &FITNESS, |a, b| {
        let like =
            |four: &&[usize; 4]| better(four[0], four[1]) == a && better(four[2], four[3]) == b;
        fours.iter().filter(like).count() as f64 / fours.len() as f64
    });
}

#[test]
fn fours_are_distinct_and_name_the_losers() {
    let selection = chosen::<AnySelection>("fours");
    let fitness = [4.0, 4.0, 2.0, 2.0, 7.0, 7.0, 1.0, 9.0];
    for seed in 0..200 {
        let selected = selection.select(&fitness, 2, &mut stream(seed, &[]));
        let parents = selected.pairs.iter().flatten();
        let losers = selected.losers.iter().flatten();
        for (&parent, &loser) in parents.clone().zip(losers.clone()) {
            let ahead = fitness[parent] > fitness[loser];
            let level = fitness[parent] == fitness[loser] && parent < loser;
            assert!(ahead || level, "{parent} beat {loser}");
        }
        let mut all: Vec<usize> = parents.chain(losers).copied().collect();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}

#[test]
fn every_selection_gives_the_pairs_asked_for() {
    for kind in AnySelection::kinds() {
        let selection = chosen::<AnySelection>(kind.name);
        for n in 1..=10_usize {
            let rising: Vec<f64> = (0..n).map(|place| place as f64).collect();
            let falling: Vec<f64> = (0..n).map(|place| -(place as f64)).collect();
            for fitness in [rising, falling, vec![0.0; n], vec![-3.0; n]] {
                for pairs in [0, 1, 2, n] {
                    let select = || selection.select(&fitness, pairs, &mut stream(7, &[]));
                    let selected = select();
                    assert_eq!(selected, select());
                    assert_eq!(selected.pairs.len(), pairs, "{}", kind.name);
                    let losers = if selection.names_losers() { pairs } else { 0 };
                    assert_eq!(selected.losers.len(), losers);
                    let mut all = selected.pairs.iter().chain(&selected.losers).flatten();
                    // From n on they are children of the pairs before.
                    let most = if kind.name == "elite-and-children" {
                        n + 2 * pairs.saturating_sub(1)
                    } else {
                        n
                    };
                    assert!(all.all(|&place| place < most), "{}", kind.name);
                }
            }
        }
    }
}

#[test]
fn the_best_are_crossed_with_the_worst_or_with_the_middle() {
    // Sorted, the fittest first: 4, 1, 3, 0, 2; of equals the lower index first.
    let fitness = [2.0, 5.0, 1.0, 3.0, 7.0];
    let pairs = |name: &str, fitness: &[f64], count| {
        let selection = chosen::<AnySelection>(name);
        selection.select(fitness, count, &mut stream(1, &[])).pairs
    };
    assert_eq!(pairs("best-with", &fitness, 3), [[4, 2], [1, 0], [4, 2]]);
    let middle = "best-with(other=middle)";
    assert_eq!(pairs(middle, &fitness, 3), [[4, 3], [1, 0], [4, 3]]);
    assert_eq!(pairs(middle, &[1.0; 4], 2), [[0, 2], [1, 3]]);
    assert_eq!(pairs("best-with", &[1.0], 2), [[0, 0], [0, 0]]);
}
