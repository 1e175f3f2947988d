//! What the browser shows: files that were built into the program, or a plain page that lists runs and reports.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use crate::problem::Problem;
use crate::site::Site;

mod embedded {
    //! Written by `build.rs`: name, kind and contents of every file.
    include!(concat!(env!("OUT_DIR"), "/page.rs"));
}
mod plain;

use self::plain::Full;

/// Files whose names change with their contents.
const LASTING: &str = "/assets/";

/// The address of the page without scripts.
const PLAIN: &str = "/plain";

/// Answers whatever is not under `/api/`: a file, or the page itself, which knows what its addresses mean.
pub(crate) async fn answer(State(site): State<Arc<Site>>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let why = "only GET is allowed outside /api/";
        return Problem::new(StatusCode::METHOD_NOT_ALLOWED, why).into_response();
    }
    let path = request.uri().path();
    if let Some(file) = find(path) {
        return serve(file, path.starts_with(LASTING));
    }
    if path.starts_with(LASTING) || path.starts_with("/api") {
        return Problem::missing(format!("nothing found at {path}")).into_response();
    }
    let full = find("/index.html");
    let beside = match full {
        Some(file) if path != PLAIN => return serve(file, false),
        Some(_) => Full::There,
        None => Full::Missing,
    };
    match plain::page(&site, beside).await {
        Ok(page) => Html(page).into_response(),
        Err(problem) => problem.into_response(),
    }
}

type File = (&'static str, &'static str, &'static [u8]);

fn find(path: &str) -> Option<&'static File> {
    embedded::FILES.iter().find(|(name, ..)| *name == path)
}

fn serve(&(_, kind, contents): &File, lasts: bool) -> Response {
    let lasts = if lasts {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, lasts)];
    (headers, contents).into_response()
}
