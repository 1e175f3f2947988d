//! Studies from the page: checked, started, stopped, resumed and forked.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use lab::check;
use lab::runner::extension::Extension;
use lab::study::{Form, Setting, Study, reaches_outside};
use play::playing::Workers;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::studies::{find, state};
use crate::input::{Body, Path};
use crate::problem::{Failure, FlawAt, Problem, flaws_at};
use crate::queue::Stopped;
use crate::searches::Cancelled;
use crate::site::Site;
use crate::threads::on_thread;

/// What the text is called in messages.
const FILE: &str = "the study";

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(check_study))
        .routes(routes!(start))
        .routes(routes!(stop))
        .routes(routes!(resume))
        .routes(routes!(fork))
}

/// A study to check.
#[derive(Debug, Deserialize, ToSchema)]
struct ToCheck {
    toml: String,
    /// Whether its short form is meant.
    #[serde(default)]
    short: bool,
    /// Whether its beginning is to be tried for a few seconds, to say how long the rest will take.
    #[serde(default)]
    estimate: bool,
}

/// What there is to say of a study without running it.
#[derive(Debug, Default, Serialize, ToSchema)]
struct Checked {
    /// Whether it can be started.
    ok: bool,
    /// Everything that is wrong.
    flaws: Vec<FlawAt>,
    /// Its name.
    name: String,
    /// What it compares.
    settings: Vec<SettingInfo>,
    runs: usize,
    /// Runs that are not over yet, for which the estimate is.
    runs_left: usize,
    /// Games at most, as far as that can be said.
    games: Option<u64>,
    /// Whether there are runs of this name already.
    exists: bool,
    /// Why it cannot go on with them, if it cannot.
    changed: Option<String>,
    /// How long the runs that are left will take on this machine, if that was asked for.
    estimate_seconds: Option<f64>,
}

/// Something that a study compares.
#[derive(Debug, Serialize, ToSchema)]
struct SettingInfo {
    label: String,
    /// What is different from the rest of the study.
    #[schema(value_type = Object)]
    changes: serde_json::Map<String, serde_json::Value>,
}

/// Says what is wrong with a study, or what it will do.
#[utoipa::path(post, path = "/api/check", tag = "studies", request_body = ToCheck,
    responses((status = 200, body = Checked), (status = 400, body = Failure), (status = 429, body = Failure)))]
async fn check_study(
    State(site): State<Arc<Site>>,
    Body(body): Body<ToCheck>,
) -> Result<Json<Checked>, Problem> {
    let wants_estimate = body.estimate;
    let (checked, study) = {
        let site = Arc::clone(&site);
        let searches = Arc::clone(&site.searches);
        searches.read(move || checked(&site, &body)).await?
    };
    match study {
        Some((study, known)) if wants_estimate => {
            let threads = site.settings.threads;
            let estimate =
                move |cancelled: &Cancelled| estimate(&study, &known, threads, cancelled);
            let time = site.settings.limits.time;
            let seconds = site.searches.think(None, time, estimate).await?;
            Ok(Json(Checked {
                estimate_seconds: Some(seconds),
                ..checked
            }))
        }
        _ => Ok(Json(checked)),
    }
}

/// What there is to say at once, and the study if it can be run.
fn checked(
    site: &Site,
    body: &ToCheck,
) -> Result<(Checked, Option<(Study, check::Checked)>), Problem> {
    let flaws = match reaches_outside(&body.toml, FILE) {
        Some(flaws) if !site.settings.allow_exec => Some(flaws),
        _ => None,
    };
    let study = match flaws {
        Some(flaws) => Err(flaws),
        None => Study::parse(&body.toml, FILE, &site.base(), form(body.short)),
    };
    let study = match study {
        Ok(study) => study,
        Err(flaws) => {
            let checked = Checked {
                flaws: flaws_at(&flaws),
                ..Checked::default()
            };
            return Ok((checked, None));
        }
    };
    let known = check::Checked::of(&study, site.store());
    let checked = Checked {
        ok: true,
        flaws: Vec::new(),
        name: study.name.clone(),
        settings: study.settings.iter().map(setting).collect(),
        runs: known.runs.len(),
        runs_left: known.left.len(),
        games: known.games,
        exists: known.exists,
        estimate_seconds: None,
        changed: known.changed.clone(),
    };
    Ok((checked, Some((study, known))))
}

fn estimate(
    study: &Study,
    known: &check::Checked,
    threads: usize,
    cancelled: &Cancelled,
) -> Result<f64, Problem> {
    let workers = Workers::new(threads)?.until(cancelled);
    let estimate = known.estimate(study, &workers);
    Ok(estimate.map_err(Problem::failed)?.time.as_secs_f64())
}

