//! Statistics beside those of others, and beside what they promise.

mod comparison;
mod coverage;
mod pairs;
mod power;
mod scipy;
mod student;

use play::stats::{
    a12, fisher, friedman, kruskal_wallis, mann_whitney, paired_effect, sign_test, wilcoxon,
};

#[test]
fn the_effect_is_the_share_of_pairs_won() {
    let check = |a: &[f64], b: &[f64], effect: f64| {
        assert!((a12(a, b) - effect).abs() < 1e-12, "{}", a12(a, b));
    };
    check(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], 0.0);
    check(&[1.0, 2.0, 3.0], &[2.0, 2.0], 0.5);
    check(&[1.0; 4], &[1.0; 5], 0.5);
    check(&[2.0, 3.0], &[1.0, 2.0], 0.875);
    check(&[], &[1.0], 0.5);
    // Differences 1, 2 and -3 have the ranks 1, 2 and 3: half of all ranks are on each side.
    let paired = paired_effect(&[1.0, 2.0, 0.0, 5.0], &[0.0, 0.0, 3.0, 5.0]);
    assert!((paired - 0.5).abs() < 1e-12, "{paired}");
}

#[test]
fn samples_that_tell_nothing_give_no_evidence() {
    let samples: [&[f64]; 4] = [&[], &[1.0], &[2.0, 2.0], &[f64::NAN, 1.0]];
    for a in samples {
        for b in samples {
            for p in [mann_whitney(a, b), wilcoxon(a, b)] {
                assert!(p > 0.1 && p <= 1.0, "{a:?} {b:?} {p}");
            }
        }
    }
    assert_eq!(friedman(&[vec![1.0; 3], vec![1.0; 3]]), None);
    assert_eq!(friedman(&[vec![1.0; 3], vec![1.0; 3], vec![1.0; 2]]), None);
    assert_eq!(friedman(&[vec![], vec![], vec![]]), None);
    assert_eq!(kruskal_wallis(&[vec![1.0; 3]]), None);
    assert_eq!(kruskal_wallis(&[vec![1.0; 3], vec![]]), None);
    let equal = vec![vec![1.0; 5]; 4];
    assert_eq!(friedman(&equal).map(|test| test.p), Some(1.0));
    assert_eq!(kruskal_wallis(&equal).map(|test| test.p), Some(1.0));
    assert_eq!(fisher([0, 0], [0, 0]), 1.0);
}

#[test]
fn the_sign_test_counts_coins() {
    let check = |wins: u32, losses: u32, p: f64| {
        for ours in [sign_test(wins, losses), sign_test(losses, wins)] {
            assert!((ours / p - 1.0).abs() < 1e-12, "{wins}:{losses} {ours}");
        }
    };
    check(0, 0, 1.0);
    check(0, 1, 1.0);
    check(6, 6, 1.0);
    check(6, 7, 1.0);
    check(0, 10, 2.0 / 1024.0);
    check(1, 9, 22.0 / 1024.0);
    check(3, 7, 352.0 / 1024.0);
    check(2, 9, 134.0 / 2048.0);
    // By mpmath, with 40 digits.
    check(0, 1000, 1.866_527_237_006_437_8e-301);
    check(5_000, 5_200, 0.048_787_963_126_822_45);
    check(8_000_000, 8_010_000, 0.012_455_511_400_418_18);
    check(u32::MAX, u32::MAX, 1.0);
    assert_eq!(sign_test(0, u32::MAX), 0.0);
}
