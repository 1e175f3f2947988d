//! `/api/measure`: a measurement with live progress: the same numbers as `gamete measure`, over the games that are over.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::sse::{Event, Sse};
use futures_util::stream::Stream;
use play::measure::{Measurement, Plan};
use play::openings::Openings;
use play::playing::{Interest, Record, Table, Workers};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::Sender;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::streamed::streamed;
use super::watch::{event, rules, seats};
use crate::input::Params;
use crate::problem::{Failure, Problem};
use crate::searches::Cancelled;
use crate::seed::Seed;
use crate::site::Site;
use crate::tables::build;
use crate::threads::on_thread;

/// Progress is sent at most this often.
const PAUSE: Duration = Duration::from_millis(500);
const USUAL_GAMES: u64 = 100;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(measure))
}

/// What to measure.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct MeasureRequest {
    game: String,
    /// Rules as a JSON object; missing for the usual ones.
    rules: Option<String>,
    player: String,
    /// The second player of a two-player game; missing for the same one.
    player2: Option<String>,
    /// How many games, at most 100000.
    games: Option<u64>,
    #[serde(default)]
    seed: Seed,
}

/// Results of the games so far.
#[derive(Debug, Serialize, ToSchema)]
struct MeasureProgress {
    /// What `gamete measure --json` prints.
    #[serde(flatten)]
    measurement: Measurement,
    /// Whether these are all games.
    done: bool,
    /// How many games there will be.
    of: u64,
}

/// A player measured: events `measurement`, or one `problem`.
#[utoipa::path(get, path = "/api/measure", tag = "watch", params(MeasureRequest),
    responses((status = 200, content_type = "text/event-stream", body = MeasureProgress), (status = 400, body = Failure), (status = 403, body = Failure), (status = 404, body = Failure), (status = 429, body = Failure)))]
async fn measure(
    State(site): State<Arc<Site>>,
    Params(request): Params<MeasureRequest>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let plan = plan(&site, &request)?;
    let (stream, place) = (site.stream()?, site.searches.place()?);
    let (plan, place) = on_thread(move || {
        plan.try_out()?;
        Ok((plan, place))
    })
    .await?;
    Ok(streamed(stream, place, move |cancelled, progress| {
        play(&plan, cancelled, progress)
    }))
}

fn plan(site: &Site, request: &MeasureRequest) -> Result<Plan, Problem> {
    let game = build(&request.game, &rules(request.rules.as_deref())?)?;
    let games = request.games.unwrap_or(USUAL_GAMES);
    let most = site.settings.limits.games;
    if !(1..=most).contains(&games) {
        return Err(Problem::bad(format!("games must be from 1 to {most}")).at("games"));
    }
    let specs = seats(site, &game, &request.player, request.player2.as_deref())?;
    Ok(Plan {
        openings: Openings::between(&specs),
        table: Table::new(specs, None),
        game,
        games,
        seed: request.seed.0,
        threads: site.settings.threads,
        interest: Interest::Result,
        both_seats: false,
    })
}

/// Games that are over, in their order.
struct Finished {
    records: Vec<Option<Record>>,
    sent: Instant,
}

/// Plays until all games are over or nobody waits any more; the last event.
fn play(plan: &Plan, cancelled: &Cancelled, sender: &Sender<Event>) -> Result<Event, Problem> {
    let started = Instant::now();
    let finished = Mutex::new(Finished {
        records: vec![None; plan.games as usize],
        sent: started,
    });
    let numbers: Vec<u64> = (0..plan.games).collect();
    let over = |number: u64, record: Record| {
        let mut finished = finished.lock().expect("mutex poisoned");
        finished.records[number as usize] = Some(record);
        if finished.sent.elapsed() >= PAUSE {
            finished.sent = Instant::now();
            // A slow client gets the next one instead.
            let _ = sender.try_send(so_far(plan, &finished.records, started));
        }
    };
    let workers = Workers::new(plan.threads).map(|workers| workers.until(cancelled));
    let played = workers.and_then(|workers| plan.play_each(&numbers, &workers, &over));
    let finished = finished.into_inner().expect("mutex poisoned");
    played?;
    Ok(so_far(plan, &finished.records, started))
}

/// The first games that are over without a gap: of those that ended by now, short games would be too many.
fn so_far(plan: &Plan, records: &[Option<Record>], started: Instant) -> Event {
    let first = records.iter().map_while(Clone::clone);
    let first: Vec<Record> = first.collect();
    let (games, of) = (first.len() as u64, plan.games);
    if games == 0 {
        return Event::default().comment("no game is over yet");
    }
    let part = Plan {
        games,
        ..plan.clone()
    };
    let measurement = part.sum_up(&first, started.elapsed());
    let done = games == of;
    event(
        "measurement",
        &MeasureProgress {
            measurement,
            done,
            of,
        },
    )
}
