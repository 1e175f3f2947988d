//! Games for people. Each file has a session that knows what keys do, apart from the screen it is shown on.

mod any;
mod connect;
mod duel;
mod round;
mod tetris;
mod twenty48;

use std::time::Duration;

use games::{AnyGame, Options};
use play::any::AnyPosition;

use players::Spec;

use super::best::Best;
use super::events::Events;
use super::hint::{Adviser, Hints};
use super::session::{self, Leave, Session};
use crate::output::{Failure, number, print};

/// How a person wants to play.
#[derive(Debug)]
pub(crate) struct Table {
    /// The game.
    pub(crate) game: AnyGame,
    /// The position to begin with; none for the start.
    pub(crate) from: Option<AnyPosition>,
    /// The game and its rules, for the title.
    pub(crate) title: String,
    /// The game and its rules, as the best score is kept.
    pub(crate) record: String,
    /// The random seed.
    pub(crate) seed: u64,
    /// Against whom, in a two-player game; none is another person.
    pub(crate) player: Option<Spec>,
    /// Time limit of this player per move, if it can be limited.
    pub(crate) move_time: Option<Duration>,
    /// Who is asked for hints.
    pub(crate) hint: Spec,
    /// Does the person move second?
    pub(crate) second: bool,
    /// Does the game wait for the person?
    pub(crate) turn_based: bool,
}

impl Table {
    /// Where games begin.
    fn start(&self) -> AnyPosition {
        let start = || AnyPosition::start(&self.game);
        self.from.clone().unwrap_or_else(start)
    }
}

/// Lets people play at a table until they leave; none for a game that the session is not made for.
type Sit = fn(&Table, &Events) -> Option<Result<(), Failure>>;

/// Sessions made for one game.
static SESSIONS: &[Sit] = &[twenty48::sit, tetris::sit, connect::sit];

/// Lets people play until they leave: in the game's own session, or in one for any game.
pub(crate) fn sit(table: &Table, events: &Events) -> Result<(), Failure> {
    let own = SESSIONS.iter().find_map(|sit| sit(table, events));
    own.unwrap_or_else(|| any::sit(table, events))
}

/// The title of a screen: the game, and rules that are not the usual ones.
pub(crate) fn title(game: &AnyGame) -> String {
    let family = game.family();
    let usual = family.build(&Options::default()).map(|game| game.options());
    let options = game.options();
    let special: Vec<String> = options
        .iter()
        .filter(|(name, value)| {
            usual
                .as_ref()
                .is_ok_and(|usual| usual.get(name) != Some(value))
        })
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    match special.is_empty() {
        true => family.name.to_owned(),
        false => format!("{}: {}", family.name, special.join(", ")),
    }
}

/// The player that a person can ask, on its thread.
fn hints(table: &Table, events: &Events) -> Result<Hints, Failure> {
    let adviser = Adviser::new(&table.game, &table.hint)?;
    let (name, answers) = (table.hint.label(), events.sender());
    Ok(Hints::start(name, adviser, table.seed, answers)?)
}

/// Shows a session until the person leaves, then prints what it says of itself.
fn show<S: Session>(
    events: &Events,
    session: &mut S,
    sum_up: impl FnOnce(&mut S) -> String,
) -> Result<(), Failure> {
    let leave = session::run(events, session);
    let printed = print(&sum_up(session));
    match leave? {
        // A terminal that is gone prints nothing, which is not the reason for leaving.
        Leave::Interrupted => Leave::Interrupted.result(),
        Leave::Quit => printed,
    }
}

/// Score and best score for people.
fn scores(score: i64, best: &Best) -> String {
    let of = |score: i64| number(score as f64, 0);
    format!("score {}, best {}", of(score), of(best.with(score)))
}
