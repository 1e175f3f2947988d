//! The process of a bot or another program: lines in and out, each with a deadline; no process is left behind.
//!
//! All pipes are read and written without blocking, so a bot that neither reads nor writes, or
//! writes without end, only uses up its own time. The bot leads a process group, which is killed as a
//! whole. Processes it started in groups of their own are found by a mark in their environment.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use players::Cancelled;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::family::Family;
use super::tail::Tail;

/// The longest line a bot may write.
const LONGEST_LINE: usize = 1 << 20;
/// The most bytes a bot may write between two lines from us.
const MOST_HEARD: usize = 16 << 20;
/// How often a silent bot is checked for whether it is still running.
const LOOK: Duration = Duration::from_millis(50);
/// How long an ending bot may take to exit and to write its last output.
const LAST_BREATH: Duration = Duration::from_secs(2);

/// Why no line came.
#[derive(Debug, thiserror::Error)]
pub enum Silence {
    /// Time is up.
    #[error("did not answer within {}", humantime::format_duration(*.0))]
    TooSlow(Duration),
    /// Its process has ended.
    #[error("ended: {0}")]
    Ended(Ending),
    /// It still runs, but cannot write any more.
    #[error("closed its standard output")]
    ClosedOutput,
    /// It still runs, but cannot read any more.
    #[error("closed its standard input")]
    ClosedInput,
    /// A line that is too long.
    #[error("wrote a line of more than 1 MiB")]
    LongLine,
    /// Nobody waits for it any more.
    #[error("was not waited for any longer")]
    Cancelled,
    /// Too much output.
    #[error("wrote more than 16 MiB without an answer")]
    Flood,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// With this exit status.
    Status(i32),
    /// By this signal.
    Signal(i32),
    /// In an unknown way.
    Killed,
}

impl Ending {
    /// Did it exit with status 0?
    pub fn is_success(self) -> bool {
        self == Self::Status(0)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // How a shell reports a signal.
            Self::Status(code @ 129..=192) => {
                write!(f, "exit status {code} (killed by signal {})", code - 128)
            }
            Self::Status(code) => write!(f, "exit status {code}"),
            Self::Signal(signal) => write!(f, "killed by signal {signal}"),
            Self::Killed => f.write_str("killed"),
        }
    }
}

/// A running bot.
#[derive(Debug)]
pub struct Process {
    child: Child,
    guard: Child,
    family: Family,
    input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    errors: Option<ChildStderr>,
    /// Bytes not yet written.
    outgoing: Vec<u8>,
    /// Bytes read, and how many of them have been consumed as lines.
    incoming: Vec<u8>,
    taken: usize,
    /// Bytes read since the last line from us.
    heard: usize,
    tail: Tail,
    /// Ends waiting for a line.
    cancelled: Option<Cancelled>,
}

impl Process {
    /// Starts a command through the shell.
    pub fn start(command: &str) -> io::Result<Self> {
        Self::spawn(&mut shell(command))
    }

    /// Starts a prepared command: one from [`shell`] with its own folder or environment.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        let family = Family::new();
        let mut child = command
            .process_group(0)
            .env(family.mark(), "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let guard = guard(&child, &family).inspect_err(|_| kill(&mut child))?;
        let process = Self {
            input: child.stdin.take(),
            output: child.stdout.take(),
            errors: child.stderr.take(),
            child,
            guard,
            family,
            outgoing: Vec::new(),
            incoming: Vec::new(),
            taken: 0,
            heard: 0,
            tail: Tail::default(),
            cancelled: None,
        };
        process.input.as_ref().map_or(Ok(()), never_block)?;
        process.output.as_ref().map_or(Ok(()), never_block)?;
        process.errors.as_ref().map_or(Ok(()), never_block)?;
        Ok(process)
    }

    /// From now on, waits for no line once `cancelled` is true.
    pub fn cancel_when(&mut self, cancelled: &Cancelled) {
        self.cancelled = Some(Arc::clone(cancelled));
    }

