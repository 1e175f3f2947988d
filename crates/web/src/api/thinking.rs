//! Moves of players, and hints: the value of every move.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use games::{AnyGame, Turn, stream};
use play::advice::{Advice, short_text};
use play::any::{AnyPlayer, AnyPosition};
use play::proofs::SOLVER;
use players::Spec;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::games::play_on;
use crate::board::{Rules, Step};
use crate::input::{Body, Path};
use crate::problem::{Failure, Problem};
use crate::searches::Cancelled;
use crate::seed::Seed;
use crate::site::Site;
use crate::tables::{build, player, position};

/// Default times for a move, and for a hint, which judges all moves and then chooses.
const USUAL_TIME: Duration = Duration::from_secs(1);
const HINT_TIME: Duration = Duration::from_secs(2);
/// The generator of a player differs from that of chance.
const PLAYER: u64 = 1;
/// Hints draw what a player would draw in its first step.
const HINT_SEED: u64 = 1;
/// A value with its sign in a cell of the page.
pub(super) const WIDTH: usize = 9;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(choose))
        .routes(routes!(hint))
}

/// A request to a player.
#[derive(Debug, Deserialize, ToSchema)]
struct PlayerRequest {
    #[serde(default)]
    rules: Rules,
    position: String,
    /// The spec of the player.
    player: String,
    /// The seed of the player and of chance, together with the number of the step.
    #[serde(default)]
    seed: Seed,
    #[serde(default)]
    step: u64,
    /// How long it may think, where that can be limited.
    time_ms: Option<u64>,
    /// The browser tab: a newer request of the same tab cancels this one.
    tab: Option<String>,
}

impl PlayerRequest {
    fn time(&self, usual: Duration, most: Duration) -> Duration {
        let time = self.time_ms.map_or(usual, Duration::from_millis);
        time.min(most)
    }
}

/// What a player did.
#[derive(Debug, Serialize, ToSchema)]
struct Choice {
    /// The move, and what chance did after it.
    steps: Vec<Step>,
    /// The move.
    chosen: String,
    /// How long it thought.
    ms: f64,
}

/// A request with its game and player, ready for any thread.
struct PlayerTask {
    game: AnyGame,
    spec: Spec,
    time: Duration,
    request: PlayerRequest,
}

impl PlayerTask {
    fn read(
        site: &Site,
        name: &str,
        request: PlayerRequest,
        usual: Duration,
    ) -> Result<Self, Problem> {
        let game = build(name, &request.rules)?;
        Ok(Self {
            spec: player(site, &game, &request.player)?,
            time: request.time(usual, site.settings.limits.time),
            game,
            request,
        })
    }

    fn position(&self) -> Result<AnyPosition, Problem> {
        position(&self.game, &self.request.position)
    }

    fn player(&self, time: Duration, cancelled: &Cancelled) -> Result<AnyPlayer, Problem> {
        Ok(AnyPlayer::new(&self.game, &self.spec, Some(time))?.until(cancelled))
    }
}

/// Lets a player make its move.
#[utoipa::path(post, path = "/api/games/{game}/choose", tag = "games", params(("game" = String, Path)), request_body = PlayerRequest,
    responses((status = 200, body = Choice), (status = 400, body = Failure), (status = 403, body = Failure), (status = 404, body = Failure), (status = 409, body = Failure), (status = 429, body = Failure)))]
async fn choose(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    Body(request): Body<PlayerRequest>,
) -> Result<Json<Choice>, Problem> {
    let task = PlayerTask::read(&site, &name, request, USUAL_TIME)?;
    let (tab, time) = (task.request.tab.clone(), task.time);
    let work = move |cancelled: &Cancelled| chosen(&task, cancelled);
    site.searches
        .think(tab.as_deref(), time, work)
        .await
        .map(Json)
}

fn chosen(task: &PlayerTask, cancelled: &Cancelled) -> Result<Choice, Problem> {
    let PlayerRequest {
        seed: Seed(seed),
        step,
        ..
    } = task.request;
    let mut position = task.position()?;
    if !matches!(position.turn(), Turn::Player(_)) {
        return Err(Problem::bad("the game is over").at("position"));
    }
    let mut player = task.player(task.time, cancelled)?;
    let started = Instant::now();
    let chosen = player.choose(&position, &mut stream(seed, &[step, PLAYER]));
    let ms = started.elapsed().as_secs_f64() * 1e3;
    let chosen =
        chosen.map_err(|reason| Problem::bad(format!("{} cannot go on: {reason}", task.spec)))?;
    Ok(Choice {
        steps: play_on(&mut position, chosen.clone(), seed, step)?,
        chosen,
        ms,
    })
}

