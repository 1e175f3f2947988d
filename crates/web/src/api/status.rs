//! `/api/status`: what this server is and is doing.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::site::Site;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(status))
}

/// What this server is and is doing.
#[derive(Debug, Serialize, ToSchema)]
struct Status {
    version: &'static str,
    /// Where runs are kept.
    runs_dir: String,
    /// Whether programs may be started from the page.
    allow_exec: bool,
    /// Studies that wait.
    queue: Vec<String>,
    /// The study that is worked on.
    running: Option<String>,
    /// Where it listens.
    listen: String,
    /// Threads that play.
    threads: usize,
    /// Whether workers on other machines can be looked at.
    has_pool: bool,
    /// The last event, to listen from there.
    last_event: u64,
}

/// What this server is and is doing.
#[utoipa::path(get, path = "/api/status", tag = "status", responses((status = 200, body = Status)))]
async fn status(State(site): State<Arc<Site>>) -> Json<Status> {
    let (running, queue) = site.queue.names();
    Json(Status {
        version: env!("CARGO_PKG_VERSION"),
        runs_dir: site.store().root().display().to_string(),
        allow_exec: site.settings.allow_exec,
        queue,
        running,
        listen: site.settings.listen.to_string(),
        threads: site.settings.threads,
        has_pool: site.settings.pool.is_some(),
        last_event: site.hub.last(),
    })
}
