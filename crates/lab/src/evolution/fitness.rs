//! Fitness: how a candidate's games are scored, and which games it plays.
//!
//! Every game is determined by the seed, the generation and the game's number; with `common` games all candidates of a generation
//! play the same ones, otherwise each has its own. Threads take games, not candidates, so all are busy to the end of a generation.

use evolve::{Candidate, Scores};
use games::{AnyGame, Fact};
use players::Spec;
use streams::{derive, distinct, stream};

use crate::evolution::encoding::Encoding;
use crate::evolution::positions::{self, Asked, Positions};
use play::batch::GameBatch;
use play::openings::Openings;
use play::playing::{PlayError, Record, Table, Workers};

/// The objective to maximise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objective {
    /// The game's score.
    Score,
    /// In a one-player game: the natural logarithm of 1 + score, so that a good game does not outweigh many bad ones.
    LogScore,
    /// The number of moves.
    Moves,
    /// Another count of the game: its index among the game's facts.
    Fact(usize),
    /// In a two-player game: 1 for every game that was not lost.
    NotLost,
    /// In a two-player game: a win counts three times a draw, and a third more when the opponent began. The maximum is 1.
    Graded,
    /// In Connect-N: 1 for every position whose worth is kept, in place of games.
    Kept,
    /// The same positions: the logarithm of how likely a move is that keeps the worth, if moves are drawn by their values as log odds.
    Likely,
}

/// The opponents of candidates in a two-player game.
#[derive(Debug, Clone, PartialEq)]
pub enum Opponents {
    /// Each other: every candidate meets this many others, drawn at random (at most all of them), once first and once second.
    EachOther,
    /// These players: every game number against each of them, once first and once second.
    Pool(Vec<Spec>),
}

/// How candidates are scored.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitness {
    /// Games per candidate (in a two-player game: opponents it meets, or pairs of games against each player of the pool).
    pub games: u32,
    /// Games that every generation adds to that number: rough scores will do while candidates differ much.
    pub growth: f64,
    /// The objective.
    pub objective: Objective,
    /// Whether all candidates of a generation play the same games.
    pub common: bool,
    /// Their opponents, in a two-player game.
    pub opponents: Opponents,
    /// Where games begin, the same for all candidates of a generation.
    pub openings: Openings,
    /// Positions that candidates are asked about instead, if that is the objective.
    pub positions: Positions,
}

/// An objective that the game does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("objective '{name}': {game} has {known}")]
pub struct NoObjective {
    name: String,
    game: &'static str,
    known: String,
}

impl Objective {
    /// The objective of this name, in this game.
    pub fn named(name: &str, game: &AnyGame) -> Result<Self, NoObjective> {
        let known = Self::all(game);
        let found = known.iter().find(|(known, _)| *known == name);
        found.map(|&(_, objective)| objective).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|&(name, _)| name).collect();
            NoObjective {
                name: name.to_owned(),
                game: game.family().name,
                known: names.join(", "),
            }
        })
    }

    /// All objectives of a game, by name.
    fn all(game: &AnyGame) -> Vec<(&'static str, Self)> {
        let (seats, facts) = (game.seats(), game.facts());
        let mut all = vec![("score", Self::Score), ("moves", Self::Moves)];
        if seats == 2 {
            all.extend([("not-lost", Self::NotLost), ("graded", Self::Graded)]);
        } else {
            all.push(("log-score", Self::LogScore));
        }
        if positions::suits(game) {
            all.extend([("kept", Self::Kept), ("likely", Self::Likely)]);
        }
        let facts = facts.into_iter().enumerate();
        all.extend(facts.filter_map(|(place, (name, fact))| {
            matches!(fact, Fact::Count(_)).then_some((name, Self::Fact(place)))
        }));
        all
    }

    /// Its name.
    #[must_use]
    pub fn name(self, game: &AnyGame) -> &'static str {
        let all = Self::all(game);
        let found = all.into_iter().find(|&(_, objective)| objective == self);
        found.map_or("score", |(name, _)| name)
    }

    /// What a champion is measured by: some objectives are for selection only.
    #[must_use]
    pub fn measured(self) -> Self {
        match self {
            Self::LogScore | Self::NotLost | Self::Graded => Self::Score,
            Self::Likely => Self::Kept,
            other => other,
        }
    }

    /// Are candidates asked about positions, in place of games?
    #[must_use]
    pub fn asks(self) -> bool {
        matches!(self, Self::Kept | Self::Likely)
    }

    /// The value of a game for the player in `seat`.
    fn of(self, record: &Record, seat: usize) -> f64 {
        let result = if seat == 0 {
            record.score
        } else {
            -record.score
        };
        match self {
            Self::Score => result as f64,
            Self::LogScore => libm::log1p(result.max(0) as f64),
            Self::Moves => f64::from(record.moves),
            Self::Fact(place) => record.facts[place] as f64,
            // Where games are played all the same, a position is kept if the game is not lost.
            Self::NotLost | Self::Kept | Self::Likely => f64::from(u8::from(result >= 0)),
            Self::Graded => {
                let worth = [0.0, 0.25, 0.75][(result + 1) as usize];
                if seat == 1 { worth * 4.0 / 3.0 } else { worth }
            }
        }
    }
}

