//! `/api/studies`: all studies in pages, one in detail with its numbers and charts, the schema and templates of study files.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use lab::store::{Folder, Named, StudyRow};
use lab::study::form::{StudyForm, study_form};
use lab::study::{study_schema, template, templates};
use report::curves::SettingCurve;
use report::results::Results;
use report::{Picture, charts_of};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::files::svg;
use super::history::within;
use super::paging::Paging;
use crate::input::{Params, Path};
use crate::problem::{Failure, Problem};
use crate::quick::quick_studies;
use crate::site::Site;
use crate::threads::on_thread;

const MOST_POINTS: usize = 2000;
const USUAL_POINTS: usize = 200;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(list_templates))
        .routes(routes!(form))
        .routes(routes!(schema))
        .routes(routes!(show))
        .routes(routes!(chart))
        .routes(routes!(curves))
}

/// Which studies.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct StudyFilter {
    /// A part of the name or the question.
    #[serde(default)]
    query: String,
}

/// A page of studies.
#[derive(Debug, Serialize, ToSchema)]
struct StudiesPage {
    /// Studies on all pages.
    total: u64,
    page: u32,
    size: u32,
    studies: Vec<StudyListItem>,
}

/// A study in the list.
#[derive(Debug, Serialize, ToSchema)]
struct StudyListItem {
    #[serde(flatten)]
    study: StudyRow,
    /// Whether it runs or waits on this server.
    mine: bool,
}

/// All studies, the last changed first.
#[utoipa::path(get, path = "/api/studies", tag = "studies", params(StudyFilter, Paging),
    responses((status = 200, body = StudiesPage), (status = 400, body = Failure)))]
async fn list(
    State(site): State<Arc<Site>>,
    Params(StudyFilter { query }): Params<StudyFilter>,
    Params(paging): Params<Paging>,
) -> Result<Json<StudiesPage>, Problem> {
    let (page, size) = (paging.page, paging.size()?);
    on_thread(move || {
        let found = site
            .catalogue
            .ask(|index| index.studies(&query, page, size))?;
        let listed = |study: StudyRow| StudyListItem {
            mine: site.queue.has(&study.name),
            study,
        };
        Ok(Json(StudiesPage {
            total: found.total,
            page,
            size,
            studies: found.rows.into_iter().map(listed).collect(),
        }))
    })
    .await
}

/// A study in detail.
#[derive(Debug, Serialize, ToSchema)]
struct StudyDetail {
    /// Its results so far: what `gamete show --json` prints.
    results: Results,
    /// Its text.
    toml: String,
    /// Whether it is the short form.
    short: bool,
    /// Its seed, as a text: a browser's numbers are exact only up to 2^53.
    seed: String,
    /// What it is doing: queued, running, interrupted, failed, finished, waiting.
    state: String,
    /// Its place among the studies that wait here, from 1.
    place: Option<usize>,
    /// Whether it runs or waits on this server.
    running_here: bool,
    /// Charts that can be drawn.
    charts: Vec<Chart>,
    /// Files to download.
    files: Vec<String>,
}

/// A chart that can be drawn.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct Chart {
    name: String,
    /// What it shows.
    title: String,
}

pub(super) fn charts(pictures: &[Picture]) -> Vec<Chart> {
    let chart = |picture: &Picture| Chart {
        name: picture.name.clone(),
        title: picture.caption.clone(),
    };
    pictures.iter().map(chart).collect()
}

/// The study of this name.
pub(super) fn find(site: &Site, study: &str) -> Result<Folder, Problem> {
    match site.store().find(study)? {
        Named::Study(folder) => Ok(folder),
        Named::Run(..) => Err(Problem::missing(format!("{study} is a run"))),
    }
}

/// What a study is doing.
pub(super) fn state(site: &Site, study: &str) -> Result<String, Problem> {
    let (running, waiting) = site.queue.names();
    if waiting.iter().any(|name| name == study) {
        return Ok("queued".to_owned());
    }
    if running.as_deref() == Some(study) {
        return Ok("running".to_owned());
    }
    let found = site.catalogue.ask(|index| index.studies(study, 0, 1000))?;
    let own = found.rows.into_iter().find(|row| row.name == study);
    let state = own.map_or("waiting".to_owned(), |row| row.state);
    // A study that was stopped before its first run is interrupted, not waiting.
    let is_left = state == "waiting" && !site.store().folder(study).is_locked();
    Ok(if is_left {
        "interrupted".to_owned()
    } else {
        state
    })
}

/// One study in detail.
#[utoipa::path(get, path = "/api/studies/{study}", tag = "studies", params(("study" = String, Path)),
    responses((status = 200, body = StudyDetail), (status = 404, body = Failure)))]
