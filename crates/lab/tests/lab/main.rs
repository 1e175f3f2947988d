//! Tests of the laboratory as a whole.

mod exec;
