//! Benchmarks of the boards: random games, and evaluation of Tetris placements.

use std::time::Duration;

use games::tetris::{Judgement, Placement, Plain, Rules, Tetris};
use games::twenty48::{self, Twenty48};
use games::{AnyGame, Dice, Game, Options, Turn, registry, stream, with_twins};

use super::judged::worth;
use super::{Bench, Comparison, Task};
use crate::measure::{Plan, measure};
use crate::openings::Openings;
use crate::playing::{Interest, Table, Workers};

/// Random games of every family, and evaluated placements.
pub(super) fn benches() -> Vec<Bench> {
    let games = registry::FAMILIES.iter().map(|family| -> Bench {
        let game = family
            .build(&Options::default())
            .expect("the defaults are allowed");
        Box::new(move |time| random_games(&game, time))
    });
    let at_once = ["size=4x4", "size=3x3", "size=5x5"]
        .map(|rules| -> Bench { Box::new(move |time| games_at_once(rules, time)) });
    games
        .chain(at_once)
        .chain([
            Box::new(measured_games) as Bench,
            Box::new(judged_placements),
        ])
        .collect()
}

/// Random games of 2048 played at once, beside the same games one by one.
fn games_at_once(rules: &str, time: Duration) -> Comparison {
    const GAMES: u64 = 1024;
    let options = rules.parse().expect("the rules are options");
    let game = Twenty48::new(twenty48::Rules::from_options(&options).expect("they are allowed"));
    let games = |item: u64| -> Vec<_> {
        let numbers = item * GAMES..(item + 1) * GAMES;
        numbers.map(|n| (game.start(), Dice::of(1, n))).collect()
    };
    let task = Task {
        name: format!("2048 {rules} random games, at once vs one by one"),
        unit: "moves/s",
        fast: Box::new(|item| {
            let mut games = games(item);
            let moves = game.playouts(&mut games);
            let scores = games.iter().map(|(position, _)| game.score(position));
            (moves.into_iter().map(u64::from).sum(), scores.sum())
        }),
        plain: Some(Box::new(|item| {
            let (mut moves, mut score) = (0, 0);
            for (position, dice) in &mut games(item) {
                moves += u64::from(game.playout(position, dice));
                score += game.score(position);
            }
            (moves, score)
        })),
        batch: 1,
        same_work: true,
        several_threads: false,
    };
    task.compare(time)
}

/// Random games of 2048 as `gamete measure` plays them and sums them up, on one thread.
fn measured_games(time: Duration) -> Comparison {
    let workers = Workers::new(1).expect("a thread can be started");
    let task = Task {
        name: "2048 random games measured".to_owned(),
        unit: "moves/s",
        fast: Box::new(|seed| {
            let plan = random_plan(20_000, seed);
            let measured = measure(&plan, &workers, &|| {}, &mut |_| {});
            let measured = measured.expect("random players can play");
            let measured = measured.expect("nobody stops them");
            let moves = measured.moves.mean * measured.games as f64;
            (moves.round() as u64, measured.score.max)
        }),
        plain: None,
        batch: 1,
        same_work: true,
        several_threads: false,
    };
    task.compare(time)
}

fn random_plan(games: u64, seed: u64) -> Plan {
    let random = "random".parse().expect("the spec is right");
    Plan {
        game: registry::build("2048", &Options::default()).expect("the defaults are allowed"),
        table: Table::new(vec![random], None),
        games,
        seed,
        threads: 1,
        interest: Interest::Result,
        both_seats: false,
        openings: Openings::None,
    }
}

/// Games take microseconds: reading the clock after each would distort the result.
const BATCH: u64 = 16;

/// Whole games of random moves.
fn random_games(game: &AnyGame, time: Duration) -> Comparison {
    let name = format!("{} random games", game.family().name);
    with_twins!(game, (fast, plain) => {
        let task = Task {
            name,
            unit: "moves/s",
            fast: Box::new(|n| random_game(fast, n)),
            plain: Some(Box::new(|n| random_game(plain, n))),
            batch: BATCH,
            same_work: true,
            several_threads: false,
        };
        task.compare(time)
    })
}

fn random_game<G: Game>(game: &G, number: u64) -> (u64, i64) {
    let mut position = game.start();
    let moves = game.playout(&mut position, &mut stream(1, &[number]));
    (u64::from(moves), game.score(&position))
}

/// Tetris, one known piece: all placements are generated and evaluated by height, holes and lines; the best is played.
fn judged_placements(time: Duration) -> Comparison {
    let rules =
        Rules::from_options(&Options::from_iter([("known", "1")])).expect("the rules are allowed");
    let fast: Tetris<u32> = Tetris::new(rules);
    let plain = Plain::twin(&fast);
    let task = Task {
        name: "tetris placements evaluated".to_owned(),
        unit: "placements/s",
        fast: Box::new(|n| {
            judged_game(&fast, n, |position, judge| {
                fast.judge_placements(position, judge);
            })
        }),
        plain: Some(Box::new(|n| {
            judged_game(&plain, n, |grid, judge| plain.judge_placements(grid, judge))
        })),
        batch: BATCH,
        same_work: true,
        several_threads: false,
    };
    task.compare(time)
}

/// Pieces per benchmark item.
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
            let value = worth(judgement);
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