    fn is_cancelled(&self) -> bool {
        let cancelled = self.cancelled.as_ref();
        cancelled.is_some_and(|cancelled| cancelled.load(Ordering::Relaxed))
    }

    /// Queues a line, which is written as soon as the bot reads.
    pub fn send(&mut self, line: &str) {
        self.heard = self.incoming.len() - self.taken;
        self.outgoing.extend_from_slice(line.as_bytes());
        self.outgoing.push(b'\n');
        self.pump(Duration::ZERO);
    }

    /// The next line that the bot writes, without its newline, within `time` of `since`.
    pub fn line(&mut self, since: Instant, time: Duration) -> Result<String, Silence> {
        loop {
            if let Some(line) = self.take_line() {
                return Ok(line);
            }
            if self.incoming.len() - self.taken > LONGEST_LINE {
                return Err(Silence::LongLine);
            }
            if self.heard > MOST_HEARD {
                return Err(Silence::Flood);
            }
            if self.output.is_none() {
                return Err(self.ended_or(Silence::ClosedOutput));
            }
            if self.is_cancelled() {
                return Err(Silence::Cancelled);
            }
            let left = time.saturating_sub(since.elapsed());
            if left.is_zero() {
                return Err(Silence::TooSlow(time));
            }
            let heard = self.pump(left.min(LOOK));
            if heard || self.output.is_none() {
                continue;
            }
            if self.input.is_none() {
                return Err(self.ended_or(Silence::ClosedInput));
            }
            // A child of the bot may hold the pipe open after the bot itself has ended.
            if let Some(how) = self.how_it_ended() {
                return Err(Silence::Ended(how));
            }
        }
    }

    /// Unrequested output of the bot: the first non-empty line, complete or not.
    pub fn unasked(&mut self) -> Option<String> {
        self.pump(Duration::ZERO);
        let text = String::from_utf8_lossy(&self.incoming[self.taken..]);
        let line = text.lines().find(|line| !line.trim().is_empty());
        line.map(str::to_owned)
    }

    /// The end of what the bot wrote to its standard error.
    pub fn last_words(&mut self) -> String {
        let since = Instant::now();
        // A bot that has ended may have left output in the pipe; a running one may never stop writing.
        while self.errors.is_some() && self.output.is_none() && since.elapsed() < LAST_BREATH {
            self.pump(LAST_BREATH);
        }
        self.pump(Duration::ZERO);
        self.tail.text()
    }

    /// Waits for the bot to exit by itself; how it ended, if it did.
    pub fn wait_for_end(&mut self, time: Duration) -> Option<Ending> {
        let since = Instant::now();
        while self.how_it_ended().is_none() && since.elapsed() < time {
            // Its output is no longer needed, but it must not block on a full pipe.
            self.pump(Duration::from_millis(2));
            self.taken = self.incoming.len();
            if self.outgoing.is_empty() {
                self.input = None;
            }
        }
        self.how_it_ended()
    }

