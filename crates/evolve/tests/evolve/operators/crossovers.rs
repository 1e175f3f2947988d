//! Crossovers, by the children of two known parents.

use std::collections::BTreeMap;

use evolve::cross::AnyCrossover;
use evolve::genome::Bits;
use evolve::operator::{AnyOperator, Chosen};
use evolve::{Genome, Space};
use streams::{Stream, stream};

use super::{DRAWS, check_counts, check_sample, chosen, spaces, uniform_between};

/// Children of zeros and ones, as text.
fn patterns(text: &str, genes: usize, rng: &mut Stream) -> [String; 2] {
    let [zeros, ones] = [Bits::zeros(genes), Bits::ones_from(genes, 0)].map(Genome::Bits);
    let children = chosen::<AnyCrossover>(text).cross(&Space::Bits { genes }, [&zeros, &ones], rng);
    children.map(|child| match child {
        Genome::Bits(bits) => String::from(bits),
        _ => unreachable!("bits have bits"),
    })
}

/// The first child of zeros and ones is each of these equally often, and the second its complement.
fn check_patterns(text: &str, expected: &[&str]) {
    let mut counts: BTreeMap<&str, u64> = expected.iter().map(|&text| (text, 0)).collect();
    let mut rng = stream(2, &[]);
    for _ in 0..DRAWS {
        let [first, second] = patterns(text, expected[0].len(), &mut rng);
        assert!(first.chars().zip(second.chars()).all(|(a, b)| a != b));
        let count = counts.get_mut(&first[..]);
        *count.unwrap_or_else(|| panic!("{text} made {first}")) += 1;
    }
    let counts: Vec<u64> = counts.into_values().collect();
    check_counts(
        text,
        &counts,
        &vec![1.0 / counts.len() as f64; counts.len()],
    );
}

#[test]
fn uniform_gives_all_combinations() {
    let all = ["000", "001", "010", "011", "100", "101", "110", "111"];
    check_patterns("uniform", &all);
}

#[test]
fn one_point_cuts_anywhere_inside() {
    check_patterns("one-point", &["0111", "0011", "0001"]);
    check_patterns("one-point", &["01"]);
    check_patterns("one-point", &["0"]);
}

#[test]
fn two_point_cuts_at_two_places() {
    check_patterns("two-point", &["0100", "0110", "0010"]);
    check_patterns(
        "two-point",
        &["01000", "01100", "01110", "00100", "00110", "00010"],
    );
    check_patterns("two-point", &["010"]);
    check_patterns("two-point", &["01"]);
    check_patterns("two-point", &["0"]);
}

#[test]
fn bits_and_symbols_are_exchanged_alike() {
    let genes = 200;
    let space = Space::Symbols { genes, alphabet: 2 };
    let [zeros, ones] = [0, 1].map(|symbol| Genome::Integers(vec![symbol; genes]));
    for text in ["uniform", "one-point", "two-point"] {
        for seed in 0..50 {
            let bits = patterns(text, genes, &mut stream(seed, &[]));
            let crossover = chosen::<AnyCrossover>(text);
            let symbols = crossover.cross(&space, [&zeros, &ones], &mut stream(seed, &[]));
            let texts = symbols.map(|child| {
                let digits = child.integers().iter().map(ToString::to_string);
                digits.collect::<String>()
            });
            assert_eq!(bits, texts, "{text}");
        }
    }
}

/// One gene of both children of a and b, many times.
fn children(text: &str, a: f64, b: f64) -> Vec<[f64; 2]> {
    let crossover = chosen::<AnyCrossover>(text);
    let space = Space::reals(1, -1.0, 1.0, false);
    let [a, b] = [a, b].map(|gene| Genome::Reals(vec![gene]));
    let mut rng = stream(3, &[]);
    let mut pair = || crossover.cross(&space, [&a, &b], &mut rng);
    (0..DRAWS)
        .map(|_| pair().map(|child| child.reals()[0]))
        .collect()
}

fn firsts(pairs: &[[f64; 2]]) -> Vec<f64> {
    pairs.iter().map(|pair| pair[0]).collect()
}

#[test]
fn arithmetic_draws_its_weight_or_has_it_fixed() {
    let pairs = children("arithmetic", 2.0, 4.0);
    check_sample("arithmetic", &firsts(&pairs), uniform_between(2.0, 4.0));
    let fair = |pair: &[f64; 2]| (pair[0] + pair[1] - 6.0).abs() < 1e-12;
    assert!(pairs.iter().all(fair));
    let fixed = children("arithmetic(weight=0.75)", 2.0, 4.0);
    assert!(fixed.iter().all(|pair| *pair == [2.5, 3.5]));
}

