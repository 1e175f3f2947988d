//! Files of runs and studies to download. Only those listed here are served.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use lab::store::{Folder, RunFolder, STUDY};
use lab::study::NETWORK;
use report::export::{self, export};
use report::results::Results;
use report::{self, Picture};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{runs, studies};
use crate::input::Path;
use crate::problem::{Failure, Problem};
use crate::site::Site;
use crate::threads::on_thread;

/// Made from the history on request.
const HISTORY: &str = "history.csv";
/// Files of a run, and their types.
const OF_RUN: [(&str, &str); 4] = [
    ("champion.json", "application/json"),
    (NETWORK, "application/octet-stream"),
    ("games.csv", "text/csv; charset=utf-8"),
    ("best-game.json", "application/json"),
];
/// Files of a study, the files of a report they are made like, and their types.
const OF_STUDY: [(&str, &str, &str); 5] = [
    ("report.html", "index.html", "text/html; charset=utf-8"),
    ("report.md", "report.md", "text/markdown; charset=utf-8"),
    ("results.csv", "results.csv", "text/csv; charset=utf-8"),
    ("results.json", "results.json", "application/json"),
    ("study.toml", STUDY, "application/toml; charset=utf-8"),
];
/// Files contain text of studies, which is untrusted: the browser gives them no rights.
const NO_RIGHTS: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(file_of_run))
        .routes(routes!(file_of_study))
}

/// Names of the files of a run that exist.
pub(super) fn of_run(run: &RunFolder) -> Vec<String> {
    let there = |&&(name, _): &&(&str, &str)| run.path.join(name).is_file();
    let mut names: Vec<String> = OF_RUN
        .iter()
        .filter(there)
        .map(|(name, _)| (*name).to_owned())
        .collect();
    if run.path.join("history").is_file() {
        names.push(HISTORY.to_owned());
    }
    names
}

/// Names of the files of a study, none if it has not begun; its report is made on request.
pub(super) fn of_study(folder: &Folder) -> Vec<String> {
    let names = OF_STUDY.iter().filter(|_| folder.is_there());
    names.map(|(name, ..)| (*name).to_owned()).collect()
}

/// A file of a run: champion.json or champion.network, games.csv, best-game.json, history.csv.
#[utoipa::path(get, path = "/api/runs/{study}/{run}/files/{file}", tag = "runs",
    params(("study" = String, Path), ("run" = String, Path), ("file" = String, Path)),
    responses((status = 200, content((Object = "application/json"), (String = "text/csv"), (String = "application/octet-stream"))), (status = 404, body = Failure)))]
async fn file_of_run(
    State(site): State<Arc<Site>>,
    Path((study, run, file)): Path<(String, String, String)>,
) -> Result<Response, Problem> {
    on_thread(move || {
        let (folder, place) = runs::find(&site, &study, &run)?;
        if file == HISTORY {
            let table = history(&folder, &format!("{study}/{run}"))?;
            let name = format!("{study}-{run}-{HISTORY}");
            return Ok(download(&name, "text/csv; charset=utf-8", table));
        }
        let known = OF_RUN.iter().find(|(name, _)| *name == file);
        let (name, kind) = known.ok_or_else(|| unknown(&file, &of_run(&place)))?;
        let bytes = read(&place.path.join(name), &file)?;
        Ok(download(&format!("{study}-{run}-{name}"), kind, bytes))
    })
    .await
}

fn history(folder: &Folder, id: &str) -> Result<Vec<u8>, Problem> {
    let results = Results::read(folder)?;
    let csv = export::FORMATS.iter().find(|format| format.name == "csv");
    let csv = csv.ok_or_else(|| Problem::failed("there is no such format"))?;
    let mut table = Vec::new();
    export(&results, Some(id), csv, &mut table).map_err(Problem::failed)?;
    Ok(table)
}

/// A file of a study: report.html, report.md, results.csv, results.json, study.toml.
#[utoipa::path(get, path = "/api/studies/{study}/files/{file}", tag = "studies",
    params(("study" = String, Path), ("file" = String, Path)),
    responses((status = 200, content((String = "text/html"), (String = "text/markdown"), (String = "text/csv"), (Object = "application/json"), (String = "application/toml"))),
        (status = 404, body = Failure)))]
async fn file_of_study(
    State(site): State<Arc<Site>>,
    Path((study, file)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let searches = Arc::clone(&site.searches);
    let work = move || {
        let folder = studies::find(&site, &study)?;
        let known = OF_STUDY.iter().find(|(name, ..)| *name == file);
        let (name, made, kind) = known.ok_or_else(|| unknown(&file, &of_study(&folder)))?;
        // There may be new results since the report was last written.
        let format = report::FORMATS.iter().find(|format| format.file == *made);
        let bytes = match format {
            Some(format) => report::make(&folder, format)?,
            None => read(&folder.path().join(STUDY), &file)?,
        };
        if *name == "report.html" {
            return Ok(shown(kind, bytes));
        }
        Ok(download(&format!("{study}-{name}"), kind, bytes))
    };
    searches.read(work).await
}

fn unknown(file: &str, known: &[String]) -> Problem {
    let known = known.join(", ");
    Problem::missing(format!("unknown file '{file}'; available: {known}"))
}

fn read(path: &std::path::Path, name: &str) -> Result<Vec<u8>, Problem> {
    std::fs::read(path).map_err(|_| Problem::missing(format!("there is no {name} yet")))
}

/// A file to download. Only characters without a meaning in headers are left in its name.
fn download(name: &str, kind: &str, bytes: Vec<u8>) -> Response {
    let name: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_') {
                c
            } else {
                '_'
            }
        })
        .collect();
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
        (header::CONTENT_SECURITY_POLICY, NO_RIGHTS.to_owned()),
    ];
    (headers, bytes).into_response()
}

/// A file that the browser shows.
pub(super) fn shown(kind: &str, bytes: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_SECURITY_POLICY, NO_RIGHTS.to_owned()),
    ];
    (headers, bytes).into_response()
}

/// The picture of this name.
pub(super) fn svg(pictures: Vec<Picture>, name: &str) -> Result<Response, Problem> {
    let picture = pictures.into_iter().find(|picture| picture.name == name);
    let picture = picture.ok_or_else(|| Problem::missing(format!("there is no chart '{name}'")))?;
    Ok(shown("image/svg+xml", inked(&picture.svg).into_bytes()))
}

/// The picture with ink of its own: charts are drawn in the colour of the text around them, and an image on a page has no text around it.
pub(super) fn inked(svg: &str) -> String {
    const INK: &str = "<style>:root{color:#1b2430}@media(prefers-color-scheme:dark){:root{color:#e8edf3}}</style>";
    match svg.find('>') {
        Some(end) => format!("{}{INK}{}", &svg[..=end], &svg[end + 1..]),
        None => svg.to_owned(),
    }
}
