//! Benchmarks of players: pruned against exhaustive searches, and moves per second of the strong players.

use std::time::Duration;

use games::connect::{Connect, Rules};
use games::twenty48::{self, Twenty48};
use games::{AnyGame, Game, Generators, Options, Turn, registry, stream, with_game};
use players::any::AlphaBeta;
use players::arena::Dice;
use players::solver::{AnySolver, Budget, Config, Solver, Verdict};
use players::tree::Search;
use players::{Playable, Spec};

use super::{Bench, Comparison, Task, Work};
use crate::helpers::Helpers;
use crate::solution::{Question, solve_with};

/// A player to time, with a plain one that makes the same moves.
#[derive(Debug, Clone, Copy)]
struct Timed {
    name: &'static str,
    game: &'static str,
    rules: &'static str,
    fast: &'static str,
    plain: Option<&'static str>,
    /// Moves per benchmark item.
    moves: u64,
}

const TIMED: &[Timed] = &[
    Timed {
        name: "2048 alphabeta vs minimax, depth 7",
        game: "2048",
        rules: "",
        fast: "alphabeta(depth=7, eval=score)",
        plain: Some("minimax(depth=7, eval=score)"),
        moves: 20,
    },
    Timed {
        name: "2048 alphabeta vs minimax, depth 9",
        game: "2048",
        rules: "",
        fast: "alphabeta(depth=9, eval=score)",
        plain: Some("minimax(depth=9, eval=score)"),
        moves: 4,
    },
    Timed {
        name: "2048 alphabeta, depth 9, 400 moves of a game",
        game: "2048",
        rules: "",
        fast: "alphabeta(depth=9, eval=score)",
        plain: None,
        moves: 400,
    },
    Timed {
        name: "2048 expectimax, depth 3",
        game: "2048",
        rules: "",
        fast: "expectimax(depth=3, eval=corner)",
        plain: None,
        moves: 500,
    },
    Timed {
        name: "tetris one piece, bcts features",
        game: "tetris",
        rules: "known=1",
        fast: "weighted(features=bcts)",
        plain: None,
        moves: 2000,
    },
    Timed {
        name: "tetris two pieces, five features",
        game: "tetris",
        rules: "known=2",
        fast: "weighted(features=five, look=2)",
        plain: None,
        moves: 500,
    },
    Timed {
        name: "tetris two pieces, bcts features",
        game: "tetris",
        rules: "known=2",
        fast: "weighted(features=bcts, look=2)",
        plain: None,
        moves: 500,
    },
];

/// All benchmarks of players.
pub(super) fn benches() -> Vec<Bench> {
    let timed = TIMED
        .iter()
        .map(|timed| -> Bench { Box::new(|time| player_speed(timed, time)) });
    let scored = SCORED
        .iter()
        .map(|scored| -> Bench { Box::new(|time| exact_scores(scored, time)) });
    timed
        .chain([Box::new(solved_positions) as Bench])
        .chain(scored)
        .chain([
            Box::new(verdicts_of_two_threads) as Bench,
            Box::new(nodes_of_pruning),
        ])
        .collect()
}

/// Moves per million nodes of alpha-beta and minimax at depth 7; the ratio is how many times fewer nodes alpha-beta visits.
/// Counted, not timed.
fn nodes_of_pruning(_: Duration) -> Comparison {
    const MOVES: u32 = 20;
    let game = Twenty48::new(
        twenty48::Rules::from_options(&Options::default()).expect("the defaults are allowed"),
    );
    let player = |name: &str| {
        let spec = format!("{name}(depth=7, eval=score)").parse();
        let prepared = game.prepare(&spec.expect("the spec is right"));
        prepared.expect("the spec is right").player()
    };
    let (mut minimax, mut alphabeta) = (player("minimax"), player("alphabeta"));
    let (mut dice, mut position) = (Dice::of(1, 0), game.start());
    for _ in 0..MOVES {
        while game.turn(&position) == Turn::Chance {
            dice.draw(&game, &mut position);
        }
        let [chosen, same] = [
            minimax.choose(&game, &position, &mut stream(1, &[])),
            alphabeta.choose(&game, &position, &mut stream(1, &[])),
        ];
        assert_eq!(chosen, same, "both search for the same move");
        game.play_unchecked(&mut position, chosen);
    }
    let moves = |nodes: Option<u64>| f64::from(MOVES) / (nodes.unwrap_or_default() as f64 / 1e6);
    let (fast, plain) = (moves(alphabeta.nodes()), moves(minimax.nodes()));
    Comparison {
        name: "2048 alphabeta vs minimax, depth 7, nodes".to_owned(),
        unit: "moves/Mnode",
        fast,
        plain: Some(plain),
        ratio: Some(fast / plain),
        // Nodes are counted, not timed.
        ratio_ci95: None,
        published: None,
        over_published: None,
    }
}

