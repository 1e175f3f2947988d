//! More machines.
