//! Look-ahead: pairs as specified, beams, lost positions, whole games, and what is refused.

use games::registry::{AnyGame, family};
use games::tetris::{ColumnBits, Piece, Placement, Position, Tetris};
use games::{Game, Turn, below, stream};
use players::{Playable, Player};

use super::{Columns, end_of_game, game, player};

const SETS: [&str; 9] = [
    "five",
    "six",
    "ten",
    "twenty",
    "dellacherie",
    "bcts",
    "dt10",
    "dt20",
    "points",
];

type Values = Vec<(Placement, f64)>;

fn judge<C: ColumnBits>(
    player: &mut Box<dyn Player<Tetris<C>>>,
    game: &Tetris<C>,
    position: &Position<C>,
) -> Values {
    player.judge(game, position, &mut stream(0, &[]))
}

fn choose<C: ColumnBits>(
    player: &mut Box<dyn Player<Tetris<C>>>,
    game: &Tetris<C>,
    position: &Position<C>,
) -> Placement {
    player.choose(game, position, &mut stream(0, &[]))
}

fn highest(values: &Values) -> f64 {
    let values = values.iter().map(|judged| judged.1);
    values.fold(f64::NEG_INFINITY, f64::max)
}

/// The first placement of the highest value.
fn first_best(values: &Values) -> Placement {
    let best = highest(values);
    values.iter().find(|judged| judged.1 == best).unwrap().0
}

/// The best sum of values over `depth` pieces by first placement, said with one-piece values and the rules
/// alone.
fn sums<C: ColumnBits>(
    one: &mut Box<dyn Player<Tetris<C>>>,
    game: &Tetris<C>,
    position: &Position<C>,
    depth: usize,
) -> Values {
    let mut values = judge(one, game, position);
    if depth > 1 {
        for (placement, value) in &mut values {
            let mut next = *position;
            game.play_unchecked(&mut next, *placement);
            *value += highest(&sums(one, game, &next, depth - 1));
        }
    }
    values
}

/// Positions of games played by `one`, with some random moves, where there is a choice.
fn positions<C: ColumnBits>(
    one: &mut Box<dyn Player<Tetris<C>>>,
    game: &Tetris<C>,
    wanted: usize,
) -> Vec<Position<C>> {
    let mut rng = stream(3, &[]);
    let mut position = game.start();
    let mut found = Vec::new();
    while found.len() < wanted {
        match game.turn(&position) {
            Turn::Over => position = game.start(),
            Turn::Chance => {
                game.draw(&mut position, &mut rng);
            }
            Turn::Player(_) => {
                found.push(position);
                let random = found.len() % 3 == 0;
                let chosen = match random {
                    true => game.random_move(&position, &mut rng),
                    false => choose(one, game, &position),
                };
                game.play_unchecked(&mut position, chosen);
            }
        }
    }
    found
}

/// Runs over all examples of the rules.
macro_rules! each_example {
    ($check:ident) => {
        for example in family("tetris").unwrap().examples {
            let options = example.parse().unwrap();
            match family("tetris").unwrap().build(&options).unwrap() {
                AnyGame::Tetris(game) => $check(&game),
                AnyGame::TallTetris(game) => $check(&game),
                _ => unreachable!(),
            }
        }
    };
}

#[test]
fn two_pieces_are_all_pairs_and_their_sums() {
    fn check<C: Columns>(game: &Tetris<C>) {
        if game.rules().known < 2 {
            return;
        }
        for set in SETS {
            let mut one = player(game, &format!("weighted(features={set})"));
            let mut two = player(game, &format!("weighted(features={set}, look=2)"));
            for position in positions(&mut one, game, 40) {
                let expected = sums(&mut one, game, &position, 2);
                assert_eq!(
                    judge(&mut two, game, &position),
                    expected,
                    "{set}: {position}"
                );
                let best = first_best(&expected);
                assert_eq!(choose(&mut two, game, &position), best, "{set}: {position}");
            }
        }
    }
    each_example!(check);
}

