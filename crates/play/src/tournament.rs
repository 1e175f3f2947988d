//! A round-robin tournament: who is better, by how much, and whether it could be chance.
//!
//! In a two-player game every pair plays each game number twice with the same opening and dice, each player once first and once second; these
//! two games are one observation. In a one-player game both play the same game numbers, and the higher score wins.

mod points;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use games::AnyGame;
use players::Spec;
use serde::Serialize;

use self::points::PointsTable;
use crate::batch::GameBatch;
use crate::openings::Openings;
use crate::playing::{Interest, PlayError, Record, Table, Workers, in_order};
use crate::seating::introduced;
use crate::stats::{Accepted, Crosstable, Pairs, Rating, Sprt, holm, ratings};

pub use self::points::Points;

/// A tournament to play.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The game with its rules.
    pub game: AnyGame,
    /// At least two players.
    pub players: Vec<Spec>,
    /// Games per pair.
    pub games: u64,
    /// Random seed.
    pub seed: u64,
    /// Time limit per move, for players that can be limited.
    pub move_time: Option<std::time::Duration>,
    /// Where games begin.
    pub openings: Openings,
}

impl Plan {
    /// This plan with players that were tried out: bots have the names they introduce themselves by.
    fn introduced(&self) -> Result<Self, PlayError> {
        Ok(Self {
            players: introduced(&self.game, &self.players)?,
            ..self.clone()
        })
    }

    /// Total number of games.
    #[must_use]
    pub fn total_games(&self) -> u64 {
        self.jobs().len() as u64
    }

    /// An empty batch with all openings.
    fn batch(&self) -> GameBatch {
        let numbers = self.games.div_ceil(2);
        GameBatch::new(&self.game, self.seed).with_openings(&self.openings, numbers)
    }

    /// Games per pair that all pairs have finished; in a two-player game including the return game, unless all are over.
    fn whole_rounds(&self, jobs: &[Job], played: usize) -> u64 {
        let rounds = (played * self.games as usize / jobs.len()) as u64;
        match self.game.seats() {
            2 if rounds < self.games => rounds - rounds % 2,
            _ => rounds,
        }
    }

    /// Round by round, one game of every pair (or player) each: a stopped tournament has equally many games of all.
    fn jobs(&self) -> Vec<Job> {
        let seats = self.game.seats();
        let players = 0..self.players.len();
        if seats < 2 {
            let round = |number| {
                players.clone().map(move |player| Job {
                    seats: [player; 2],
                    number,
                })
            };
            return (0..self.games).flat_map(round).collect();
        }
        let pairs: Vec<(usize, usize)> = players
            .clone()
            .flat_map(|a| players.clone().skip(a + 1).map(move |b| (a, b)))
            .collect();
        let round = |game: u64| {
            let seats = move |&(a, b): &(usize, usize)| {
                if game.is_multiple_of(2) {
                    [a, b]
                } else {
                    [b, a]
                }
            };
            let number = game / 2;
            pairs.iter().map(move |pair| Job {
                seats: seats(pair),
                number,
            })
        };
        (0..self.games).flat_map(round).collect()
    }
}

/// One game: its players by seat, and the number that determines its dice.
#[derive(Debug, Clone, Copy)]
struct Job {
    seats: [usize; 2],
    number: u64,
}

/// A player's standing.
#[derive(Debug, Clone, Serialize)]
pub struct Standing {
    /// Its label.
    pub player: String,
    /// Its canonical spec.
    pub spec: String,
    /// Against all others together.
    pub wins: u32,
    /// Against all others together.
    pub draws: u32,
    /// Against all others together.
    pub losses: u32,
    /// Rating with error bars.
    #[serde(flatten)]
    pub rating: Rating,
    /// In a one-player game: its score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Points>,
    /// Games it gave up.
    pub forfeits: u32,
    /// Why it gave up the first time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_forfeit: Option<String>,
}

