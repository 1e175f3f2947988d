//! Tests of what studies found, as people and programs read it.

mod charts;
mod layers;
mod results_page;
