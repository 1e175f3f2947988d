//! Screens driven for real in a pseudo-terminal.

mod hint;
mod picture;
mod play;
mod pty;
mod rent;
mod watch;

use pty::Pty;

/// Starts gamete with these words in a window of 80x24.
fn gamete(words: &str) -> Pty {
    gamete_in(words, (80, 24), &[])
}

/// Starts gamete in a window of this many columns and rows, with variables added to its environment.
fn gamete_in(words: &str, size: (u16, u16), variables: &[(&str, &str)]) -> Pty {
    let words: Vec<&str> = words.split_whitespace().collect();
    Pty::start(env!("CARGO_BIN_EXE_gamete"), &words, size, variables)
}
