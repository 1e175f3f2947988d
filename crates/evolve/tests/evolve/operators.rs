//! Operators: properties of every list, and comparisons of samples with distributions.
//!
//! Seeds are fixed. With other seeds, a comparison fails for a correct program with probability [`LEVEL`].

mod crossovers;
mod mutations;
mod presets;
mod replacements;
mod selections;

use evolve::cgp::{FirstOutputs, FunctionSet, Grid, Shape};
use evolve::cross::AnyCrossover;
use evolve::mutate::AnyMutation;
use evolve::operator::{AnyOperator, Chosen};
use evolve::replace::AnyReplacement;
use evolve::select::AnySelection;
use evolve::{Evidence, Genome, Individual, Origin, Space};

/// Significance level of a comparison.
const LEVEL: f64 = 1e-4;

/// Sample size of most comparisons.
const DRAWS: usize = 20_000;

fn chosen<T: AnyOperator>(text: &str) -> Chosen<T> {
    Chosen::new(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Compares counts with the probabilities of their cells (chi-square); impossible cells must be empty.
fn check_counts(what: &str, counts: &[u64], probabilities: &[f64]) {
    let total: u64 = counts.iter().sum();
    let sum: f64 = probabilities.iter().sum();
    assert!(
        (sum - 1.0).abs() < 1e-9,
        "{what}: probabilities sum to {sum}"
    );
    let mut cells = Vec::new();
    // Cells too rare for chi-square are merged.
    let mut rare = (0.0, 0.0);
    for (&count, probability) in counts.iter().zip(probabilities) {
        let (count, expected) = (count as f64, probability * total as f64);
        if expected == 0.0 {
            assert_eq!(count, 0.0, "{what}: an impossible outcome");
        } else if expected < 5.0 {
            rare = (rare.0 + count, rare.1 + expected);
        } else {
            cells.push((count, expected));
        }
    }
    match cells.last_mut() {
        Some(last) if rare.1 < 5.0 => *last = (last.0 + rare.0, last.1 + rare.1),
        _ => cells.push(rare),
    }
    let distance: f64 = cells.iter().map(|(n, e)| (n - e) * (n - e) / e).sum();
    if cells.len() < 2 {
        return;
    }
    let p = chi_square_above(distance, cells.len() - 1);
    assert!(p >= LEVEL, "{what}: p = {p}, counts {counts:?}");
}

/// The probability that a chi-square number of `freedom` degrees is at least `value`: the sum of a finite series (Abramowitz and
/// Stegun 1964, 26.4.4 and 26.4.5).
fn chi_square_above(value: f64, freedom: usize) -> f64 {
    let x = value / 2.0;
    let (mut sum, mut term, mut divisor) = if freedom % 2 == 1 {
        let first = (4.0 * x / std::f64::consts::PI).sqrt() * libm::exp(-x);
        (libm::erfc(x.sqrt()), first, 1.5)
    } else {
        (libm::exp(-x), x * libm::exp(-x), 2.0)
    };
    for _ in 0..(freedom - 1) / 2 {
        sum += term;
        term *= x / divisor;
        divisor += 1.0;
    }
    sum
}

/// Compares a sample with a distribution function, by twenty equally likely cells.
fn check_sample(what: &str, sample: &[f64], below: impl Fn(f64) -> f64) {
    let mut counts = [0; 20];
    for &value in sample {
        counts[((20.0 * below(value)) as usize).min(19)] += 1;
    }
    check_counts(what, &counts, &[0.05; 20]);
}

/// The distribution function of the uniform distribution.
fn uniform_between(low: f64, high: f64) -> impl Fn(f64) -> f64 {
    move |value| {
        assert!((low..=high).contains(&value), "{value} in {low}..{high}");
        (value - low) / (high - low)
    }
}

/// Spaces of every kind, small and large.
fn spaces() -> Vec<Space> {
    let grid = |rows, columns, levels_back, passes| {
        let functions: FunctionSet = "+,-,*,/".parse().expect("functions");
        let shape = Shape {
            inputs: 3,
            outputs: 2,
            rows,
            columns,
            levels_back: Some(levels_back),
            functions,
            first_outputs: FirstOutputs::Any,
            passes,
        };
        Space::Program(Grid::new(shape).expect("a valid shape"))
    };
    vec![
        Space::Bits { genes: 1 },
        Space::Bits { genes: 2 },
        Space::Bits { genes: 130 },
        Space::Symbols {
            genes: 7,
            alphabet: 8,
        },
        Space::Integers {
            bounds: vec![1, 2, 9, 1000],
        },
        Space::reals(1, -1.0, 1.0, true),
        Space::reals(5, -1.0, 1.0, true),
        Space::reals(5, 0.1, 0.7, true),
        Space::reals(5, -100.0, 3.0, false),
        grid(1, 1, 1, None),
        grid(1, 12, 12, None),
        grid(3, 4, 2, None),
        grid(3, 4, 2, Some(5)),
    ]
}

fn individual(id: u64, fitness: f64, born: u32) -> Individual {
    let mut evidence = Evidence::default();
    evidence.add(fitness);
    Individual {
        id,
        genome: Genome::Reals(vec![fitness]),
        origin: Origin::Random,
        parents: Vec::new(),
        mutated: false,
        born,
        evidence,
    }
}

/// Properties of every list: names, descriptions, defaults, and errors for wrong parameters.
fn check_list<T: AnyOperator>() {
    let kinds = T::kinds();
    for (place, kind) in kinds.iter().enumerate() {
        let name = kind.name;
        assert!(name.chars().all(|c| c == '-' || c.is_ascii_lowercase()));
        assert!(!kind.about.is_empty() && !kind.more.is_empty(), "{name}");
        assert!(kinds[..place].iter().all(|other| other.name != name));
        assert_eq!(chosen::<T>(name).to_string(), name);
        let problem = |text: &str| match Chosen::<T>::new(text) {
            Ok(_) => panic!("{text} is taken"),
            Err(error) => {
                assert_eq!(error.place(), name.len() + 1, "{error}");
                error.to_string()
            }
        };
        assert!(problem(&format!("{name}(nonsense=1)")).contains("no parameter"));
        for parameter in kind.parameters {
            assert!(!parameter.help.is_empty());
            chosen::<T>(&format!("{name}({}={})", parameter.name, parameter.default));
            for wrong in ["nonsense", "-1", "nan", "1000000001"] {
                let error = problem(&format!("{name}({}={wrong})", parameter.name));
                assert!(error.contains("must be"), "{error}");
            }
        }
    }
}

#[test]
fn chi_square_is_as_in_tables() {
    for (freedom, value, p) in [
        (1, 3.841_459, 0.05),
        (2, 13.815_511, 0.001),
        (5, 11.070_498, 0.05),
        (19, 43.820_196, 0.001),
        (30, 40.256_024, 0.1),
    ] {
        let ours = chi_square_above(value, freedom);
        assert!((ours / p - 1.0).abs() < 1e-6, "{freedom}: {ours}");
    }
}

#[test]
#[should_panic(expected = "loaded: p = ")]
fn a_biased_sample_is_detected() {
    let counts = [3300, 3300, 3300, 3300, 3300, 3700];
    check_counts("loaded", &counts, &[1.0 / 6.0; 6]);
}

#[test]
fn every_list_is_valid() {
    check_list::<AnySelection>();
    check_list::<AnyCrossover>();
    check_list::<AnyMutation>();
    check_list::<AnyReplacement>();
}