/// A game of a generation: its players by seat (as indices), and the number that determines its dice.
struct Job {
    seats: Vec<usize>,
    number: u64,
}

impl Fitness {
    /// Games per candidate in a generation.
    #[must_use]
    pub fn games_in(&self, generation: u32) -> u32 {
        self.games
            .saturating_add((self.growth * f64::from(generation)) as u32)
    }

    /// Scores the candidates of one generation, in their order. `finished` is called after every game, from any thread.
    pub fn score(
        &self,
        encoding: &Encoding,
        candidates: &[Candidate],
        seed: u64,
        workers: &Workers,
        finished: &(dyn Fn() + Sync),
    ) -> Result<Vec<Scores>, PlayError> {
        if self.objective.asks() {
            let asked = Asked {
                each: self.games,
                objective: self.objective,
            };
            let positions = &self.positions;
            return positions.score(encoding, candidates, asked, seed, workers, finished);
        }
        let objectives = [self.objective];
        let [scores] = self.score_by(objectives, encoding, candidates, seed, workers, finished)?;
        Ok(scores)
    }

    /// Scores the candidates of one generation by several objectives in the same games.
    pub(crate) fn score_by<const N: usize>(
        &self,
        objectives: [Objective; N],
        encoding: &Encoding,
        candidates: &[Candidate],
        seed: u64,
        workers: &Workers,
        finished: &(dyn Fn() + Sync),
    ) -> Result<[Vec<Scores>; N], PlayError> {
        let Some(generation) = candidates.first().map(|candidate| candidate.generation) else {
            return Ok(std::array::from_fn(|_| Vec::new()));
        };
        let seed = derive(seed, &[u64::from(generation)]);
        let mut players: Vec<Spec> = candidates
            .iter()
            .map(|candidate| encoding.spec(&candidate.genome))
            .collect();
        let games = self.games_in(generation);
        let jobs = match (encoding.game().seats(), &self.opponents) {
            (1, _) => self.alone(candidates, games),
            (_, Opponents::EachOther) => each_other(candidates, games, seed),
            (_, Opponents::Pool(pool)) => {
                players.extend(pool.iter().cloned());
                self.against_pool(candidates, games, pool.len())
            }
        };
        // Games of the same players are consecutive and share a table.
        let mut batch = GameBatch::new(encoding.game(), seed)
            .with_openings(&self.openings, self.different_openings(candidates, games));
        for same in jobs.chunk_by(|a, b| a.seats == b.seats) {
            let players = same[0].seats.iter().map(|&place| players[place].clone());
            let table = Table::new(players.collect(), None);
            batch.add(table, same.iter().map(|job| job.number));
        }
        let records = workers.play_all(&batch, finished)?;
        check_opponents(candidates.len(), &players, &jobs, &records)?;
        Ok(objectives.map(|objective| told(objective, candidates, &jobs, &records)))
    }

    /// How many openings there are in a generation: one for each of a candidate's games; where candidates play each other, one for each
    /// distance in the circle, so that everybody meets two neighbours in each.
    fn different_openings(&self, candidates: &[Candidate], games: u32) -> u64 {
        match &self.opponents {
            Opponents::EachOther => circle_of(games, candidates.len()).0.max(1) as u64,
            Opponents::Pool(_) => {
                let before = candidates.iter().map(|candidate| candidate.games_before);
                u64::from(before.max().unwrap_or(0)) + u64::from(games)
            }
        }
    }

