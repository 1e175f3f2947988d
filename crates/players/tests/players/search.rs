//! Pruned searches against plain ones, on random positions of every game.

use games::{AnyGame, Game, Stream, Turn, registry as all_games, stream, with_game};
use players::any::{AlphaBeta, Minimax, Negamax};
use players::tree::Search;
use players::{Player, Spec};

/// Positions of random games in which a player is to move.
fn positions<G: Game>(game: &G, count: usize, seed: u64) -> Vec<G::Position> {
    let mut found = Vec::new();
    for number in 0.. {
        let mut rng: Stream = stream(seed, &[number]);
        let mut position = game.start();
        loop {
            match game.turn(&position) {
                Turn::Over => break,
                Turn::Chance => {
                    game.draw(&mut position, &mut rng);
                }
                Turn::Player(_) => {
                    found.push(position.clone());
                    if found.len() == count {
                        return found;
                    }
                    let chosen = game.random_move(&position, &mut rng);
                    game.play_unchecked(&mut position, chosen);
                }
            }
        }
    }
    found
}

fn game(name: &str, rules: &str) -> AnyGame {
    all_games::build(name, &rules.parse().expect("options")).expect("allowed rules")
}

/// Alpha-beta and negamax have minimax's value; alpha-beta its move, too.
fn check(any: &AnyGame, spec: &str, count: usize) {
    let spec: Spec = spec.parse().expect("a spec");
    with_game!(any, game => compare(game, &spec, count));
}

fn compare<G: Game>(game: &G, spec: &Spec, count: usize) {
    let mut minimax = Minimax::player(game, spec).expect("a player");
    let mut alphabeta = AlphaBeta::player(game, spec).expect("a player");
    let mut negamax = Negamax::player(game, spec).expect("a player");
    let depth: u32 = spec.get("depth").expect("given").parse().expect("a number");
    let mut rng = stream(1, &[]);
    for position in positions(game, count, 12) {
        let value = minimax.value(game, &position, depth);
        assert_eq!(
            alphabeta.value(game, &position, depth),
            value,
            "{spec}: {position}"
        );
        assert_eq!(
            negamax.value(game, &position, depth),
            value,
            "{spec}: {position}"
        );
        let chosen = minimax.choose(game, &position, &mut rng);
        assert_eq!(
            alphabeta.choose(game, &position, &mut rng),
            chosen,
            "{spec}: {position}"
        );
    }
    assert!(alphabeta.nodes() <= minimax.nodes());
}

#[test]
fn pruning_changes_neither_value_nor_move_in_any_game() {
    for family in all_games::FAMILIES {
        for rules in family.examples.iter().take(4) {
            check(&game(family.name, rules), "x(depth=2, eval=score)", 40);
        }
    }
}

#[test]
fn pruning_changes_neither_value_nor_move() {
    check(&game("2048", ""), "x(depth=3, eval=score)", 1500);
    check(&game("2048", ""), "x(depth=4, eval=empty)", 300);
    check(&game("2048", ""), "x(depth=3, eval=corner)", 500);
    check(
        &game("2048", "rules=fer size=3x3"),
        "x(depth=3, eval=score)",
        500,
    );
    check(&game("2048", "size=3x5"), "x(depth=3, eval=snake)", 300);
    check(&game("connect", ""), "x(depth=4, eval=lines)", 2000);
    check(
        &game("connect", "rows=4 cols=4 connect=3"),
        "x(depth=6, eval=score)",
        300,
    );
    check(
        &game("connect", "rows=9 cols=10 connect=5"),
        "x(depth=2, eval=lines)",
        300,
    );
    check(
        &game("tetris", "board=5x8 known=1"),
        "x(depth=3, eval=score)",
        100,
    );
    check(
        &game("tetris", "board=4x7 known=2"),
        "x(depth=2, eval=score)",
        2000,
    );
}

#[test]
fn alphabeta_looks_at_a_tenth_of_the_positions_at_depth_seven() {
    let spec: Spec = "x(depth=7)".parse().expect("a spec");
    let any = game("2048", "");
    with_game!(&any, game => {
        let mut minimax = Minimax::player(game, &spec).expect("a player");
        let mut alphabeta = AlphaBeta::player(game, &spec).expect("a player");
        let mut rng = stream(1, &[]);
        for position in positions(game, 240, 3).iter().step_by(30) {
            let chosen = minimax.choose(game, position, &mut rng);
            assert_eq!(alphabeta.choose(game, position, &mut rng), chosen);
        }
        let [minimax, alphabeta] = [minimax.nodes(), alphabeta.nodes()].map(Option::unwrap_or_default);
        assert!(minimax >= 10 * alphabeta, "{minimax} {alphabeta}");
    });
}

/// Connect on a small board searched to its end: minimax knows the value of the game.
#[test]
fn minimax_to_the_end_knows_the_value_of_a_small_board() {
    for (rules, value) in [
        ("rows=3 cols=3 connect=3", 0.0),
        ("rows=1 cols=3 connect=2", 1.0),
    ] {
        let any = game("connect", rules);
        let spec: Spec = "x(depth=20)".parse().expect("a spec");
        with_game!(&any, game => {
            let mut alphabeta = AlphaBeta::player(game, &spec).expect("a player");
            assert_eq!(alphabeta.value(game, &game.start(), 20), value, "{rules}");
        });
    }
}

/// Deepening until the caller says stop, which it never does: the result is that of the full depth.
fn check_limited<G: Game>(
    game: &G,
    spec: &Spec,
    mut limited: impl Player<G>,
    mut free: impl Player<G>,
) {
    limited.limit(std::sync::Arc::new(|| false));
    let mut rng = stream(1, &[]);
    for position in positions(game, 40, 7) {
        let both = [&mut limited as &mut dyn Player<G>, &mut free].map(|player| {
            (
                player.choose(game, &position, &mut rng),
                player.judge(game, &position, &mut rng),
            )
        });
        assert!(both[0] == both[1], "{spec}: {position}");
    }
}

#[test]
fn a_limit_that_is_not_reached_changes_nothing() {
    for family in all_games::FAMILIES {
        let spec: Spec = "x(depth=3)".parse().expect("a spec");
        with_game!(&game(family.name, ""), game => {
            check_limited(game, &spec, Minimax::player(game, &spec).expect("a player"), Minimax::player(game, &spec).expect("a player"));
            check_limited(game, &spec, AlphaBeta::player(game, &spec).expect("a player"), AlphaBeta::player(game, &spec).expect("a player"));
            check_limited(game, &spec, Negamax::player(game, &spec).expect("a player"), Negamax::player(game, &spec).expect("a player"));
        });
    }
}

#[test]
fn a_search_that_is_stopped_goes_by_its_last_complete_depth() {
    let spec = |depth: u32| -> Spec { format!("x(depth={depth})").parse().expect("a spec") };
    with_game!(&game("connect", ""), game => {
        let mut rng = stream(1, &[]);
        for position in positions(game, 40, 3) {
            let mut stopped = Minimax::player(game, &spec(100)).expect("a player");
            stopped.limit(std::sync::Arc::new(|| true));
            let chosen = stopped.choose(game, &position, &mut rng);
            assert!(stopped.nodes() < Some(3_000), "{:?}", stopped.nodes());
            // Some plies are done before anybody is asked.
            let mut to = |depth| Minimax::player(game, &spec(depth)).expect("a player").choose(game, &position, &mut rng);
            assert!((1..=6).any(|depth| to(depth) == chosen), "{position}");
        }
    });
}
