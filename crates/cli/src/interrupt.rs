//! Ctrl-C: the first one asks for an orderly end, the second one ends at once.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::output::Failure;

/// Signals closer than this are one: some programs signal a process and then its group.
const TOGETHER: Duration = Duration::from_millis(500);

/// Becomes true with the first Ctrl-C or signal, after which `text` is shown; a second one ends the program at once.
pub(crate) fn interrupted(text: &'static str) -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || {
        seen.store(true, Ordering::Relaxed);
        match first {
            None => {
                first = Some(Instant::now());
                // The handler must not fail if standard error is closed.
                let _ = std::io::stderr().write_all(text.as_bytes());
            }
            Some(first) if first.elapsed() > TOGETHER => std::process::exit(130),
            Some(_) => {}
        }
    })
    .context("cannot listen to signals")?;
    Ok(flag)
}
