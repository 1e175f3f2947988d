//! The terminal: taken for a screen, and given back whatever happens.
//!
//! It is given back when the [`Terminal`] is dropped, when its thread panics, and on signals (which reach
//! the loop as events). Only the thread that took it writes to it.

use std::io::{self, IsTerminal, Stdout, stdin, stdout};
use std::mem::ManuallyDrop;
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
    // Never dropped: it would print, and so panic, when the terminal is gone.
    inner: ManuallyDrop<ratatui::Terminal<CrosstermBackend<Stdout>>>,
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
                inner: ManuallyDrop::new(inner),
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

#[cfg(test)]
#[path = "../../tests/cli/terminal/pty.rs"]
#[expect(dead_code, reason = "the tests of the whole program use all of it")]
mod pty;

#[cfg(test)]
mod tests {
    use super::pty::Pty;
    use super::*;

    /// Names the test that a child process runs in its terminal.
    const ROLE: &str = "GAMETE_TEST_ROLE";

    /// Runs this test binary in a terminal, with one test that does something only there.
    fn in_a_terminal(role: &str) -> (u32, String) {
        let program = std::env::current_exe().unwrap();
        let test = format!("tui::terminal::tests::{role}");
        let words = ["--exact", &test, "--nocapture"];
        Pty::start(program.to_str().unwrap(), &words, (80, 40), &[(ROLE, role)]).end()
    }

    fn plays(role: &str) -> bool {
        std::env::var(ROLE).is_ok_and(|own| own == role)
    }

    #[test]
    fn panics_while_drawing() {
        if plays("panics_while_drawing") {
            let mut terminal = Terminal::take().unwrap();
            let _ = terminal.draw(|_| panic!("this is a test"));
        }
    }

    #[test]
    fn a_panic_gives_the_terminal_back_and_is_told() {
        let (code, text) = in_a_terminal("panics_while_drawing");
        assert_eq!(code, 101);
        assert!(text.contains("this is a test"), "{text}");
    }

    #[test]
    fn lets_another_thread_panic() {
        if plays("lets_another_thread_panic") {
            let terminal = Terminal::take().unwrap();
            thread::spawn(|| panic!("this is a test"))
                .join()
                .unwrap_err();
            drop(terminal);
            println!("the crash said: {}", crash().unwrap());
        }
    }

    #[test]
    fn a_panic_of_another_thread_waits_for_the_end_of_the_screen() {
        let (code, text) = in_a_terminal("lets_another_thread_panic");
        assert_eq!(code, 0);
        let (_, said) = text.split_once("the crash said:").unwrap();
        assert!(said.contains("this is a test"), "{text}");
    }
}
