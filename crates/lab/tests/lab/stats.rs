//! Rank statistics beside scipy's: `mannwhitneyu(a, b, method='asymptotic')` of scipy 1.17.

use lab::stats::{a12, mann_whitney};

#[test]
fn ranks_are_compared_as_scipy_does() {
    let check = |a: &[f64], b: &[f64], effect: f64, p: f64| {
        assert!((a12(a, b) - effect).abs() < 1e-12, "{}", a12(a, b));
        assert!(
            (mann_whitney(a, b) - p).abs() < 1e-9,
            "{}",
            mann_whitney(a, b)
        );
    };
    let (low, high): (Vec<f64>, Vec<f64>) =
        (1..=8).map(|n| (f64::from(n), f64::from(n + 2))).unzip();
    check(&low, &high, 0.28125, 0.154_423_253_780_086_67);
    let (a, b) = (
        [1.5, 1.5, 2.0, 9.0, 4.25, 8.0, 8.0, 8.0, 3.0],
        [2.0, 2.0, 7.0, 8.0, 10.0, 11.0, 3.5],
    );
    check(&a, &b, 0.388_888_888_888_888_9, 0.486_585_745_066_463_57);
    check(
        &[1.0, 2.0, 3.0],
        &[4.0, 5.0, 6.0],
        0.0,
        0.080_855_598_370_052_24,
    );
    check(&[1.0; 4], &[1.0; 5], 0.5, 1.0);
}
