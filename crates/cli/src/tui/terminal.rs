//! The terminal: taken for a screen, and given back whatever happens.
//!
//! It is given back when the [`Terminal`] is dropped, when its thread panics, and on signals (which reach
//! the loop as events). Only the thread that took it writes to it.

use std::io::{self, IsTerminal, Stdout, stdin, stdout};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use ratatui::Frame;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::execute;
use ratatui::crossterm::style::{Attribute, SetAttribute};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

use super::theme;

/// Is the terminal taken?
static TAKEN: AtomicBool = AtomicBool::new(false);
/// What the last panic of another thread said.
static CRASH: Mutex<Option<String>> = Mutex::new(None);

/// Can a person see a picture and press keys?
pub(crate) fn is_terminal() -> bool {
    stdin().is_terminal() && stdout().is_terminal()
}

/// The terminal in raw mode, showing its other screen, until this is dropped.
pub(crate) struct Terminal {
    inner: ratatui::Terminal<CrosstermBackend<Stdout>>,
    colours: bool,
}

impl Terminal {
    /// Takes the terminal.
    pub(crate) fn take() -> io::Result<Self> {
        restore_on_panic();
        TAKEN.store(true, Ordering::SeqCst);
        let taken = enable_raw_mode()
            .and_then(|()| execute!(stdout(), EnterAlternateScreen, Hide))
            .and_then(|()| ratatui::Terminal::new(CrosstermBackend::new(stdout())));
        match taken {
            Ok(inner) => Ok(Self {
                inner,
                colours: theme::wants_colours(),
            }),
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }

    /// Draws a picture; only what differs from the last one is written.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        let colours = self.colours;
        self.inner.draw(|frame| {
            draw(frame);
            if !colours {
                theme::remove_colours(frame.buffer_mut());
            }
        })?;
        Ok(())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back, once.
pub(crate) fn restore() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // When the terminal is gone there is nothing to restore.
        let _ = disable_raw_mode();
        let _ = execute!(
            stdout(),
            SetAttribute(Attribute::Reset),
            LeaveAlternateScreen,
            Show
        );
    }
}

/// What a panic of another thread said, if there was one.
pub(crate) fn crash() -> Option<String> {
    CRASH.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Makes a panic give the terminal back before its message is printed.
///
/// Another thread must not write while this one draws, so its message is kept for [`crash`].
fn restore_on_panic() {
    let owner = thread::current().id();
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == owner {
            restore();
            before(info);
        } else {
            *CRASH.lock().unwrap_or_else(PoisonError::into_inner) = Some(info.to_string());
        }
    }));
}
