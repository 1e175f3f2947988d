//! `/api/replays`: games that were kept, step by step.

use std::sync::Arc;

use axum::Json;
use axum::body::to_bytes;
use axum::extract::{Path, Request, State};
use lab::run::best_game::BEST_GAME;
use lab::store::RunFolder;
use lab::store::played::{plan, play_again};
use play::measure::Plan;
use play::replay::{Damage, Replay, ReplayError};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::runs::find;
use crate::board::{Rules, Step, View};
use crate::input::too_large;
use crate::problem::{Failure, Problem};
use crate::searches::Cancelled;
use crate::site::Site;
use crate::tables::may_have;
use crate::threads::on_thread;

/// Longer games are cut: every step is a whole position.
const MOST_STEPS: usize = 20_000;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(of_run))
        .routes(routes!(of_game))
        .routes(routes!(of_file))
}

/// A game that was kept.
#[derive(Debug, Serialize, ToSchema)]
struct Shows {
    game: String,
    rules: Rules,
    /// Who played, one a seat.
    players: Vec<String>,
    /// Where it comes from.
    about: String,
    score: i64,
    moves: u64,
    /// The position before the first step.
    start: View,
    steps: Vec<Step>,
    /// Whether the game went on after the last step here.
    cut: bool,
}

/// The best game of a run.
#[utoipa::path(get, path = "/api/replays/{study}/{run}", tag = "watch", params(("study" = String, Path), ("run" = String, Path)),
    responses((status = 200, body = Shows), (status = 404, body = Failure)))]
async fn of_run(
    State(site): State<Arc<Site>>,
    Path((study, run)): Path<(String, String)>,
) -> Result<Json<Shows>, Problem> {
    on_thread(move || {
        let (_, place) = find(&site, &study, &run)?;
        let path = place.path.join(BEST_GAME);
        if !path.is_file() {
            let why = format!(
                "{study}/{run} has kept no game: it is not over, or its games cannot be repeated"
            );
            return Err(Problem::missing(why));
        }
        let replay = Replay::read(&path).map_err(|error| match error {
            ReplayError::Unreadable { .. } => Problem::failed(error),
            ReplayError::Wrong { damage, .. } => Problem::failed(damage),
        })?;
        shows(&replay).map(Json).map_err(Problem::failed)
    })
    .await
}

/// A game of a run, played once more.
#[utoipa::path(get, path = "/api/replays/{study}/{run}/{game}", tag = "watch", params(("study" = String, Path), ("run" = String, Path), ("game" = u64, Path)),
    responses((status = 200, body = Shows), (status = 403, body = Failure), (status = 404, body = Failure), (status = 429, body = Failure)))]
async fn of_game(
    State(site): State<Arc<Site>>,
    Path((study, run, game)): Path<(String, String, String)>,
) -> Result<Json<Shows>, Problem> {
    let number = game.parse();
    let number = number.map_err(|_| Problem::bad("a game is called by its number").at("game"))?;
    let (place, plan) = {
        let site = Arc::clone(&site);
        on_thread(move || planned(&site, &study, &run)).await?
    };
    let work = move |cancelled: &Cancelled| {
        let replay = play_again(&plan, &place, number, cancelled)?;
        shows(&replay).map(Json).map_err(Problem::failed)
    };
    let time = site.settings.limits.time;
    site.searches.think(None, time, work).await
}

/// How the games of a run were played, if they may be played again here.
fn planned(site: &Site, study: &str, run: &str) -> Result<(RunFolder, Plan), Problem> {
    let (folder, place) = find(site, study, run)?;
    let plan = plan(&folder, &place)?.ok_or_else(|| {
        Problem::missing(format!(
            "{study}/{run} has no games to show: it is not over, measures none, or its study was changed since"
        ))
    })?;
    for spec in plan.table.specs() {
        may_have(site, spec)?;
    }
    Ok((place, plan))
}

/// A replay file, tried step by step; nothing is kept of it.
#[utoipa::path(post, path = "/api/replays", tag = "watch", request_body(content = String, content_type = "application/json"),
    responses((status = 200, body = Shows), (status = 400, body = Failure), (status = 413, body = Failure)))]
async fn of_file(State(site): State<Arc<Site>>, request: Request) -> Result<Json<Shows>, Problem> {
    let most = site.settings.limits.replay;
    let body = to_bytes(request.into_body(), most).await;
    let body = body.map_err(|_| too_large())?;
    on_thread(move || {
        let text = std::str::from_utf8(&body).map_err(Problem::bad)?;
        let replay = Replay::from_text(text).map_err(Problem::bad)?;
        shows(&replay).map(Json).map_err(Problem::bad)
    })
    .await
}

fn shows(replay: &Replay) -> Result<Shows, Damage> {
    let script = replay.script()?;
    let after = script.positions().skip(1).take(MOST_STEPS);
    let steps = script.steps.iter().cloned().zip(after);
    Ok(Shows {
        game: replay.game.clone(),
        rules: replay.rules.clone(),
        players: replay.players.clone(),
        about: replay.about.clone(),
        score: replay.score,
        moves: replay.moves,
        start: View::of(&script.start),
        steps: steps
            .map(|(step, position)| Step::of(step, &position))
            .collect(),
        cut: script.steps.len() > MOST_STEPS,
    })
}