/// One pair's result.
#[derive(Debug, Clone, Serialize)]
pub struct Pairing {
    /// The first player's label.
    pub first: String,
    /// The second player's label.
    pub second: String,
    /// Won by the first.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Won by the second.
    pub losses: u32,
    /// Of those, won, drawn and lost when the first player began; all zero in a one-player game.
    pub starting: [u32; 3],
    /// How many of the games were different: players that draw no random numbers repeat a game that begins alike, and it counts once.
    pub different_games: u32,
    /// In a two-player game: pairs of games by the points of the first player, 0, 1/2, 1, 3/2 and 2; otherwise games lost, drawn and won, at
    /// places 0, 2 and 4.
    pub pairs: [u32; 5],
    /// The probability of a result at least this uneven if both are equally strong (over pairs, Holm-corrected for the number of
    /// pairings).
    pub p: f64,
    /// In a one-player game: by how much the first player's score is higher, over games with the same numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Points>,
}

/// The result of a tournament.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// The game's name.
    pub game: &'static str,
    /// Games per pair.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// Where the games began, if not at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<String>,
    /// The best first.
    pub standings: Vec<Standing>,
    /// All pairs.
    pub pairings: Vec<Pairing>,
}

/// Plays the tournament until the workers stop. `finished` is called after every game, from any thread. Only complete rounds
/// count, so that all have played equally many games; `None` if there is none.
pub fn play(
    plan: &Plan,
    workers: &Workers,
    finished: &(dyn Fn() + Sync),
) -> Result<Option<Outcome>, PlayError> {
    let plan = &plan.introduced()?;
    let jobs = plan.jobs();
    let batch = plan.seated(&jobs);
    let records = play_part(&batch, 0..batch.len(), workers, finished)?;
    Ok(plan.outcome(&jobs, records))
}

/// Plays two players until the test decides, or all games of the plan are over, or there are no different ones left, or the workers stop. It is asked after every
/// [`BLOCK`] games, so that threads do not matter; the decision is missing if there is none.
pub fn play_until(
    plan: &Plan,
    test: &Sprt,
    workers: &Workers,
    finished: &(dyn Fn() + Sync),
) -> Result<Option<(Outcome, Decision)>, PlayError> {
    let plan = &plan.introduced()?;
    let jobs = plan.jobs();
    let batch = plan.seated(&jobs);
    let block = BLOCK * jobs.len() / plan.games as usize;
    let (mut records, mut pairs) = (Vec::new(), Pairs::default());
    let mut only_repeats = false;
    while records.len() < jobs.len() && test.accepted(&pairs).is_none() && !only_repeats {
        let from = records.len();
        let to = jobs.len().min(from + block);
        records.extend(play_part(&batch, from..to, workers, finished)?);
        if records.len() < to {
            break;
        }
        let known = pairs;
        pairs = results(plan, &jobs, &records)[0].pairs();
        only_repeats = pairs == known;
    }
    let decision = Decision {
        accepted: test.accepted(&pairs),
        only_repeats,
        ratio: test.ratio(&pairs),
        bounds: test.bounds(),
        test: *test,
    };
    let outcome = plan.outcome(&jobs, records);
    Ok(outcome.map(|outcome| (outcome, decision)))
}

/// How many games are played between two looks at the result.
const BLOCK: usize = 40;

/// What a sequential test of two players says.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Decision {
    /// The hypothesis that was accepted; none if the games were not enough.
    pub accepted: Option<Accepted>,
    /// Whether it ended because players that draw no random numbers had played all openings: what would follow are the same games.
    pub only_repeats: bool,
    /// The logarithm of the ratio of the likelihoods.
    pub ratio: f64,
    /// Where it decides.
    pub bounds: [f64; 2],
    /// The hypotheses.
    #[serde(flatten)]
    pub test: Sprt,
}

/// Plays some games of a batch; those before the first that is missing.
fn play_part(
    batch: &GameBatch,
    range: Range<usize>,
    workers: &Workers,
    finished: &(dyn Fn() + Sync),
) -> Result<Vec<Record>, PlayError> {
    let part = batch.part(range);
    let records = in_order(part.len(), finished, |done| {
        workers.play_each(&part, Interest::Result, done)
    })?;
    Ok(records.into_iter().map_while(|record| record).collect())
}

