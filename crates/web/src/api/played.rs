//! `/api/runs/.../games`: the games by which the champion of a run was measured. Each can be replayed: see `/api/replays`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use lab::store::Order;
use lab::store::played::{Played, games};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::paging::Paging;
use super::runs::find;
use crate::input::{Params, Path};
use crate::problem::{Failure, Problem};
use crate::site::Site;
use crate::threads::on_thread;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(list))
}

/// The order of games.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct GameOrder {
    #[serde(default)]
    #[param(inline)]
    sort: GameSort,
    #[serde(default)]
    #[param(inline)]
    order: Order,
}

/// GameSort what games are sorted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum GameSort {
    /// Points.
    #[default]
    Score,
    /// Moves of all players.
    Moves,
    /// The number of the game.
    Game,
}

/// A page of games.
#[derive(Debug, Serialize, ToSchema)]
struct GamesPage {
    /// Games on all pages.
    total: u64,
    page: u32,
    size: u32,
    games: Vec<Played>,
}

/// The games by which the champion of a run was measured; none until the run is over.
#[utoipa::path(get, path = "/api/runs/{study}/{run}/games", tag = "played", params(("study" = String, Path), ("run" = String, Path), GameOrder, Paging),
    responses((status = 200, body = GamesPage), (status = 400, body = Failure), (status = 404, body = Failure)))]
async fn list(
    State(site): State<Arc<Site>>,
    Path((study, run)): Path<(String, String)>,
    Params(sorted): Params<GameOrder>,
    Params(paging): Params<Paging>,
) -> Result<Json<GamesPage>, Problem> {
    let size = paging.size()?;
    on_thread(move || {
        let (_, place) = find(&site, &study, &run)?;
        let mut games = games(&place.path)?;
        sort(&mut games, &sorted);
        let total = games.len() as u64;
        let start = paging.page as usize * size as usize;
        let games = games.into_iter().skip(start).take(size as usize);
        Ok(Json(GamesPage {
            total,
            page: paging.page,
            size,
            games: games.collect(),
        }))
    })
    .await
}

/// Equal games stay in the order in which they were played.
fn sort(games: &mut [Played], sorted: &GameOrder) {
    let key = |game: &Played| match sorted.sort {
        GameSort::Score => game.score,
        GameSort::Moves => i64::from(game.moves),
        GameSort::Game => game.game as i64,
    };
    match sorted.order {
        Order::Asc => games.sort_by_key(key),
        Order::Desc => games.sort_by_key(|game| std::cmp::Reverse(key(game))),
    }
}
