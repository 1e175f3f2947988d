//! Tests of learning, in one binary.

mod connect;
mod plain;
mod twenty48;
