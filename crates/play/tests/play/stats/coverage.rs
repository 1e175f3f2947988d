//! How often 95 % intervals hold the truth, by simulation with fixed seeds.
//!
//! The shares asserted are those of 100,000 samples, rounded to a percent; here there are 2,000 of each, whose share differs by more
//! than 2.5 percentage points from the true one for one seed in 700 where that is 86 %, and one in 10^6 where it is 95 %. Over all
//! cells of a test, a right program fails for fewer than one seed in 100.

use play::stats::{Share, mann_whitney, mean_interval, median_interval};
use streams::{Stream, stream, unit};

const SAMPLES: usize = 2_000;
const SIZES: [usize; 4] = [3, 5, 10, 30];

type Draw = fn(&mut Stream) -> f64;

fn normal(rng: &mut Stream) -> f64 {
    let (radius, angle) = (1.0 - unit(rng), unit(rng));
    libm::sqrt(-2.0 * libm::log(radius)) * libm::cos(std::f64::consts::TAU * angle)
}

fn exponential(rng: &mut Stream) -> f64 {
    -libm::log(1.0 - unit(rng))
}

fn log_normal(rng: &mut Stream) -> f64 {
    libm::exp(normal(rng))
}

/// As skewed as the mean scores of champions are over repeats.
fn mild(rng: &mut Stream) -> f64 {
    libm::exp(0.5 * normal(rng))
}

fn coin(rng: &mut Stream) -> f64 {
    f64::from(u8::from(unit(rng) < 0.5))
}

/// The share of samples whose interval holds the truth, in percent.
fn covered(seed: u64, mut holds: impl FnMut(&mut Stream) -> bool) -> f64 {
    let mut rng = stream(seed, &[]);
    let held = (0..SAMPLES).filter(|_| holds(&mut rng)).count();
    100.0 * held as f64 / SAMPLES as f64
}

fn of_samples(n: usize, draw: Draw, truth: f64, interval: fn(&[f64]) -> Option<[f64; 2]>) -> f64 {
    covered(n as u64, |rng| {
        let sample: Vec<f64> = (0..n).map(|_| draw(rng)).collect();
        let [low, high] = interval(&sample).expect("two values have an interval");
        low <= truth && truth <= high
    })
}

fn check(what: &str, reached: f64, expected: f64) {
    let off = (reached - expected).abs();
    assert!(off <= 2.5, "{what}: {reached} % covered, not {expected}");
}

/// 93 to 97 % for normal values at all sizes, for mildly skewed ones but for the smallest, for exponential ones from ten on. Three to
/// five exponential values and samples of log-normal ones show too little of the long tail for any interval that is not far too wide
/// for the others. Three coins are equal in a quarter of all samples, which then have no spread at all: see the test of shares.
#[test]
fn the_interval_of_a_mean_covers() {
    let cells: [(&str, Draw, f64, [f64; 4]); 5] = [
        ("normal", normal, 0.0, [95.0; 4]),
        ("mild", mild, libm::exp(0.125), [93.0, 93.0, 93.0, 94.5]),
        ("exponential", exponential, 1.0, [89.0, 91.0, 93.0, 94.0]),
        (
            "log-normal",
            log_normal,
            libm::exp(0.5),
            [86.0, 87.0, 89.5, 92.0],
        ),
        ("coins", coin, 0.5, [75.0, 94.0, 99.5, 96.0]),
    ];
    for (name, draw, truth, expected) in cells {
        for (n, expected) in SIZES.into_iter().zip(expected) {
            let reached = of_samples(n, draw, truth, mean_interval);
            check(&format!("mean of {n} {name}"), reached, expected);
        }
    }
}

/// By ranks the distribution does not matter. Three values hold the median between them in 75 % of samples, whatever is done.
#[test]
fn the_interval_of_a_median_covers() {
    let cells: [(&str, Draw, f64); 3] = [
        ("normal", normal, 0.0),
        ("exponential", exponential, std::f64::consts::LN_2),
        ("log-normal", log_normal, 1.0),
    ];
    for (name, draw, truth) in cells {
        for (n, expected) in SIZES.into_iter().zip([75.0, 93.75, 95.0, 95.0]) {
            let reached = of_samples(n, draw, truth, median_interval);
            check(&format!("median of {n} {name}"), reached, expected);
        }
    }
}