/// A player remembers the board that its last choice led to.
#[test]
fn a_player_chooses_the_same_whatever_it_chose_before() {
    fn check<C: Columns>(game: &Tetris<C>) {
        let readings = [
            "five, reading=as-published",
            "ten, reading=as-published",
            "points, safe-above=4",
        ];
        for set in SETS.into_iter().chain(readings) {
            let spec = format!("weighted(features={set})");
            let mut kept = player(game, &spec);
            for position in positions(&mut kept, game, 60) {
                let new = choose(&mut player(game, &spec), game, &position);
                let again = choose(&mut kept, game, &position);
                assert_eq!(again, new, "{set}: {position}");
            }
        }
    }
    each_example!(check);
}

/// What is not tried, because it cannot be best, depends on weights, their signs above all.
#[test]
fn two_pieces_are_all_pairs_whatever_the_weights() {
    let mut rng = stream(4, &[]);
    let game: Tetris<u32> = game("board=10x12 known=2");
    for (features, count) in [
        ("five", 5),
        ("five, reading=as-published", 5),
        ("ten", 10),
        ("ten, reading=as-published", 10),
        ("bcts", 8),
        ("dt10", 9),
        ("points", 15),
    ] {
        for _ in 0..12 {
            let weights: Vec<String> = (0..count)
                .map(|_| (f64::from(below(&mut rng, 2001)) / 1000.0 - 1.0).to_string())
                .collect();
            let set = format!("features={features}, weights='{}'", weights.join(" "));
            let mut one = player(&game, &format!("weighted({set})"));
            let mut two = player(&game, &format!("weighted({set}, look=2)"));
            // Positions of good play: with most of these weights games end before a line is full.
            let mut good = player(&game, "weighted");
            for position in positions(&mut good, &game, 60) {
                let expected = first_best(&sums(&mut one, &game, &position, 2));
                assert_eq!(
                    choose(&mut two, &game, &position),
                    expected,
                    "{set}: {position}"
                );
                let expected = first_best(&judge(&mut one, &game, &position));
                assert_eq!(
                    choose(&mut one, &game, &position),
                    expected,
                    "{set}: {position}"
                );
            }
        }
    }
}

/// The `most` best pairs of placements, each with what the piece that is not known yet can make of it, said with
/// one-piece values and the rules alone.
fn pairs_by_chance<C: ColumnBits>(
    one: &mut Box<dyn Player<Tetris<C>>>,
    game: &Tetris<C>,
    position: &Position<C>,
    most: usize,
) -> Values {
    let mut pairs = Vec::new();
    for (first, value) in judge(one, game, position) {
        let mut between = *position;
        game.play_unchecked(&mut between, first);
        let mut chances = Vec::new();
        game.chances(&between, &mut chances);
        let mut seconds: Vec<_> = judge(one, game, &between)
            .into_iter()
            .map(|(_, second)| (value + second, value + second))
            .collect();
        for &(piece, chance) in &chances {
            let mut drawn = between;
            game.happen(&mut drawn, piece);
            for (place, (second, _)) in judge(one, game, &drawn).into_iter().enumerate() {
                let mut last = drawn;
                game.play_unchecked(&mut last, second);
                seconds[place].1 += chance * highest(&judge(one, game, &last)).max(-1e6);
            }
        }
        pairs.extend(seconds.into_iter().map(|(alone, all)| (first, alone, all)));
    }
    pairs.sort_by(|a, b| b.1.total_cmp(&a.1));
    pairs.truncate(most);
    pairs
        .into_iter()
        .map(|(first, _, all)| (first, all))
        .collect()
}

