//! What people read after a study: reports that stand on their own.

pub mod charts;
