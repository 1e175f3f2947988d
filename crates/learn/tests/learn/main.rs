//! Tests of learning, in one binary.

mod plain;
mod twenty48;
