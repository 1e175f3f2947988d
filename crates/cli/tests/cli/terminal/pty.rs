//! A program in a pseudo-terminal, and what its window shows.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, SlavePty, native_pty_system};

/// Only what hangs takes so long, however busy the machine is.
const HANG: Duration = Duration::from_secs(600);

pub(crate) const LEFT: &str = "\x1b[D";
pub(crate) const RIGHT: &str = "\x1b[C";
pub(crate) const UP: &str = "\x1b[A";
pub(crate) const DOWN: &str = "\x1b[B";
pub(crate) const F1: &str = "\x1bOP";
pub(crate) const ESCAPE: &str = "\x1b";
pub(crate) const CTRL_C: &str = "\x03";

/// The running program and its window.
pub(crate) struct Pty {
    master: Box<dyn MasterPty + Send>,
    /// Keeps the terminal open when the program has ended.
    slave: Option<Box<dyn SlavePty + Send>>,
    reader: Option<JoinHandle<()>>,
    child: Box<dyn Child + Send + Sync>,
    keyboard: Box<dyn Write + Send>,
    window: Arc<Mutex<vt100::Parser>>,
    /// The terminal's settings before the program ran.
    settings: String,
    /// Best scores of this test.
    data: tempfile::TempDir,
}

impl Pty {
    /// Starts a program in a window of this many columns and rows.
    pub(crate) fn start(
        program: &str,
        words: &[&str],
        size: (u16, u16),
        variables: &[(&str, &str)],
    ) -> Self {
        let data = tempfile::tempdir().unwrap();
        let pair = native_pty_system().openpty(pty_size(size)).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(words);
        command.env("TERM", "xterm-256color");
        command.env("RUST_BACKTRACE", "0");
        command.env_remove("NO_COLOR");
        command.env("GAMETE_DATA", data.path());
        for (name, value) in variables {
            command.env(name, value);
        }
        let settings = settings(&*pair.master);
        let child = pair.slave.spawn_command(command).unwrap();
        let (cols, rows) = size;
        let window = vt100::Parser::new(nonzero(rows), nonzero(cols), 100);
        let window = Arc::new(Mutex::new(window));
        let reader = follow(pair.master.try_clone_reader().unwrap(), window.clone());
        Self {
            keyboard: pair.master.take_writer().unwrap(),
            master: pair.master,
            slave: Some(pair.slave),
            reader: Some(reader),
            child,
            window,
            settings,
            data,
        }
    }

    /// The file with best scores of this test, as text.
    pub(crate) fn best_scores(&self) -> String {
        std::fs::read_to_string(self.data.path().join("best.json")).unwrap_or_default()
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
    }

    /// Gives the window another size.
    pub(crate) fn resize(&mut self, (cols, rows): (u16, u16)) {
        let mut window = self.window.lock().unwrap();
        window.set_size(nonzero(rows), nonzero(cols));
        self.master.resize(pty_size((cols, rows))).unwrap();
    }

    /// What the window shows.
    pub(crate) fn text(&self) -> String {
        self.window.lock().unwrap().screen().contents()
    }

    /// What is made of the window's cells.
    pub(crate) fn picture(&self, draw: impl FnOnce(&vt100::Screen) -> String) -> String {
        draw(self.window.lock().unwrap().screen())
    }

    /// Has any cell of the window a colour?
    pub(crate) fn has_colours(&self) -> bool {
        let window = self.window.lock().unwrap();
        let (rows, cols) = window.screen().size();
        let cells = (0..rows.get()).flat_map(|row| (0..cols.get()).map(move |col| (row, col)));
        cells
            .filter_map(|(row, col)| window.screen().cell(row, col))
            .any(|cell| {
                cell.bgcolor() != vt100::Color::Default || cell.fgcolor() != vt100::Color::Default
            })
    }

    /// Waits until the window shows this text.
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait_until(text, |window| window.contains(text));
    }

    /// Waits until the window shows this text no more.
    pub(crate) fn wait_without(&self, text: &str) {
        self.wait_until(text, |window| !window.contains(text));
    }

    /// Waits until what the window shows is right.
    pub(crate) fn wait_until(&self, what: &str, is_right: impl Fn(&str) -> bool) {
        let started = Instant::now();
        while !is_right(&self.text()) {
            let window = self.text();
            assert!(started.elapsed() < HANG, "waited for {what}:\n{window}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Sends a signal by its name, twice at once.
    pub(crate) fn signal_twice(&self, name: &str) {
        let id = self.child.process_id().unwrap().to_string();
        let kill = std::process::Command::new("kill")
            .args(["-s", name, &id, &id])
            .status();
        assert!(kill.unwrap().success());
    }

    /// Waits for the end; the terminal must be as it was. Returns the exit code and what was printed.
    pub(crate) fn end(&mut self) -> (u32, String) {
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(
                started.elapsed() < HANG,
                "it does not end:\n{}",
                self.text()
            );
            thread::sleep(Duration::from_millis(5));
        };
        assert_eq!(settings(&*self.master), self.settings, "raw mode is left");
        // What was written last is read before the end is seen.
        drop(self.slave.take());
        self.reader.take().map(JoinHandle::join);
        let window = self.window.lock().unwrap().screen().clone();
        assert!(!window.alternate_screen(), "the other screen is left");
        assert!(!window.hide_cursor(), "the cursor is shown");
        (status.exit_code(), self.text())
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // A test that failed leaves its program running.
        let _ = self.child.kill();
    }
}

fn follow(mut output: Box<dyn Read + Send>, window: Arc<Mutex<vt100::Parser>>) -> JoinHandle<()> {
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = output.read(&mut bytes) {
            window.lock().unwrap().process(&bytes[..count]);
        }
    })
}

fn settings(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios())
}

fn nonzero(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).expect("windows have a size")
}

fn pty_size((cols, rows): (u16, u16)) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}
