//! `/api/leaderboard`: the players of a game that were measured, best first.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use games::registry::family;
use report::leaderboard::Leaderboard;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::input::Path;
use crate::problem::{Failure, Problem};
use crate::site::Site;
use crate::threads::on_thread;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(leaderboard))
}

/// The players of a game that were measured by runs, best first.
#[utoipa::path(get, path = "/api/leaderboard/{game}", tag = "compare", params(("game" = String, Path)),
    responses((status = 200, body = Leaderboard), (status = 404, body = Failure)))]
async fn leaderboard(
    State(site): State<Arc<Site>>,
    Path(game): Path<String>,
) -> Result<Json<Leaderboard>, Problem> {
    let game = family(&game)?.name;
    on_thread(move || {
        // The catalogue knows which studies are about the game, so the others are not read.
        let found = site.catalogue.ask(|index| index.studies("", 0, u32::MAX))?;
        let of_game = found
            .rows
            .into_iter()
            // Nobody knows what a study that cannot be read is about.
            .filter(|row| row.game.as_deref() == Some(game) || row.damage.is_some());
        let names: Vec<String> = of_game.map(|row| row.name).collect();
        Ok(Json(Leaderboard::gather(site.store(), &names)))
    })
    .await
}
