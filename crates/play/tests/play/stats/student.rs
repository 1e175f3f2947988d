//! Student's quantiles beside `tests/stats/student.txt`, which `tests/stats/student.py` computed with mpmath.

use play::stats::student_quantile;

const TABLE: &str = include_str!("../../stats/student.txt");

#[test]
fn quantiles_are_those_of_the_table() {
    let mut rows = TABLE.lines().filter(|line| !line.starts_with('#'));
    let numbers = |row: &str| -> Vec<f64> {
        let numbers = row.split(' ').skip(1);
        numbers.map(|n| n.parse().expect("a number")).collect()
    };
    let probabilities = numbers(rows.next().expect("a row of probabilities"));
    let mut quantiles = 0;
    for row in rows {
        let freedom = row.split(' ').next().expect("degrees of freedom");
        let freedom: f64 = freedom.parse().expect("a number");
        for (&probability, expected) in probabilities.iter().zip(numbers(row)) {
            check(probability, freedom, expected);
            quantiles += 1;
        }
    }
    assert_eq!(quantiles, 44 * 17);
}

/// On both sides: where 1 - p is exact, the quantile of it is the same but for its sign.
fn check(probability: f64, freedom: f64, expected: f64) {
    for (probability, expected) in [(probability, expected), (1.0 - probability, -expected)] {
        let ours = student_quantile(probability, freedom);
        assert!(
            (ours - expected).abs() <= 1e-14 * expected.abs(),
            "{probability} of {freedom}: {ours}, expected {expected}"
        );
    }
}

/// Not only close, but equal on every machine.
#[test]
fn quantiles_have_the_same_bits_everywhere() {
    for (freedom, bits) in [
        (1.0, 0x4029_6993_aacc_4d1f),
        (2.0, 0x4011_35ea_98e1_46b7),
        (9.0, 0x4002_18e5_dac5_0b24),
        (99.0, 0x3fff_bf5a_4633_b839),
        (9_999.0, 0x3fff_5cfc_000d_4e40),
        (15_999_999.0, 0x3fff_5c03_59bb_d3ac),
    ] {
        let ours = student_quantile(0.975, freedom).to_bits();
        assert_eq!(ours, bits, "{freedom}: {ours:#x}");
    }
}

/// A method that does not converge for some degrees hangs here or breaks the sequence.
#[test]
fn quantiles_fall_with_the_degrees_of_freedom() {
    let every = 1..20_000_u64;
    let sparse = (0..4_000).map(|step| 20_000 + step * step * 62);
    for probability in [0.6, 0.9, 0.975, 0.999_999_5] {
        let mut last = f64::INFINITY;
        for freedom in every.clone().chain(sparse.clone()) {
            let quantile = student_quantile(probability, freedom as f64);
            assert!(
                quantile <= last * (1.0 + 1e-14),
                "{probability} of {freedom}: {quantile}"
            );
            last = quantile;
        }
    }
    for freedom in 15_999_900..16_000_100 {
        let quantile = student_quantile(0.975, freedom as f64);
        assert!(
            (quantile - 1.959_964_1).abs() < 1e-6,
            "{freedom}: {quantile}"
        );
    }
}

#[test]
fn extreme_probabilities_have_quantiles() {
    // With one degree the quantile is the cotangent of pi times the tail.
    for tail in [1e-20, 1e-100, 1e-300] {
        let ours = -student_quantile(tail, 1.0) * tail * std::f64::consts::PI;
        assert!((ours - 1.0).abs() < 1e-12, "{tail}: {ours}");
    }
    assert_eq!(student_quantile(0.5, 7.0), 0.0);
}
