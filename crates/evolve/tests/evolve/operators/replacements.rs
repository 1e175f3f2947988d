//! Replacements, by who survives.

use evolve::Individual;
use evolve::operator::{AnyOperator, Chosen};
use evolve::replace::AnyReplacement;

use super::{chosen, individual};

/// The old individuals have ids 0, 1 ... and this fitness; the children 100, 101 ...
fn check(text: &str, old: &[f64], children: &[f64], losers: &[usize], expected: &[u64]) {
    let group = |first: u64, born, fitness: &[f64]| -> Vec<Individual> {
        let numbered = (first..).zip(fitness);
        numbered
            .map(|(id, &fitness)| individual(id, fitness, born))
            .collect()
    };
    let replacement = chosen::<AnyReplacement>(text);
    assert_eq!(replacement.children(old.len()), children.len(), "{text}");
    let next = replacement.replace(group(0, 0, old), group(100, 1, children), losers);
    let ids: Vec<u64> = next.iter().map(|one| one.id).collect();
    assert_eq!(ids, expected, "{text}");
}

#[test]
fn the_best_of_both_survive() {
    check(
        "best",
        &[1.0, 5.0, 3.0],
        &[4.0, 0.0, 6.0],
        &[],
        &[102, 1, 100],
    );
    // Of equals the children survive.
    check("best", &[2.0, 2.0], &[2.0, 2.0], &[], &[100, 101]);
}

#[test]
fn the_elite_survives_and_children_replace_the_rest() {
    let old = [1.0, 5.0, 3.0, 4.0];
    check("generational", &old, &[0.0; 3], &[], &[1, 100, 101, 102]);
    check(
        "generational(elite=best)",
        &old,
        &[9.0; 3],
        &[],
        &[1, 100, 101, 102],
    );
    check(
        "generational(elite=0.5)",
        &old,
        &[0.0; 2],
        &[],
        &[1, 3, 100, 101],
    );
    check(
        "generational(elite=0)",
        &old,
        &[0.0; 4],
        &[],
        &[100, 101, 102, 103],
    );
    check("generational(elite=1)", &old, &[0.0], &[], &[1, 3, 2, 100]);
}

#[test]
fn the_elite_is_a_share_or_one() {
    for (text, elite) in [
        ("generational", 5),
        ("generational(elite=0.001)", 1),
        ("generational(elite=best)", 1),
        ("generational(elite=0.333)", 33),
    ] {
        let replacement = chosen::<AnyReplacement>(text);
        assert_eq!(replacement.children(100), 100 - elite, "{text}");
    }
}

#[test]
fn a_steady_state_loses_its_worst() {
    let old = [1.0, 5.0, 3.0, 4.0];
    check("steady-state", &old, &[2.0, 9.0], &[], &[101, 1, 3, 2]);
    check("steady-state", &old, &[0.0, 1.0], &[], &[1, 3, 2, 101]);
    check("steady-state(children=1)", &old, &[0.0], &[], &[1, 3, 2, 0]);
}

#[test]
fn children_replace_losers_regardless_of_fitness() {
    let old = [1.0, 5.0, 3.0, 4.0];
    check("losers", &old, &[0.0, 9.0], &[2, 0], &[101, 1, 100, 3]);
    let old = [1.0; 8];
    let losers = [7, 0, 3, 4];
    let expected = [101, 1, 2, 102, 103, 5, 6, 100];
    check("losers(selected=8)", &old, &[0.0; 4], &losers, &expected);
}

#[test]
fn losers_are_a_multiple_of_four() {
    let wrong = Chosen::<AnyReplacement>::new("losers(selected=6)").unwrap_err();
    assert_eq!(wrong.place(), 7);
    assert!(wrong.to_string().contains("must be a multiple of 4"));
    let eight = chosen::<AnyReplacement>("losers(selected=8)");
    assert_eq!(eight.suits(8), Ok(()));
    assert!(
        eight
            .suits(7)
            .unwrap_err()
            .contains("at most the population")
    );
}

#[test]
fn populations_keep_their_size() {
    for kind in AnyReplacement::kinds() {
        let replacement = chosen::<AnyReplacement>(kind.name);
        for size in (2..=10).filter(|&size| replacement.suits(size).is_ok()) {
            let group = |first: u64, count: usize| -> Vec<Individual> {
                let ids = first..first + count as u64;
                ids.map(|id| individual(id, (id % 3) as f64, 0)).collect()
            };
            let children = replacement.children(size);
            assert!(children > 0, "{} has no children", kind.name);
            let losers: Vec<usize> = (0..children.min(size)).collect();
            let replace = || replacement.replace(group(0, size), group(100, children), &losers);
            assert_eq!(replace().len(), size, "{}", kind.name);
            assert_eq!(replace(), replace());
            assert!((1..=size).contains(&replacement.survivors(size)));
        }
    }
}
