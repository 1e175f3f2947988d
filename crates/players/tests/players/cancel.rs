//! Searches that nobody needs any more.

use std::sync::atomic::Ordering;

use games::{AnyGame, Game, Turn, registry, stream, with_game};
use players::{Cancelled, Playable, Player, Spec};

/// Each of these would think for hours about the first move.
const ENDLESS: [(&str, &str, &str); 11] = [
    ("connect", "", "minimax(depth=60)"),
    ("connect", "", "alphabeta(depth=60)"),
    ("connect", "", "negamax(depth=60)"),
    ("connect", "", "mcts(iterations=100000000)"),
    ("connect", "", "mcts(iterations=100000000, kind=flat)"),
    ("connect", "rows=9 cols=9 connect=4", "perfect"),
    ("2048", "", "minimax(depth=60)"),
    ("2048", "", "expectimax(depth=12, cutoff=0)"),
    ("2048", "", "astar(depth=60, nodes=100000000)"),
    ("2048", "", "ida-star(depth=60, nodes=100000000)"),
    ("2048", "", "hill-climbing(depth=1000, restarts=100000)"),
];

fn game(name: &str, rules: &str) -> AnyGame {
    registry::build(name, &rules.parse().expect("options")).expect("allowed rules")
}

fn player<G: Playable>(game: &G, spec: &str) -> Box<dyn Player<G>> {
    let spec: Spec = spec.parse().expect("a spec");
    game.prepare(&spec).expect("a player").player()
}

/// The first position in which a player is to move.
fn first<G: Game>(game: &G) -> G::Position {
    let (mut position, mut rng) = (game.start(), stream(1, &[]));
    while game.turn(&position) == Turn::Chance {
        game.draw(&mut position, &mut rng);
    }
    position
}

/// If one went on, this would not end.
#[test]
fn a_cancelled_search_returns() {
    let cancelled = Cancelled::default();
    cancelled.store(true, Ordering::Relaxed);
    for (name, rules, spec) in ENDLESS {
        with_game!(&game(name, rules), game => {
            let mut player = player(game, spec);
            player.cancel_when(&cancelled);
            let position = first(game);
            player.choose(game, &position, &mut stream(1, &[]));
            player.judge(game, &position, &mut stream(1, &[]));
        });
    }
}

/// The moves of a game, with a flag that is never set or without one.
fn moves<G: Playable>(game: &G, spec: &str, with_flag: bool) -> Vec<String> {
    let mut player = player(game, spec);
    if with_flag {
        player.cancel_when(&Cancelled::default());
    }
    let (mut position, mut rng) = (game.start(), stream(3, &[]));
    let mut moves = Vec::new();
    while moves.len() < 30 {
        match game.turn(&position) {
            Turn::Over => break,
            Turn::Chance => {
                game.draw(&mut position, &mut rng);
            }
            Turn::Player(_) => {
                let chosen = player.choose(game, &position, &mut rng);
                moves.push(chosen.to_string());
                game.play_unchecked(&mut position, chosen);
            }
        }
    }
    moves
}

#[test]
fn a_search_that_could_be_cancelled_plays_as_one_that_could_not() {
    for (name, spec) in [
        ("connect", "minimax(depth=5)"),
        ("connect", "alphabeta(depth=6)"),
        ("connect", "negamax(depth=6)"),
        ("connect", "mcts(iterations=500)"),
        ("connect", "perfect(nodes=20000)"),
        ("2048", "expectimax(depth=2)"),
        ("2048", "astar"),
        ("2048", "hill-climbing"),
    ] {
        with_game!(&game(name, ""), game => {
            assert_eq!(moves(game, spec, true), moves(game, spec, false), "{name} {spec}");
        });
    }
}
