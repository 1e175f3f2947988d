//! `/api/compare`: studies, settings or runs compared: the numbers and tests of `gamete compare`, and values for a chart.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use lab::run::curve::spread;
use report::groups::{Groups, gather};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::input::Body;
use crate::problem::{Failure, Problem};
use crate::site::Site;
use crate::threads::on_thread;

/// More would not fit a chart.
const MOST_NAMES: usize = 60;
/// Values of a sample that a chart has room for.
const MOST_DOTS: usize = 100;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(compare))
}

/// What to compare.
#[derive(Debug, Deserialize, ToSchema)]
struct CompareRequest {
    /// Studies, settings (`study/s2`) or runs (`study/s2-r1`).
    names: Vec<String>,
    /// The number to compare by; missing for that of the first study.
    metric: Option<String>,
}

/// The comparison.
#[derive(Debug, Serialize, ToSchema)]
struct CompareResult {
    /// What `gamete compare --json` prints.
    #[serde(flatten)]
    groups: Groups,
    /// Values of every sample, for a chart: in their order, or some of all ranks where there are too many.
    dots: Vec<Vec<f64>>,
}

/// Compares studies, settings or runs.
#[utoipa::path(post, path = "/api/compare", tag = "compare", request_body = CompareRequest,
    responses((status = 200, body = CompareResult), (status = 400, body = Failure), (status = 404, body = Failure)))]
async fn compare(
    State(site): State<Arc<Site>>,
    Body(wanted): Body<CompareRequest>,
) -> Result<Json<CompareResult>, Problem> {
    if wanted.names.is_empty() || wanted.names.len() > MOST_NAMES {
        let why = format!("name 1 to {MOST_NAMES} studies, settings or runs");
        return Err(Problem::bad(why).at("names"));
    }
    on_thread(move || {
        let groups = gather(site.store(), &wanted.names, wanted.metric.as_deref())?;
        let samples = groups.samples.iter();
        let dots = samples.map(|sample| dots(&sample.values)).collect();
        Ok(Json(CompareResult { groups, dots }))
    })
    .await
}

/// All values, or as many as fit, evenly spaced by rank.
fn dots(values: &[f64]) -> Vec<f64> {
    if values.len() <= MOST_DOTS {
        return values.to_vec();
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let ranks = spread(sorted.len(), MOST_DOTS).into_iter();
    ranks.map(|rank| sorted[rank]).collect()
}
