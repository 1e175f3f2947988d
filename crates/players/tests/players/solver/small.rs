//! All positions of small boards, and the last moves of large ones, against the plain solver.

use games::connect::{Bits, Column, Connect, Rules};
use games::{Game, Turn, stream};
use players::solver::{Budget, Order, Verdict};

use super::plain::Plain;
use super::{rules, solver};

/// Every answer to every position of a board.
fn check_all_positions(rules: Rules) {
    let mut plain = Plain::<u64>::new(rules);
    plain.end(&plain.game.start());
    let mut all: Vec<_> = plain.ends.values().map(|&(position, _)| position).collect();
    all.sort_by_key(|position| plain.game.key(position));
    for position in all {
        check_position(&mut plain, &position);
    }
}

fn check_position<B: Bits>(plain: &mut Plain<B>, position: &<Connect<B> as Game>::Position) {
    let rules = plain.game.rules();
    let (score, end) = (plain.score(position), plain.end(position));
    let place = format!("{rules:?} {position}");
    let mut solver = solver(rules);
    let solved = solver
        .solve(position, &Budget::default())
        .expect("no limit");
    assert_eq!(
        (solved.score, solved.moves),
        (score, end.moves()),
        "{place}"
    );
    let weak = solver.weak(position, &Budget::default()).expect("no limit");
    assert_eq!(weak.verdict, Verdict::of(score), "{place}");
    let judged: Vec<(Column, Option<i32>)> = solver
        .judge_moves(
            position,
            Order::ScoreByScore,
            &Budget::default(),
            &mut |_, _| {},
        )
        .moves
        .iter()
        .map(|judged| (judged.column, judged.score()))
        .collect();
    let scores = scores(plain, position);
    assert_eq!(judged, scores, "{place}");
    let best = solver.best_move(position, &Budget::default());
    let chosen = best.map(|best| (best.column, best.score));
    assert!(chosen.map_or(scores.is_empty(), |best| scores.contains(&best)));
    assert!(
        chosen.is_none_or(|(_, kept)| kept == Some(score)),
        "{place}"
    );
}

/// The score of each move by the plain solver, by column.
fn scores<B: Bits>(
    plain: &mut Plain<B>,
    position: &<Connect<B> as Game>::Position,
) -> Vec<(Column, Option<i32>)> {
    let mut moves = Vec::new();
    plain.game.moves(position, &mut moves);
    let score = |column| {
        let mut after = *position;
        plain.game.play_unchecked(&mut after, column);
        (column, Some(-plain.score(&after)))
    };
    moves.into_iter().map(score).collect()
}

#[test]
fn every_position_of_boards_up_to_3x4() {
    for (rows, cols) in [
        (1_u8, 7_u8),
        (2, 2),
        (2, 3),
        (3, 2),
        (2, 4),
        (4, 2),
        (3, 3),
        (7, 1),
        (3, 4),
        (4, 3),
    ] {
        for connect in 2..=rows.max(cols) {
            let full = (rows * cols).div_ceil(2);
            for pieces in [full, full - 1, full / 2, 1] {
                check_all_positions(rules(rows, cols, connect, pieces.max(1)));
            }
        }
    }
}

#[test]
fn every_position_of_some_boards_of_4x4_and_2x7() {
    for (connect, pieces) in [(3, 8), (4, 5), (3, 5)] {
        check_all_positions(rules(4, 4, connect, pieces));
    }
    check_all_positions(rules(2, 7, 3, 5));
}

#[test]
#[ignore = "takes half a minute"]
fn every_position_of_larger_boards() {
    for (rows, cols, connect, pieces) in [(4, 4, 4, 8), (5, 3, 3, 8), (3, 5, 3, 8), (2, 8, 4, 8)] {
        check_all_positions(rules(rows, cols, connect, pieces));
    }
}

/// Random games on boards of any layout, up to a few moves before their end.
fn check_last_moves<B: Bits>(rules: Rules, left: u32, games: u64) {
    let mut checked = 0;
    for seed in 0..1000 * games {
        let mut plain = Plain::<B>::new(rules);
        let mut position = plain.game.start();
        let mut rng = stream(seed, &[]);
        while plain.game.turn(&position) != Turn::Over
            && rules.longest_game() - position.plies() > left
        {
            let chosen = plain.game.random_move(&position, &mut rng);
            plain.game.play_unchecked(&mut position, chosen);
        }
        if plain.game.turn(&position) != Turn::Over {
            check_position(&mut plain, &position);
            checked += 1;
        }
        if checked == games {
            return;
        }
    }
    panic!("{rules:?}: only {checked} random games came so far");
}

#[test]
fn last_moves_of_large_boards() {
    check_last_moves::<u64>(rules(6, 7, 4, 21), 9, 20);
    check_last_moves::<u64>(rules(6, 9, 4, 12), 4, 20);
    check_last_moves::<u64>(rules(5, 10, 5, 25), 8, 20);
    check_last_moves::<u64>(rules(7, 8, 5, 28), 8, 20);
    check_last_moves::<u64>(rules(8, 8, 5, 32), 8, 20);
    check_last_moves::<u64>(rules(1, 64, 4, 4), 2, 20);
    check_last_moves::<u64>(rules(63, 1, 4, 32), 9, 20);
    check_last_moves::<u64>(rules(20, 3, 4, 16), 6, 20);
    check_last_moves::<u128>(rules(9, 10, 5, 30), 4, 20);
    check_last_moves::<u128>(rules(2, 64, 7, 64), 8, 20);
    check_last_moves::<u128>(rules(16, 8, 6, 64), 8, 20);
    check_last_moves::<u128>(rules(128, 1, 8, 64), 9, 20);
    check_last_moves::<u128>(rules(1, 128, 8, 64), 5, 20);
}
