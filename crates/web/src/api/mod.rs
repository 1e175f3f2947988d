//! The API, one file per resource. Handlers describe themselves; [`document`] collects their descriptions.

mod cluster;
mod compare;
mod events;
mod files;
mod games;
mod hints;
mod history;
mod leaderboard;
mod measure;
mod paging;
mod played;
mod replays;
mod results;
mod runs;
mod start;
mod status;
mod streamed;
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
use utoipa::openapi::response::{Response as OpenApiResponse, ResponseBuilder};
use utoipa::openapi::{Content, Ref};

use crate::problem::Problem;
use crate::site::Site;

/// Title and description of the API.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "gamete",
        description = "Games, players, studies and runs of a gamete on this machine."
    ),
    components(schemas(watch::WatchedEnd, crate::problem::Failure))
)]
struct Gamete;

fn all() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::with_openapi(Gamete::openapi())
        .merge(games::routes())
        .merge(thinking::routes())
        .merge(hints::routes())
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
        .merge(results::routes())
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
        for operation in operations.into_iter().flatten() {
            name_apart(operation);
            tell_common_failures(operation);
        }
    }
    document
}

/// Adds what can go wrong with any request of this form: what the guard refuses, and what cannot be read.
fn tell_common_failures(operation: &mut Operation) {
    let has_body = operation.request_body.is_some();
    let has_input = has_body
        || operation
            .parameters
            .as_ref()
            .is_some_and(|all| !all.is_empty());
    let common = [
        ("400", "the request cannot be read", has_input),
        ("401", "the token is missing or wrong", true),
        ("403", "not allowed", true),
        ("408", "the body did not arrive in time", has_body),
        ("413", "the body is too large", has_body),
        ("500", "an error of the server", true),
    ];
    for (status, why, applies) in common {
        if applies {
            let responses = &mut operation.responses.responses;
            responses
                .entry(status.to_owned())
                .or_insert_with(|| failure(why).into());
        }
    }
}

fn failure(description: &str) -> OpenApiResponse {
    let body = Ref::from_schema_name("Failure");
    ResponseBuilder::new()
        .description(description)
        .content("application/json", Content::new(Some(body)))
        .build()
}

/// Handlers of several resources have the same name, `list` or `show`; in the description names are unique.
fn name_apart(operation: &mut Operation) {
    let tag = operation.tags.iter().flatten().next();
    if let (Some(tag), Some(name)) = (tag, &operation.operation_id) {
        operation.operation_id = Some(format!("{tag}_{name}"));
    }
}
