//! Budgets, repeatability, and positions at the edge.

use std::cell::Cell;

use games::connect::{Column, Connect};
use games::{Game, stream};
use players::Player;
use players::solver::{Budget, Config, Effort, MoveScore, Order, Perfect, Solver};

use super::{after, classic, rules, solve, solver};

/// A position of tens of thousands of nodes, and one of some hundred.
const MIDDLE: &str = "677151343715412423";
const LATE: &str = "632566535552315233";

#[test]
fn an_answer_does_not_depend_on_earlier_ones() {
    let mut solver = solver(classic());
    let fresh = solve(classic(), MIDDLE);
    for other in ["121212", "4453", MIDDLE, "44444412", MIDDLE] {
        let budget = Budget {
            nodes: Some(200_000),
            ..Budget::default()
        };
        let _ = solver.solve(&after(classic(), other), &budget);
        let again = solver.solve(&after(classic(), MIDDLE), &Budget::default());
        assert_eq!(again, Ok(fresh), "after {other}");
    }
}

#[test]
fn many_answers_do_not_wear_the_table_out() {
    let mut solver = solver(classic());
    let first = solver.solve(&after(classic(), LATE), &Budget::default());
    for _ in 0..600 {
        let again = solver.solve(&after(classic(), LATE), &Budget::default());
        assert_eq!(again, first);
    }
}

#[test]
fn the_size_of_the_table_changes_no_score() {
    let expected = solve(classic(), MIDDLE);
    for table in [0, 10, 14, 20, 24] {
        for remember in [false, true] {
            let config = Config {
                table,
                remember,
                ..Config::default()
            };
            let mut solver = Solver::new(classic(), config);
            for _ in 0..2 {
                let solved = solver.solve(&after(classic(), MIDDLE), &Budget::default());
                assert_eq!(solved.expect("no limit").score, expected.score);
            }
        }
    }
}

#[test]
fn a_limit_of_nodes_is_kept() {
    let truth = solve(classic(), MIDDLE);
    for nodes in [0, 1, 10, 1000, truth.nodes - 1] {
        let budget = Budget {
            nodes: Some(nodes),
            ..Budget::default()
        };
        let unproved = solver(classic())
            .solve(&after(classic(), MIDDLE), &budget)
            .expect_err("too few nodes");
        assert!(unproved.nodes <= nodes);
        assert!((unproved.lower..=unproved.upper).contains(&truth.score));
        assert!(unproved.lower < unproved.upper);
    }
    let budget = Budget {
        nodes: Some(truth.nodes),
        ..Budget::default()
    };
    let solved = solver(classic()).solve(&after(classic(), MIDDLE), &budget);
    assert_eq!(solved, Ok(truth));
}

#[test]
fn the_caller_can_stop_it() {
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() == 3
    };
    let budget = Budget {
        stop: Some(&stop),
        ..Budget::default()
    };
    let unproved = solver(classic())
        .solve(&Connect::<u64>::new(classic()).start(), &budget)
        .expect_err("stopped");
    assert_eq!(asked.get(), 3);
    assert!(unproved.nodes < 20_000);
}

#[test]
fn a_limited_player_sees_what_is_near_on_a_large_board() {
    let rules = rules(9, 12, 4, 54);
    let game = Connect::<u128>::new(rules);
    let mut player = Perfect::new(Effort {
        nodes: Some(20_000),
        table: 18,
        ..Effort::default()
    });
    let mut choose = |moves: &str| {
        let position = game.position_after(moves).expect("legal moves");
        player.choose(&game, &position, &mut stream(0, &[]))
    };
    // Complete three in a column, stop three in a column, and stop two in the open.
    assert_eq!(choose("5 8 5 8 5 8"), Column(4));
    assert_eq!(choose("5 8 5 8 5"), Column(4));
    assert!([4, 7].map(Column).contains(&choose("6 6 7")));
}

#[test]
fn nothing_is_left_to_choose_when_the_game_is_over() {
    for (rules, moves) in [
        (classic(), "1212121"),
        (rules(2, 2, 2, 1), "12"),
        (rules(1, 3, 3, 2), "123"),
    ] {
        let position = after(rules, moves);
        let mut solver = solver(rules);
        assert!(
            solver
                .judge_moves(
                    &position,
                    Order::ScoreByScore,
                    &Budget::default(),
                    &mut |_, _| {}
                )
                .moves
                .is_empty()
        );
        assert_eq!(solver.best_move(&position, &Budget::default()), None);
    }
}

#[test]
fn equals_are_chosen_from_the_centre_outwards() {
    // No line of three can be made with one stone each: all moves are equal.
    for (cols, centre) in [(3, 1), (4, 1), (5, 2), (6, 2)] {
        let rules = rules(3, cols, 3, 1);
        let best = solver(rules).best_move(&after(rules, ""), &Budget::default());
        assert_eq!(best.map(|best| best.column), Some(Column(centre)));
    }
}

#[test]
fn what_is_told_only_becomes_narrower_and_ends_with_the_scores() {
    let orders = [Order::ScoreByScore, Order::VerdictsFirst];
    let positions = ["44444433333352", MIDDLE, LATE];
    for (moves, order) in positions
        .into_iter()
        .flat_map(|moves| orders.map(|order| (moves, order)))
    {
        let position = after(classic(), moves);
        let mut told: Vec<Vec<MoveScore>> = Vec::new();
        solver(classic()).judge_moves(&position, order, &Budget::default(), &mut |known, _| {
            told.push(known.to_vec());
        });
        for pair in told.windows(2) {
            for (before, after) in pair[0].iter().zip(&pair[1]) {
                assert_eq!(before.column, after.column);
                assert!(before.lower <= after.lower && after.upper <= before.upper);
            }
        }
        let mut last = told.pop().expect("something is told");
        last.sort_by_key(|known| known.column);
        let judged = solver(classic()).judge_moves(
            &position,
            Order::ScoreByScore,
            &Budget::default(),
            &mut |_, _| {},
        );
        assert_eq!(last, judged.moves, "{moves}");
    }
}

#[test]
fn the_player_judges_moves_as_the_solver_does() {
    let game = Connect::<u64>::new(classic());
    let position = after(classic(), "44444433333352");
    let judged = Perfect::default().judge(&game, &position, &mut stream(0, &[]));
    let scores = solver(classic()).judge_moves(
        &position,
        Order::ScoreByScore,
        &Budget::default(),
        &mut |_, _| {},
    );
    let expected: Vec<(Column, f64)> = scores
        .moves
        .iter()
        .map(|known| (known.column, f64::from(known.score().expect("no limit"))))
        .collect();
    assert_eq!(judged, expected);
    assert_eq!(judged.len(), game_moves(&game, &position));
}

fn game_moves(game: &Connect<u64>, position: &<Connect<u64> as Game>::Position) -> usize {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves.len()
}
