//! A round-robin tournament: who is better, by how much, and whether it could be chance.
//!
//! In a two-player game every pair plays each game number twice with the same dice, each player once first and once second. In a
//! one-player game both play the same game numbers, and the higher score wins.

use std::collections::HashMap;

use games::AnyGame;
use players::Spec;
use serde::Serialize;

use crate::batch::GameBatch;
use crate::playing::{Interest, PlayError, Record, Table, Workers, in_order};
use crate::seating::try_out;
use crate::stats::{Crosstable, Rating, Score, holm, ratings, sign_test};

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
}

impl Plan {
    /// Total number of games.
    #[must_use]
    pub fn total_games(&self) -> u64 {
        self.jobs().len() as u64
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
    /// The probability of a result at least this uneven if both are equally strong (sign test, Holm-corrected for the number of pairs).
    pub p: f64,
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
    try_out(&plan.game, &plan.players)?;
    let jobs = plan.jobs();
    let seats = usize::from(plan.game.seats());
    let mut batch = GameBatch::new(&plan.game, plan.seed);
    let mut places = HashMap::new();
    for job in &jobs {
        let place = *places.entry(job.seats).or_insert_with(|| {
            let players = job.seats[..seats].iter();
            let players = players.map(|&player| plan.players[player].clone());
            batch
                .tables
                .push(Table::new(players.collect(), plan.move_time));
            batch.tables.len() as u32 - 1
        });
        batch.games.push((place, job.number));
    }
    let records = in_order(batch.len(), finished, |done| {
        workers.play_each(&batch, Interest::Result, done)
    })?;
    let mut records: Vec<Record> = records.into_iter().map_while(|record| record).collect();
    let games = plan.whole_rounds(&jobs, records.len());
    records.truncate(games as usize * jobs.len() / plan.games as usize);
    let plan = &Plan {
        games,
        ..plan.clone()
    };
    Ok((games > 0).then(|| {
        sum_up(
            plan,
            &results(plan, &jobs, &records),
            &forfeits(plan, &jobs, &records),
        )
    }))
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

/// One result: who met whom (the first began), and who won.
struct Meeting {
    first: usize,
    second: usize,
    result: i64,
    began: bool,
}

fn results(plan: &Plan, jobs: &[Job], records: &[Record]) -> Vec<Meeting> {
    if plan.game.seats() == 2 {
        let meeting = |(job, record): (&Job, &Record)| {
            let [a, b] = job.seats;
            let began = a < b;
            let result = if began { record.score } else { -record.score };
            Meeting {
                first: a.min(b),
                second: a.max(b),
                result,
                began,
            }
        };
        return jobs.iter().zip(records).map(meeting).collect();
    }
    let (games, players) = (plan.games as usize, plan.players.len());
    let record = |player: usize, number: usize| &records[number * players + player];
    let pairs =
        (0..plan.players.len()).flat_map(|a| (a + 1..plan.players.len()).map(move |b| (a, b)));
    pairs
        .flat_map(|(first, second)| {
            (0..games).map(move |number| Meeting {
                first,
                second,
                result: compare(record(first, number), record(second, number)),
                began: false,
            })
        })
        .collect()
}

/// Compares two one-player games, as a score of the first. A forfeited game is lost, whatever its points.
fn compare(first: &Record, second: &Record) -> i64 {
    match (&first.forfeit, &second.forfeit) {
        (Some(_), None) => -1,
        (None, Some(_)) => 1,
        _ => first.score - second.score,
    }
}

fn sum_up(plan: &Plan, meetings: &[Meeting], forfeits: &[Forfeits]) -> Outcome {
    let count = plan.players.len();
    let mut table: Crosstable = vec![vec![Score::default(); count]; count];
    let mut starting: Crosstable = table.clone();
    for meeting in meetings {
        table[meeting.first][meeting.second].add(meeting.result);
        table[meeting.second][meeting.first].add(-meeting.result);
        if meeting.began {
            starting[meeting.first][meeting.second].add(meeting.result);
        }
    }
    Outcome {
        game: plan.game.family().name,
        games: plan.games,
        seed: plan.seed,
        standings: standings(plan, &table, forfeits),
        pairings: pairings(plan, &table, &starting),
    }
}

fn standings(plan: &Plan, table: &Crosstable, forfeits: &[Forfeits]) -> Vec<Standing> {
    let mut standings: Vec<Standing> = ratings(table)
        .into_iter()
        .enumerate()
        .map(|(player, rating)| {
            let total = |of: &dyn Fn(&Score) -> u32| table[player].iter().map(of).sum();
            Standing {
                player: plan.players[player].label(),
                spec: plan.players[player].to_string(),
                wins: total(&|score| score.wins),
                draws: total(&|score| score.draws),
                losses: total(&|score| score.losses),
                rating,
                forfeits: forfeits[player].games,
                first_forfeit: forfeits[player].first_reason.clone(),
            }
        })
        .collect();
    standings.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
    standings
}

fn pairings(plan: &Plan, table: &Crosstable, starting: &Crosstable) -> Vec<Pairing> {
    let count = plan.players.len();
    let pairs: Vec<(usize, usize)> = (0..count)
        .flat_map(|a| (a + 1..count).map(move |b| (a, b)))
        .collect();
    let raw: Vec<f64> = pairs
        .iter()
        .map(|&(a, b)| sign_test(table[a][b].wins, table[a][b].losses))
        .collect();
    pairs
        .into_iter()
        .zip(holm(&raw))
        .map(|((a, b), p)| {
            let (
                Score {
                    wins,
                    draws,
                    losses,
                },
                began,
            ) = (table[a][b], starting[a][b]);
            Pairing {
                first: plan.players[a].label(),
                second: plan.players[b].label(),
                wins,
                draws,
                losses,
                starting: [began.wins, began.draws, began.losses],
                p,
            }
        })
        .collect()
}