    fn number(&self, candidate: &Candidate, game: u32) -> u64 {
        game_number(candidate, game, self.common)
    }

    fn alone(&self, candidates: &[Candidate], games: u32) -> Vec<Job> {
        let each = |(place, candidate): (usize, &Candidate)| {
            let numbers = (0..games).map(|game| self.number(candidate, game));
            numbers
                .map(move |number| Job {
                    seats: vec![place],
                    number,
                })
                .collect::<Vec<_>>()
        };
        candidates.iter().enumerate().flat_map(each).collect()
    }

    fn against_pool(&self, candidates: &[Candidate], games: u32, pool: usize) -> Vec<Job> {
        let opponents = candidates.len()..candidates.len() + pool;
        let each = |(place, candidate): (usize, &Candidate)| {
            let mut jobs = Vec::new();
            for game in 0..games {
                let number = self.number(candidate, game);
                for other in opponents.clone() {
                    jobs.extend(
                        [vec![place, other], vec![other, place]].map(|seats| Job { seats, number }),
                    );
                }
            }
            jobs
        };
        candidates.iter().enumerate().flat_map(each).collect()
    }
}

/// Every candidate meets `games` others (at most all): its nearest neighbours in a random circle, on both sides. If that number
/// is odd in an odd circle, it is impossible for all, and each meets one more.
fn each_other(candidates: &[Candidate], games: u32, seed: u64) -> Vec<Job> {
    let count = candidates.len();
    let circle = distinct(&mut stream(seed, &[CIRCLE]), count, count);
    let (steps, opposite) = circle_of(games, count);
    let near = (0..count).flat_map(|place| (1..=steps).map(move |step| (place, place + step)));
    let across = (0..count / 2)
        .filter(|_| opposite)
        .map(|place| (place, place + count / 2));
    let pairs = near
        .chain(across)
        .map(|(a, b)| [circle[a], circle[b % count]]);
    let both_ways = |(number, [a, b]): (u64, [usize; 2])| {
        [vec![a, b], vec![b, a]].map(|seats| Job { seats, number })
    };
    (0..).zip(pairs).flat_map(both_ways).collect()
}

/// Every candidate's scores, in the order of its games.
fn told(
    objective: Objective,
    candidates: &[Candidate],
    jobs: &[Job],
    records: &[Record],
) -> Vec<Scores> {
    let mut told: Vec<Scores> = candidates
        .iter()
        .map(|candidate| Scores {
            id: candidate.id,
            scores: Vec::new(),
        })
        .collect();
    for (job, record) in jobs.iter().zip(records) {
        for (seat, &place) in job.seats.iter().enumerate() {
            if let Some(told) = told.get_mut(place) {
                told.scores.push(objective.of(record, seat));
            }
        }
    }
    told
}

/// Up to which distance in a circle of this many candidates each meets its neighbours, and whether also the one opposite, which is met
/// from one side only.
fn circle_of(games: u32, count: usize) -> (usize, bool) {
    let others = (games as usize).min(count.saturating_sub(1));
    let opposite = others % 2 == 1 && count.is_multiple_of(2);
    let steps = if opposite {
        others / 2
    } else {
        others.div_ceil(2)
    };
    (steps, opposite)
}

/// The number that determines a candidate's game: its own, or the same for all if games are `common`.
pub(crate) fn game_number(candidate: &Candidate, game: u32, common: bool) -> u64 {
    let slot = if common {
        0
    } else {
        u64::from(candidate.slot) + 1
    };
    slot << 32 | u64::from(candidate.games_before + game)
}

/// An opponent that gives up makes the scores meaningless.
fn check_opponents(
    candidates: usize,
    players: &[Spec],
    jobs: &[Job],
    records: &[Record],
) -> Result<(), PlayError> {
    for (job, record) in jobs.iter().zip(records) {
        if let Some((seat, reason)) = &record.forfeit
            && let place = job.seats[usize::from(*seat)]
            && place >= candidates
        {
            let (spec, reason) = (players[place].label(), reason.clone());
            return Err(PlayError::Opponent { spec, reason });
        }
    }
    Ok(())
}

/// The part of a generation's seed that determines who meets whom.
const CIRCLE: u64 = u64::MAX;