#[test]
fn the_piece_not_known_yet_counts_by_its_chance() {
    for (rules, set) in [
        ("board=6x10 known=2 shapes=IOTS", "bcts"),
        ("board=6x12 known=2 shapes=IOLS generator=bag", "points"),
        ("board=6x10 known=2 generator=O=3,S=0", "points"),
    ] {
        let game: Tetris<u32> = game(rules);
        let mut one = player(&game, &format!("weighted(features={set})"));
        for most in [1, 7, 1000] {
            let spec = format!("weighted(features={set}, look=2, chance={most})");
            let mut by_chance = player(&game, &spec);
            for position in positions(&mut one, &game, 15) {
                let pairs = pairs_by_chance(&mut one, &game, &position, most);
                let best = highest(&pairs);
                let chosen = choose(&mut by_chance, &game, &position);
                let is_best = |&(first, value): &(Placement, f64)| {
                    first == chosen && best - value <= 1e-9 * best.abs()
                };
                assert!(
                    pairs.is_empty() || pairs.iter().any(is_best),
                    "{spec}: {chosen} in {position}"
                );
            }
        }
    }
}

/// What the board is worth if so many pieces are still to be drawn, of which each may be placed in its two best ways.
fn worth<C: ColumnBits>(
    one: &mut Box<dyn Player<Tetris<C>>>,
    game: &Tetris<C>,
    chances: &[(Piece, f64)],
    board: &Position<C>,
    pieces: u32,
) -> f64 {
    let mut sum = 0.0;
    for &(piece, chance) in chances {
        let mut drawn = *board;
        game.happen(&mut drawn, piece);
        let mut judged = judge(one, game, &drawn);
        judged.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut most = -1e6_f64;
        for (placement, value) in judged.into_iter().take(2) {
            let mut after = drawn;
            game.play_unchecked(&mut after, placement);
            let ahead = match pieces {
                1 => 0.0,
                _ => worth(one, game, chances, &after, pieces - 1),
            };
            most = most.max(value + ahead);
        }
        sum += chance * most;
    }
    sum
}

/// The first placement of two, what they are worth, where they lead, and what that is worth with what may come.
type Pair = (Placement, f64, Position<u32>, f64);

#[test]
fn two_pieces_not_known_yet_count_by_their_chances() {
    let chances = [('I', 0.5), ('S', 0.25), ('T', 0.25)]
        .map(|(letter, chance)| (Piece::new(letter).expect("a letter"), chance));
    let game: Tetris<u32> = game("board=6x10 known=2 shapes=IST generator=I=2");
    for set in ["bcts", "points"] {
        let mut one = player(&game, &format!("weighted(features={set})"));
        let spec = format!("weighted(features={set}, look=2, chance=5, further=3)");
        let mut further = player(&game, &spec);
        for position in positions(&mut one, &game, 15) {
            let mut pairs = Vec::new();
            for (first, value) in judge(&mut one, &game, &position) {
                let mut between = position;
                game.play_unchecked(&mut between, first);
                for (second, next) in judge(&mut one, &game, &between) {
                    let mut last = between;
                    game.play_unchecked(&mut last, second);
                    pairs.push((first, value + next, last, 0.0));
                }
            }
            let mut best = |pairs: Vec<Pair>, drawn, most| {
                let valued = pairs.into_iter().map(|(first, alone, last, _)| {
                    let ahead = match drawn {
                        0 => 0.0,
                        _ => worth(&mut one, &game, &chances, &last, drawn),
                    };
                    (first, alone, last, alone + ahead)
                });
                let mut valued: Vec<Pair> = valued.collect();
                valued.sort_by(|a, b| b.3.total_cmp(&a.3));
                valued.truncate(most);
                valued
            };
            let pairs = best(pairs, 0, 5);
            let pairs = best(pairs, 1, 3);
            let pairs = best(pairs, 2, 3);
            let chosen = choose(&mut further, &game, &position);
            let is_best = |&(first, .., value): &Pair| {
                first == chosen && pairs[0].3 - value <= 1e-9 * pairs[0].3.abs()
            };
            assert!(
                pairs.is_empty() || pairs.iter().any(is_best),
                "{spec}: {chosen} in {position}"
            );
        }
    }
}