#[test]
fn arithmetic_has_one_weight_for_all_genes() {
    let crossover = chosen::<AnyCrossover>("arithmetic");
    let space = Space::reals(3, 0.0, 1.0, true);
    let [a, b] = [vec![0.0; 3], vec![1.0; 3]].map(Genome::Reals);
    let [child, _] = crossover.cross(&space, [&a, &b], &mut stream(4, &[]));
    let genes = child.reals();
    assert!(genes.iter().all(|gene| *gene == genes[0]));
}

#[test]
fn blend_is_uniform_in_the_widened_interval() {
    for (text, low, high) in [
        ("blend", 1.0, 5.0),
        ("blend(alpha=0)", 2.0, 4.0),
        ("blend(alpha=2)", -2.0, 8.0),
    ] {
        let pairs = children(text, 4.0, 2.0);
        check_sample(text, &firsts(&pairs), uniform_between(low, high));
        let seconds: Vec<f64> = pairs.iter().map(|pair| pair[1]).collect();
        check_sample(text, &seconds, uniform_between(low, high));
    }
}

#[test]
fn swap_blend_keeps_swaps_or_averages() {
    for (text, odds) in [
        ("swap-blend", [0.8, 0.1, 0.1]),
        ("swap-blend(swap=0.3)", [0.6, 0.3, 0.1]),
        ("swap-blend(swap=0.9, blend=0.1)", [0.0, 0.9, 0.1]),
    ] {
        let mut counts = [0; 3];
        for pair in children(text, 2.0, 4.0) {
            let outcomes = [[2.0, 4.0], [4.0, 2.0], [3.0, 3.0]];
            let outcome = outcomes.iter().position(|outcome| *outcome == pair);
            counts[outcome.expect("one of the three")] += 1;
        }
        check_counts(text, &counts, &odds);
    }
}

#[test]
fn swap_and_blend_are_at_most_one_together() {
    let wrong = Chosen::<AnyCrossover>::new("swap-blend(swap=0.6, blend=0.5)").unwrap_err();
    assert_eq!(wrong.place(), 21);
    assert!(wrong.to_string().contains("at most 1"), "{wrong}");
    let wrong = Chosen::<AnyCrossover>::new("swap-blend(swap=0.95)").unwrap_err();
    assert_eq!(wrong.place(), 11);
}

#[test]
fn binary_crossover_spreads_around_the_mean() {
    for (text, eta) in [("sbx", 15.0), ("sbx(eta=2)", 2.0)] {
        let pairs = children(text, 2.0, 4.0);
        assert!(
            pairs
                .iter()
                .all(|pair| (pair[0] + pair[1] - 6.0).abs() < 1e-9 * pair[1].abs())
        );
        let crossed: Vec<f64> = pairs
            .iter()
            .filter(|pair| pair[0] != 2.0)
            .map(|pair| (pair[1] - pair[0]) / 2.0)
            .collect();
        let kept = (DRAWS - crossed.len()) as u64;
        check_counts(text, &[kept, crossed.len() as u64], &[0.5; 2]);
        check_sample(text, &crossed, |spread| {
            let power = spread.powf(eta + 1.0);
            if spread < 1.0 {
                power / 2.0
            } else {
                1.0 - 1.0 / (2.0 * power)
            }
        });
    }
}

#[test]
fn real_crossovers_reject_other_genes() {
    for text in ["arithmetic", "blend", "swap-blend", "sbx"] {
        let suits = chosen::<AnyCrossover>(text).suits(&Space::Bits { genes: 5 });
        assert_eq!(suits.unwrap_err(), "works on real genes only");
    }
}

#[test]
fn children_stay_in_the_space() {
    for kind in AnyCrossover::kinds() {
        let crossover = chosen::<AnyCrossover>(kind.name);
        let spaces = spaces();
        let suited = spaces.iter().filter(|space| crossover.suits(space).is_ok());
        assert!(suited.clone().count() > 0, "{} suits nothing", kind.name);
        for space in suited {
            for seed in 0..100 {
                let rng = &mut stream(seed, &[]);
                let [a, b] = [space.random(rng), space.random(rng)];
                let cross = || crossover.cross(space, [&a, &b], &mut stream(seed, &[1]));
                let children = cross();
                assert_eq!(children, cross());
                for child in children {
                    let checked = space.check(&child);
                    assert_eq!(checked, Ok(()), "{} in {space:?}", kind.name);
                }
            }
        }
    }
}
