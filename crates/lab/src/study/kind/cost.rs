//! `cost`: the time of moves in Connect-N against what theory says.
//!
//! In every position of random games every player is asked for its move, so all are timed in the same games. The document plots time / a^b
//! against a^b, with a = columns that are not full and b = empty cells, for the searches through the whole tree (688 moves; with pruning only 9 were
//! slower); and says that time / (M N^2) of the weighted player is flat on boards of 2 to 10 rows and columns.
//!
//! A time is the least of several, each of as many moves as take long enough for the clock: whatever else the machine does only adds to it.
//! Times stand in the status of the run; its outcome has what is the same on every machine: positions, and nodes of the searches.

use std::hint::black_box;
use std::time::{Duration, Instant};

use games::connect::Rules;
use games::{AnyGame, Game, Turn, stream, with_game};
use players::search::{AlphaBeta, Minimax, Negamax};
use players::{Player, Spec};
use serde::{Deserialize, Serialize};
use streams::derive;

use super::boards::{self, BOARDS, CONNECT, PIECES, case_by_case, forecast};
use super::{Experiment, Kind, Short};
use crate::play::{PlayError, Workers};
use crate::run::desk::{Desk, RunError};
use crate::run::outcome::{Outcome, Table};
use crate::run::plot::{Plot, Style};
use crate::seat::{seat, try_out};
use crate::stats::Better;
use crate::study::keys::{Key, Shape};
use crate::study::reading::Reading;

/// The kind.
pub(super) const KIND: Kind = Kind {
    name: "cost",
    about: "times moves of Connect-N on boards of many sizes, beside what theory says",
    keys: &[
        Key::new(
            "cost.players",
            Shape::Texts,
            "Players that are timed in the same positions; the others are compared with the first",
        ),
        BOARDS,
        CONNECT,
        PIECES,
        Key::new(
            "cost.games",
            Shape::Whole(1, 10_000),
            "Random games a case; all players are timed in all their positions [default: 2]",
        ),
        Key::new(
            "cost.repeats",
            Shape::Whole(1, 1000),
            "How often a move is timed; the shortest time counts [default: 5]",
        ),
        Key::new(
            "cost.per",
            Shape::OneOf(&[TREE, PASS]),
            "What the time should grow with: columns^empty (a whole tree), or rows*columns^2 (one pass a move) [default: columns^empty]",
        ),
    ],
    short: &[
        ("cost.games", Short::AtMost(1)),
        ("cost.repeats", Short::AtMost(2)),
    ],
    read,
};

const TREE: &str = "columns^empty";
const PASS: &str = "rows*columns^2";
const BOARDS_OF_TREES: [&str; 6] = ["3x3", "2x3", "3x2", "2x4", "4x2", "4x3"];
const PLAYERS: [&str; 2] = ["minimax(depth=100)", "alphabeta(depth=100)"];

/// Share of moves in which the second player was slower.
const SHARE_SLOWER: &str = "share slower";
/// Where nothing can be pruned both players do the same, and chance says which is slower; a tenth is more than chance.
const CLEARLY: f64 = 1.1;
/// Time / (M N^2) on the slowest board over that on the fastest.
const SPREAD: &str = "largest over smallest";
/// The same without boards so small that calling the player is most of the work.
const SPREAD_LARGE: &str = "largest over smallest from 4x4";
const LARGE: u8 = 4;
/// The power of M N^2 with which time grows on those boards: 1 if the bound is exact, less if there is less to do.
const GROWTH: &str = "growth from 4x4";

/// A time is that of as many moves as take this long together.
const LONG_ENOUGH: Duration = Duration::from_micros(50);
/// A move that takes longer is not timed again: the clock and the rest of the machine hardly count.
const LONG: Duration = Duration::from_millis(300);

fn read(reading: &mut Reading<'_>) -> Option<Box<dyn Experiment>> {
    let cases = boards::read_cases(reading, &BOARDS_OF_TREES);
    let known = cases.as_deref().unwrap_or_default();
    let names = reading
        .texts("cost.players")
        .unwrap_or_else(|| PLAYERS.map(str::to_owned).to_vec());
    if names.is_empty() {
        reading.flaw(
            "cost.players",
            "names nobody; e.g. [\"minimax(depth=100)\"]",
        );
    }
    let players: Vec<Spec> = names
        .iter()
        .filter_map(|name| boards::read_player(reading, "cost.players", name, known))
        .collect();
    if players.is_empty() || players.len() < names.len() {
        return None;
    }
    Some(Box::new(Cost {
        players: names.into_iter().zip(players).collect(),
        games: reading.whole("cost.games").unwrap_or(2),
        repeats: reading.whole("cost.repeats").unwrap_or(5),
        per: match reading.text("cost.per").as_deref() {
            Some(PASS) => Per::Pass,
            _ => Per::Tree,
        },
        largest: boards::game(*known.iter().max_by_key(|rules| rules.cells())?),
        cases: cases?,
    }))
}

