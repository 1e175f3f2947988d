//! `/api/runs/.../history`, `population` and `individuals`: the course of an evolution, in as many numbers as a chart has room for, and
//! any of its generations.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use lab::run::curve::{Curve, PopulationCurve};
use lab::run::individuals::{Individuals, IndividualsError};
use lab::store::Folder;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::runs::find;
use crate::input::{Params, Path};
use crate::problem::{Failure, Problem};
use crate::site::Site;
use crate::threads::on_thread;

const MOST_POINTS: usize = 10_000;
const USUAL_POINTS: usize = 1000;
const MOST_CELLS: usize = 2000;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(history))
        .routes(routes!(population))
        .routes(routes!(individuals))
}

/// How much of it.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Points {
    /// Generations at most, 2 to 10000.
    points: Option<usize>,
}

/// Fitness and genes of the best by generation; of a training, scores and results by training game.
#[utoipa::path(get, path = "/api/runs/{study}/{run}/history", tag = "runs", params(("study" = String, Path), ("run" = String, Path), Points),
    responses((status = 200, body = Curve), (status = 400, body = Failure), (status = 404, body = Failure)))]
async fn history(
    State(site): State<Arc<Site>>,
    Path((study, run)): Path<(String, String)>,
    Params(asked): Params<Points>,
) -> Result<Json<Curve>, Problem> {
    let points = within(asked.points, USUAL_POINTS, MOST_POINTS, "points")?;
    on_thread(move || {
        let (folder, place) = find(&site, &study, &run)?;
        let seats = seats(&folder)?;
        Ok(Json(Curve::read(&place.path, points, seats)?))
    })
    .await
}

/// How many play the game of a study.
fn seats(folder: &Folder) -> Result<u8, Problem> {
    let study = folder.study()?;
    let game = study.settings[0].experiment.game();
    Ok(game.map_or(1, games::AnyGame::seats))
}

pub(super) fn within(
    asked: Option<usize>,
    usual: usize,
    most: usize,
    name: &str,
) -> Result<usize, Problem> {
    let number = asked.unwrap_or(usual);
    if (2..=most).contains(&number) {
        return Ok(number);
    }
    Err(Problem::bad(format!("{name} must be from 2 to {most}")).at(name))
}

/// How much of it.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Cells {
    /// Generations at most, 2 to 2000.
    columns: Option<usize>,
    /// Individuals per generation at most, 2 to 2000.
    rows: Option<usize>,
}

/// The fitness of all individuals, by generation.
#[utoipa::path(get, path = "/api/runs/{study}/{run}/population", tag = "runs", params(("study" = String, Path), ("run" = String, Path), Cells),
    responses((status = 200, body = PopulationCurve), (status = 400, body = Failure), (status = 404, body = Failure)))]
async fn population(
    State(site): State<Arc<Site>>,
    Path((study, run)): Path<(String, String)>,
    Params(asked): Params<Cells>,
) -> Result<Json<PopulationCurve>, Problem> {
    let columns = within(asked.columns, 200, MOST_CELLS, "columns")?;
    let rows = within(asked.rows, 100, MOST_CELLS, "rows")?;
    on_thread(move || {
        let (_, place) = find(&site, &study, &run)?;
        Ok(Json(PopulationCurve::read(&place.path, columns, rows)?))
    })
    .await
}

/// Which generation.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Which {
    /// Its number, from 0; the last one if it is missing.
    generation: Option<u32>,
}

/// The individuals of a generation, the fittest first.
#[utoipa::path(get, path = "/api/runs/{study}/{run}/individuals", tag = "runs", params(("study" = String, Path), ("run" = String, Path), Which),
    responses((status = 200, body = Individuals), (status = 400, body = Failure), (status = 404, body = Failure)))]
async fn individuals(
    State(site): State<Arc<Site>>,
    Path((study, run)): Path<(String, String)>,
    Params(asked): Params<Which>,
) -> Result<Json<Individuals>, Problem> {
    on_thread(move || {
        let (_, place) = find(&site, &study, &run)?;
        match Individuals::read(&place.path, asked.generation) {
            Ok(individuals) => Ok(Json(individuals)),
            Err(IndividualsError::Ledger(error)) => Err(error.into()),
            Err(other) => Err(Problem::missing(format!("{study}/{run} {other}"))),
        }
    })
    .await
}
