//! `/api/cluster` and `/metrics`: the workers on other machines.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::pool::{PoolSurvey, PoolView};
use crate::problem::{Failure, Problem};
use crate::site::Site;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(cluster))
        .routes(routes!(metrics))
}

/// The workers, their load, and the work that waits.
#[utoipa::path(
    get,
    path = "/api/cluster",
    tag = "cluster",
    responses(
        (status = 200, body = PoolSurvey),
        (status = 404, description = "the server was started without a pool", body = Failure),
        (status = 502, description = "the pool's server does not answer", body = Failure),
    )
)]
async fn cluster(State(site): State<Arc<Site>>) -> Result<Json<PoolSurvey>, Problem> {
    Ok(Json(ask(&site, |pool| pool.survey()).await?))
}

/// The same for Prometheus.
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "cluster",
    responses(
        (status = 200, body = String, content_type = "text/plain"),
        (status = 404, description = "the server was started without a pool", body = Failure),
        (status = 502, description = "the pool's server does not answer", body = Failure),
    )
)]
async fn metrics(State(site): State<Arc<Site>>) -> Result<Response, Problem> {
    let text = ask(&site, |pool| pool.metrics()).await?;
    let kind = (header::CONTENT_TYPE, "text/plain; version=0.0.4");
    Ok(([kind], text).into_response())
}

/// Asks the pool, on a thread, since collecting the answers takes a moment.
async fn ask<T: Send + 'static>(
    site: &Arc<Site>,
    question: fn(&dyn PoolView) -> Result<T, String>,
) -> Result<T, Problem> {
    let Some(pool) = site.settings.pool.clone() else {
        return Err(Problem::missing(
            "no pool of workers: start the page with 'gamete serve --pool SERVER'",
        ));
    };
    let asked = tokio::task::spawn_blocking(move || question(&*pool)).await;
    let answer = asked.map_err(Problem::failed)?;
    answer.map_err(|error| Problem::new(StatusCode::BAD_GATEWAY, error))
}