/// What time should grow with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Per {
    Tree,
    Pass,
}

/// Times of players.
#[derive(Debug)]
struct Cost {
    cases: Vec<Rules>,
    /// With the names by which the study calls them.
    players: Vec<(String, Spec)>,
    games: u64,
    repeats: u32,
    per: Per,
    largest: AnyGame,
}

/// A position that was judged.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Judged {
    /// Columns that are not full.
    columns: u32,
    /// Empty cells.
    empty: u32,
    /// The time of each player.
    seconds: Vec<f64>,
    /// Nodes that each player visited, if it counts them.
    nodes: Vec<Option<u64>>,
}

impl Judged {
    fn tree(&self) -> f64 {
        f64::from(self.columns).powi(self.empty as i32)
    }
}

impl Experiment for Cost {
    fn steps(&self) -> u64 {
        self.cases.len() as u64
    }

    fn step_name(&self) -> &'static str {
        "cases"
    }

    fn games(&self) -> Option<u64> {
        Some(self.cases.len() as u64 * self.games)
    }

    fn game(&self) -> Option<&AnyGame> {
        Some(&self.largest)
    }

    fn main_metric(&self) -> (String, Better) {
        let name = match self.per {
            Per::Pass if self.cases.iter().any(is_large) => SPREAD_LARGE.to_owned(),
            Per::Pass => SPREAD.to_owned(),
            Per::Tree if self.players.len() > 1 => SHARE_SLOWER.to_owned(),
            Per::Tree => seconds_of(&self.players[0].0),
        };
        (name, Better::Lower)
    }

    fn wants_the_machine(&self) -> bool {
        true
    }

    fn run(&self, seed: u64, desk: &mut Desk<'_>) -> Result<Outcome, RunError> {
        let specs: Vec<Spec> = self.players.iter().map(|(_, spec)| spec.clone()).collect();
        with_game!(&self.largest, game => try_out(game, &specs))?;
        let work = |case: usize, desk: &Desk<'_>| {
            let judged = self.judge_case(self.cases[case], derive(seed, &[case as u64]), desk)?;
            judged.ok_or(RunError::Interrupted)
        };
        let found = case_by_case(&self.cases, desk, work, |_| self.games)?;
        self.tell_times(&found, desk);
        Ok(self.outcome(&found))
    }

    fn calibrate(&self, seed: u64, _: &Workers, time: Duration) -> Result<Duration, RunError> {
        let times = |_| self.games as f64;
        forecast(&self.cases, time, times, |rules| {
            with_game!(&boards::game(rules), game => self.judge_game(game, rules, seed, &|| false))?;
            Ok(())
        })
    }
}

fn is_large(rules: &Rules) -> bool {
    rules.rows.min(rules.cols) >= LARGE
}

fn seconds_of(player: &str) -> String {
    format!("median seconds of {player}")
}

impl Cost {
    /// All games of a case; nothing if it was stopped.
    fn judge_case(
        &self,
        rules: Rules,
        seed: u64,
        desk: &Desk<'_>,
    ) -> Result<Option<Vec<Judged>>, PlayError> {
        let mut all = Vec::new();
        for number in 0..self.games {
            let judged = with_game!(&boards::game(rules), game => {
                self.judge_game(game, rules, derive(seed, &[number]), &|| desk.is_stopped())
            })?;
            let Some(judged) = judged else {
                return Ok(None);
            };
            all.extend(judged);
            desk.game_over();
        }
        Ok(Some(all))
    }

