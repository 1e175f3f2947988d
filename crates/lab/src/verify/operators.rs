//! Do operators follow their distributions? Compares the frequency of each outcome in many draws with its probability.

use evolve::cross::AnyCrossover;
use evolve::genome::Bits;
use evolve::mutate::AnyMutation;
use evolve::operator::{AnyOperator, Chosen};
use evolve::select::AnySelection;
use evolve::{Genome, Space};
use streams::stream;

use super::{Check, Measure};
use play::stats::chi_square_above;

/// Draws per check.
const DRAWS: usize = 40_000;

/// How often each of four individuals of fitness 1, 2, 3 and 4 becomes a parent.
const SELECTIONS: [(&str, [f64; 4]); 8] = [
    ("roulette", [0.1, 0.2, 0.3, 0.4]),
    ("sus", [0.1, 0.2, 0.3, 0.4]),
    (
        "rank(pressure=1.5)",
        [3.0 / 24.0, 5.0 / 24.0, 7.0 / 24.0, 9.0 / 24.0],
    ),
    (
        "tournament(size=2)",
        [1.0 / 16.0, 3.0 / 16.0, 5.0 / 16.0, 7.0 / 16.0],
    ),
    ("truncation(share=0.5)", [0.0, 0.0, 0.5, 0.5]),
    ("better-half", [0.0, 0.0, 0.5, 0.5]),
    ("random", [0.25; 4]),
    // The first parent is any of four, the second any of those at least as good.
    (
        "at-least-as-good(share=1)",
        [15.0 / 96.0, 19.0 / 96.0, 25.0 / 96.0, 37.0 / 96.0],
    ),
];

/// All checks of operators.
pub(super) fn measures() -> impl Iterator<Item = Measure> {
    let selections = SELECTIONS.iter();
    let selections =
        selections.map(|(name, shares)| -> Measure { Box::new(|| selection(name, shares)) });
    let others: [Measure; 4] = [
        Box::new(|| crossover("uniform", &binomial(8, 0.5))),
        // The cut is any of seven, and everything after it comes from the other parent.
        Box::new(|| {
            crossover(
                "one-point",
                &[0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0].map(|share| share / 7.0),
            )
        }),
        Box::new(one_gene),
        Box::new(flip),
    ];
    selections.chain(others)
}

fn selection(name: &str, shares: &[f64]) -> Check {
    let operator: Chosen<AnySelection> = chosen(name);
    let mut counts = [0; 4];
    let mut rng = stream(1, &[]);
    for _ in 0..DRAWS / 8 {
        let selected = operator.select(&[1.0, 2.0, 3.0, 4.0], 4, &mut rng);
        selected
            .pairs
            .iter()
            .flatten()
            .for_each(|&place| counts[place] += 1);
    }
    check(format!("selection {name}"), &counts, shares)
}

/// How many of eight genes the first child has from its second parent.
fn crossover(name: &str, shares: &[f64]) -> Check {
    let operator: Chosen<AnyCrossover> = chosen(name);
    let space = Space::Bits { genes: 8 };
    let parents = [false, true].map(|bit| Genome::Bits((0..8).map(|_| bit).collect()));
    let mut counts = [0; 9];
    let mut rng = stream(2, &[]);
    for _ in 0..DRAWS {
        let [child, _] = operator.cross(&space, [&parents[0], &parents[1]], &mut rng);
        counts[ones(&child)] += 1;
    }
    check(format!("crossover {name}"), &counts, shares)
}

/// Which gene changes, and to which of its other values.
fn one_gene() -> Check {
    let operator: Chosen<AnyMutation> = chosen("one-gene");
    let space = Space::Symbols {
        genes: 4,
        alphabet: 3,
    };
    let mut counts = [0; 12];
    let mut rng = stream(3, &[]);
    for _ in 0..DRAWS {
        let mut genome = Genome::Integers(vec![0; 4]);
        operator.mutate(&space, &mut genome, &mut rng);
        let changed = genome
            .integers()
            .iter()
            .enumerate()
            .find(|&(_, &value)| value > 0);
        let outcome = changed.map_or(0, |(gene, &value)| 3 * gene + value as usize);
        counts[outcome] += 1;
    }
    let shares = [0.0, 1.0, 1.0].map(|share| share / 8.0);
    check("mutation one-gene".to_owned(), &counts, &shares.repeat(4))
}

/// How many of four bits flip.
fn flip() -> Check {
    let operator: Chosen<AnyMutation> = chosen("flip(rate=0.25)");
    let space = Space::Bits { genes: 4 };
    let mut counts = [0; 5];
    let mut rng = stream(4, &[]);
    for _ in 0..DRAWS {
        let mut genome = Genome::Bits(Bits::zeros(4));
        operator.mutate(&space, &mut genome, &mut rng);
        counts[ones(&genome)] += 1;
    }
    check(
        "mutation flip(rate=0.25)".to_owned(),
        &counts,
        &binomial(4, 0.25),
    )
}

fn chosen<T: AnyOperator>(text: &str) -> Chosen<T> {
    Chosen::new(text).expect("an operator of the list")
}

fn ones(genome: &Genome) -> usize {
    match genome {
        Genome::Bits(bits) => bits.ones() as usize,
        _ => unreachable!("the space is one of bits"),
    }
}

/// Probabilities of 0, 1, ... n successes, by adding one trial after another.
fn binomial(n: usize, probability: f64) -> Vec<f64> {
    let mut shares = vec![0.0; n + 1];
    shares[0] = 1.0;
    for _ in 0..n {
        for successes in (1..=n).rev() {
            shares[successes] += probability * (shares[successes - 1] - shares[successes]);
        }
        shares[0] *= 1.0 - probability;
    }
    shares
}

fn check(name: String, counts: &[u32], shares: &[f64]) -> Check {
    let all: u32 = counts.iter().sum();
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let row = |shares: Vec<f64>| {
        let shares: Vec<String> = shares
            .into_iter()
            .filter(|&share| share > 0.0)
            .map(percent)
            .collect();
        format!("{} %", shares.join(" "))
    };
    Check {
        name,
        ours: row(counts
            .iter()
            .map(|&count| f64::from(count) / f64::from(all))
            .collect()),
        reference: row(shares.to_vec()),
        p: chi_square(counts, shares),
        a12: None,
    }
}

/// The probability of counts at least this far from these shares (Pearson 1900); 0 if an impossible outcome occurred.
fn chi_square(counts: &[u32], shares: &[f64]) -> f64 {
    let all: u32 = counts.iter().sum();
    let possible = shares.iter().filter(|&&share| share > 0.0).count();
    let mut sum = 0.0;
    for (&count, &share) in counts.iter().zip(shares) {
        let expected = share * f64::from(all);
        if share > 0.0 {
            let off = f64::from(count) - expected;
            sum += off * off / expected;
        } else if count > 0 {
            return 0.0;
        }
    }
    chi_square_above(sum, possible - 1)
}
