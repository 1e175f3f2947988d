//! Which values a metric can have: intervals do not reach beyond them.

use games::AnyGame;
use lab::run::outcome::SELECTED;
use play::measure::counts;

const ANY: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
const SHARE: [f64; 2] = [0.0, 1.0];
const RESULT: [f64; 2] = [-1.0, 1.0];

/// What of a game limits its metrics.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) seats: u8,
    most_moves: Option<u64>,
}

impl Limits {
    pub(crate) fn of(game: &AnyGame) -> Self {
        Self {
            seats: game.seats(),
            most_moves: game.most_moves(),
        }
    }
}

/// The range of a metric of a game, or of a program's fitness. Scores of one player are counted from 0.
pub(crate) fn range(metric: &str, game: Option<Limits>) -> [f64; 2] {
    let is_share = matches!(metric, "won" | "wins" | "draws" | "losses");
    if is_share || metric.starts_with("share ") || metric.starts_with("mean fitness reaches") {
        return SHARE;
    }
    let is_worth = ["score", SELECTED, "fitness", "truth"]
        .iter()
        .any(|word| metric.contains(word))
        && !metric.ends_with(" sd")
        && !metric.starts_with("generation in which");
    let count = counts(metric, game.and_then(|game| game.most_moves));
    match game.map(|game| game.seats) {
        _ if !is_worth => count,
        Some(2) => RESULT,
        Some(_) => count,
        None => ANY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_has_the_range_of_what_it_is() {
        let game = |name: &str, rules: &str| {
            let rules = rules.parse().expect("options");
            Limits::of(&games::registry::build(name, &rules).expect("a game"))
        };
        let [one, two] = [game("2048", ""), game("connect", "")];
        let few = game("tetris", "limit=50");
        let generation = "generation in which mean fitness reaches 1";
        for (metric, game, low, high) in [
            ("won", Some(one), 0.0, 1.0),
            ("share of means below 0.8 after 0.95", Some(two), 0.0, 1.0),
            ("score", Some(two), -1.0, 1.0),
            ("score sd", Some(two), 0.0, f64::INFINITY),
            ("score", Some(one), 0.0, f64::INFINITY),
            ("moves", Some(one), 0.0, f64::INFINITY),
            ("moves", Some(two), 0.0, 42.0),
            ("pieces", Some(few), 0.0, 50.0),
            ("score", Some(few), 0.0, f64::INFINITY),
            (generation, Some(two), 0.0, f64::INFINITY),
            (SELECTED, None, f64::NEG_INFINITY, f64::INFINITY),
            ("evaluations", None, 0.0, f64::INFINITY),
        ] {
            assert_eq!(range(metric, game), [low, high], "{metric}");
        }
    }
}
