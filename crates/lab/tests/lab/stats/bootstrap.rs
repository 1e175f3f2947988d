//! Whether the intervals hold what they promise, and are the same everywhere.

use lab::stats::{mean_interval, median_interval};
use streams::{Stream, stream, unit};

/// Exponential with mean 1: as skewed as scores of games get.
fn skewed(rng: &mut Stream, n: usize) -> Vec<f64> {
    (0..n).map(|_| -libm::log(1.0 - unit(rng))).collect()
}

#[test]
fn coverage_report() {
    for n in [5, 10, 30, 100] {
        let mut rng = stream(300, &[]);
        let (mut mean, mut median) = (0, 0);
        for _ in 0..2000 {
            let sample = skewed(&mut rng, n);
            let [low, high] = mean_interval(&sample).unwrap();
            mean += u32::from(low <= 1.0 && 1.0 <= high);
            let [low, high] = median_interval(&sample).unwrap();
            median += u32::from(low <= 2_f64.ln() && 2_f64.ln() <= high);
        }
        println!("{n} {mean} {median}");
    }
    for n in [2, 30, 400, 2000, 10000, 20000] {
        let sample = skewed(&mut stream(1, &[]), n);
        let t = std::time::Instant::now();
        let a = mean_interval(&sample);
        let u = t.elapsed();
        let b = median_interval(&sample);
        println!("{n} {u:?} {:?} {a:?} {b:?}", t.elapsed());
    }
}