impl Plan {
    /// The games with their players.
    fn seated(&self, jobs: &[Job]) -> GameBatch {
        let seats = usize::from(self.game.seats());
        let mut batch = self.batch();
        let mut places = HashMap::new();
        for job in jobs {
            let place = *places.entry(job.seats).or_insert_with(|| {
                let players = job.seats[..seats].iter();
                let players = players.map(|&player| self.players[player].clone());
                batch
                    .tables
                    .push(Table::new(players.collect(), self.move_time));
                batch.tables.len() as u32 - 1
            });
            batch.games.push((place, job.number));
        }
        batch
    }

    /// What the games say, by whole rounds; `None` if there is none.
    fn outcome(&self, jobs: &[Job], mut records: Vec<Record>) -> Option<Outcome> {
        let games = self.whole_rounds(jobs, records.len());
        records.truncate(games as usize * jobs.len() / self.games as usize);
        let plan = &Self {
            games,
            ..self.clone()
        };
        (games > 0).then(|| {
            let meetings = results(plan, jobs, &records);
            let points = PointsTable::of(plan, &records);
            sum_up(plan, &meetings, &forfeits(plan, jobs, &records), &points)
        })
    }
}

/// Games a player gave up.
#[derive(Debug, Clone, Default)]
struct Forfeits {
    games: u32,
    first_reason: Option<String>,
}

fn forfeits(plan: &Plan, jobs: &[Job], records: &[Record]) -> Vec<Forfeits> {
    let mut forfeits = vec![Forfeits::default(); plan.players.len()];
    for (job, record) in jobs.iter().zip(records) {
        if let Some((seat, reason)) = &record.forfeit {
            let own = &mut forfeits[job.seats[usize::from(*seat)]];
            own.games += 1;
            own.first_reason.get_or_insert_with(|| reason.clone());
        }
    }
    forfeits
}

/// The games of two players: observations of one or two games each.
struct Meeting {
    first: usize,
    second: usize,
    units: Vec<Vec<GameResult>>,
}

/// The result of one game.
#[derive(Clone, Copy)]
struct GameResult {
    /// For the first player.
    score: i64,
    /// Whether the first player began.
    began: bool,
    same: Option<u64>,
}

fn results(plan: &Plan, jobs: &[Job], records: &[Record]) -> Vec<Meeting> {
    let players = plan.players.len();
    let pairs = (0..players).flat_map(|a| (a + 1..players).map(move |b| (a, b)));
    let units = |first, second| match plan.game.seats() {
        2 => different(in_pairs(jobs, records, first, second)),
        _ => side_by_side(records, players, first, second),
    };
    let meeting = |(first, second)| Meeting {
        first,
        second,
        units: units(first, second),
    };
    pairs.map(meeting).collect()
}

/// The games of two players of a two-player game, those with the same number together.
fn in_pairs(jobs: &[Job], records: &[Record], first: usize, second: usize) -> Vec<Vec<GameResult>> {
    let games = jobs.iter().zip(records).filter_map(|(job, record)| {
        let began = job.seats == [first, second];
        let is_theirs = began || job.seats == [second, first];
        let score = if began { record.score } else { -record.score };
        let result = GameResult {
            score,
            began,
            same: record.same,
        };
        is_theirs.then_some((job.number, result))
    });
    let games: Vec<(u64, GameResult)> = games.collect();
    let pairs = games.chunk_by(|a, b| a.0 == b.0);
    pairs
        .map(|pair| pair.iter().map(|&(_, result)| result).collect())
        .collect()
}

/// Without pairs whose games have all been played before.
fn different(mut pairs: Vec<Vec<GameResult>>) -> Vec<Vec<GameResult>> {
    let mut known = HashSet::new();
    pairs.retain(|pair| {
        let same: Option<Vec<u64>> = pair.iter().map(|game| game.same).collect();
        same.is_none_or(|same| known.insert(same))
    });
    pairs
}

/// The games of two players of a one-player game.
fn side_by_side(
    records: &[Record],
    players: usize,
    first: usize,
    second: usize,
) -> Vec<Vec<GameResult>> {
    let rounds = records.chunks_exact(players);
    let game = |round: &[Record]| {
        let score = compare(&round[first], &round[second]);
        vec![GameResult {
            score,
            began: false,
            same: None,
        }]
    };
    rounds.map(game).collect()
}