fn setting(setting: &Setting) -> SettingInfo {
    SettingInfo {
        label: setting.label.clone(),
        changes: setting.changes.iter().cloned().collect(),
    }
}

fn form(short: bool) -> Form {
    if short { Form::Short } else { Form::Whole }
}

/// A study to start.
#[derive(Debug, Deserialize, ToSchema)]
struct ToStart {
    toml: String,
    /// Tries it in seconds.
    #[serde(default)]
    short: bool,
    /// Begins again under a name of its own if there are runs of its name.
    #[serde(default)]
    fork: bool,
}

/// A study that was started, stopped, resumed or forked.
#[derive(Debug, Serialize, ToSchema)]
struct Named {
    study: String,
    /// What it is doing.
    state: String,
}

/// Refuses a study that would start programs or read files.
fn permit(site: &Site, text: &str) -> Result<(), Problem> {
    match reaches_outside(text, FILE) {
        Some(flaws) if !site.settings.allow_exec => {
            Err(Problem::flaws(StatusCode::FORBIDDEN, &flaws))
        }
        _ => Ok(()),
    }
}

/// Adds a study to the queue, unless it could not go on with the runs there are.
fn enqueue(site: &Site, study: Study) -> Result<Json<Named>, Problem> {
    let folder = site.store().folder(&study.name);
    Extension::of(&study, &study.runs(), &folder)?;
    let name = study.name.clone();
    let locked = || Problem::conflict(format!("the study '{name}' is being worked on already"));
    if folder.is_locked() || !site.queue.add(study) {
        return Err(locked());
    }
    Ok(Json(Named {
        state: state(site, &name)?,
        study: name,
    }))
}

/// Starts a study in the background.
#[utoipa::path(post, path = "/api/studies", tag = "studies", request_body = ToStart,
    responses((status = 201, body = Named), (status = 400, body = Failure), (status = 403, body = Failure), (status = 409, body = Failure)))]
async fn start(
    State(site): State<Arc<Site>>,
    Body(body): Body<ToStart>,
) -> Result<(StatusCode, Json<Named>), Problem> {
    let searches = Arc::clone(&site.searches);
    let work = move || {
        permit(&site, &body.toml)?;
        let study = Study::parse(&body.toml, FILE, &site.base(), form(body.short));
        let mut study = study.map_err(|flaws| Problem::flaws(StatusCode::BAD_REQUEST, &flaws))?;
        if body.fork {
            study.name = site.store().free_name(&study.name);
        }
        Ok((StatusCode::CREATED, enqueue(&site, study)?))
    };
    searches.read(work).await
}

/// Lets a study that this server works on save and stop.
#[utoipa::path(post, path = "/api/studies/{study}/stop", tag = "studies", params(("study" = String, Path)),
    responses((status = 202, body = Named), (status = 404, body = Failure), (status = 409, body = Failure)))]
async fn stop(
    State(site): State<Arc<Site>>,
    Path(study): Path<String>,
) -> Result<(StatusCode, Json<Named>), Problem> {
    let state = match site.queue.stop(&study) {
        Stopped::NeverBegun => "waiting",
        Stopped::Stopping => "stopping",
        Stopped::NotHere => {
            let site = Arc::clone(&site);
            let name = study.clone();
            on_thread(move || find(&site, &name).map(drop)).await?;
            let why =
                format!("'{study}' is not worked on by this server; whoever works on it stops it");
            return Err(Problem::conflict(why));
        }
    };
    let state = state.to_owned();
    Ok((StatusCode::ACCEPTED, Json(Named { study, state })))
}

/// Goes on with a study.
#[utoipa::path(post, path = "/api/studies/{study}/resume", tag = "studies", params(("study" = String, Path)),
    responses((status = 202, body = Named), (status = 403, body = Failure), (status = 404, body = Failure), (status = 409, body = Failure)))]
async fn resume(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
) -> Result<(StatusCode, Json<Named>), Problem> {
    on_thread(move || {
        let study = find(&site, &name)?.study()?;
        permit(&site, &study.text)?;
        Ok((StatusCode::ACCEPTED, enqueue(&site, study)?))
    })
    .await
}

/// Runs a study once more beside itself, under the next free name.
#[utoipa::path(post, path = "/api/studies/{study}/fork", tag = "studies", params(("study" = String, Path)),
    responses((status = 202, body = Named), (status = 403, body = Failure), (status = 404, body = Failure), (status = 409, body = Failure)))]
async fn fork(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
) -> Result<(StatusCode, Json<Named>), Problem> {
    on_thread(move || {
        let mut study = find(&site, &name)?.study()?;
        permit(&site, &study.text)?;
        study.name = site.store().free_name(&study.name);
        Ok((StatusCode::ACCEPTED, enqueue(&site, study)?))
    })
    .await
}