    /// The positions of a random game; nothing if it was stopped.
    fn judge_game<G: Game>(
        &self,
        game: &G,
        rules: Rules,
        seed: u64,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<Judged>>, PlayError> {
        let mut rng = stream(seed, &[]);
        let (mut position, mut moves, mut judged) = (game.start(), Vec::new(), Vec::new());
        while game.turn(&position) != Turn::Over {
            if is_stopped() {
                return Ok(None);
            }
            game.moves(&position, &mut moves);
            let (seconds, nodes) = self.judge(game, &position)?;
            judged.push(Judged {
                columns: moves.len() as u32,
                empty: rules.cells() - judged.len() as u32,
                seconds,
                nodes,
            });
            let chosen = game.random_move(&position, &mut rng);
            game.play_unchecked(&mut position, chosen);
        }
        Ok(Some(judged))
    }

    /// Times and nodes of all players in a position. New players for every position: none may know it already.
    fn judge<G: Game>(
        &self,
        game: &G,
        position: &G::Position,
    ) -> Result<(Vec<f64>, Vec<Option<u64>>), PlayError> {
        let (mut seconds, mut nodes) = (Vec::new(), Vec::new());
        for (_, spec) in &self.players {
            let mut player = seat(game, spec, None)?;
            seconds.push(least_time(&mut *player, game, position, self.repeats));
            nodes.push(count_nodes(game, spec, position));
        }
        Ok((seconds, nodes))
    }
}

/// The shortest of the times of a move.
fn least_time<G: Game>(
    player: &mut dyn Player<G>,
    game: &G,
    position: &G::Position,
    repeats: u32,
) -> f64 {
    let rng = stream(0, &[]);
    let mut time = |moves: u32| {
        let began = Instant::now();
        for _ in 0..moves {
            black_box(player.choose(game, black_box(position), &mut rng.clone()));
        }
        began.elapsed().as_secs_f64() / f64::from(moves)
    };
    let first = time(1);
    if first >= LONG.as_secs_f64() {
        return first;
    }
    let moves = (LONG_ENOUGH.as_secs_f64() / first.max(1e-9)).clamp(1.0, 1000.0) as u32;
    (0..repeats).map(|_| time(moves)).fold(first, f64::min)
}

/// Nodes that a search visits for its move; nothing for players that do not count them.
fn count_nodes<G: Game>(game: &G, spec: &Spec, position: &G::Position) -> Option<u64> {
    let rng = &mut stream(0, &[]);
    macro_rules! count {
        ($search:ident) => {{
            let mut player = $search::new(game, spec).ok()?;
            player.choose(game, position, rng);
            Some(player.nodes())
        }};
    }
    match spec.name() {
        "minimax" => count!(Minimax),
        "alphabeta" => count!(AlphaBeta),
        "negamax" => count!(Negamax),
        _ => None,
    }
}

/// What the same machine or another finds alike.
impl Cost {
    fn outcome(&self, found: &[Vec<Judged>]) -> Outcome {
        let all: Vec<&Judged> = found.iter().flatten().collect();
        let mut outcome = Outcome::default();
        outcome.number("cases", found.len() as f64);
        outcome.number("games", (found.len() as u64 * self.games) as f64);
        outcome.number("moves", all.len() as f64);
        for (place, (name, _)) in self.players.iter().enumerate() {
            if let Some(nodes) = sum_nodes(all.iter().copied(), place) {
                outcome.number(&format!("nodes of {name}"), nodes as f64);
            }
        }
        let pairs: Option<Vec<(u64, u64)>> = all
            .iter()
            .map(|judged| Some(((*judged.nodes.first()?)?, (*judged.nodes.get(1)?)?)))
            .collect();
        if let Some(pairs) = pairs {
            let share = |is: fn(&&(u64, u64)) -> bool| {
                pairs.iter().filter(is).count() as f64 / pairs.len() as f64
            };
            outcome.number("share fewer nodes", share(|pair| pair.1 < pair.0));
            outcome.number("share more nodes", share(|pair| pair.1 > pair.0));
        }
        outcome.tables.push(self.table(found));
        outcome
    }

    fn table(&self, found: &[Vec<Judged>]) -> Table {
        let players = self.players.iter();
        let mut head = ["board", "C", "P", "moves"].map(str::to_owned).to_vec();
        head.extend(players.map(|(name, _)| format!("nodes of {name}")));
        let row = |(rules, judged): (&Rules, &Vec<Judged>)| {
            let mut row = vec![
                boards::size(*rules),
                rules.connect.to_string(),
                rules.pieces.to_string(),
                judged.len().to_string(),
            ];
            row.extend((0..self.players.len()).map(|place| {
                sum_nodes(judged.iter(), place).map_or("-".to_owned(), |nodes| nodes.to_string())
            }));
            row
        };
        Table {
            title: "Positions judged".to_owned(),
            head,
            rows: self.cases.iter().zip(found).map(row).collect(),
        }
    }
}

fn sum_nodes<'a>(judged: impl Iterator<Item = &'a Judged>, player: usize) -> Option<u64> {
    judged.map(|judged| judged.nodes[player]).sum()
}