/// Exactly, over all counts: a share of n games jumps, so that Wilson's interval covers 95 % only over all probabilities together. For
/// single ones it is between 82 % (rare events in few games) and 100 %.
#[test]
fn the_interval_of_a_share_covers() {
    let binomial = |n: u64, k: u64, p: f64| {
        let ways: f64 = (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product();
        ways * libm::pow(p, k as f64) * libm::pow(1.0 - p, (n - k) as f64)
    };
    for n in SIZES.map(|n| n as u64) {
        let at = |p: f64| {
            let held = (0..=n).filter(|&k| {
                let [low, high] = Share::new(k, n).ci95;
                low <= p && p <= high
            });
            held.map(|k| binomial(n, k, p)).sum::<f64>()
        };
        let all: Vec<f64> = (1..1000).map(|p| at(f64::from(p) / 1000.0)).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        assert!((0.94..0.97).contains(&mean), "{n} games: {mean}");
        let least = all.iter().copied().fold(1.0, f64::min);
        assert!(least > 0.82, "{n} games: {least}");
    }
}

/// Over pairs of games, whether the second game of a pair has nothing to do with the first, nearly repeats it, or nearly mirrors it.
#[test]
fn the_interval_of_a_share_over_pairs_covers() {
    type Second = fn(bool, &mut Stream) -> bool;
    let second: [(&str, Second); 3] = [
        ("independent", |_, rng| unit(rng) < 0.3),
        ("alike", |first, rng| match unit(rng) < 0.9 {
            true => first,
            false => unit(rng) < 0.3,
        }),
        ("opposite", |first, rng| !first && unit(rng) < 3.0 / 7.0),
    ];
    for (name, second) in second {
        for pairs in [10, 30, 100] {
            let held = covered(pairs, |rng| {
                let pair = |_| {
                    let first = unit(rng) < 0.3;
                    (u64::from(first) + u64::from(second(first, rng)), 2)
                };
                let pairs: Vec<(u64, u64)> = (0..pairs).map(pair).collect();
                let [low, high] =
                    Share::of_units(pairs.into_iter().map(|(held, games)| (held, games, 1))).ci95;
                low <= 0.3 && 0.3 <= high
            });
            assert!(held > 92.0, "{pairs} {name} pairs: {held} %");
        }
    }
}

/// A12 is shown with a test instead of an interval: how often Mann and Whitney's finds a difference at 5 % where there is none.
/// It never does with three values a sample, for which the smallest p-value is 0.1.
#[test]
fn the_test_behind_a12_keeps_its_level() {
    for (name, draw) in [("normal", normal as Draw), ("log-normal", log_normal)] {
        for (n, expected) in SIZES.into_iter().zip([0.0, 3.2, 4.3, 5.0]) {
            let found = covered(n as u64, |rng| {
                let mut sample = || (0..n).map(|_| draw(rng)).collect::<Vec<f64>>();
                let (a, b) = (sample(), sample());
                mann_whitney(&a, &b) < 0.05
            });
            check(&format!("{n} {name} values a sample"), found, expected);
        }
    }
}

/// Without skewness it is Student's: 3 -+ 2.776 sqrt(0.5). The median of ten lies between the ranks 2 and 9 in 97.9 % of samples, between 3
/// and 8 in 89.1 %, so at 95 % between those.
#[test]
fn intervals_are_the_same_everywhere() {
    let close = |ours: Option<[f64; 2]>, theirs: [f64; 2]| {
        let ours = ours.expect("there are values");
        for (ours, theirs) in ours.into_iter().zip(theirs) {
            assert!((ours - theirs).abs() < 1e-9, "{ours} {theirs}");
        }
    };
    let five = [1.0, 2.0, 3.0, 4.0, 5.0];
    close(
        mean_interval(&five),
        [1.036_756_838_522_439, 4.963_243_161_477_561],
    );
    let skewed = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 40.0];
    let turned: Vec<f64> = skewed.iter().rev().copied().collect();
    assert_eq!(mean_interval(&skewed), mean_interval(&turned));
    let [low, high] = mean_interval(&skewed).expect("ten values");
    assert!(
        8.5 - low < high - 8.5,
        "longer on the long side: {low} {high}"
    );
    assert_eq!(median_interval(&five), Some([1.0, 5.0]));
    let [low, high] = median_interval(&skewed).expect("ten values");
    assert!(
        2.0 < low && low < 3.0 && 8.0 < high && high < 9.0,
        "{low} {high}"
    );
}

#[test]
fn samples_without_spread_have_no_width() {
    for interval in [mean_interval, median_interval] {
        assert_eq!(interval(&[]), None);
        assert_eq!(interval(&[3.0]), None);
        assert_eq!(interval(&[3.0; 7]), Some([3.0; 2]));
        let [low, high] = interval(&[1.0, 2.0]).expect("two values have an interval");
        assert!(low < high);
    }
}
