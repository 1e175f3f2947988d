//! `/api/replays`: recorded games, step by step.

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
use crate::tables::check_allowed;
use crate::threads::on_thread;

/// Longer games are cut, since every step is a whole position.
const MOST_STEPS: usize = 20_000;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(of_run))
        .routes(routes!(of_game))
        .routes(routes!(of_file))
}

/// A recorded game.
#[derive(Debug, Serialize, ToSchema)]
struct ReplayView {
    game: String,
    rules: Rules,
    /// The players, one per seat.
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
    responses((status = 200, body = ReplayView), (status = 404, body = Failure)))]
async fn of_run(
    State(site): State<Arc<Site>>,
    Path((study, run)): Path<(String, String)>,
) -> Result<Json<ReplayView>, Problem> {
    on_thread(move || {
        let (_, place) = find(&site, &study, &run)?;
        let path = place.path.join(BEST_GAME);
        if !path.is_file() {
            let why = format!(
                "{study}/{run} has no recorded game: it is not over, or its games are not reproducible"
            );
            return Err(Problem::missing(why));
        }
        let replay = Replay::read(&path).map_err(|error| match error {
            ReplayError::Unreadable { .. } => Problem::failed(error),
            ReplayError::Wrong { damage, .. } => Problem::failed(damage),
        })?;
        replay_view(&replay).map(Json).map_err(Problem::failed)
    })
    .await
}

/// A game of a run, played again.
#[utoipa::path(get, path = "/api/replays/{study}/{run}/{game}", tag = "watch", params(("study" = String, Path), ("run" = String, Path), ("game" = u64, Path)),
    responses((status = 200, body = ReplayView), (status = 403, body = Failure), (status = 404, body = Failure), (status = 429, body = Failure)))]
async fn of_game(
    State(site): State<Arc<Site>>,
    Path((study, run, game)): Path<(String, String, String)>,
) -> Result<Json<ReplayView>, Problem> {
    let number = game.parse();
    let number = number.map_err(|_| Problem::bad("expected the number of a game").at("game"))?;
    let (place, plan) = {
        let site = Arc::clone(&site);
        on_thread(move || planned(&site, &study, &run)).await?
    };
    let work = move |cancelled: &Cancelled| {
        let replay = play_again(&plan, &place, number, cancelled)?;
        replay_view(&replay).map(Json).map_err(Problem::failed)
    };
    let time = site.settings.limits.time;
    site.searches.think(None, time, work).await
}

/// How the games of a run were played, if the page may play them again.
fn planned(site: &Site, study: &str, run: &str) -> Result<(RunFolder, Plan), Problem> {
    let (folder, place) = find(site, study, run)?;
    let plan = plan(&folder, &place)?.ok_or_else(|| {
        Problem::missing(format!(
            "{study}/{run} has no games to show: it is not over, measures none, or its study has changed since"
        ))
    })?;
    for spec in plan.table.specs() {
        check_allowed(site, spec)?;
    }
    Ok((place, plan))
}

/// A replay file, checked step by step; it is not stored.
#[utoipa::path(post, path = "/api/replays", tag = "watch", request_body(content = String, content_type = "application/json"),
    responses((status = 200, body = ReplayView), (status = 400, body = Failure), (status = 413, body = Failure)))]
async fn of_file(
    State(site): State<Arc<Site>>,
    request: Request,
) -> Result<Json<ReplayView>, Problem> {
    let most = site.settings.limits.replay;
    let body = to_bytes(request.into_body(), most).await;
    let body = body.map_err(|_| too_large())?;
    on_thread(move || {
        let text = std::str::from_utf8(&body).map_err(Problem::bad)?;
        let replay = Replay::from_text(text).map_err(Problem::bad)?;
        replay_view(&replay).map(Json).map_err(Problem::bad)
    })
    .await
}

fn replay_view(replay: &Replay) -> Result<ReplayView, Damage> {
    let script = replay.script()?;
    let after = script.positions().skip(1).take(MOST_STEPS);
    let steps = script.steps.iter().cloned().zip(after);
    Ok(ReplayView {
        game: replay.game.clone(),
        rules: Rules(replay.rules.clone()),
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
