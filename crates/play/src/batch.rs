//! A batch of games: everything that determines their results, so that any machine can play them.
//!
//! This crate plays a batch on local threads. A [`Dispatch`] plays it on other machines, with the same result for every
//! game.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use games::{AnyGame, Game, Options, RulesError, registry, with_game};
use players::arena::Dice;
use players::{Cancelled, Playable, Prepared, Spec, SpecError};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::DispatchError;
use crate::functions::is_lent;
use crate::network_file::follows_network;
use crate::openings::{Openings, OpeningsError};
use crate::record::{Interest, Record, play_one, play_random};
use crate::seating::{Table, is_bot, seated};

/// A batch of games.
#[derive(Debug, Clone)]
pub struct GameBatch {
    /// The game with its rules.
    pub game: AnyGame,
    /// Random seed; the dice of a game derive from it and the game's number.
    pub seed: u64,
    /// The players.
    pub tables: Vec<Table>,
    /// For each game, the index of its table and the game's number.
    pub games: Vec<(u32, u64)>,
    /// Where games begin, as texts that have been checked: a game's number determines which. Empty: at the start.
    openings: Vec<String>,
}

/// The serialised form of a batch: names, rules and specs as texts.
#[derive(Debug, Serialize, Deserialize)]
struct Message {
    game: String,
    rules: Vec<(String, String)>,
    seed: u64,
    tables: Vec<Vec<String>>,
    games: Vec<(u32, u64)>,
    #[serde(default)]
    openings: Vec<String>,
}

/// Why received data is not a valid batch.
#[derive(Debug, thiserror::Error)]
enum MessageError {
    #[error(transparent)]
    Rules(#[from] RulesError),
    #[error(transparent)]
    Player(#[from] SpecError),
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    #[error("game {0} refers to a table that does not exist")]
    Table(usize),
}

/// Plays batches on other machines.
pub trait Dispatch: Debug + Send + Sync {
    /// How many games can run there at once, as currently known; at least one.
    fn slots(&self) -> usize;

    /// Plays a batch and passes on each record as soon as it is available, with its index in the batch and in any
    /// order. Ends early when `stop` becomes true.
    fn play(
        &self,
        batch: &GameBatch,
        stop: &AtomicBool,
        done: &(dyn Fn(usize, Record) + Sync),
    ) -> Result<(), DispatchError>;

    /// Workers whose results were found wrong. Records of theirs that were passed on in a call of [`Self::play`] are passed on again,
    /// by others, before it ends; those of earlier calls are not to be used.
    fn distrusted(&self) -> Vec<String>;

    /// Accepts nothing of these workers.
    fn distrust(&self, workers: &[String]);

    /// A worker's name, for people.
    fn name(&self, worker: &str) -> String;
}

impl GameBatch {
    /// An empty batch.
    #[must_use]
    pub fn new(game: &AnyGame, seed: u64) -> Self {
        Self {
            game: game.clone(),
            seed,
            tables: Vec::new(),
            games: Vec::new(),
            openings: Vec::new(),
        }
    }

    /// The same, with openings for this many different game numbers.
    #[must_use]
    pub fn with_openings(mut self, openings: &Openings, numbers: u64) -> Self {
        self.openings = openings.positions(&self.game, self.seed, numbers);
        self
    }

    /// Where a game with this number begins, as a text; `None` if at the start. The high half of a number tells candidates of an
    /// evolution apart, and all of them begin alike.
    pub(crate) fn opening(&self, number: u64) -> Option<&str> {
        let (low, count) = (number & u64::from(u32::MAX), self.openings.len() as u64);
        let place = low.checked_rem(count)?;
        Some(&self.openings[place as usize])
    }

    /// Adds games with these numbers and players.
    pub fn add(&mut self, table: Table, numbers: impl IntoIterator<Item = u64>) {
        let place = self.tables.len() as u32;
        self.tables.push(table);
        self.games
            .extend(numbers.into_iter().map(|number| (place, number)));
    }

    /// The number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Is it empty?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Can other machines play these games with the same result? Not with bots, whose programs are local, nor with a time limit.
    #[must_use]
    pub fn can_travel(&self, interest: Interest) -> bool {
        let stays = |spec: &Spec| is_bot(spec) || is_lent(spec) || follows_network(spec);
        let travels =
            |table: &Table| table.move_time().is_none() && !table.specs().iter().any(stays);
        interest == Interest::Result && self.tables.iter().all(travels)
    }

    /// Some of the games, with only the tables they need.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Self {
        let mut part = Self::new(&self.game, self.seed);
        part.openings.clone_from(&self.openings);
        let mut places = vec![None; self.tables.len()];
        for &(table, number) in &self.games[range] {
            let place = *places[table as usize].get_or_insert_with(|| {
                part.tables.push(self.tables[table as usize].clone());
                part.tables.len() as u32 - 1
            });
            part.games.push((place, number));
        }
        part
    }

    /// Plays the games, one after the other.
    pub fn play(&self) -> Result<Vec<Record>, SpecError> {
        with_game!(&self.game, game => {
            let prepared = PreparedBatch::new(game, self);
            let never = Cancelled::default();
            let play = |place| prepared.play(place, Interest::Result, &never).transpose();
            (0..self.len()).filter_map(play).collect()
        })
    }
}

/// Random games played at once: enough to keep all lanes of a board busy, over in a millisecond.
const AT_ONCE: usize = 1024;

/// The tables of a batch, each prepared when its first game is played.
pub(crate) struct PreparedBatch<'a, G: Playable> {
    game: &'a G,
    batch: &'a GameBatch,
    tables: Vec<OnceLock<Result<Vec<Prepared<G>>, SpecError>>>,
}

