//! Games that are played elsewhere: what they say of themselves, so that whoever has them can play them, and who takes them there.
//!
//! The lab knows only threads. Whoever has other machines implements [`Dispatch`]; what comes back is the same, game by game, as
//! if it had been played here.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use games::{AnyGame, Options, RulesError, registry, with_game};
use players::arena::Dice;
use players::{Spec, SpecError};
use serde::{Deserialize, Serialize};

use crate::playing::{Interest, Record, Table, play_one};
use crate::seating::is_bot;

/// Games in a form that can leave the process: everything their results follow from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parcel {
    /// The game's name.
    game: String,
    /// All its rules.
    rules: Vec<(String, String)>,
    /// From which, with the number of a game, its dice follow.
    seed: u64,
    /// Who plays: the specs of a table, one a seat.
    tables: Vec<Vec<String>>,
    /// The place of the table, and the number of the game.
    games: Vec<(u32, u64)>,
}

/// Why the games of a parcel cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ParcelError {
    /// The game cannot be made.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A player cannot be made.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// A game names a table that is not there.
    #[error("a game of the parcel names a table that it does not have")]
    Table,
}

/// Why games did not come back from elsewhere.
#[derive(Debug, thiserror::Error)]
pub enum DispatchError {
    /// It was stopped, and can be done again.
    #[error("stopped; 'gamete resume' goes on")]
    Stopped,
    /// They cannot be played there, or what came back cannot be trusted.
    #[error("{0}")]
    Failed(String),
}

/// Takes games elsewhere.
pub trait Dispatch: Debug + Send + Sync {
    /// How many games are played at once there, as far as is known now; at least one.
    fn slots(&self) -> usize;

    /// Plays the games of a parcel and hands each over as soon as it is there, with its place in the parcel, in whatever order, each
    /// once. Ends early when `stop` becomes true.
    fn play(
        &self,
        parcel: &Parcel,
        stop: &AtomicBool,
        done: &(dyn Fn(usize, Record) + Sync),
    ) -> Result<(), DispatchError>;
}

/// Can games at this table be played elsewhere with the same result? Not by bots, whose programs are here, and not by the clock.
#[must_use]
pub fn can_travel(table: &Table, interest: Interest) -> bool {
    interest == Interest::Result && table.move_time().is_none() && !table.specs().iter().any(is_bot)
}

impl Parcel {
    /// These games. Tables that stand at the same place in memory are written once.
    #[must_use]
    pub fn of(game: &AnyGame, jobs: &[(&Table, u64)], seed: u64) -> Self {
        let rules = game.options();
        let rules = rules
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let mut parcel = Self {
            game: game.family().name.to_owned(),
            rules: rules.collect(),
            seed,
            tables: Vec::new(),
            games: Vec::with_capacity(jobs.len()),
        };
        let mut places = std::collections::HashMap::new();
        for &(table, number) in jobs {
            let place = *places.entry(std::ptr::from_ref(table)).or_insert_with(|| {
                let specs = table.specs().iter().map(ToString::to_string);
                parcel.tables.push(specs.collect());
                parcel.tables.len() as u32 - 1
            });
            parcel.games.push((place, number));
        }
        parcel
    }

    /// How many games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// No games?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Some of the games, with nothing that only the others need.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Self {
        let mut part = Self {
            game: self.game.clone(),
            rules: self.rules.clone(),
            seed: self.seed,
            tables: Vec::new(),
            games: Vec::with_capacity(range.len()),
        };
        let mut places = std::collections::HashMap::new();
        for &(table, number) in &self.games[range] {
            let place = *places.entry(table).or_insert_with(|| {
                part.tables.push(self.tables[table as usize].clone());
                part.tables.len() as u32 - 1
            });
            part.games.push((place, number));
        }
        part
    }

    /// Plays the games, one after the other.
    pub fn play(&self) -> Result<Vec<Record>, ParcelError> {
        let mut options = Options::default();
        for (name, value) in &self.rules {
            options.set(name, value);
        }
        let tables = self.tables.iter().map(|specs| {
            let specs = specs.iter().map(|text| text.parse::<Spec>());
            Ok(Table::new(specs.collect::<Result<_, SpecError>>()?, None))
        });
        let tables = tables.collect::<Result<Vec<Table>, SpecError>>()?;
        with_game!(&registry::build(&self.game, &options)?, game => {
            let games = self.games.iter().map(|&(table, number)| {
                let table = tables.get(table as usize).ok_or(ParcelError::Table)?;
                Ok(play_one(game, table, Dice::of(self.seed, number), Interest::Result)?)
            });
            games.collect()
        })
    }
}