#[test]
fn high_boards_are_played_for_survival() {
    let game: Tetris<u32> = game("board=8x14 known=2");
    let spec = "weighted(features=points, look=2";
    let mut one = player(&game, "weighted(features=points)");
    let mut points = player(&game, &format!("{spec})"));
    let mut survival = player(
        &game,
        "weighted(features=bcts, look=2, chance=30, further=4)",
    );
    for rows in [0, 5, 9] {
        let mut both = player(&game, &format!("{spec}, safe-above={rows})"));
        let positions = positions(&mut one, &game, 60);
        let is_high = |position: &&Position<u32>| position.board().height() > rows;
        assert!(positions.iter().any(|position| is_high(&position)));
        for position in &positions {
            let plays = if is_high(&position) {
                &mut survival
            } else {
                &mut points
            };
            let expected = choose(plays, &game, position);
            assert_eq!(choose(&mut both, &game, position), expected, "{position}");
        }
    }
}

#[test]
fn a_beam_that_keeps_everything_finds_the_best_sequence() {
    for (rules, depth, wanted) in [
        ("board=5x8 known=1", 1, 200),
        ("board=10x20 known=2", 2, 100),
        ("board=4x8 known=3 shapes=IOTS", 3, 60),
        ("board=6x10 known=3 shapes=##,#./## gravity=cascade", 3, 30),
    ] {
        let game: Tetris<u32> = game(rules);
        for set in ["five", "bcts", "dt20"] {
            let mut one = player(&game, &format!("weighted(features={set})"));
            let mut beam = player(&game, &format!("beam(features={set}, width=10000)"));
            for position in positions(&mut one, &game, wanted) {
                let best = highest(&sums(&mut one, &game, &position, depth));
                let found = judge(&mut beam, &game, &position);
                if best.is_finite() {
                    assert!((highest(&found) - best).abs() < 1e-9 * best.abs().max(1.0));
                }
                let chosen = choose(&mut beam, &game, &position);
                assert_eq!(chosen, first_best(&found), "{rules} {set}: {position}");
            }
        }
    }
}

#[test]
fn a_wider_beam_over_more_pieces_plays_better() {
    let lines = |spec: &str, known: u8| -> u64 {
        let game: Tetris<u32> = game(&format!("board=8x8 known={known} limit=1000"));
        let mut player = player(&game, spec);
        let ends = (0..20).map(|number| end_of_game(&game, &mut player, number));
        ends.map(|end| end.clears().lines()).sum()
    };
    let one = lines("weighted(features=dellacherie)", 1);
    let beam = lines("beam(features=dellacherie, width=10)", 4);
    assert!(beam > 2 * one, "{beam} against {one}");
}

#[test]
fn lost_placements_are_worst_but_played_when_there_is_nothing_else() {
    let game: Tetris<u32> = game("board=4x6 known=2");
    let mut two = player(&game, "weighted(look=2)");
    // The O fits in two places, in one of which the I could still stand.
    let position = "4x6 #.../#.../#.../#.../#... OI".parse().unwrap();
    let judged = judge(&mut two, &game, &position);
    let lost = |value: f64| value == f64::NEG_INFINITY;
    let legal: Vec<String> = judged.iter().map(|judged| judged.0.to_string()).collect();
    assert_eq!(legal, ["r0c1", "r0c2"]);
    assert_eq!(
        judged
            .iter()
            .map(|judged| lost(judged.1))
            .collect::<Vec<_>>(),
        [false, false]
    );
    let position = "4x6 ..../#..#/#..#/#..#/#..#/#..# OI".parse().unwrap();
    assert!(
        judge(&mut two, &game, &position)
            .iter()
            .all(|judged| !lost(judged.1))
    );
    // Whatever the T does, no S fits any more.
    let position = "4x6 ..../##.#/##.#/#.##/##.#/##.# TS".parse().unwrap();
    let judged = judge(&mut two, &game, &position);
    assert!(
        !judged.is_empty() && judged.iter().all(|judged| lost(judged.1)),
        "{judged:?}"
    );
    assert_eq!(choose(&mut two, &game, &position), judged[0].0);
    let mut beam = player(&game, "beam");
    assert!(
        judged
            .iter()
            .any(|judged| judged.0 == choose(&mut beam, &game, &position))
    );
}