impl<'a, G: Playable> PreparedBatch<'a, G> {
    pub(crate) fn new(game: &'a G, batch: &'a GameBatch) -> Self {
        let tables = batch.tables.iter().map(|_| OnceLock::new()).collect();
        Self {
            game,
            batch,
            tables,
        }
    }

    /// How many games are best played at once: those of random players, which nobody looks at, can be.
    pub(crate) fn at_once(&self, interest: Interest) -> usize {
        let random = |table| {
            let players = self.table(table as u32).map(|players| seated(players));
            players.is_ok_and(|players| players.iter().all(|player| player.is_random()))
        };
        let watched = self.game.seats() > 1 || interest != Interest::Result;
        match !watched && (0..self.tables.len()).all(random) {
            true => AT_ONCE,
            false => 1,
        }
    }

    /// Plays the games at these indices, as many as [`at_once`](Self::at_once) says, and passes on their records; a game that was cancelled has none.
    pub(crate) fn play_some(
        &self,
        places: Range<usize>,
        interest: Interest,
        cancelled: &Cancelled,
        done: &(dyn Fn(usize, Record) + Sync),
    ) -> Result<(), SpecError> {
        if places.len() == 1 {
            if let Some(record) = self.play(places.start, interest, cancelled)? {
                done(places.start, record);
            }
            return Ok(());
        }
        let game = |&(_, number): &(u32, u64)| {
            let start = start_of(self.game, self.batch.opening(number));
            (start, Dice::of(self.batch.seed, number))
        };
        let games = self.batch.games[places.clone()].iter().map(game).collect();
        for (place, record) in places.zip(play_random(self.game, games)) {
            done(place, record);
        }
        Ok(())
    }

    fn table(&self, table: u32) -> Result<&[Prepared<G>], SpecError> {
        let prepare = || self.batch.tables[table as usize].prepare(self.game);
        let table = self.tables[table as usize].get_or_init(prepare);
        table.as_deref().map_err(Clone::clone)
    }

    /// Plays the game at this index of the batch; `None` if it was cancelled.
    pub(crate) fn play(
        &self,
        place: usize,
        interest: Interest,
        cancelled: &Cancelled,
    ) -> Result<Option<Record>, SpecError> {
        let (table, number) = self.batch.games[place];
        let players = seated(self.table(table)?);
        let dice = Dice::of(self.batch.seed, number);
        let start = start_of(self.game, self.batch.opening(number));
        Ok(play_one(
            self.game, start, players, dice, interest, cancelled,
        ))
    }
}

/// The position in which a game with this opening begins.
pub(crate) fn start_of<G: Game>(game: &G, opening: Option<&str>) -> G::Position {
    let position = |text: &str| text.parse().expect("openings are checked");
    opening.map_or_else(|| game.start(), position)
}

impl Serialize for GameBatch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let texts = |table: &Table| table.specs().iter().map(ToString::to_string).collect();
        let message = Message {
            game: self.game.family().name.to_owned(),
            rules: self.game.options().into_iter().collect(),
            seed: self.seed,
            tables: self.tables.iter().map(texts).collect(),
            games: self.games.clone(),
            openings: self.openings.clone(),
        };
        message.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for GameBatch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let message = Message::deserialize(deserializer)?;
        message.read().map_err(serde::de::Error::custom)
    }
}

impl Message {
    fn read(self) -> Result<GameBatch, MessageError> {
        let options: Options = self.rules.into_iter().collect();
        let mut tables = Vec::with_capacity(self.tables.len());
        for texts in &self.tables {
            let specs = texts.iter().map(|text| text.parse::<Spec>());
            tables.push(Table::new(specs.collect::<Result<_, _>>()?, None));
        }
        let lost = |&(table, _): &(u32, u64)| table as usize >= tables.len();
        if let Some(place) = self.games.iter().position(lost) {
            return Err(MessageError::Table(place));
        }
        let game = registry::build(&self.game, &options)?;
        if !self.openings.is_empty() {
            Openings::List(self.openings.clone()).check(&game)?;
        }
        Ok(GameBatch {
            game,
            seed: self.seed,
            tables,
            games: self.games,
            openings: self.openings,
        })
    }
}
