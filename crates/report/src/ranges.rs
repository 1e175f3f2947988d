//! Which values a metric can have: intervals do not reach beyond them.

use lab::run::outcome::SELECTED;

const ANY: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
const SHARE: [f64; 2] = [0.0, 1.0];
const RESULT: [f64; 2] = [-1.0, 1.0];
const COUNT: [f64; 2] = [0.0, f64::INFINITY];

/// The range of a metric of a game with so many seats, or of a program's fitness. Scores of one player are counted from 0.
pub(crate) fn range(metric: &str, seats: Option<u8>) -> [f64; 2] {
    let is_share = matches!(metric, "won" | "wins" | "draws" | "losses");
    if is_share || metric.starts_with("share ") || metric.starts_with("mean fitness reaches") {
        return SHARE;
    }
    let is_worth = ["score", SELECTED, "fitness", "truth"]
        .iter()
        .any(|word| metric.contains(word))
        && !metric.ends_with(" sd")
        && !metric.starts_with("generation in which");
    match seats {
        _ if !is_worth => COUNT,
        Some(2) => RESULT,
        Some(_) => COUNT,
        None => ANY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_has_the_range_of_what_it_is() {
        for (metric, seats, low, high) in [
            ("won", Some(1), 0.0, 1.0),
            ("share of means below 0.8 after 0.95", Some(2), 0.0, 1.0),
            ("score", Some(2), -1.0, 1.0),
            ("score sd", Some(2), 0.0, f64::INFINITY),
            ("score", Some(1), 0.0, f64::INFINITY),
            (
                "generation in which mean fitness reaches 1",
                Some(2),
                0.0,
                f64::INFINITY,
            ),
            (SELECTED, None, f64::NEG_INFINITY, f64::INFINITY),
            ("evaluations", None, 0.0, f64::INFINITY),
        ] {
            assert_eq!(range(metric, seats), [low, high], "{metric}");
        }
    }
}