    /// `silence`, or if the bot has ended, that, as the better explanation.
    fn ended_or(&mut self, silence: Silence) -> Silence {
        let since = Instant::now();
        while since.elapsed() < LAST_BREATH {
            if let Some(how) = self.how_it_ended() {
                return Silence::Ended(how);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        silence
    }

    /// How the bot has ended, if it has. It stays a zombie, so that its group id is not reused.
    fn how_it_ended(&self) -> Option<Ending> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(Pid::from_child(&self.child)), options).ok()??;
        Some(match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Ending::Status(code),
            (None, Some(signal)) => Ending::Signal(signal),
            (None, None) => Ending::Killed,
        })
    }

    fn take_line(&mut self) -> Option<String> {
        let rest = &self.incoming[self.taken..];
        let length = rest.iter().position(|&byte| byte == b'\n')?;
        let line = String::from_utf8_lossy(&rest[..length]).into_owned();
        self.taken += length + 1;
        Some(line)
    }

    /// Waits until a pipe is ready or `time` is over, then reads and writes what it can. Has the bot written anything?
    fn pump(&mut self, time: Duration) -> bool {
        self.wait_until_ready(time);
        if self
            .input
            .as_mut()
            .is_some_and(|input| !write(input, &mut self.outgoing))
        {
            self.input = None;
        }
        let mut chunk = [0; 1 << 16];
        let errors = self.errors.as_mut().map(|errors| read(errors, &mut chunk));
        match errors {
            Some(ReadResult::End) => self.errors = None,
            Some(ReadResult::Bytes(count)) => self.tail.push(&chunk[..count]),
            Some(ReadResult::Nothing) | None => {}
        }
        let output = self.output.as_mut().map(|output| read(output, &mut chunk));
        match output {
            Some(ReadResult::End) => self.output = None,
            Some(ReadResult::Bytes(count)) => {
                self.incoming.drain(..std::mem::take(&mut self.taken));
                self.incoming.extend_from_slice(&chunk[..count]);
                self.heard += count;
                return true;
            }
            Some(ReadResult::Nothing) | None => {}
        }
        false
    }

    fn wait_until_ready(&self, time: Duration) {
        let mut pipes = Vec::with_capacity(3);
        let input = self.input.as_ref().filter(|_| !self.outgoing.is_empty());
        pipes.extend(input.map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        pipes.extend(
            self.output
                .as_ref()
                .map(|pipe| PollFd::new(pipe, PollFlags::IN)),
        );
        pipes.extend(
            self.errors
                .as_ref()
                .map(|pipe| PollFd::new(pipe, PollFlags::IN)),
        );
        let timeout = Timespec::try_from(time).ok();
        // An interrupted wait is just shorter: callers check the clock anyway.
        let _ = poll(&mut pipes, timeout.as_ref());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        kill(&mut self.child);
        self.family.kill();
        // It belongs to the group, but may have joined too late.
        let _ = self.guard.kill();
        let _ = self.guard.wait();
    }
}

/// A command for the shell.
pub fn shell(command: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]);
    shell
}

/// Kills a bot with its whole group, and only then waits for it: while it is a zombie, its group id cannot
/// be reused.
fn kill(child: &mut Child) {
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    let _ = child.kill();
    let _ = child.wait();
}

/// A member of the bot's group that kills the group and all who carry the mark as soon as our end of its pipe closes. So bots do
/// not outlive this program, even if it is itself killed.
fn guard(child: &Child, family: &Family) -> io::Result<Child> {
    Command::new("sh")
        .args(["-c", GUARD, "guard", family.mark()])
        .process_group(Pid::from_child(child).as_raw_pid())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

/// The list of those who carry the mark is complete only when nobody is left who could start another.
const GUARD: &str = r#"
read line
marked() { grep -ls "$1=1" /proc/[0-9]*/environ | cut -d / -f 3; }
for round in 1 2 3 4 5; do
    pids=$(marked "$1")
    [ -z "$pids" ] && break
    kill -9 $pids 2> /dev/null
done
kill -9 0
"#;

fn never_block(pipe: impl std::os::fd::AsFd) -> io::Result<()> {
    Ok(ioctl_fionbio(pipe, true)?)
}

enum ReadResult {
    Bytes(usize),
    Nothing,
    End,
}

fn read(pipe: &mut impl Read, chunk: &mut [u8]) -> ReadResult {
    match pipe.read(chunk) {
        Ok(0) => ReadResult::End,
        Ok(count) => ReadResult::Bytes(count),
        Err(error) if is_passing(&error) => ReadResult::Nothing,
        Err(_) => ReadResult::End,
    }
}

/// Writes what the pipe accepts; false if its reader is gone.
fn write(pipe: &mut impl Write, bytes: &mut Vec<u8>) -> bool {
    if bytes.is_empty() {
        return true;
    }
    match pipe.write(bytes) {
        Ok(count) => {
            bytes.drain(..count);
            true
        }
        Err(error) => is_passing(&error),
    }
}

fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
