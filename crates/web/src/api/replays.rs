//! `/api/replays`: recorded games, step by step.

use std::sync::Arc;

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use lab::run::best_game::BEST_GAME;
use lab::store::RunFolder;
use lab::store::played::{plan, play_again};
use play::measure::Plan;
use play::replay::{Damage, Replay, ReplayError, Script};
use serde::{Serialize, Serializer};
use tokio::time::timeout;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::runs::find;
use crate::board::{Rules, Step, View};
use crate::input::{Path, SENDING, too_large, too_slow};
use crate::problem::{Failure, Problem};
use crate::searches::Cancelled;
use crate::site::Site;
use crate::tables::check_allowed;
use crate::threads::on_thread;

/// Longer games are cut, since every step is a whole position.
const MOST_STEPS: usize = 20_000;
/// Bytes of all steps together; games on large boards are cut earlier.
const MOST_BYTES: usize = 8 << 20;

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
    #[schema(value_type = Vec<Step>)]
    steps: Steps,
    /// Whether the game went on after the last step here.
    cut: bool,
}

/// The best game of a run.
#[utoipa::path(get, path = "/api/replays/{study}/{run}", tag = "watch", params(("study" = String, Path), ("run" = String, Path)),
    responses((status = 200, body = ReplayView), (status = 404, body = Failure)))]
async fn of_run(
    State(site): State<Arc<Site>>,
    Path((study, run)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let searches = Arc::clone(&site.searches);
    let work = move || {
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
        answer(&replay).map_err(Problem::failed)
    };
    searches.read(work).await
}

/// A game of a run, played again.
#[utoipa::path(get, path = "/api/replays/{study}/{run}/{game}", tag = "watch", params(("study" = String, Path), ("run" = String, Path), ("game" = u64, Path)),
    responses((status = 200, body = ReplayView), (status = 403, body = Failure), (status = 404, body = Failure), (status = 409, body = Failure), (status = 429, body = Failure)))]
async fn of_game(
    State(site): State<Arc<Site>>,
    Path((study, run, game)): Path<(String, String, String)>,
) -> Result<Response, Problem> {
    let number = game.parse();
    let number = number.map_err(|_| Problem::bad("expected the number of a game").at("game"))?;
    let (place, plan) = {
        let site = Arc::clone(&site);
        on_thread(move || planned(&site, &study, &run)).await?
    };
    let work = move |cancelled: &Cancelled| {
        let replay = play_again(&plan, &place, number, cancelled)?;
        answer(&replay).map_err(Problem::failed)
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
#[utoipa::path(post, path = "/api/replays", tag = "watch", request_body(content = Object, content_type = "application/json"),
    responses((status = 200, body = ReplayView), (status = 400, body = Failure), (status = 413, body = Failure), (status = 429, body = Failure)))]
async fn of_file(State(site): State<Arc<Site>>, request: Request) -> Result<Response, Problem> {
    let place = site.searches.upload()?;
    let most = site.settings.limits.replay;
    let body = timeout(SENDING, to_bytes(request.into_body(), most)).await;
    let body = body.map_err(|_| too_slow())?.map_err(|_| too_large())?;
    let work = move || {
        let _place = place;
        let text = std::str::from_utf8(&body).map_err(Problem::bad)?;
        let replay = Replay::from_text(text).map_err(Problem::bad)?;
        answer(&replay).map_err(Problem::bad)
    };
    on_thread(work).await
}

/// The answer as text: made on the caller's thread, step by step, so that it takes little more memory than its bytes.
fn answer(replay: &Replay) -> Result<Response, Damage> {
    let steps = Steps::of(replay.script()?);
    let view = ReplayView {
        game: replay.game.clone(),
        rules: Rules(replay.rules.clone()),
        players: replay.players.clone(),
        about: replay.about.clone(),
        score: replay.score,
        moves: replay.moves,
        start: View::of(&steps.script.start),
        cut: steps.fitting < steps.script.steps.len(),
        steps,
    };
    let text = serde_json::to_string(&view)?;
    let kind = [(header::CONTENT_TYPE, "application/json")];
    Ok((kind, text).into_response())
}

/// The steps of a replay, as many as fit into an answer.
#[derive(Debug)]
struct Steps {
    script: Script,
    fitting: usize,
}

impl Steps {
    fn of(script: Script) -> Self {
        let steps = script.steps.len().min(MOST_STEPS);
        let mut all = Self {
            script,
            fitting: steps,
        };
        let mut bytes = 0;
        let mut counted = 0;
        for step in all.iter() {
            bytes += serde_json::to_string(&step).map_or(0, |text| text.len());
            if bytes > MOST_BYTES {
                break;
            }
            counted += 1;
        }
        all.fitting = counted;
        all
    }

    fn iter(&self) -> impl Iterator<Item = Step> {
        let after = self.script.positions().skip(1).take(self.fitting);
        let steps = self.script.steps.iter().cloned().zip(after);
        steps.map(|(step, position)| Step::of(step, &position))
    }
}

impl Serialize for Steps {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
