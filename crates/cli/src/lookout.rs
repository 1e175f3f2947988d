//! Says so when games will take long: some players hardly ever lose.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use games::AnyGame;
use indicatif::ProgressBar;

use crate::output::{number, print_to_stderr};

/// How long somebody waits before the first word.
const AFTER: Duration = Duration::from_secs(10);
/// Nothing is said if all games will have ended by then.
const SHORT: Duration = Duration::from_secs(600);

/// Watches over games until it is dropped.
pub(crate) struct Lookout {
    _ends_with_this: Sender<()>,
}

impl Lookout {
    /// Over games that are counted by a bar and played on some threads or workers.
    pub(crate) fn over(bar: &ProgressBar, game: &AnyGame, slots: usize) -> Self {
        let (sender, ended) = channel();
        let (bar, advice) = (bar.clone(), advice(game));
        thread::spawn(move || {
            let waited = ended.recv_timeout(AFTER) == Err(RecvTimeoutError::Timeout);
            let games = bar.length().unwrap_or(1);
            let note = note(bar.position(), games, slots, advice.as_deref());
            if let (true, Some(note)) = (waited, note) {
                bar.suspend(|| print_to_stderr(note));
            }
        });
        Self {
            _ends_with_this: sender,
        }
    }
}

/// The rule that ends games, if the game has one that is not set.
fn advice(game: &AnyGame) -> Option<String> {
    let unlimited = game.options().get("limit") == Some("none");
    let unit = game.family().move_name;
    unlimited.then(|| format!("--limit 10000 ends a game after so many {unit}s"))
}

/// What is said after the first seconds, if so many of all games have ended by then.
fn note(ended: u64, games: u64, slots: usize, advice: Option<&str>) -> Option<String> {
    let waited = AFTER.as_secs();
    let total = match ended {
        0 => games.div_ceil(slots as u64).saturating_mul(waited),
        _ => games.saturating_mul(waited) / ended,
    };
    let total = Duration::from_secs(total);
    let found = match ended {
        0 => format!("no game has ended in {waited} s"),
        _ if total <= SHORT => return None,
        1 => format!("only one game has ended in {waited} s"),
        some => format!("only {some} games have ended in {waited} s"),
    };
    let estimate = match games {
        1 => String::new(),
        _ => format!(
            "; {} of them would take {}{}",
            number(games as f64, 0),
            humantime::format_duration(rough(total)),
            if ended == 0 { " or more" } else { "" }
        ),
    };
    let advice = advice
        .map(|advice| format!("; {advice}"))
        .unwrap_or_default();
    Some(format!("note: {found}{estimate}{advice}. Ctrl-C stops"))
}

/// Only as exact as it is known: whole minutes, hours or days.
fn rough(time: Duration) -> Duration {
    let seconds = time.as_secs();
    let unit = match seconds {
        0..120 => 1,
        120..7_200 => 60,
        7_200..172_800 => 3_600,
        _ => 86_400,
    };
    Duration::from_secs(seconds / unit * unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::{Options, registry};

    fn built(name: &str, rules: &str) -> AnyGame {
        let rules: Options = rules.parse().expect("rules");
        registry::build(name, &rules).expect("a game")
    }

    #[test]
    fn it_knows_how_long_that_may_be_and_what_to_do() {
        let tetris = advice(&built("tetris", ""));
        let text = note(0, 1000, 2, tetris.as_deref()).expect("a note");
        assert!(
            text.contains("1,000 of them would take 1h 23m or more"),
            "{text}"
        );
        assert!(text.contains("--limit 10000"), "{text}");
        assert_eq!(advice(&built("tetris", "limit=500")), None);
        assert_eq!(advice(&built("2048", "")), None);
        let single = note(0, 1, 2, None).expect("a note");
        assert!(!single.contains("would take"), "{single}");
        let slow = note(3, 1000, 2, None).expect("a note");
        assert!(
            slow.contains("only 3 games have ended in 10 s; 1,000 of them would take 55m"),
            "{slow}"
        );
        assert_eq!(note(100, 1000, 2, None), None);
    }
}
