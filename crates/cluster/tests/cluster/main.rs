//! A real server, real worker processes, and everything that can happen to them.

mod bad_input;
mod faults;
mod liars;
mod registry;
mod roles;
mod sums;

/// Not a test: worker processes are this program again, with a role.
#[test]
fn play_a_role() {
    if let Ok(url) = std::env::var(registry::ROLE) {
        registry::work_at(&url);
    }
}