async fn show(
    State(site): State<Arc<Site>>,
    Path(study): Path<String>,
) -> Result<Json<StudyDetail>, Problem> {
    on_thread(move || detail(&site, &study).map(Json)).await
}

/// A study that waits here has no folder yet; what is known before its first run can be shown.
fn detail(site: &Site, name: &str) -> Result<StudyDetail, Problem> {
    let (folder, study) = match site.queue.study(name) {
        Some(study) => (site.store().folder(name), study),
        None => {
            let folder = find(site, name)?;
            let study = Arc::new(folder.study()?);
            (folder, study)
        }
    };
    let results = Results::of(&study, &folder)?;
    let pictures = charts_of(&results, study.charts.as_deref());
    let (_, waiting) = site.queue.names();
    Ok(StudyDetail {
        toml: study.text.clone(),
        short: study.short,
        seed: study.seed.to_string(),
        state: state(site, name)?,
        place: waiting.iter().position(|one| one == name).map(|i| i + 1),
        running_here: site.queue.has(name),
        charts: charts(&pictures),
        files: super::files::of_study(&folder),
        results,
    })
}

/// A chart of the report.
#[utoipa::path(get, path = "/api/studies/{study}/charts/{chart}", tag = "studies",
    params(("study" = String, Path), ("chart" = String, Path)),
    responses((status = 200, content_type = "image/svg+xml", body = String), (status = 404, body = Failure)))]
async fn chart(
    State(site): State<Arc<Site>>,
    Path((study, chart)): Path<(String, String)>,
) -> Result<Response, Problem> {
    on_thread(move || {
        let results = Results::read(&find(&site, &study)?)?;
        svg(
            charts_of(&results, Some(std::slice::from_ref(&chart))),
            &chart,
        )
    })
    .await
}

/// How much of it.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct CurvePoints {
    /// Generations of a setting at most, 2 to 2000.
    points: Option<usize>,
}

/// Fitness by generation of every setting, over its repeats; empty for a study that does not evolve.
#[utoipa::path(get, path = "/api/studies/{study}/curves", tag = "studies", params(("study" = String, Path), CurvePoints),
    responses((status = 200, body = Vec<SettingCurve>), (status = 400, body = Failure), (status = 404, body = Failure)))]
async fn curves(
    State(site): State<Arc<Site>>,
    Path(study): Path<String>,
    Params(asked): Params<CurvePoints>,
) -> Result<Json<Vec<SettingCurve>>, Problem> {
    let points = within(asked.points, USUAL_POINTS, MOST_POINTS, "points")?;
    on_thread(move || {
        // A study that waits for its turn has no folder yet.
        if site.queue.study(&study).is_some() && !site.store().folder(&study).is_there() {
            return Ok(Json(Vec::new()));
        }
        let results = Results::read(&find(&site, &study)?)?;
        Ok(Json(report::curves::curves(&results, points)))
    })
    .await
}

/// A study to begin with.
#[derive(Debug, Serialize, ToSchema)]
struct Template {
    name: String,
    title: String,
    /// The game it is about, if it is about one.
    game: Option<&'static str>,
    toml: String,
}

/// Studies to begin with: quick ones, and commented ones of every game.
#[utoipa::path(get, path = "/api/templates", tag = "studies", responses((status = 200, body = Vec<Template>)))]
async fn list_templates(State(site): State<Arc<Site>>) -> Json<Vec<Template>> {
    let quick = quick_studies().into_iter().map(|study| Template {
        name: study.name,
        title: study.title,
        game: Some(study.game),
        toml: study.toml,
    });
    let commented = templates().into_iter().filter_map(|one| {
        Some(Template {
            title: format!("{}: everything that can be set, with comments", one.name),
            game: one.game,
            toml: template(&one.name)?,
            name: one.name,
        })
    });
    // Templates that this server would refuse are left out.
    let may = |template: &Template| {
        site.settings.allow_exec || lab::study::reaches_outside(&template.toml, "").is_none()
    };
    Json(quick.chain(commented).filter(may).collect())
}

/// What a form for studies asks: the keys of every kind of study, and the settings of every algorithm.
#[utoipa::path(get, path = "/api/form", tag = "studies", responses((status = 200, body = StudyForm)))]
async fn form() -> Json<StudyForm> {
    Json(study_form())
}

/// The JSON schema of study files.
#[utoipa::path(get, path = "/api/schema", tag = "studies", responses((status = 200, body = Object)))]
async fn schema() -> Json<serde_json::Value> {
    Json(study_schema())
}
