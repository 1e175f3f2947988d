//! The formats of a report, one file each. A new one is a file and a line here.

mod csv;
mod html;
mod json;
mod markdown;

use super::{Block, Format, Made, Report};

/// All formats.
pub static FORMATS: &[Format] = &[html::FORMAT, markdown::FORMAT, csv::FORMAT, json::FORMAT];
