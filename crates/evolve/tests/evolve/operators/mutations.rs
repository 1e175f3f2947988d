//! Mutations, by how many genes they change and what those become.

use evolve::mutate::AnyMutation;
use evolve::operator::AnyOperator;
use evolve::{Genome, Space};
use streams::stream;

use super::{DRAWS, check_counts, check_sample, chosen, spaces, uniform_between};

/// Copies of a genome, mutated independently.
fn mutants(text: &str, space: &Space, genome: &Genome) -> Vec<Genome> {
    let mutation = chosen::<AnyMutation>(text);
    let mut rng = stream(5, &[]);
    let mut mutant = || {
        let mut mutant = genome.clone();
        mutation.mutate(space, &mut mutant, &mut rng);
        mutant
    };
    (0..DRAWS).map(|_| mutant()).collect()
}

fn values(genome: &Genome) -> Vec<f64> {
    match genome {
        Genome::Bits(bits) => bits.iter().map(f64::from).collect(),
        Genome::Integers(genes) => genes.iter().copied().map(f64::from).collect(),
        Genome::Reals(genes) => genes.clone(),
    }
}

/// The number of changed genes out of ten is binomial with this rate per gene.
fn check_rate(text: &str, space: &Space, genome: &Genome, rate: f64) {
    let old = values(genome);
    let mut counts = [0; 11];
    for mutant in mutants(text, space, genome) {
        let new = values(&mutant);
        counts[new.iter().zip(&old).filter(|(new, old)| new != old).count()] += 1;
    }
    check_counts(text, &counts, &binomial(rate));
}

/// Probabilities of 0 to 10 successes in ten trials, by adding one trial after another.
fn binomial(rate: f64) -> [f64; 11] {
    let mut shares = [0.0; 11];
    shares[0] = 1.0;
    for _ in 0..10 {
        for successes in (1..=10).rev() {
            shares[successes] += rate * (shares[successes - 1] - shares[successes]);
        }
        shares[0] *= 1.0 - rate;
    }
    shares
}

fn symbols() -> (Space, Genome) {
    let space = Space::Symbols {
        genes: 10,
        alphabet: 4,
    };
    (space, Genome::Integers(vec![1; 10]))
}

fn reals() -> (Space, Genome) {
    let space = Space::reals(10, -3.0, 2.0, false);
    (space, Genome::Reals(vec![1.5; 10]))
}

#[test]
fn every_gene_changes_with_the_rate() {
    let (space, genome) = symbols();
    check_rate("flip(rate=0.3)", &space, &genome, 0.3);
    check_rate("flip", &space, &genome, 0.1);
    check_rate("flip(rate=0)", &space, &genome, 0.0);
    check_rate("flip(rate=1)", &space, &genome, 1.0);
    // One in four is redrawn to its old value.
    check_rate("replace(rate=0.4)", &space, &genome, 0.3);
    let (space, genome) = reals();
    for name in ["flip", "replace", "gaussian", "polynomial"] {
        check_rate(name, &space, &genome, 0.1);
    }
    for name in ["delta-absolute", "delta-relative"] {
        check_rate(name, &space, &genome, 0.02);
        check_rate(&format!("{name}(rate=0.25)"), &space, &genome, 0.25);
        check_rate(&format!("{name}(rate=auto)"), &space, &genome, 0.1);
    }
}

#[test]
fn one_gene_changes_exactly_one() {
    let (space, genome) = symbols();
    let mut places = [0; 10];
    for mutant in mutants("one-gene", &space, &genome) {
        let changed = |gene: &usize| mutant.integers()[*gene] != 1;
        let changed: Vec<usize> = (0..10).filter(changed).collect();
        assert_eq!(changed.len(), 1);
        places[changed[0]] += 1;
    }
    check_counts("one-gene", &places, &[0.1; 10]);
}

/// The values that a symbol 1 of an alphabet of four takes on.
fn check_symbols(text: &str, expected: [f64; 4]) {
    let (space, genome) = symbols();
    let mut counts = [0; 4];
    for mutant in mutants(text, &space, &genome) {
        counts[mutant.integers()[9] as usize] += 1;
    }
    check_counts(text, &counts, &expected);
}

