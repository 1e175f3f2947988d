//! `/api/watch`: a game between players, step by step as it is played.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use games::{AnyGame, Turn};
use play::any::{self, AnyPlayer, AnyPosition};
use play::seating::try_out;
use players::Spec;
use players::arena::Dice;
use serde::{Deserialize, Serialize};
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::board::{Rules, Step, View};
use crate::input::Params;
use crate::problem::{Failure, Problem};
use crate::searches::Cancelled;
use crate::seed::Seed;
use crate::site::Site;
use crate::tables::{build, player, position};
use crate::threads::on_thread;

/// The longest pause between two moves.
const LONGEST_PAUSE: u64 = 2000;
/// Steps that are played ahead of the client.
const AHEAD: usize = 4;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(watch))
}

/// A game to watch.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct WatchRequest {
    pub(super) game: String,
    /// Rules as a JSON object; missing for the usual ones.
    pub(super) rules: Option<String>,
    /// The player.
    pub(super) player: String,
    /// The second player of a two-player game; missing for the same one.
    pub(super) player2: Option<String>,
    #[serde(default)]
    pub(super) seed: Seed,
    /// The position to begin with; missing for the start.
    from: Option<String>,
    /// The pause between two moves, 0 to 2000.
    #[serde(default)]
    every_ms: u64,
}

/// The rules of a text.
pub(super) fn rules(text: Option<&str>) -> Result<Rules, Problem> {
    let text = text.filter(|text| !text.is_empty()).unwrap_or("{}");
    serde_json::from_str(text)
        .map_err(|_| Problem::bad("rules must be a JSON object of texts").at("rules"))
}

/// The players of a game, one per seat.
pub(super) fn seats(
    site: &Site,
    game: &AnyGame,
    first: &str,
    second: Option<&str>,
) -> Result<Vec<Spec>, Problem> {
    let first = player(site, game, first)?;
    if game.seats() < 2 {
        return Ok(vec![first]);
    }
    let second = match second.filter(|text| !text.is_empty()) {
        Some(text) => player(site, game, text)?,
        None => first.clone(),
    };
    Ok(vec![first, second])
}

/// A step of the game.
#[derive(Debug, Serialize, ToSchema)]
struct WatchedStep {
    #[serde(flatten)]
    step: Step,
    /// How long the player thought; 0 for chance.
    ms: f64,
}

/// The end of the game.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct WatchedEnd {
    view: View,
    moves: u32,
    ms_per_move: f64,
    /// The player that could not go on, if one could not.
    forfeit: Option<Forfeit>,
}

/// A player that could not go on.
#[derive(Debug, Serialize, ToSchema)]
struct Forfeit {
    seat: u8,
    reason: String,
}

/// The client of a stream. When it is gone, the work for the stream is cancelled.
pub(super) struct Subscriber {
    pub(super) events: Receiver<Event>,
    pub(super) gone: Cancelled,
    pub(super) _permits: [OwnedSemaphorePermit; 1],
}

impl Drop for Subscriber {
    fn drop(&mut self) {
        self.gone.store(true, Ordering::Relaxed);
    }
}

/// The events as an answer.
pub(super) fn stream_of(
    subscriber: Subscriber,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let stream = unfold(subscriber, |mut subscriber| async {
        let event = subscriber.events.recv().await?;
        Some((Ok(event), subscriber))
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

/// An event of this kind with this data.
pub(super) fn event(kind: &str, data: &impl Serialize) -> Event {
    let text = serde_json::to_string(data).unwrap_or_default();
    Event::default().event(kind).data(text)
}

/// A game between players: events `step`, then one `end`.
#[utoipa::path(get, path = "/api/watch", tag = "watch", params(WatchRequest),
    responses((status = 200, content_type = "text/event-stream", body = WatchedStep),(status = 400, body = Failure), (status = 403, body = Failure), (status = 429, body = Failure)))]
async fn watch(
    State(site): State<Arc<Site>>,
    Params(request): Params<WatchRequest>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let game = build(&request.game, &rules(request.rules.as_deref())?)?;
    let specs = seats(&site, &game, &request.player, request.player2.as_deref())?;
    let (permit, thinking) = (site.stream()?, site.searches.permit()?);
    let (sender, events) = channel(AHEAD);
    let gone = Arc::<AtomicBool>::default();
    let job = WatchJob {
        pause: Duration::from_millis(request.every_ms.min(LONGEST_PAUSE)),
        time: site.settings.limits.time,
        gone: Arc::clone(&gone),
        sender,
    };
    let begun = on_thread(move || {
        let (position, players) = begin(&game, &specs, &request, &job)?;
        drop(tokio::task::spawn_blocking(move || {
            let _thinking = thinking;
            play(position, players, request.seed.0, &job);
        }));
        Ok(())
    });
    begun.await?;
    Ok(stream_of(Subscriber {
        events,
        gone,
        _permits: [permit],
    }))
}

/// How a game is played for a client.
struct WatchJob {
    pause: Duration,
    /// For a move.
    time: Duration,
    gone: Cancelled,
    sender: Sender<Event>,
}

fn begin(
    game: &AnyGame,
    specs: &[Spec],
    request: &WatchRequest,
    job: &WatchJob,
) -> Result<(AnyPosition, Vec<AnyPlayer>), Problem> {
    let position = match &request.from {
        Some(text) => position(game, text)?,
        None => AnyPosition::start(game),
    };
    try_out(game, specs)?;
    let player = |spec| AnyPlayer::cancellable(game, spec, job.time, &job.gone);
    let players = specs.iter().map(player).collect::<Result<_, _>>()?;
    Ok((position, players))
}

/// Plays to the end, or until the client is gone.
fn play(mut position: AnyPosition, mut players: Vec<AnyPlayer>, seed: u64, job: &WatchJob) {
    let mut dice = Dice::of(seed, 0);
    let (mut moves, mut thought, mut forfeit) = (0_u32, Duration::ZERO, None);
    while !job.gone.load(Ordering::Relaxed) {
        let (step, time) = match position.turn() {
            Turn::Over => break,
            Turn::Chance => (any::Step::Chance(position.draw(&mut dice)), Duration::ZERO),
            Turn::Player(seat) => {
                std::thread::sleep(job.pause);
                let started = Instant::now();
                let made = make_move(&mut position, &mut players, seat, &mut dice);
                let time = started.elapsed();
                match made {
                    Ok(chosen) => {
                        (moves, thought) = (moves + 1, thought + time);
                        (any::Step::Move(chosen), time)
                    }
                    Err(reason) => {
                        forfeit = Some(Forfeit { seat, reason });
                        break;
                    }
                }
            }
        };
        let watched = WatchedStep {
            step: Step::of(step, &position),
            ms: time.as_secs_f64() * 1e3,
        };
        if job.sender.blocking_send(event("step", &watched)).is_err() {
            return;
        }
    }
    let end = WatchedEnd {
        view: View::of(&position),
        moves,
        ms_per_move: thought.as_secs_f64() * 1e3 / f64::from(moves.max(1)),
        forfeit,
    };
    // The client may be gone; then nobody needs it.
    let _ = job.sender.blocking_send(event("end", &end));
}

/// The player at the seat makes its move; or why it cannot go on.
fn make_move(
    position: &mut AnyPosition,
    players: &mut [AnyPlayer],
    seat: u8,
    dice: &mut Dice,
) -> Result<String, String> {
    let chosen = players[usize::from(seat)].choose(position, dice.of_seat(seat))?;
    position.play(&chosen).map_err(|error| error.to_string())?;
    Ok(chosen)
}