/// What a player thinks of a position.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Hint {
    /// The player.
    pub(super) player: String,
    /// What it would do; missing when the game is over.
    pub(super) chosen: Option<String>,
    /// What every move is worth to it, for the player to move; empty for a player that compares no moves.
    pub(super) values: Vec<MoveValue>,
    /// Whether its time cut it short.
    pub(super) cut_short: bool,
    /// How long it thought.
    pub(super) ms: f64,
    /// Whether the values are exact scores of all moves: how far from the end the game is won (or lost, if negative).
    pub(super) exact: bool,
    /// Whether the values are exact scores, be it of some moves only: what could not be solved in time has none.
    pub(super) solves: bool,
    /// Positions searched for a proof.
    pub(super) nodes: Option<u64>,
    /// Whether this is the last word; hints that are told as they are found come before it.
    pub(super) done: bool,
}

/// What a move is worth.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct MoveValue {
    #[serde(rename = "move")]
    pub(super) chosen: String,
    pub(super) value: f64,
    /// The value for people.
    pub(super) text: String,
    pub(super) kind: ValueKind,
}

/// What the value of a move means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ValueKind {
    /// An exact score: how many pieces the winner has left, negative if the opponent wins.
    Exact,
    /// 1 for a proved win, 0 for a draw, -1 for a loss; how quickly is not known yet.
    Verdict,
    /// The share of random games that the move won.
    Estimate,
    /// The player's own evaluation, in whatever unit it has.
    Own,
}

/// What a player would do in a position, and what every move is worth to it.
#[utoipa::path(post, path = "/api/games/{game}/hint", tag = "games", params(("game" = String, Path)), request_body = PlayerRequest,
    responses((status = 200, body = Hint), (status = 400, body = Failure), (status = 403, body = Failure), (status = 404, body = Failure), (status = 409, body = Failure), (status = 429, body = Failure)))]
async fn hint(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    Body(request): Body<PlayerRequest>,
) -> Result<Json<Hint>, Problem> {
    let task = PlayerTask::read(&site, &name, request, HINT_TIME)?;
    let (tab, time) = (task.request.tab.clone(), task.time);
    let work = move |cancelled: &Cancelled| hint_for(&task, cancelled);
    site.searches
        .think(tab.as_deref(), time, work)
        .await
        .map(Json)
}

fn hint_for(task: &PlayerTask, cancelled: &Cancelled) -> Result<Hint, Problem> {
    let position = task.position()?;
    hint_by(&task.game, &task.spec, &position, task.time, cancelled)
}

/// What a player thinks of a position after that time.
pub(super) fn hint_by(
    game: &AnyGame,
    spec: &Spec,
    position: &AnyPosition,
    time: Duration,
    cancelled: &Cancelled,
) -> Result<Hint, Problem> {
    // Half of the time to judge all moves, half to choose one.
    let half = time / 2;
    let mut player = AnyPlayer::new(game, spec, Some(half))?.until(cancelled);
    let started = Instant::now();
    let advice = match position.turn() {
        Turn::Player(_) => {
            let rng = stream(HINT_SEED, &[PLAYER]);
            Some(player.advise(position, &rng, half))
        }
        Turn::Chance | Turn::Over => None,
    };
    let ms = started.elapsed().as_secs_f64() * 1e3;
    hint_of(spec, advice, ms)
}

fn hint_of(spec: &Spec, advice: Option<Advice>, ms: f64) -> Result<Hint, Problem> {
    let player = spec.label();
    let Some(advice) = advice else {
        return Ok(Hint {
            player,
            chosen: None,
            values: Vec::new(),
            cut_short: false,
            ms,
            exact: false,
            solves: false,
            nodes: None,
            done: true,
        });
    };
    let solves = spec.name() == SOLVER;
    let value = |(chosen, value): (String, f64)| MoveValue {
        chosen,
        value,
        text: short_text(value, WIDTH),
        kind: if solves {
            ValueKind::Exact
        } else {
            ValueKind::Own
        },
    };
    Ok(Hint {
        chosen: Some(advice.chosen.map_err(Problem::bad)?),
        values: advice.values.into_iter().map(value).collect(),
        cut_short: advice.cut_short,
        exact: solves && !advice.cut_short,
        solves,
        player,
        ms,
        nodes: None,
        done: true,
    })
}
