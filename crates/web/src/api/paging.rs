//! Long lists are split into pages.

use serde::Deserialize;
use utoipa::IntoParams;

use crate::problem::Problem;

/// The longest page.
const MOST_ROWS: u32 = 1000;
const USUAL_ROWS: u32 = 50;

/// A page of a list.
#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Paging {
    /// From 0.
    #[serde(default)]
    pub(super) page: u32,
    /// Rows per page, at most 1000.
    size: Option<u32>,
}

impl Paging {
    /// How many rows a page has.
    pub(super) fn size(self) -> Result<u32, Problem> {
        let size = self.size.unwrap_or(USUAL_ROWS);
        if (1..=MOST_ROWS).contains(&size) {
            return Ok(size);
        }
        Err(Problem::bad(format!("a page has 1 to {MOST_ROWS} rows")).at("size"))
    }
}
