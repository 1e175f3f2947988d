//! Speed of the fast boards beside that of the plain ones, in the same run.
//!
//! Both do exactly the same work, in turns of a fraction of a second, so that a noisy machine slows
//! both alike: the ratio holds even where the speeds do not. Every bench compares its answers, too.

use std::time::{Duration, Instant};

use games::tetris::{Judgement, Placement, Plain, Rules, Tetris};
use games::{AnyGame, Game, Options, Turn, registry, stream, with_twins};
use serde::Serialize;

/// Speeds of one thing done twice.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// What was done.
    pub name: String,
    /// What the speeds count.
    pub unit: &'static str,
    /// Speed of the fast board.
    pub fast: f64,
    /// Speed of the plain board.
    pub plain: f64,
    /// `fast / plain`.
    pub ratio: f64,
}

/// One side's way to do item number `n` of a bench: how many units it was, and the answer.
type Work<'a> = Box<dyn FnMut(u64) -> (u64, i64) + 'a>;

/// One bench: does its work for about the time given.
type Bench = Box<dyn Fn(Duration) -> Comparison>;

/// All comparisons there are, one after the other, `seconds` in all; `done` hears of each as it ends.
pub fn run(seconds: f64, mut done: impl FnMut(&Comparison)) -> Vec<Comparison> {
    let benches = benches();
    let each = Duration::from_secs_f64(seconds / benches.len() as f64);
    benches
        .iter()
        .map(|bench| bench(each))
        .inspect(|comparison| done(comparison))
        .collect()
}

fn benches() -> Vec<Bench> {
    let games = registry::FAMILIES.iter().map(|family| -> Bench {
        let game = family
            .build(&Options::default())
            .expect("the defaults are allowed");
        Box::new(move |time| random_games(&game, time))
    });
    games
        .chain([Box::new(judged_placements) as Bench])
        .collect()
}

/// Whole games of random moves.
fn random_games(game: &AnyGame, time: Duration) -> Comparison {
    let name = format!("{} random games", game.family().name);
    with_twins!(game, (fast, plain) => {
        compare(name, "moves/s", time, Box::new(|n| random_game(fast, n)), Box::new(|n| random_game(plain, n)))
    })
}

fn random_game<G: Game>(game: &G, number: u64) -> (u64, i64) {
    let mut position = game.start();
    let moves = game.playout(&mut position, &mut stream(1, &[number]));
    (u64::from(moves), game.score(&position))
}

/// Tetris, one known piece: all placements are found and judged by height, holes and lines; the best is played.
fn judged_placements(time: Duration) -> Comparison {
    let mut options = Options::default();
    options.set("known", "1");
    let rules = Rules::from_options(&options).expect("the rules are allowed");
    let fast: Tetris<u32> = Tetris::new(rules);
    let plain = Plain::twin(&fast);
    compare(
        "tetris placements found and judged".to_owned(),
        "placements/s",
        time,
        Box::new(|n| {
            judged_game(&fast, n, |position, judge| {
                fast.judge_placements(position, judge)
            })
        }),
        Box::new(|n| judged_game(&plain, n, |grid, judge| plain.judge_placements(grid, judge))),
    )
}

/// So many pieces make an item of the bench.
const PIECES: u32 = 100;

fn judged_game<G: Game<Move = Placement>>(
    game: &G,
    number: u64,
    judge_all: impl Fn(&G::Position, &mut dyn FnMut(Placement, Judgement)),
) -> (u64, i64) {
    let mut rng = stream(1, &[number]);
    let mut position = game.start();
    let (mut judged, mut sum) = (0, 0);
    for _ in 0..PIECES {
        game.draw(&mut position, &mut rng);
        if game.turn(&position) == Turn::Over {
            break;
        }
        let mut best: Option<(i32, Placement)> = None;
        judge_all(&position, &mut |placement, judgement| {
            let value = 3 * judgement.lines as i32 - judgement.height - 4 * judgement.holes;
            judged += 1;
            sum += i64::from(value);
            if best.is_none_or(|(highest, _)| value > highest) {
                best = Some((value, placement));
            }
        });
        let (_, placement) = best.expect("a player's turn has a placement");
        game.play_unchecked(&mut position, placement);
    }
    (judged, sum)
}

/// So many answers of both sides are compared.
const COMPARED: usize = 10_000;
/// So many items are done between two looks at the clock.
const BATCH: u64 = 16;

/// Lets both sides do the same items in turns for about `time`.
fn compare(
    name: String,
    unit: &'static str,
    time: Duration,
    mut fast: Work<'_>,
    mut plain: Work<'_>,
) -> Comparison {
    let (mut fast_side, mut plain_side) = (Side::default(), Side::default());
    let started = Instant::now();
    while plain_side.items == 0 || started.elapsed() < time {
        plain_side.work(&mut plain, time / 20);
        fast_side.work(&mut fast, time / 20);
    }
    let mut answers = fast_side.answers.iter().zip(&plain_side.answers);
    assert!(
        answers.all(|(fast, plain)| fast == plain),
        "{name}: the fast and the plain board disagree"
    );
    let (fast, plain) = (fast_side.speed(), plain_side.speed());
    Comparison {
        name,
        unit,
        fast,
        plain,
        ratio: fast / plain,
    }
}

/// What one side has done so far.
#[derive(Default)]
struct Side {
    answers: Vec<(u64, i64)>,
    items: u64,
    units: u64,
    busy: Duration,
}

impl Side {
    fn work(&mut self, work: &mut Work<'_>, time: Duration) {
        let started = Instant::now();
        loop {
            for item in self.items..self.items + BATCH {
                let answer = work(item);
                self.units += answer.0;
                if self.answers.len() < COMPARED {
                    self.answers.push(answer);
                }
            }
            self.items += BATCH;
            if started.elapsed() >= time {
                break;
            }
        }
        self.busy += started.elapsed();
    }

    fn speed(&self) -> f64 {
        self.units as f64 / self.busy.as_secs_f64()
    }
}
