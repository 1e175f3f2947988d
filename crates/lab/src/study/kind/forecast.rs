//! Forecasts how long players will take on a board.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use games::connect::Rules;
use games::{AnyGame, stream};
use players::{Cancelled, Spec};

use super::boards::game;
use play::any::{AnyPlayer, AnyPosition};
use play::error::PlayError;

/// Seconds per move in every position of a long game, without starting anything that takes much longer than `time`: a search that
/// is cut short tells nothing. Positions are timed from the end of the game backwards; the rest is extrapolated from the growth.
pub(super) fn seconds_by_ply(
    rules: Rules,
    spec: &Spec,
    seed: u64,
    time: Duration,
    stop: &Cancelled,
) -> Result<Vec<f64>, PlayError> {
    let game = game(rules);
    let mut player = AnyPlayer::new(&game, spec, None)?.until(stop);
    let mut rng = stream(seed, &[1]);
    let once = |position: &AnyPosition| {
        let began = Instant::now();
        player.think(position, &mut rng);
        began.elapsed().as_secs_f64().max(1e-9)
    };
    let positions = long_game(&game, seed);
    // One move earlier the tree is larger by at most a factor of the columns.
    let at_worst = f64::from(rules.cols) + 1.0;
    let seconds = from_the_end(&positions, at_worst, time, once);
    match stop.load(Ordering::Relaxed) {
        true => Err(PlayError::Stopped),
        false => Ok(seconds),
    }
}

/// The longest of this many random games is used: at its end little is left to search.
const LONGEST_OF: u64 = 200;

/// The positions of a long random game, apart from its end.
fn long_game(game: &AnyGame, seed: u64) -> Vec<AnyPosition> {
    let play = |number: u64| {
        let mut rng = stream(seed, &[0, number]);
        let (mut position, mut positions) = (AnyPosition::start(game), Vec::new());
        while !position.is_over() {
            positions.push(position.clone());
            position.play_at_random(&mut rng);
        }
        positions
    };
    let games = (0..LONGEST_OF).map(play);
    games.max_by_key(Vec::len).unwrap_or_default()
}

/// Times positions from the last one backwards, as long as `at_worst` times the previous time fits in; extrapolates the rest.
fn from_the_end<P>(
    positions: &[P],
    at_worst: f64,
    time: Duration,
    mut once: impl FnMut(&P) -> f64,
) -> Vec<f64> {
    let mut left = time.as_secs_f64();
    let mut seconds: Vec<f64> = Vec::new();
    for position in positions.iter().rev() {
        if seconds.last().is_some_and(|last| at_worst * last > left) {
            break;
        }
        let twice = [once(position), once(position)];
        left -= twice[0] + twice[1];
        // The shorter one, since other load only adds to it.
        seconds.push(twice[0].min(twice[1]));
    }
    // At the very end call overhead dominates; the growth shows in the later half.
    let half = seconds.len() / 2;
    let numbered = seconds.iter().enumerate().skip(half);
    let points: Vec<(f64, f64)> = numbered
        .map(|(ply, time)| (ply as f64, libm::log(*time)))
        .collect();
    let growth = libm::exp(slope(&points).unwrap_or(0.0).max(0.0));
    while seconds.len() < positions.len() {
        let last = seconds.last().copied().unwrap_or(0.0);
        seconds.push(last * growth);
    }
    seconds
}

/// A duration, clamped to the largest possible one.
pub(in crate::study) fn long_time(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// The slope of the line through points, by least squares; `None` if all have the same x.
pub(super) fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let across: f64 = points
        .iter()
        .map(|point| (point.0 - x) * (point.1 - y))
        .sum();
    let along: f64 = points
        .iter()
        .map(|point| (point.0 - x) * (point.0 - x))
        .sum();
    (along > 0.0).then(|| across / along)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time a full tree search uses of a second, and its forecast, by a simulated clock: a microsecond per node.
    fn forecast(rules: &str) -> (f64, Vec<f64>) {
        let rules = Rules::from_options(&rules.parse().unwrap()).unwrap();
        let spec = "minimax(depth=100)".parse().unwrap();
        let mut spent = 0.0;
        let game = game(rules);
        let once = |position: &AnyPosition| {
            let mut player = AnyPlayer::new(&game, &spec, None).unwrap();
            player.think(position, &mut stream(1, &[1]));
            let seconds = player.nodes().unwrap() as f64 * 1e-6;
            spent += seconds;
            seconds
        };
        let at_worst = f64::from(rules.cols) + 1.0;
        let positions = long_game(&game, 1);
        let seconds = from_the_end(&positions, at_worst, Duration::from_secs(1), once);
        (spent, seconds)
    }

    #[test]
    fn a_board_that_can_be_searched_is_measured_and_not_guessed() {
        let (spent, seconds) = forecast("rows=3 cols=3 connect=3");
        assert!(seconds.len() >= 5 && seconds.is_sorted(), "{seconds:?}");
        let twice = 2.0 * seconds.iter().sum::<f64>();
        assert!((spent - twice).abs() < 1e-9, "{spent} {twice}");
    }

    #[test]
    fn what_nobody_has_seen_the_end_of_is_not_begun() {
        let (spent, seconds) = forecast("rows=6 cols=7");
        assert!(spent < 2.0, "{spent}");
        assert!(seconds.iter().sum::<f64>() > 1e6, "{seconds:?}");
    }
}
