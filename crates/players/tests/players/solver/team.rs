//! Solvers that share what they find, each on a thread of its own: all prove what one alone proves.

use std::sync::Arc;

use games::connect::{Connect, Position, Rules};
use games::{Game, below, stream};
use players::solver::{Budget, Config, MoveScore, Order, Solver, Team};

use super::values::published;
use super::{after, classic, rules, solver};

/// Members of a team in these tests.
const MEMBERS: usize = 3;

/// What each member answers when all are asked at the same time, with a small common table in which slots are fought for.
fn by_team<T: Send>(rules: Rules, ask: impl Fn(&mut Solver) -> T + Sync) -> Vec<T> {
    let team = Arc::new(Team::new(12));
    std::thread::scope(|scope| {
        let member = || {
            let mut solver = Solver::new(rules, Config::default());
            assert!(solver.join(&team));
            ask(&mut solver)
        };
        let members: Vec<_> = (0..MEMBERS).map(|_| scope.spawn(member)).collect();
        let answers = members.into_iter().map(std::thread::ScopedJoinHandle::join);
        answers.map(|answer| answer.expect("no panic")).collect()
    })
}

fn check_published(name: &str, every: usize) {
    let positions: Vec<_> = published(name).into_iter().step_by(every).collect();
    let scores: Vec<i32> = positions.iter().map(|&(_, score)| score).collect();
    let solved = by_team(classic(), |solver| {
        let solve = |(moves, _): &(String, i32)| {
            let solved = solver.solve(&after(classic(), moves), &Budget::default());
            solved.expect("no limit").score
        };
        positions.iter().map(solve).collect::<Vec<i32>>()
    });
    assert_eq!(solved, vec![scores; MEMBERS], "{name}");
}

#[test]
fn a_team_finds_the_published_scores() {
    check_published("Test_L3_R1", 1);
    check_published("Test_L2_R1", 2);
    check_published("Test_L1_R1", 5);
}

/// A position after some random moves, in which the game goes on.
fn random_position(rules: Rules, plies: u32, number: u64) -> Option<Position<u64>> {
    let game = Connect::<u64>::new(rules);
    let (mut position, mut moves) = (game.start(), Vec::new());
    let mut rng = stream(20, &[number]);
    for _ in 0..plies {
        moves.clear();
        game.moves(&position, &mut moves);
        let chosen = moves.get(below(&mut rng, moves.len().max(1) as u32) as usize)?;
        game.play_unchecked(&mut position, *chosen);
        if game.winner(&position).is_some() {
            return None;
        }
    }
    Some(position)
}

fn judged(solver: &mut Solver, position: &Position<u64>) -> Vec<MoveScore> {
    let order = Order::VerdictsFirst;
    let judged = solver.judge_moves(position, order, &Budget::default(), &mut |_, _| {});
    judged.moves
}

#[test]
fn a_team_judges_moves_of_other_boards_as_one_solver_does() {
    for (board, plies) in [
        (rules(5, 6, 4, 15), 8),
        (rules(6, 6, 3, 18), 1),
        (rules(5, 5, 5, 13), 8),
        (rules(4, 9, 4, 18), 12),
        (rules(7, 6, 4, 10), 10),
    ] {
        let positions: Vec<_> = (0..4)
            .filter_map(|number| random_position(board, plies, number))
            .collect();
        assert!(!positions.is_empty());
        let mut alone = solver(board);
        let expected: Vec<_> = positions.iter().map(|p| judged(&mut alone, p)).collect();
        let found = by_team(board, |solver| {
            let all = positions.iter().map(|position| judged(solver, position));
            all.collect::<Vec<_>>()
        });
        assert_eq!(found, vec![expected; MEMBERS], "{board:?}");
    }
}

#[test]
fn a_board_of_two_words_cannot_be_shared() {
    let large = rules(9, 9, 4, 41);
    let mut solver = solver(large);
    assert!(!solver.join(&Arc::new(Team::new(12))));
}
