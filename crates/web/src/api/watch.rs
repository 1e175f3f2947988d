//! `/api/watch`: a game between players, step by step as it is played.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{Stream, unfold};
use games::{AnyGame, Generators, Turn};
use play::any::{self, AnyPlayer, AnyPosition};
use play::seating::try_out;
use players::arena::Dice;
use players::{Spec, SpecError};
use serde::{Deserialize, Serialize};
use tokio::sync::OwnedSemaphorePermit;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::board::{Rules, Step, View};
use crate::input::Params;
use crate::problem::{Failure, Problem};
use crate::searches::{Cancelled, Wanted, work_at};
use crate::seed::Seed;
use crate::site::Site;
use crate::tables::{build, player, position};

/// The longest pause between two moves.
const LONGEST_PAUSE: u64 = 2000;

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

/// An event of this kind with this data.
pub(super) fn event(kind: &str, data: &impl Serialize) -> Event {
    let text = serde_json::to_string(data).unwrap_or_default();
    Event::default().event(kind).data(text)
}

/// A game between players: events `step`, then one `end`.
#[utoipa::path(get, path = "/api/watch", tag = "watch", params(WatchRequest),
    responses((status = 200, content_type = "text/event-stream", body = WatchedStep),(status = 400, body = Failure), (status = 403, body = Failure), (status = 404, body = Failure), (status = 429, body = Failure)))]
async fn watch(
    State(site): State<Arc<Site>>,
    Params(request): Params<WatchRequest>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let game = build(&request.game, &rules(request.rules.as_deref())?)?;
    let specs = seats(&site, &game, &request.player, request.player2.as_deref())?;
    let (stream, place) = (site.stream()?, site.searches.place()?);
    let wanted = Wanted::default();
    let pause = Duration::from_millis(request.every_ms.min(LONGEST_PAUSE));
    let time = site.settings.limits.time;
    let begin = move |cancelled: &Cancelled| begin(&game, &specs, &request, time, cancelled);
    let watched = Watched {
        course: Some(work_at(place, &wanted, begin).await?),
        waiting: VecDeque::new(),
        next: Instant::now() + pause,
        pause,
        site,
        wanted,
        _stream: stream,
    };
    let stream = unfold(watched, |mut watched| async {
        let event = watched.next().await?;
        Some((Ok(event), watched))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

/// A game that a client watches. It is played as fast as the client reads: one that does not read keeps no player thinking.
struct Watched {
    /// The game; none when it is over.
    course: Option<Course>,
    /// Events that have happened.
    waiting: VecDeque<Event>,
    /// When the next move is due.
    next: Instant,
    pause: Duration,
    site: Arc<Site>,
    wanted: Wanted,
    _stream: OwnedSemaphorePermit,
}

impl Watched {
    /// The next event; none after the end of the game.
    async fn next(&mut self) -> Option<Event> {
        if self.waiting.is_empty() {
            let course = self.course.take()?;
            tokio::time::sleep_until(self.next.into()).await;
            let place = self.site.searches.next_place().await;
            let step = |_: &Cancelled| Ok(course.advance());
            // A player that panics has ended the game.
            let (course, events) = work_at(place, &self.wanted, step).await.ok()?;
            (self.course, self.waiting) = (course, events);
            self.next = Instant::now() + self.pause;
        }
        self.waiting.pop_front()
    }
}

/// A game under way.
struct Course {
    position: AnyPosition,
    players: Vec<AnyPlayer>,
    dice: Dice,
    moves: u32,
    thought: Duration,
}

fn begin(
    game: &AnyGame,
    specs: &[Spec],
    request: &WatchRequest,
    time: Duration,
    cancelled: &Cancelled,
) -> Result<Course, Problem> {
    let position = match &request.from {
        Some(text) => position(game, text)?,
        None => AnyPosition::start(game),
    };
    try_out(game, specs)?;
    let player = |spec| Ok(AnyPlayer::new(game, spec, Some(time))?.until(cancelled));
    let players = specs.iter().map(player).collect::<Result<_, SpecError>>()?;
    Ok(Course {
        position,
        players,
        dice: Dice::of(request.seed.0, 0),
        moves: 0,
        thought: Duration::ZERO,
    })
}

impl Course {
    /// Plays until a player has moved and chance has acted: what is left of the game, and what has happened. So between two moves
    /// everybody sees the position that the next one is made in.
    fn advance(mut self) -> (Option<Self>, VecDeque<Event>) {
        let mut events = VecDeque::new();
        let mut has_moved = false;
        loop {
            match self.position.turn() {
                Turn::Over => {
                    events.push_back(event("end", &self.end(None)));
                    return (None, events);
                }
                Turn::Chance => {
                    let chance = self.position.draw(&mut self.dice);
                    let step = any::Step::Chance(chance);
                    events.push_back(self.step(step, Duration::ZERO));
                }
                Turn::Player(_) if has_moved => return (Some(self), events),
                Turn::Player(seat) => {
                    let started = Instant::now();
                    let made = self.make_move(seat);
                    let time = started.elapsed();
                    match made {
                        Ok(chosen) => {
                            self.moves += 1;
                            self.thought += time;
                            events.push_back(self.step(any::Step::Move(chosen), time));
                            has_moved = true;
                        }
                        Err(reason) => {
                            let forfeit = Forfeit { seat, reason };
                            events.push_back(event("end", &self.end(Some(forfeit))));
                            return (None, events);
                        }
                    }
                }
            }
        }
    }

    fn step(&self, step: any::Step, time: Duration) -> Event {
        let watched = WatchedStep {
            step: Step::of(step, &self.position),
            ms: time.as_secs_f64() * 1e3,
        };
        event("step", &watched)
    }

    fn end(&self, forfeit: Option<Forfeit>) -> WatchedEnd {
        WatchedEnd {
            view: View::of(&self.position),
            moves: self.moves,
            ms_per_move: self.thought.as_secs_f64() * 1e3 / f64::from(self.moves.max(1)),
            forfeit,
        }
    }

    /// The player at the seat makes its move; or why it cannot go on.
    fn make_move(&mut self, seat: u8) -> Result<String, String> {
        let player = &mut self.players[usize::from(seat)];
        let chosen = player.choose(&self.position, self.dice.seat(seat))?;
        let played = self.position.play(&chosen);
        played.map_err(|error| error.to_string())?;
        Ok(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_new_tile_is_there_before_the_next_move_is_waited_for() {
        let game = games::registry::build("2048", &games::Options::default()).unwrap();
        let player = AnyPlayer::new(&game, &"random".parse().unwrap(), None).unwrap();
        let mut course = Course {
            position: AnyPosition::start(&game),
            players: vec![player],
            dice: Dice::of(1, 0),
            moves: 0,
            thought: Duration::ZERO,
        };
        for moves in 1..4 {
            course = course.advance().0.unwrap();
            assert_eq!(course.moves, moves);
            assert_eq!(course.position.turn(), Turn::Player(0));
        }
    }
}