fn player_speed(timed: &Timed, time: Duration) -> Comparison {
    let options = timed.rules.parse().expect("the rules are options");
    let game = registry::build(timed.game, &options).expect("the rules are allowed");
    let work = |spec: &'static str| {
        let (game, spec): (AnyGame, Spec) =
            (game.clone(), spec.parse().expect("the spec is right"));
        move |number| first_moves(&game, &spec, number, timed.moves)
    };
    let task = Task {
        name: timed.name.to_owned(),
        unit: "moves/s",
        fast: Box::new(work(timed.fast)),
        plain: timed.plain.map(|spec| Box::new(work(spec)) as _),
        batch: 1,
        same_work: true,
        several_threads: false,
    };
    task.compare(time)
}

/// Plays the first moves of a game: how many were made, and the score after them.
fn first_moves(game: &AnyGame, spec: &Spec, number: u64, most: u64) -> (u64, i64) {
    with_game!(game, game => {
        let mut player = game.prepare(spec).expect("the spec is right").player();
        let mut dice = Dice::of(1, number);
        let mut position = game.start();
        let mut moves = 0;
        while moves < most {
            match game.turn(&position) {
                Turn::Over => break,
                Turn::Chance => {
                    dice.draw(game, &mut position);
                }
                Turn::Player(seat) => {
                    let chosen = player.choose(game, &position, dice.seat(seat));
                    game.play_unchecked(&mut position, chosen);
                    moves += 1;
                }
            }
        }
        (moves, game.score(&position))
    })
}

/// With this many stones on the board, plain alpha-beta solves Connect Four in reasonable time.
const STONES: u32 = 26;

fn solved_positions(time: Duration) -> Comparison {
    let rules = Rules::from_options(&Options::default()).expect("the defaults are allowed");
    let game: Connect<u64> = Connect::new(rules);
    let mut solver = Solver::new(rules, Config::default());
    let spec = "alphabeta(depth=42)".parse().expect("the spec is right");
    let mut alphabeta = AlphaBeta::player(&game, &spec).expect("the spec is right");
    let task = Task {
        name: format!("connect solved vs alphabeta, {STONES} stones"),
        unit: "positions/s",
        fast: Box::new(|number| {
            let weak = solver.weak(&position_after(&game, STONES, number), &Budget::default());
            let verdict = weak.expect("there is no limit").verdict;
            (1, verdict as i64 - Verdict::Draw as i64)
        }),
        plain: Some(Box::new(|number| {
            let position = position_after(&game, STONES, number);
            let value = alphabeta.value(&game, &position, 42) as i64;
            (
                1,
                if position.plies().is_multiple_of(2) {
                    value
                } else {
                    -value
                },
            )
        })),
        batch: 1,
        same_work: true,
        several_threads: false,
    };
    task.compare(time)
}

/// Beginnings of Connect Four whose exact scores are found.
#[derive(Debug, Clone, Copy)]
struct Scored {
    name: &'static str,
    stones: u32,
    positions: u64,
    /// How many of the same positions Pascal Pons' solver (github.com/PascalPons/connect4, built with -O3 -march=native) solves in a second of
    /// processor time, without a book, its table cleared before every position, which is not timed. Measured beside this one in turns: it took
    /// 0.24 of that time for the positions of 12 stones, 0.29 for those of 9.
    pons: f64,
}

