//! The loop of every screen: draw, wait for something to happen, let the session change.

use std::time::{Duration, Instant};

use anyhow::anyhow;
use ratatui::crossterm::event::{KeyCode, KeyEvent};

use super::events::{Event, Events, News};
use super::keys::{Pressed, pressed};
use super::stage::{self, Fit, Scene};
use super::terminal::{self, Terminal};
use crate::output::Failure;

/// What goes on in a screen. It holds no terminal and reads no clock, so that tests can drive it.
pub(crate) trait Session {
    /// What is to be seen now.
    fn scene(&self) -> Scene<'_>;

    /// A key was pressed that does not mean the same on every screen.
    fn key(&mut self, key: KeyCode) -> Clock;

    /// Does this key explain all keys? It is no key of any game.
    fn explains(&self, key: KeyCode) -> bool {
        matches!(key, KeyCode::Char('i') | KeyCode::F(1))
    }

    /// The time between two ticks; none while nothing happens by itself.
    fn pace(&self) -> Option<Duration> {
        None
    }

    /// Time has come for whatever happens by itself.
    fn tick(&mut self) {}

    /// Is there nothing left to do? Then the screen ends by itself.
    fn is_done(&self) -> bool {
        false
    }

    /// Another thread has found something out.
    fn news(&mut self, news: News);
}

/// What a key does to the time of the next tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    /// It stays as it is.
    Runs,
    /// The time starts again.
    Restarts,
}

/// Why a screen ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leave {
    /// The person had enough.
    Quit,
    /// Ctrl-C or a signal.
    Interrupted,
}

impl Leave {
    /// The result of a command whose screen ended so.
    pub(crate) fn result(self) -> Result<(), Failure> {
        match self {
            Self::Quit => Ok(()),
            Self::Interrupted => Err(Failure::Interrupted),
        }
    }
}

/// Shows the session until the person leaves.
pub(crate) fn run<S: Session>(events: &Events, session: &mut S) -> Result<Leave, Failure> {
    let mut terminal = Terminal::take()?;
    let mut show = Show::new(session);
    loop {
        terminal.draw(|frame| show.fit = stage::draw(frame, &show.session.scene(), show.help))?;
        let timeout = show.timeout();
        match events.next(timeout) {
            None => show.tick(),
            Some(Event::Key(key)) => {
                if let Some(leave) = show.key(key) {
                    return Ok(leave);
                }
            }
            Some(Event::Resize) => {}
            Some(Event::Interrupt) => return Ok(Leave::Interrupted),
            Some(Event::News(news)) => show.session.news(news),
            Some(Event::Crash) => {
                let what = terminal::crash().unwrap_or_default();
                return Err(Failure::Failed(anyhow!("the player crashed: {what}")));
            }
        }
    }
}

/// A session as it is shown: with its clock and the help that may lie over it.
struct Show<'a, S> {
    session: &'a mut S,
    last_tick: Instant,
    fit: Fit,
    help: bool,
}

impl<'a, S: Session> Show<'a, S> {
    fn new(session: &'a mut S) -> Self {
        Self {
            session,
            last_tick: Instant::now(),
            fit: Fit::Fits,
            help: false,
        }
    }

    /// Time until the next tick. None passes while the person cannot see the game.
    fn timeout(&mut self) -> Option<Duration> {
        if self.help || self.fit == Fit::TooSmall {
            self.last_tick = Instant::now();
            return None;
        }
        let pace = self.session.pace()?;
        Some(pace.saturating_sub(self.last_tick.elapsed()))
    }

    fn tick(&mut self) {
        self.session.tick();
        self.last_tick = Instant::now();
    }

    fn key(&mut self, event: KeyEvent) -> Option<Leave> {
        match pressed(event)? {
            Pressed::Interrupt => return Some(Leave::Interrupted),
            Pressed::Plain(KeyCode::Char('q')) => return Some(Leave::Quit),
            // What is not seen should not change by accident.
            Pressed::Plain(_) if self.fit == Fit::TooSmall => {}
            Pressed::Plain(_) if self.help => self.help = false,
            Pressed::Plain(key) if self.session.explains(key) => self.help = true,
            Pressed::Plain(key) => {
                if self.session.key(key) == Clock::Restarts {
                    self.last_tick = Instant::now();
                }
                return self.session.is_done().then_some(Leave::Quit);
            }
        }
        None
    }
}
