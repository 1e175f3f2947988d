//! What every game must fulfil, whatever its rules.

use games::{
    Dice, Game, Options, Sketch, Stream, Turn, playout_step_by_step, registry, stream, with_game,
    with_twins,
};

use crate::all_games;

/// Plays `games` random games and hands every position to `check`.
fn each_position<G: Game>(game: &G, games: u64, mut check: impl FnMut(&G::Position)) {
    for number in 0..games {
        let mut rng = stream(7, &[number]);
        let mut position = game.start();
        check(&position);
        while step(game, &mut position, &mut rng) {
            check(&position);
        }
    }
}

fn step<G: Game>(game: &G, position: &mut G::Position, rng: &mut Stream) -> bool {
    match game.turn(position) {
        Turn::Over => return false,
        Turn::Chance => {
            game.draw(position, rng);
        }
        Turn::Player(_) => {
            let chosen = game.random_move(position, rng);
            game.play(position, chosen).expect("a random move is legal");
        }
    }
    true
}

#[test]
fn a_turn_says_what_there_is_to_choose() {
    fn check<G: Game>(name: &str, game: &G) {
        let (mut moves, mut chances) = (Vec::new(), Vec::new());
        each_position(game, 3, |position| {
            game.moves(position, &mut moves);
            game.chances(position, &mut chances);
            let expected = match game.turn(position) {
                Turn::Player(seat) => {
                    assert!(seat < game.seats(), "{name}: seat {seat}");
                    (true, false)
                }
                Turn::Chance => (false, true),
                Turn::Over => (false, false),
            };
            assert_eq!(
                (!moves.is_empty(), !chances.is_empty()),
                expected,
                "{name}: {position}"
            );
        });
    }
    all_games().for_each(|(name, any)| with_game!(&any, game => check(&name, game)));
}

#[test]
fn moves_are_different_and_in_a_fixed_order() {
    fn check<G: Game>(name: &str, game: &G) {
        let (mut moves, mut again) = (Vec::new(), Vec::new());
        each_position(game, 2, |position| {
            game.moves(position, &mut moves);
            game.moves(position, &mut again);
            assert_eq!(moves, again, "{name}: {position}");
            assert!(moves.is_sorted_by(|a, b| a < b), "{name}: {moves:?}");
            game.moves_to_search(position, &mut again);
            again.sort();
            assert_eq!(moves, again, "{name}: {position}");
        });
    }
    all_games().for_each(|(name, any)| with_game!(&any, game => check(&name, game)));
}

#[test]
fn probabilities_of_chance_sum_to_one() {
    fn check<G: Game>(name: &str, game: &G) {
        let mut chances = Vec::new();
        each_position(game, 2, |position| {
            game.chances(position, &mut chances);
            let sum: f64 = chances.iter().map(|(_, probability)| probability).sum();
            assert!(
                chances.is_empty() || (sum - 1.0).abs() < 1e-9,
                "{name}: {sum} in {position}"
            );
            assert!(
                chances.iter().all(|&(_, probability)| probability > 0.0),
                "{name}: {position}"
            );
        });
    }
    all_games().for_each(|(name, any)| with_game!(&any, game => check(&name, game)));
}

#[test]
fn what_is_drawn_is_one_of_the_chances_and_does_the_same() {
    fn check<G: Game>(name: &str, game: &G) {
        let mut chances = Vec::new();
        let mut rng = stream(3, &[]);
        each_position(game, 2, |position| {
            if game.turn(position) == Turn::Chance {
                game.chances(position, &mut chances);
                let (mut drawn, mut happened) = (position.clone(), position.clone());
                let chance = game.draw(&mut drawn, &mut rng);
                assert!(
                    chances.iter().any(|&(known, _)| known == chance),
                    "{name}: {chance}"
                );
                game.happen(&mut happened, chance);
                assert_eq!(drawn, happened, "{name}: {chance} in {position}");
            }
        });
    }
    all_games().for_each(|(name, any)| with_game!(&any, game => check(&name, game)));
}

#[test]
fn every_position_move_and_chance_has_a_text_that_parses_back() {
    fn check<G: Game>(name: &str, game: &G) {
        let (mut moves, mut chances) = (Vec::new(), Vec::new());
        each_position(game, 2, |position| {
            assert_eq!(
                position.to_string().parse().as_ref(),
                Ok(position),
                "{name}"
            );
            game.moves(position, &mut moves);
            game.chances(position, &mut chances);
            moves
                .iter()
                .for_each(|m| assert_eq!(m.to_string().parse().as_ref(), Ok(m), "{name}"));
            for (chance, _) in &chances {
                assert_eq!(chance.to_string().parse().as_ref(), Ok(chance), "{name}");
            }
        });
    }
    all_games().for_each(|(name, any)| with_game!(&any, game => check(&name, game)));
}

#[test]
fn every_position_that_is_reached_passes_the_check() {
    fn check<G: Game>(name: &str, game: &G) {
        each_position(game, 20, |position| {
            assert_eq!(game.check(position), Ok(()), "{name}: {position}");
        });
    }
    all_games().for_each(|(name, any)| with_game!(&any, game => check(&name, game)));
}

#[test]
fn an_illegal_move_is_refused_and_changes_nothing() {
    fn check<G: Game>(name: &str, game: &G) {
        let mut all_moves = std::collections::HashSet::new();
        let mut moves = Vec::new();
        each_position(game, 5, |position| {
            game.moves(position, &mut moves);
            all_moves.extend(moves.iter().copied());
        });
        each_position(game, 2, |position| {
            game.moves(position, &mut moves);
            for &chosen in all_moves.iter().filter(|chosen| !moves.contains(chosen)) {
                let mut after = position.clone();
                assert!(
                    game.play(&mut after, chosen).is_err(),
                    "{name}: {chosen} in {position}"
                );
                assert_eq!(after, *position, "{name}");
            }
        });
    }
    all_games().for_each(|(name, any)| with_game!(&any, game => check(&name, game)));
}

