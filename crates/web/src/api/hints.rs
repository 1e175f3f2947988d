//! `/api/games/{game}/hints`: hints as they are found, for a person who thinks as well.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::sse::{Event, Sse};
use futures_util::stream::Stream;
use games::{AnyGame, Turn};
use play::any::AnyPosition;
use play::proofs::{Known, Prover, SOLVER, Worth};
use players::Spec;
use players::solver::{Budget, Verdict};
use serde::Deserialize;
use tokio::sync::mpsc::Sender;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::streamed::streamed;
use super::thinking::{Hint, MoveValue, ValueKind, WIDTH, hint_by};
use super::watch::{event, rules};
use crate::input::{Params, Path};
use crate::problem::{Failure, Problem};
use crate::searches::Cancelled;
use crate::site::Site;
use crate::tables::{build, player, position};

/// At most so often is a client told more.
const PAUSE: Duration = Duration::from_millis(100);

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(hints))
}

/// A position to think about.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct HintsRequest {
    /// Rules as a JSON object; missing for the usual ones.
    rules: Option<String>,
    position: String,
    /// The spec of the player.
    player: String,
    /// How long it may think, where that can be limited; missing for as long as the server allows.
    time_ms: Option<u64>,
}

/// What a player thinks of a position: events `hint`, each with all that is known by then, or one `problem`. The exact player tells of every
/// column as it is proved and estimates the others; any other player tells once. The last event is `done`.
#[utoipa::path(get, path = "/api/games/{game}/hints", tag = "games", params(("game" = String, Path), HintsRequest),
    responses((status = 200, content_type = "text/event-stream", body = Hint), (status = 400, body = Failure), (status = 403, body = Failure), (status = 404, body = Failure), (status = 429, body = Failure)))]
async fn hints(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    Params(request): Params<HintsRequest>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let game = build(&name, &rules(request.rules.as_deref())?)?;
    let most = site.settings.limits.time;
    let question = Question {
        spec: player(&site, &game, &request.player)?,
        position: position(&game, &request.position)?,
        time: request
            .time_ms
            .map_or(most, Duration::from_millis)
            .min(most),
        game,
    };
    let (stream, place) = (site.stream()?, site.searches.place()?);
    Ok(streamed(stream, place, move |cancelled, progress| {
        let hint = question.answer(&site, cancelled, progress)?;
        Ok(event("hint", &hint))
    }))
}

/// A position and who thinks about it.
struct Question {
    game: AnyGame,
    spec: Spec,
    position: AnyPosition,
    time: Duration,
}

impl Question {
    /// The last hint; those before it go to the client while it is found.
    fn answer(
        &self,
        site: &Site,
        cancelled: &Cancelled,
        progress: &Sender<Event>,
    ) -> Result<Hint, Problem> {
        let is_turn = matches!(self.position.turn(), Turn::Player(_));
        let prover = (is_turn && self.spec.name() == SOLVER)
            .then(|| site.prover(&self.game))
            .flatten();
        let Some(mut prover) = prover else {
            return hint_by(&self.game, &self.spec, &self.position, self.time, cancelled);
        };
        let hint = self.prove(&mut prover, cancelled, progress);
        site.keep_prover(prover);
        Ok(hint)
    }

    fn prove(&self, prover: &mut Prover, cancelled: &Cancelled, progress: &Sender<Event>) -> Hint {
        let started = Instant::now();
        let is_over = || started.elapsed() >= self.time;
        let budget = Budget {
            stop: Some(&is_over),
            cancelled: Some(cancelled),
            ..Budget::default()
        };
        let (mut last, mut sent) = (None, None::<Instant>);
        prover.prove(&self.position, &budget, &mut |known| {
            if sent.is_none_or(|sent| sent.elapsed() >= PAUSE) {
                sent = Some(Instant::now());
                // A slow client gets the next one instead.
                let _ = progress.try_send(event("hint", &self.hint(known, started, false)));
            }
            last = Some(known.clone());
        });
        let known = last.unwrap_or_else(|| Known {
            moves: Vec::new(),
            best: None,
            nodes: 0,
        });
        self.hint(&known, started, true)
    }

    fn hint(&self, known: &Known, started: Instant, done: bool) -> Hint {
        let exact = known.is_proved();
        let mut values: Vec<MoveValue> = known.moves.iter().filter_map(value).collect();
        let place = |value: &MoveValue| value.chosen.parse().unwrap_or(u32::MAX);
        values.sort_by_key(place);
        Hint {
            player: self.spec.label(),
            chosen: known.best.clone(),
            values,
            cut_short: done && !exact,
            ms: started.elapsed().as_secs_f64() * 1e3,
            exact,
            solves: true,
            nodes: Some(known.nodes),
            done,
        }
    }
}

/// A move of which something is known.
fn value((chosen, worth): &(String, Worth)) -> Option<MoveValue> {
    let (value, kind) = match *worth {
        Worth::Score(score) => (f64::from(score), ValueKind::Exact),
        Worth::Verdict(verdict) => {
            let sign = match verdict {
                Verdict::Win => 1.0,
                Verdict::Draw => 0.0,
                Verdict::Loss => -1.0,
            };
            (sign, ValueKind::Verdict)
        }
        Worth::Estimate(share) => (share, ValueKind::Estimate),
        Worth::Unknown => return None,
    };
    Some(MoveValue {
        chosen: chosen.clone(),
        value,
        text: worth.text(WIDTH),
        kind,
    })
}
