//! Whether a network fits into memory, asked before it is made.

use std::fs;

use learn::Plan;

use crate::run::context::RunError;

/// Refuses a network that does not fit, before anything is written.
pub(super) fn check(plan: &Plan) -> Result<(), RunError> {
    let needed = plan.bytes()?;
    match available() {
        Some(available) if needed > available => Err(RunError::Memory {
            network: plan.shape.tuples.clone(),
            needed: gigabytes(needed),
            method: plan.method.to_string(),
            available: gigabytes(available),
        }),
        _ => Ok(()),
    }
}

fn gigabytes(bytes: u64) -> String {
    match bytes {
        0..1_000_000_000 => format!("{} MB", bytes.div_ceil(1_000_000)),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// Bytes that can still be had, where the system tells.
fn available() -> Option<u64> {
    let free = fs::read_to_string("/proc/meminfo").ok()?;
    let line = free
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    let limited = limit().unwrap_or(u64::MAX);
    Some((kibibytes * 1024).min(limited))
}

/// What a container leaves, if there is one.
fn limit() -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        let text = fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?;
        text.trim().parse().ok()
    };
    let most = number("memory.max")?;
    Some(most.saturating_sub(number("memory.current")?))
}