#[test]
fn a_fast_playout_is_the_same_game_as_one_step_by_step() {
    fn check<G: Game>(name: &str, game: &G) {
        for number in 0..200 {
            let (mut fast, mut slow) = (game.start(), game.start());
            let (mut fast_rng, mut slow_rng) = (stream(5, &[number]), stream(5, &[number]));
            let fast_moves = game.playout(&mut fast, &mut fast_rng);
            let slow_moves = playout_step_by_step(game, &mut slow, &mut slow_rng);
            assert_eq!(
                (fast, fast_moves),
                (slow, slow_moves),
                "{name}: game {number}"
            );
            assert_eq!(
                fast_rng, slow_rng,
                "{name}: game {number} drew other numbers"
            );
        }
    }
    all_games().for_each(|(name, any)| with_game!(&any, game => check(&name, game)));
}

#[test]
fn a_playout_may_start_anywhere() {
    fn check<G: Game>(name: &str, game: &G) {
        each_position(game, 2, |position| {
            let (mut fast, mut slow) = (position.clone(), position.clone());
            let fast_moves = game.playout(&mut fast, &mut stream(5, &[]));
            let slow_moves = playout_step_by_step(game, &mut slow, &mut stream(5, &[]));
            assert_eq!(
                (fast, fast_moves),
                (slow, slow_moves),
                "{name}: from {position}"
            );
        });
    }
    all_games().for_each(|(name, any)| with_game!(&any, game => check(&name, game)));
}

#[test]
fn a_sketch_is_a_grid_of_one_size_whose_empty_cells_have_neither_tone_nor_label() {
    fn check<G: Game>(name: &str, game: &G) {
        let size = |sketch: &Sketch| (sketch.rows, sketch.cols);
        let first = size(&game.sketch(&game.start()));
        let mut tones = Vec::new();
        each_position(game, 3, |position| {
            let sketch = game.sketch(position);
            assert_eq!(size(&sketch), first, "{name}: {position}");
            assert_eq!(sketch.cells.len(), sketch.rows * sketch.cols, "{name}");
            for cell in &sketch.cells {
                assert_eq!(cell.tone == 0, cell.label.is_empty(), "{name}: {cell:?}");
            }
            game.tones(position, &mut tones);
            let drawn: Vec<u8> = sketch.cells.iter().map(|cell| cell.tone).collect();
            assert_eq!(tones, drawn, "{name}: {position}");
        });
    }
    all_games().for_each(|(name, any)| with_game!(&any, game => check(&name, game)));
}

#[test]
fn a_game_knows_its_family() {
    for family in registry::FAMILIES {
        let any = family.build(&Options::default()).expect("the defaults");
        let names = with_twins!(&any, (fast, plain) => [fast.family().name, plain.family().name]);
        assert_eq!(names, [family.name; 2]);
    }
}

#[test]
fn options_of_a_game_make_the_same_game() {
    for (name, any) in all_games() {
        let again = any
            .family()
            .build(&any.options())
            .expect("a game's own options are allowed");
        assert_eq!(again.options(), any.options(), "{name}");
    }
}

#[test]
fn nonsense_is_not_a_position_and_never_a_panic() {
    fn check<G: Game>(name: &str, text: &str) {
        if let Ok(position) = text.parse::<G::Position>() {
            assert_eq!(
                position.to_string().parse().as_ref(),
                Ok(&position),
                "{name}: {text}"
            );
        }
    }
    let texts = [
        "",
        " ",
        "/",
        "//",
        "x",
        "é/é",
        "0000/0000/0000",
        "10x20",
        "10x20 - ",
        "99999999999x1 -",
        "4x4 ####",
        "000z/0000/0000/0000",
        "0000/0000/0000/0000 fours",
        "0000/0000/0000/0000 fours -1",
        "😀",
    ];
    for (name, any) in all_games() {
        for text in texts {
            fn of_game<G: Game>(_: &G, name: &str, text: &str) {
                check::<G>(name, text);
            }
            with_game!(&any, game => of_game(game, &name, text));
        }
    }
}

#[test]
fn games_played_at_once_are_the_same_as_one_by_one() {
    fn check<G: Game>(name: &str, game: &G) {
        let mut games: Vec<_> = (0..150).map(|n| (game.start(), Dice::of(7, n))).collect();
        each_position(game, 1, |position| {
            let number = games.len() as u64;
            if number < 300 {
                games.push((position.clone(), Dice::of(7, number)));
            }
        });
        for count in [0, 1, 40, games.len()] {
            let mut at_once = games[..count].to_vec();
            let moves = game.playouts(&mut at_once);
            for (number, (mut position, mut dice)) in games[..count].iter().cloned().enumerate() {
                let alone = game.playout(&mut position, &mut dice);
                let found = (moves[number], &at_once[number].0);
                assert_eq!(
                    found,
                    (alone, &position),
                    "{name}: game {number} of {count}"
                );
            }
        }
    }
    all_games().for_each(|(name, any)| with_game!(&any, game => check(&name, game)));
    let others = ["size=4x3", "size=4x5", "size=5x3", "size=5x4", "size=3x4"];
    for rules in others {
        let any = registry::build("2048", &rules.parse().expect("options")).expect("rules");
        with_game!(&any, game => check(rules, game));
    }
}
