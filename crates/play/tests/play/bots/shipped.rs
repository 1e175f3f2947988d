//! The bots that come with Gamete play whole games.

use fixtures::scripts::has_python;

use super::{play, shipped};

#[test]
fn random_2048_plays_the_same_games_on_any_number_of_threads() {
    if !has_python("random_2048_plays_the_same_games_on_any_number_of_threads") {
        return;
    }
    let bot = || vec![shipped("random_2048.py")];
    let games = |threads| {
        let (_, records) = play("2048", "", bot(), 4, threads).unwrap();
        assert!(records.iter().all(|record| record.forfeit.is_none()));
        let kept = records
            .into_iter()
            .map(|record| (record.score, record.moves, record.facts));
        kept.collect::<Vec<_>>()
    };
    let one = games(1);
    assert_eq!(one, games(2));
    assert_ne!(one[0], one[1]);
}

#[test]
fn greedy_tetris_survives() {
    if !has_python("greedy_tetris_survives") {
        return;
    }
    for rules in ["limit=60", "board=10x10 generator=bag known=3 limit=40"] {
        let (_, records) = play("tetris", rules, vec![shipped("greedy_tetris.py")], 1, 1).unwrap();
        assert_eq!(records[0].forfeit, None);
        assert!(
            records[0].moves >= 40,
            "{rules}: {} moves",
            records[0].moves
        );
    }
}

#[test]
fn greedy_tetris_says_which_boards_it_does_not_know() {
    if !has_python("greedy_tetris_says_which_boards_it_does_not_know") {
        return;
    }
    let (_, records) = play(
        "tetris",
        "board=8x8",
        vec![shipped("greedy_tetris.py")],
        1,
        1,
    )
    .unwrap();
    let (_, reason) = records[0].forfeit.clone().unwrap();
    assert!(reason.contains("unsupported_rules"), "{reason}");
}

#[test]
fn connect_beats_a_random_player() {
    if !has_python("connect_beats_a_random_player") {
        return;
    }
    let specs = vec![shipped("connect.py"), "random".parse().unwrap()];
    let (_, records) = play("connect", "", specs, 6, 2).unwrap();
    assert!(records.iter().all(|record| record.forfeit.is_none()));
    let won = records.iter().filter(|record| record.score == 1).count();
    // It wins 97 of 100; fewer than 4 of 6 would be a wrong bot, and the seed is fixed.
    assert!(won >= 4, "won {won} of 6");
    let error = play("2048", "", vec![shipped("connect.py")], 1, 1).unwrap_err();
    assert!(error.to_string().contains("unsupported_rules"), "{error}");
}
