//! `/api/results`: what the five works claimed and what was measured, as it stands in the documentation.

use std::sync::Arc;

use axum::Json;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::files::{inked, shown};
use crate::input::Path;
use crate::problem::{Failure, Problem};
use crate::results::{self, Page};
use crate::site::Site;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(first))
        .routes(routes!(report))
        .routes(routes!(picture))
}

/// A page of results.
#[derive(Debug, Serialize, ToSchema)]
struct ResultsPage {
    /// Its first heading.
    title: String,
    /// Its text as HTML, without scripts.
    html: String,
}

impl From<Page> for ResultsPage {
    fn from(Page { title, html }: Page) -> Self {
        Self { title, html }
    }
}

/// The results of the five works.
#[utoipa::path(get, path = "/api/results", tag = "results", responses((status = 200, body = ResultsPage), (status = 404, body = Failure)))]
async fn first() -> Result<Json<ResultsPage>, Problem> {
    let page = results::page(None);
    page.map(|page| Json(page.into()))
        .ok_or_else(|| Problem::missing("this gamete was built without results"))
}

/// The report of a study whose results are kept.
#[utoipa::path(get, path = "/api/results/reports/{report}", tag = "results", params(("report" = String, Path)),
    responses((status = 200, body = ResultsPage), (status = 404, body = Failure)))]
async fn report(Path(name): Path<String>) -> Result<Json<ResultsPage>, Problem> {
    let page = results::page(Some(&name));
    page.map(|page| Json(page.into()))
        .ok_or_else(|| Problem::missing(format!("there are no kept results of '{name}'")))
}

/// A picture of the results.
#[utoipa::path(get, path = "/api/results/pictures/{picture}", tag = "results", params(("picture" = String, Path, description = "Its path within the results.")),
    responses((status = 200, content_type = "image/svg+xml", body = String), (status = 404, body = Failure)))]
async fn picture(Path(path): Path<String>) -> Result<Response, Problem> {
    let (kind, contents) = results::picture(&path)
        .ok_or_else(|| Problem::missing(format!("there is no picture '{path}'")))?;
    let inked = match std::str::from_utf8(contents) {
        Ok(svg) => inked(svg).into_bytes(),
        Err(_) => contents.to_vec(),
    };
    Ok(shown(kind, inked))
}