const SCORED: &[Scored] = &[
    Scored {
        name: "connect exact scores, 12 stones",
        stones: 12,
        positions: 10,
        pons: 19.4,
    },
    Scored {
        name: "connect exact scores, 9 stones",
        stones: 9,
        positions: 5,
        pons: 2.98,
    },
];

fn exact_scores(scored: &Scored, time: Duration) -> Comparison {
    let rules = Rules::from_options(&Options::default()).expect("the defaults are allowed");
    let game: Connect<u64> = Connect::new(rules);
    let mut solver = Solver::new(rules, Config::default());
    let positions: Vec<_> = (0..scored.positions)
        .map(|number| without_quick_win(&game, &mut solver, scored.stones, number))
        .collect();
    let task = Task {
        name: scored.name.to_owned(),
        unit: "positions/s",
        fast: Box::new(|_| {
            let scores = positions.iter().map(|position| {
                let solved = solver.solve(position, &Budget::default());
                i64::from(solved.expect("there is no limit").score)
            });
            (scored.positions, scores.sum())
        }),
        plain: None,
        batch: 1,
        same_work: true,
        several_threads: false,
    };
    let comparison = task.compare(time);
    Comparison {
        published: Some(scored.pons),
        over_published: Some(comparison.fast / scored.pons),
        ..comparison
    }
}

/// A position of a random game in which the next stone does not win.
fn without_quick_win(
    game: &Connect<u64>,
    solver: &mut Solver,
    stones: u32,
    number: u64,
) -> <Connect<u64> as Game>::Position {
    let nothing = Budget {
        nodes: Some(0),
        ..Budget::default()
    };
    (0..)
        .map(|attempt| position_after(game, stones, number + (attempt << 32)))
        .find(|position| solver.solve(position, &nothing).is_err())
        .expect("some position is not solved at once")
}

/// Threads with which helpers are compared with one solver alone.
const THREADS: usize = 2;
/// With so many stones, a verdict takes long enough for others to help.
const FEW_STONES: u32 = 6;

/// Verdicts found by two threads that share what they find, and by one: the speed-up of a second core.
fn verdicts_of_two_threads(time: Duration) -> Comparison {
    let rules = Rules::from_options(&Options::default()).expect("the defaults are allowed");
    let game: Connect<u64> = Connect::new(rules);
    let any = AnyGame::Connect(game.clone());
    let work = |threads: usize| -> Work<'_> {
        let mut solver = AnySolver::new(&any, Config::default()).expect("it is Connect-N");
        let game = &game;
        Box::new(move |number| {
            let position = position_after(game, FEW_STONES, number);
            let board = solver.parse(&position.to_string()).expect("a position");
            let helpers = Helpers::new(threads, Config::default().table);
            let solution = solve_with(
                &helpers,
                &mut solver,
                &board,
                Question::Verdict,
                &Budget::default(),
                &mut |_| {},
            );
            let value = solution.value.expect("there is no limit");
            (1, i64::from(value.as_bytes()[0]))
        })
    };
    let task = Task {
        name: format!("connect verdicts, two threads vs one, {FEW_STONES} stones"),
        unit: "positions/s",
        fast: work(THREADS),
        plain: Some(work(1)),
        batch: 1,
        same_work: true,
        several_threads: true,
    };
    task.compare(time)
}

/// A position of a random game that is not over, with so many stones.
fn position_after(
    game: &Connect<u64>,
    stones: u32,
    number: u64,
) -> <Connect<u64> as Game>::Position {
    for attempt in 0.. {
        let mut rng = stream(1, &[number, attempt]);
        let mut position = game.start();
        while position.plies() < stones && game.turn(&position) != Turn::Over {
            let chosen = game.random_move(&position, &mut rng);
            game.play_unchecked(&mut position, chosen);
        }
        if game.turn(&position) != Turn::Over {
            return position;
        }
    }
    unreachable!("some game lasts that long")
}