/// Legal moves only, the same game for the same seed, and `judge` in the order of moves.
#[test]
fn players_play_all_rules() {
    fn check<C: Columns>(game: &Tetris<C>) {
        for set in SETS {
            let look = game.rules().known.min(2);
            for spec in [
                format!("weighted(features={set}, look={look})"),
                format!("beam(features={set}, width=3)"),
            ] {
                let run = || moves(game, &spec, 60);
                assert_eq!(run(), run(), "{spec}");
            }
        }
    }
    each_example!(check);
}

fn moves<C: Columns>(game: &Tetris<C>, spec: &str, most: usize) -> Vec<Placement> {
    let (mut player, mut rng) = (player(game, spec), stream(1, &[2]));
    let (mut position, mut chosen, mut legal) = (game.start(), Vec::new(), Vec::new());
    while chosen.len() < most {
        match game.turn(&position) {
            Turn::Over => break,
            Turn::Chance => {
                game.draw(&mut position, &mut rng);
            }
            Turn::Player(_) => {
                game.moves(&position, &mut legal);
                let judged = judge(&mut player, game, &position);
                assert!(
                    judged.iter().map(|judged| &judged.0).eq(&legal),
                    "{spec}: {position}"
                );
                let choice = choose(&mut player, game, &position);
                assert!(legal.contains(&choice), "{spec}: {choice} in {position}");
                game.play_unchecked(&mut position, choice);
                chosen.push(choice);
            }
        }
    }
    chosen
}

#[test]
fn wrong_specs_are_refused_with_what_is_right() {
    let check = |rules: &str, spec: &str, part: &str| {
        let game: Tetris<u32> = game(rules);
        let error = game
            .prepare(&spec.parse().unwrap())
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains(part), "{spec}: {error}");
    };
    check("known=1", "weighted(look=2)", "--known 2");
    check("", "weighted(look=3)", "from 1 to 2");
    check("", "weighted(features=bct)", "did you mean 'bcts'");
    check(
        "",
        "weighted(features=seven)",
        "five, six, ten, fifteen, twenty, dellacherie, bcts, dt10, dt20",
    );
    check(
        "",
        "weighted(features=five, weights='1,2,3')",
        "expected 5, in the order height, etp",
    );
    check("", "weighted(weights='1 2 3 4 5 6 7 x')", "'x' in weights");
    check(
        "",
        "weighted(weights='1 2 3 4 5 6 7 nan')",
        "'nan' in weights",
    );
    check(
        "",
        "weighted(weights='1 2 3 4 5 6 7 1e10')",
        "to 1000000000",
    );
    check(
        "",
        "weighted(depth=2)",
        "its parameters are features, reading, look, chance, further, safe-above, weights",
    );
    check(
        "",
        "weighted(look=2, chance=3, further=4)",
        "at most as many pairs as chance = 3",
    );
    check("", "beam(width=0)", "from 1 to 10000");
    check(
        "",
        "weighted(features=bcts, reading=as-published)",
        "only for features=five and features=ten",
    );
    check(
        "",
        "weighted(features=five, reading=as-printed)",
        "must be one of as-described, as-published",
    );
}

#[test]
fn weights_may_stand_with_commas_or_blanks() {
    let game: Tetris<u32> = game("");
    let position = "10x20 ####....## TI".parse().unwrap();
    let mut specs = ["-1, 1, -1, -1,-4 -1", "-1 1 -1 -1 -4 -1", "published"].map(|weights| {
        let spec = format!("weighted(features=dellacherie, weights='{weights}')");
        judge(&mut player(&game, &spec), &game, &position)
    });
    let expected = judge(
        &mut player(&game, "weighted(features=dellacherie)"),
        &game,
        &position,
    );
    assert!(specs.iter_mut().all(|judged| *judged == expected));
}