/// Compares two one-player games, as a score of the first. A forfeited game is lost, whatever its points.
fn compare(first: &Record, second: &Record) -> i64 {
    match (&first.forfeit, &second.forfeit) {
        (Some(_), None) => -1,
        (None, Some(_)) => 1,
        _ => first.score - second.score,
    }
}

/// Games won, drawn and lost.
#[derive(Debug, Clone, Copy, Default)]
struct Score {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl Score {
    fn of<'r>(results: impl IntoIterator<Item = &'r GameResult>) -> Self {
        let mut score = Self::default();
        for result in results {
            match result.score.signum() {
                1 => score.wins += 1,
                0 => score.draws += 1,
                _ => score.losses += 1,
            }
        }
        score
    }
}

fn sum_up(
    plan: &Plan,
    meetings: &[Meeting],
    forfeits: &[Forfeits],
    points: &PointsTable,
) -> Outcome {
    let count = plan.players.len();
    let mut table: Crosstable = vec![vec![Pairs::default(); count]; count];
    for meeting in meetings {
        let pairs = meeting.pairs();
        table[meeting.first][meeting.second] = pairs;
        table[meeting.second][meeting.first] = pairs.reversed();
    }
    Outcome {
        game: plan.game.family().name,
        games: plan.games,
        seed: plan.seed,
        openings: plan.openings.named(&plan.game, plan.seed),
        standings: standings(plan, meetings, &table, forfeits, points),
        pairings: pairings(plan, meetings, points),
    }
}

impl Meeting {
    fn results(&self) -> impl Iterator<Item = &GameResult> {
        self.units.iter().flatten()
    }

    fn pairs(&self) -> Pairs {
        let mut pairs = Pairs::default();
        for unit in &self.units {
            let scores: Vec<i64> = unit.iter().map(|result| result.score).collect();
            pairs.add(&scores);
        }
        pairs
    }

    /// From the point of view of a player, if it took part.
    fn score_of(&self, player: usize) -> Score {
        let score = Score::of(self.results());
        match player {
            first if first == self.first => score,
            second if second == self.second => Score {
                wins: score.losses,
                draws: score.draws,
                losses: score.wins,
            },
            _ => Score::default(),
        }
    }
}

fn standings(
    plan: &Plan,
    meetings: &[Meeting],
    table: &Crosstable,
    forfeits: &[Forfeits],
    points: &PointsTable,
) -> Vec<Standing> {
    let mut standings: Vec<Standing> = ratings(table)
        .into_iter()
        .enumerate()
        .map(|(player, rating)| {
            let scores = || meetings.iter().map(|meeting| meeting.score_of(player));
            Standing {
                player: plan.players[player].label(),
                spec: plan.players[player].to_string(),
                wins: scores().map(|score| score.wins).sum(),
                draws: scores().map(|score| score.draws).sum(),
                losses: scores().map(|score| score.losses).sum(),
                rating,
                score: points.of_player(player),
                forfeits: forfeits[player].games,
                first_forfeit: forfeits[player].first_reason.clone(),
            }
        })
        .collect();
    standings.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
    standings
}

fn pairings(plan: &Plan, meetings: &[Meeting], points: &PointsTable) -> Vec<Pairing> {
    let raw: Vec<f64> = meetings.iter().map(|meeting| meeting.pairs().p()).collect();
    let pairing = |(meeting, p): (&Meeting, f64)| {
        let score = Score::of(meeting.results());
        let began = Score::of(meeting.results().filter(|result| result.began));
        let pairs = meeting.pairs();
        Pairing {
            first: plan.players[meeting.first].label(),
            second: plan.players[meeting.second].label(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            starting: [began.wins, began.draws, began.losses],
            different_games: pairs.games,
            pairs: pairs.counts,
            p,
            difference: points.difference(meeting.first, meeting.second),
        }
    };
    meetings.iter().zip(holm(&raw)).map(pairing).collect()
}