#[test]
fn symbols_become_any_other_or_any() {
    let third = 1.0 / 3.0;
    check_symbols("flip(rate=1)", [third, 0.0, third, third]);
    check_symbols("flip(rate=0.6)", [0.2, 0.4, 0.2, 0.2]);
    check_symbols("replace(rate=1)", [0.25; 4]);
    check_symbols("replace(rate=0.4)", [0.1, 0.7, 0.1, 0.1]);
    check_symbols("one-gene", [third / 10.0, 0.9, third / 10.0, third / 10.0]);
}

/// The distribution of a real gene of 1.5 in -3..2 that always changes.
fn check_gene(text: &str, below: impl Fn(f64) -> f64) {
    let (space, genome) = reals();
    let mutants = mutants(text, &space, &genome);
    let genes: Vec<f64> = mutants.iter().map(|mutant| mutant.reals()[4]).collect();
    check_sample(text, &genes, below);
}

#[test]
fn real_genes_follow_their_distribution() {
    check_gene("flip(rate=1)", uniform_between(-3.0, 2.0));
    check_gene("replace(rate=1)", uniform_between(-3.0, 2.0));
    check_gene("delta-absolute(rate=1)", uniform_between(1.0, 2.0));
    check_gene("delta-absolute(rate=1, size=4)", uniform_between(-2.5, 5.5));
    check_gene("delta-relative(rate=1)", uniform_between(0.75, 2.25));
    check_gene(
        "delta-relative(rate=1, size=0.1)",
        uniform_between(1.35, 1.65),
    );
    for (text, sd) in [
        ("gaussian(rate=1)", 0.5),
        ("gaussian(rate=1, sigma=2)", 10.0),
    ] {
        check_gene(text, |value| {
            libm::erfc((1.5 - value) / (sd * std::f64::consts::SQRT_2)) / 2.0
        });
    }
    for (text, eta) in [
        ("polynomial(rate=1)", 20.0),
        ("polynomial(rate=1, eta=0)", 0.0),
    ] {
        check_gene(text, |value| {
            let step = (value - 1.5) / 5.0;
            let tail = (1.0 - step.abs()).powf(eta + 1.0) / 2.0;
            if step < 0.0 { tail } else { 1.0 - tail }
        });
    }
}

#[test]
fn bounded_genes_stop_at_their_bounds() {
    let space = Space::reals(10, 0.0, 1.0, true);
    let genome = Genome::Reals(vec![0.9; 10]);
    let mutants = mutants("delta-absolute(rate=1)", &space, &genome);
    let at_the_top = |mutant: &&Genome| mutant.reals()[0] == 1.0;
    let stopped = mutants.iter().filter(at_the_top).count() as u64;
    let free = DRAWS as u64 - stopped;
    check_counts("stopped", &[stopped, free], &[0.4, 0.6]);
}

#[test]
fn real_mutations_reject_other_genes() {
    for text in ["delta-absolute", "delta-relative", "gaussian", "polynomial"] {
        let suits = chosen::<AnyMutation>(text).suits(&Space::Bits { genes: 5 });
        assert_eq!(suits.unwrap_err(), "works on real genes only");
    }
}

#[test]
fn mutants_stay_in_the_space() {
    for kind in AnyMutation::kinds() {
        let spaces = spaces();
        let mutation = chosen::<AnyMutation>(kind.name);
        let suited = spaces.iter().filter(|space| mutation.suits(space).is_ok());
        assert!(suited.clone().count() > 0, "{} suits nothing", kind.name);
        for space in suited {
            for seed in 0..100 {
                let genome = space.random(&mut stream(seed, &[]));
                let mutate = || {
                    let mut mutant = genome.clone();
                    let rng = &mut stream(seed, &[1]);
                    (0..20).for_each(|_| mutation.mutate(space, &mut mutant, rng));
                    mutant
                };
                let mutant = mutate();
                assert_eq!(mutant, mutate());
                assert_eq!(space.check(&mutant), Ok(()), "{} in {space:?}", kind.name);
            }
        }
    }
}
