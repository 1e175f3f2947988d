//! Long work: how many threads do it, and how far it is.

use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::output::number;

/// So many threads as were asked for, or one a core.
pub(crate) fn threads(asked: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    asked.map_or_else(cores, usize::from)
}

/// A bar on a terminal; indicatif shows none in a pipe.
pub(crate) fn progress(games: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{bar:30} {human_pos}/{human_len} games, {speed}, {eta} left")
            .expect("the template is right")
            .with_key(
                "speed",
                |state: &indicatif::ProgressState, text: &mut dyn std::fmt::Write| {
                    // When the line is too long nothing can be done about it.
                    let _ = write!(text, "{}/s", number(state.per_sec(), 0));
                },
            );
    ProgressBar::new(games).with_style(style)
}

/// Generations of an evolution: a bar on a terminal, a plain line every few seconds elsewhere.
pub(crate) struct GenerationBar {
    bar: ProgressBar,
    generations: u32,
    games: AtomicU64,
    started: Instant,
    told: Instant,
    /// The generations are over: the bar counts games.
    finals: bool,
}

/// Without a terminal a line comes at most this often.
const PLAIN_LINES: Duration = Duration::from_secs(5);

impl GenerationBar {
    /// Generations after the first.
    pub(crate) fn new(generations: u32) -> Self {
        let bar = ProgressBar::new(u64::from(generations) + 1);
        let style =
            ProgressStyle::with_template("{bar:20} {wide_msg}").expect("the template is right");
        bar.set_style(style);
        bar.set_message("first generation");
        bar.enable_steady_tick(Duration::from_millis(200));
        let now = Instant::now();
        Self {
            bar,
            generations,
            games: AtomicU64::new(0),
            started: now,
            told: now,
            finals: false,
        }
    }

    /// A game is over.
    pub(crate) fn game_over(&self) {
        self.games.fetch_add(1, Ordering::Relaxed);
        if self.finals {
            self.bar.inc(1);
        }
    }

    /// A generation is over.
    pub(crate) fn generation_over(&mut self, generation: u32, best: f64, mean: f64) {
        let elapsed = self.started.elapsed();
        let (done, all) = (
            f64::from(generation) + 1.0,
            f64::from(self.generations) + 1.0,
        );
        let left = elapsed.mul_f64((all - done).max(0.0) / done);
        let line = format!(
            "generation {generation}/{}, best {}, mean {}, {} games/s, {:#} left",
            self.generations,
            brief(best),
            brief(mean),
            number(
                self.games.load(Ordering::Relaxed) as f64 / elapsed.as_secs_f64(),
                0
            ),
            HumanDuration(left)
        );
        self.bar.inc(1);
        self.say(line);
    }

    /// Those who play for the title, or the champion, play so many games.
    pub(crate) fn finals_begin(&mut self, games: u64) {
        self.finals = true;
        let style = ProgressStyle::with_template("{bar:20} {msg}: {percent} %, {eta} left");
        self.bar.set_style(style.expect("the template is right"));
        self.bar.set_length(games);
        self.bar.set_position(0);
        self.bar.reset_eta();
        self.say(format!("{} fresh games", number(games as f64, 0)));
    }

    /// Leaves the screen as it was.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn say(&mut self, line: String) {
        if !std::io::stderr().is_terminal() && self.told.elapsed() >= PLAIN_LINES {
            self.told = Instant::now();
            // When standard error is closed there is nobody left to tell.
            let _ =
                std::io::Write::write_all(&mut std::io::stderr(), format!("{line}\n").as_bytes());
        }
        self.bar.set_message(line);
    }
}

/// A fitness in few characters: whole for large ones, with decimals for small ones.
pub(crate) fn brief(value: f64) -> String {
    number(value, if value.abs() < 10.0 { 3 } else { 0 })
}
