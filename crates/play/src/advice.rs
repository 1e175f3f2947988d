//! Advice: a player's move in a position and its value for every move, for the terminal and the page alike.

use std::time::{Duration, Instant};

use games::{Game, Stream};
use players::Player;

use crate::numbers::grouped;

/// Values beyond this mean that the game is decided.
const DECIDED: f64 = 1e12;

/// A player's view of a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The move it would make, or why it has none.
    pub chosen: Result<String, String>,
    /// Its value of every move; none if it does not judge moves.
    pub values: Vec<(String, f64)>,
    /// Was the evaluation of moves stopped by the time limit?
    pub cut_short: bool,
}

/// Evaluates and chooses with the same random numbers, so that both agree. The caller has limited the player to `time`.
pub(crate) fn advise<G: Game>(
    game: &G,
    player: &mut dyn Player<G>,
    rng: &Stream,
    position: &G::Position,
    time: Duration,
) -> Advice {
    let started = Instant::now();
    let values = player.judge(game, position, &mut rng.clone());
    let cut_short = started.elapsed() >= time;
    let mut chosen = player.choose(game, position, &mut rng.clone());
    if cut_short {
        chosen = no_worse(chosen, &values);
    }
    Advice {
        chosen: player.forfeit().map_or(Ok(chosen.to_string()), Err),
        values: texts(&values),
        cut_short,
    }
}

fn texts<M: ToString>(values: &[(M, f64)]) -> Vec<(String, f64)> {
    let texts = values
        .iter()
        .map(|(chosen, value)| (chosen.to_string(), *value));
    texts.collect()
}

/// Under a time limit a player may choose a move that it valued lower; then the best valued one is shown.
fn no_worse<M: Copy + PartialEq>(chosen: M, values: &[(M, f64)]) -> M {
    let value = values.iter().find(|(own, _)| *own == chosen);
    let highest = values.iter().max_by(|(_, a), (_, b)| a.total_cmp(b));
    match (value, highest) {
        (Some((_, value)), Some((best, highest))) if highest > value => *best,
        _ => chosen,
    }
}

/// A value for display: integers without decimals, other values with more decimals the closer they are to zero.
#[must_use]
pub fn value_text(value: f64) -> String {
    match value {
        _ if value >= DECIDED => "won".to_owned(),
        _ if value <= -DECIDED => "lost".to_owned(),
        _ if value.fract() == 0.0 || value.abs() >= 1000.0 => grouped(value, 0),
        _ => grouped(value, 2),
    }
}

/// A value with its sign in at most this many characters; if nothing else fits, only the sign.
#[must_use]
pub fn short_text(value: f64, width: usize) -> String {
    let sign = match value {
        _ if value == 0.0 => return "0".to_owned(),
        _ if value > 0.0 => "+",
        _ => "-",
    };
    let mut texts = Vec::new();
    if value.abs() >= DECIDED {
        texts.push(value_text(value));
    } else {
        let decimals = if value.fract() == 0.0 { 0 } else { 2 };
        texts.extend(
            (0..=decimals)
                .rev()
                .map(|decimals| format!("{value:+.decimals$}")),
        );
    }
    // A small number must not be rounded until it looks like a draw.
    let tells =
        |text: &String| text.len() <= width && text.contains(|c: char| ('1'..='z').contains(&c));
    texts.into_iter().find(tells).unwrap_or(sign.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_found_worse_than_another_is_not_advised() {
        let values = [(1, -7.0), (2, -4.0), (3, -4.5)];
        assert_eq!(no_worse(1, &values), 2);
        assert_eq!(no_worse(2, &values), 2);
        assert_eq!(
            no_worse(4, &values),
            4,
            "an unvalued move may be better than all valued ones"
        );
        assert_eq!(no_worse(1, &[]), 1);
    }

    #[test]
    fn values_are_told_as_well_as_they_fit() {
        let check = |value, expected: [&str; 4]| {
            let short = [5, 3, 2].map(|width| short_text(value, width));
            assert_eq!(value_text(value), expected[0]);
            assert_eq!(short, expected[1..], "{value}");
        };
        check(5.0, ["5", "+5", "+5", "+5"]);
        check(-18.0, ["-18", "-18", "-18", "-"]);
        check(0.0, ["0", "0", "0", "0"]);
        check(-0.0, ["0", "0", "0", "0"]);
        check(-0.25, ["-0.25", "-0.25", "-", "-"]);
        check(0.501, ["0.50", "+0.50", "+1", "+1"]);
        check(-12.345, ["-12.35", "-12.3", "-12", "-"]);
        check(12_345.678, ["12,346", "+", "+", "+"]);
        check(1e15 - 3.0, ["won", "won", "won", "+"]);
        check(f64::NEG_INFINITY, ["lost", "lost", "-", "-"]);
    }
}
