//! What happens while a screen is shown: keys, a new size, signals, and news from other threads.

use std::io;
use std::process;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, KeyEvent, KeyEventKind};

use super::hint::Advice;
use super::terminal;
use super::thinker::Thought;

/// A signal so long after the first ends the process at once. A terminal that is closed sends more than one
/// signal, and the best score should still be kept.
const PATIENCE: Duration = Duration::from_secs(1);

/// One thing that happened.
#[derive(Debug)]
pub(crate) enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// The window has another size.
    Resize,
    /// A signal asks to leave, or the terminal is gone.
    Interrupt,
    /// A thread that was to send news has panicked.
    Crash,
    /// Another thread has found something out.
    News(News),
}

/// What other threads find out.
#[derive(Debug)]
pub(crate) enum News {
    /// A player moves.
    Thought(Thought),
    /// A hint.
    Advice(Advice),
}

/// All events of a screen, in the order in which they happened.
pub(crate) struct Events {
    sender: Sender<Event>,
    receiver: Receiver<Event>,
}

impl Events {
    /// Listens to the keyboard and to signals. A process can do this once.
    pub(crate) fn listen() -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel();
        let events = Self { sender, receiver };
        events.listen_to_signals()?;
        let keys = events.sender();
        thread::Builder::new()
            .name("keys".to_owned())
            .spawn(move || forward_keys(&keys))?;
        Ok(events)
    }

    /// For a thread that has news.
    pub(crate) fn sender(&self) -> Sender<Event> {
        self.sender.clone()
    }

    /// The next event; none if nothing happens for so long.
    pub(crate) fn next(&self, timeout: Option<Duration>) -> Option<Event> {
        match timeout {
            Some(timeout) => self.receiver.recv_timeout(timeout).ok(),
            None => self.receiver.recv().ok(),
        }
    }

    fn listen_to_signals(&self) -> io::Result<()> {
        let (sender, mut first) = (self.sender(), None::<Instant>);
        ctrlc::set_handler(move || {
            let asked = first.get_or_insert_with(Instant::now).elapsed();
            // The loop does not answer: it may hang in a write.
            if sender.send(Event::Interrupt).is_err() || asked > PATIENCE {
                terminal::restore();
                process::exit(130);
            }
        })
        .map_err(io::Error::other)
    }
}

fn forward_keys(sender: &Sender<Event>) {
    loop {
        let event = match event::read() {
            Ok(event::Event::Key(key)) if key.kind != KeyEventKind::Release => Event::Key(key),
            Ok(event::Event::Resize(..)) => Event::Resize,
            Ok(_) => continue,
            Err(_) => Event::Interrupt,
        };
        let last = matches!(event, Event::Interrupt);
        if sender.send(event).is_err() || last {
            return;
        }
    }
}