/// What depends on the machine.
impl Cost {
    fn tell_times(&self, found: &[Vec<Judged>], desk: &mut Desk<'_>) {
        let all: Vec<&Judged> = found.iter().flatten().collect();
        let times = &mut desk.status.times;
        for (place, (name, _)) in self.players.iter().enumerate() {
            let seconds = all.iter().map(|judged| judged.seconds[place]);
            times.insert(seconds_of(name), median(seconds.collect()));
        }
        times.insert("moves".to_owned(), all.len() as f64);
        if self.players.len() > 1 {
            let slower = all
                .iter()
                .filter(|judged| judged.seconds[1] > judged.seconds[0]);
            let slower = slower.count() as f64;
            times.insert("slower moves".to_owned(), slower);
            times.insert(SHARE_SLOWER.to_owned(), slower / all.len() as f64);
            let clearly = |judged: &&&Judged| judged.seconds[1] > CLEARLY * judged.seconds[0];
            let clearly = all.iter().filter(clearly).count() as f64;
            times.insert("moves slower by a tenth".to_owned(), clearly);
            let sum = |place: usize| all.iter().map(|judged| judged.seconds[place]).sum::<f64>();
            times.insert("times as fast".to_owned(), sum(0) / sum(1));
        }
        let plot = match self.per {
            Per::Tree => self.tree_plot(&all),
            Per::Pass => {
                let flat = self.flat(found, 0);
                times.insert(SPREAD.to_owned(), spread(&flat, |_| true));
                if self.cases.iter().any(is_large) {
                    times.insert(SPREAD_LARGE.to_owned(), spread(&flat, is_large));
                }
                if let Some(growth) = growth(&flat) {
                    times.insert(GROWTH.to_owned(), growth);
                }
                self.flat_plot(found)
            }
        };
        desk.status.plots = vec![plot];
    }

    /// Time of every move against a^b.
    fn tree_plot(&self, all: &[&Judged]) -> Plot {
        let series = |(place, (name, _)): (usize, &(String, Spec))| {
            let point = |judged: &&Judged| (judged.tree(), judged.seconds[place]);
            (name.clone(), all.iter().map(point).collect())
        };
        Plot {
            name: "cost".to_owned(),
            title: "Time of a move against the tree below it".to_owned(),
            x: "columns that are not full ^ empty cells".to_owned(),
            y: "seconds".to_owned(),
            style: Style::Points,
            log: [true, true],
            series: self.players.iter().enumerate().map(series).collect(),
        }
    }

    /// Median time / (M N^2) of a player on every board.
    fn flat(&self, found: &[Vec<Judged>], player: usize) -> Vec<(Rules, f64)> {
        let of_board = |(&rules, judged): (&Rules, &Vec<Judged>)| {
            let seconds = judged.iter().map(|judged| judged.seconds[player]);
            (rules, median(seconds.collect()) / passes(rules))
        };
        self.cases.iter().zip(found).map(of_board).collect()
    }

    fn flat_plot(&self, found: &[Vec<Judged>]) -> Plot {
        let series = |(place, (name, _)): (usize, &(String, Spec))| {
            let flat = self.flat(found, place).into_iter();
            let points = flat.map(|(rules, time)| (f64::from(rules.cells()), time));
            (name.clone(), points.collect())
        };
        Plot {
            name: "cost-flat".to_owned(),
            title: "Time of a move / (rows x columns^2)".to_owned(),
            x: "cells of the board".to_owned(),
            y: "seconds / (rows x columns^2)".to_owned(),
            style: Style::Points,
            log: [false, false],
            series: self.players.iter().enumerate().map(series).collect(),
        }
    }
}

/// Cells that are looked at when each move is judged by one pass over the board: M N^2.
fn passes(rules: Rules) -> f64 {
    f64::from(rules.rows) * f64::from(rules.cols).powi(2)
}

/// The power of M N^2 with which time grows on larger boards.
fn growth(flat: &[(Rules, f64)]) -> Option<f64> {
    let large = flat.iter().filter(|(rules, _)| is_large(rules));
    let points: Vec<(f64, f64)> = large
        .map(|&(rules, time)| (passes(rules).ln(), time.ln()))
        .collect();
    Some(1.0 + boards::slope(&points)?)
}

/// The largest over the smallest time of the boards that count.
fn spread(flat: &[(Rules, f64)], counts: impl Fn(&Rules) -> bool) -> f64 {
    let times = flat.iter().filter(|(rules, _)| counts(rules));
    let (least, most) = times.fold((f64::INFINITY, 0.0_f64), |(least, most), &(_, time)| {
        (least.min(time), most.max(time))
    });
    most / least
}

/// The middle one; of two the later.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
