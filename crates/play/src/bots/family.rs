//! A bot and all processes it started, wherever they went: they inherit a variable of their environment that nobody else has.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Pid, Signal, kill_process};

/// The processes of one bot.
#[derive(Debug)]
pub(super) struct Family {
    mark: String,
}

/// Processes that are just being started are not found at once.
const ROUNDS: usize = 10;

impl Family {
    /// A mark that no other bot has, not even one of a bot that is itself this program.
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mark = format!("GAMETE_BOT_{}_{number}", std::process::id());
        Self { mark }
    }

    /// The name of the variable; its value is 1.
    pub(super) fn mark(&self) -> &str {
        &self.mark
    }

    /// Kills all members. Without `/proc` none is found.
    pub(super) fn kill(&self) {
        for _ in 0..ROUNDS {
            let members = self.members();
            if members.is_empty() {
                return;
            }
            for member in members {
                // It may have ended meanwhile.
                let _ = kill_process(member, Signal::KILL);
            }
        }
    }

    /// The living members: a process that has ended has no environment any more.
    fn members(&self) -> Vec<Pid> {
        let variable = format!("{}=1", self.mark).into_bytes();
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        let is_member = |pid: &Pid| {
            let environment = fs::read(format!("/proc/{}/environ", pid.as_raw_pid()));
            let environment = environment.unwrap_or_default();
            environment
                .split(|&byte| byte == 0)
                .any(|entry| entry == variable)
        };
        let pids =
            processes.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?));
        pids.filter(is_member).collect()
    }
}
