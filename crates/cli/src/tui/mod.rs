//! Screens in the terminal: a person plays, or watches a player.
//!
//! `terminal` holds the terminal and gives it back, `events` brings keys, signals and moves of players,
//! `session` is the loop of every screen, `stage` lays a screen out, `paint` draws the games, `play` says
//! what keys do, `menu` what is played, `watch` shows a player's game, which is a `course`; `thinker` and `hint` let players think meanwhile.

pub(crate) mod best;
mod course;
pub(crate) mod events;
mod hint;
mod keys;
pub(crate) mod menu;
pub(crate) mod paint;
pub(crate) mod play;
mod session;
mod stage;
mod terminal;
#[cfg(test)]
mod testing;
mod theme;
mod thinker;
pub(crate) mod watch;

pub(crate) use terminal::is_terminal;
