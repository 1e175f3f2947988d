//! The API, one file per resource. Handlers describe themselves; [`document`] collects their descriptions.

mod cluster;
mod compare;
mod events;
mod files;
mod games;
mod history;
mod leaderboard;
mod measure;
mod paging;
mod played;
mod replays;
mod runs;
mod start;
mod status;
mod studies;
mod thinking;
mod watch;

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::routing::get;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use utoipa::openapi::path::Operation;

use crate::problem::Problem;
use crate::site::Site;

/// Title and description of the API.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "gamete",
        description = "Games, players, studies and runs of a gamete on this machine."
    ),
    components(schemas(watch::WatchedEnd))
)]
struct Gamete;

fn all() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::with_openapi(Gamete::openapi())
        .merge(games::routes())
        .merge(thinking::routes())
        .merge(watch::routes())
        .merge(measure::routes())
        .merge(replays::routes())
        .merge(studies::routes())
        .merge(start::routes())
        .merge(runs::routes())
        .merge(history::routes())
        .merge(played::routes())
        .merge(files::routes())
        .merge(compare::routes())
        .merge(leaderboard::routes())
        .merge(events::routes())
        .merge(cluster::routes())
        .merge(status::routes())
}

/// All routes under `/api/`.
pub(crate) fn routes() -> Router<Arc<Site>> {
    let (router, _) = all().split_for_parts();
    let document = Arc::new(document());
    router
        .route(
            "/api/openapi.json",
            get(move || async move { Json((*document).clone()) }),
        )
        .route("/api/{*rest}", get(nothing).post(nothing))
}

async fn nothing() -> Problem {
    Problem::missing("no such path in the API; see /api/openapi.json")
}

/// The OpenAPI description, from the handlers.
#[must_use]
pub fn document() -> utoipa::openapi::OpenApi {
    let (_, mut document) = all().split_for_parts();
    for path in document.paths.paths.values_mut() {
        let operations = [path.get.as_mut(), path.post.as_mut()];
        operations.into_iter().flatten().for_each(name_apart);
    }
    document
}

/// Handlers of several resources have the same name, `list` or `show`; in the description names are unique.
fn name_apart(operation: &mut Operation) {
    let tag = operation.tags.iter().flatten().next();
    if let (Some(tag), Some(name)) = (tag, &operation.operation_id) {
        operation.operation_id = Some(format!("{tag}_{name}"));
    }
}
