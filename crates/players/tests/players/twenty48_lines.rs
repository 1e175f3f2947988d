//! `lines` and `patches` of 2048 against definitions written out cell by cell, on all rows, on random boards of several sizes, and on
//! boards with tiles that need the wide board.

use games::twenty48::{Packed, Position, Tiles, Twenty48};
use games::{Game, Stream, Turn, below, stream};
use players::evaluate;
use players::{Playable, Spec, Tunable};
use streams::uniform;

use crate::twenty48::{game, player};

/// A board as rows of exponents.
type Grid = Vec<Vec<u8>>;

fn grid(tiles: Tiles) -> Grid {
    let cells: Vec<u8> = tiles.exponents().collect();
    let rows = cells.chunks(usize::from(tiles.cols()));
    rows.map(<[u8]>::to_vec).collect()
}

fn turned(grid: &Grid) -> Grid {
    let column = |col: usize| grid.iter().map(|row| row[col]).collect();
    (0..grid[0].len()).map(column).collect()
}

fn x(exponent: u8) -> f64 {
    f64::from(exponent) / 11.0
}

/// The twelve features of a line, each divided by its scale.
fn line_features(line: &[u8]) -> [f64; 12] {
    let tiles: Vec<u8> = line.iter().copied().filter(|&cell| cell > 0).collect();
    let mut pairs = Vec::new();
    let mut place = 0;
    while place + 1 < tiles.len() {
        if tiles[place] == tiles[place + 1] {
            pairs.push(tiles[place]);
            place += 1;
        }
        place += 1;
    }
    let differences: Vec<f64> = line.windows(2).map(|two| x(two[1]) - x(two[0])).collect();
    let rises: f64 = differences.iter().filter(|&&step| step > 0.0).sum();
    let falls: f64 = -differences.iter().filter(|&&step| step < 0.0).sum::<f64>();
    let cubes = line
        .windows(2)
        .map(|two| (x(two[1]).powi(3) - x(two[0]).powi(3)).abs());
    let (mut trapped, mut peaks) = (0.0, 0.0);
    for three in line.windows(3) {
        let (low, high) = (three[0].min(three[2]), three[0].max(three[2]));
        trapped += (x(low) - x(three[1])).max(0.0);
        peaks += (x(three[1]) - x(high)).max(0.0);
    }
    [
        line.iter().filter(|&&cell| cell == 0).count() as f64 / 0.55,
        pairs.len() as f64 / 0.43,
        pairs.iter().map(|&tile| x(tile).powi(3)).sum::<f64>() / 0.2,
        line.iter().map(|&cell| x(cell)).sum::<f64>() / 0.63,
        line.iter().map(|&cell| x(cell).powi(5)).sum::<f64>() / 0.61,
        rises.min(falls) / 0.26,
        differences.iter().map(|step| step.abs()).sum::<f64>() / 0.48,
        cubes.sum::<f64>() / 0.6,
        differences.iter().map(|step| step * step).sum::<f64>() / 0.44,
        (x(line[0]).powi(4) + x(line[line.len() - 1]).powi(4)) / 0.44,
        trapped / 0.22,
        peaks / 0.22,
    ]
}

/// The ten features of a square.
fn square_features([a, b, c, d]: [u8; 4]) -> [f64; 10] {
    let mut order = [a, b, c, d];
    order.sort_unstable();
    let twist = |power: i32| {
        let [a, b, c, d] = [a, b, c, d].map(|cell| x(cell).powi(power));
        (a + d - (b + c)).abs()
    };
    let equal = u8::from(a > 0 && a == d) + u8::from(b > 0 && b == c);
    let empty = [a, b, c, d].iter().filter(|&&cell| cell == 0).count() as f64;
    let (mut holes, mut peaks) = (0.0, 0.0);
    for (cell, one, other) in [(a, b, c), (b, a, d), (c, a, d), (d, b, c)] {
        holes += (x(one.min(other)) - x(cell)).max(0.0);
        peaks += (x(cell) - x(one.max(other))).max(0.0);
    }
    [
        ((x(a) - x(d)).abs() + (x(b) - x(c)).abs()) / 0.37,
        twist(1) / 0.37,
        twist(3) / 0.39,
        x(order[0]) / 0.18,
        x(order[2]).powi(3) / 0.26,
        x(order[3]).powi(4) / 0.34,
        f64::from(equal) / 0.38,
        empty * empty / 0.91,
        holes / 0.33,
        peaks / 0.33,
    ]
}

fn dot(weights: &[f64], features: &[f64]) -> f64 {
    weights.iter().zip(features).map(|(w, f)| w * f).sum()
}

/// The value of a board by the 24 weights of lines.
fn plain_lines(weights: &[f64], tiles: Tiles) -> f64 {
    let across = grid(tiles);
    let mut value = 0.0;
    for lines in [turned(&across), across] {
        for (place, line) in lines.iter().enumerate() {
            let is_outer = place == 0 || place == lines.len() - 1;
            let weights = if is_outer {
                &weights[..12]
            } else {
                &weights[12..]
            };
            value += dot(weights, &line_features(line));
        }
    }
    value
}

/// The value of a board by the 56 weights of patches.
fn plain_patches(weights: &[f64], tiles: Tiles) -> f64 {
    let across = grid(tiles);
    let mut value = plain_lines(&weights[..24], tiles);
    let (rows, cols) = (across.len(), across[0].len());
    for row in 0..rows - 1 {
        for col in 0..cols - 1 {
            let at_top_or_bottom = row == 0 || row == rows - 2;
            let at_a_side = col == 0 || col == cols - 2;
            let weights = match (at_top_or_bottom, at_a_side) {
                (true, true) => &weights[24..34],
                (false, false) => &weights[44..54],
                _ => &weights[34..44],
            };
            let [above, under] = [&across[row], &across[row + 1]];
            let square = [above[col], above[col + 1], under[col], under[col + 1]];
            value += dot(weights, &square_features(square));
        }
    }
    for lines in [turned(&across), across] {
        for (place, two) in lines.windows(2).enumerate() {
            let is_outer = place == 0 || place == lines.len() - 2;
            let weight = if is_outer { weights[54] } else { weights[55] };
            for from in 0..two[0].len() - 2 {
                let fall = |line: &[u8]| x(line[from]) - x(line[from + 2]);
                value += weight * fall(&two[0]) * fall(&two[1]) / 1.4;
            }
        }
    }
    value
}

fn random_weights(count: usize, rng: &mut Stream) -> Vec<f64> {
    (0..count).map(|_| uniform(rng, -2.0, 2.0)).collect()
}

fn spec(name: &str, parameter: &str, weights: &[f64]) -> String {
    let weights: Vec<String> = weights.iter().map(f64::to_string).collect();
    format!("{name}({parameter}weights='{}')", weights.join(" "))
}

/// Compares numbers that were added up as 32-bit floats in another order.
fn check(fast: f64, plain: f64, about: impl std::fmt::Display) {
    let allowed = 1e-4 * plain.abs().max(100.0);
    assert!((fast - plain).abs() < allowed, "{about}: {fast}, {plain}");
}

#[test]
fn all_rows_have_the_values_of_plain_features() {
    let game = game("");
    let weights = random_weights(24, &mut stream(3, &[]));
    let search: Spec = spec("expectimax", "eval=lines, ", &weights)
        .parse()
        .expect("a spec");
    let lines = evaluate::of_spec(&game, &search).expect("an evaluation");
    // A search counts a lost board as 0, and any other as that much more.
    let alive: f64 = 4.0 * weights.iter().map(|weight| weight.abs()).sum::<f64>();
    for row in 0..=u16::MAX {
        for shift in [0, 16] {
            let tiles = Tiles::Packed(Packed(u64::from(row) << shift));
            let position = game.start().with_tiles(tiles);
            let value = lines.value(&game, &position) - alive;
            check(value, plain_lines(&weights, tiles), row);
        }
    }
}

/// A position some random moves into a game, with all tiles raised.
fn some_position(game: &Twenty48, raise: u8, rng: &mut Stream) -> Option<Position> {
    let mut position = game.start();
    for _ in 0..10 + below(rng, 150) {
        match game.turn(&position) {
            Turn::Over => break,
            Turn::Chance => {
                game.draw(&mut position, rng);
            }
            Turn::Player(_) => {
                let chosen = game.random_move(&position, rng);
                game.play_unchecked(&mut position, chosen);
            }
        }
    }
    let raised = |exponent: u8| if exponent == 0 { 0 } else { exponent + raise };
    let position = position.with_tiles(position.tiles().mapped(raised));
    (game.turn(&position) == Turn::Player(0)).then_some(position)
}

/// Compares what a player thinks of its moves with a plain evaluation of the boards that they lead to.
fn check_player(
    name: &str,
    parameter: &str,
    count: usize,
    plain: impl Fn(&[f64], &Position, Tiles) -> f64,
) {
    let mut seen = 0;
    for rules in ["", "size=3x3", "size=5x5", "size=3x5", "rules=fer"] {
        let game = game(rules);
        let largest = if rules.contains('3') { 3 } else { 11 };
        for number in 0..60 {
            let mut rng = stream(4, &[number]);
            let weights = random_weights(count, &mut rng);
            let raise = below(&mut rng, largest + 1) as u8;
            let Some(position) = some_position(&game, raise, &mut rng) else {
                continue;
            };
            let mut player = player(&game, &spec(name, parameter, &weights));
            for (direction, value) in player.judge(&game, &position, &mut rng) {
                let after = game.slid(position.tiles(), direction);
                check(value, plain(&weights, &position, after), position);
                seen += 1;
            }
        }
    }
    assert!(seen > 300, "{seen}");
}

#[test]
fn lines_are_those_of_plain_features_on_all_boards() {
    check_player("lines", "", 24, |weights, _, after| {
        plain_lines(weights, after)
    });
}

#[test]
fn patches_are_those_of_plain_features_on_all_boards() {
    check_player("patches", "", 56, |weights, _, after| {
        plain_patches(weights, after)
    });
}

#[test]
fn phases_follow_the_largest_tile_before_the_move() {
    check_player("patches", "phases=3, ", 112, |weights, before, after| {
        let share = match before.tiles().highest() {
            0..10 => 0.0,
            10 => 0.5,
            _ => 1.0,
        };
        let mixed: Vec<f64> = (0..56)
            .map(|place| weights[place] + share * weights[56 + place])
            .collect();
        plain_patches(&mixed, after)
    });
}

#[test]
fn factors_of_one_are_the_published_corner() {
    let game = game("");
    let of = |text: &str| {
        let spec: Spec = text.parse().expect("a spec");
        evaluate::of_spec(&game, &spec).expect("an evaluation")
    };
    let published = of("expectimax(eval=corner)");
    let ones = of("expectimax(eval=corner, weights='1 1 1 1 1')");
    let halves = of("expectimax(eval=corner, weights='0.5 0.5 0.5 0.5 0.5')");
    for number in 0..50 {
        let mut rng = stream(5, &[number]);
        if let Some(position) = some_position(&game, 4, &mut rng) {
            let value = published.value(&game, &position);
            assert_eq!(ones.value(&game, &position), value);
            assert_eq!(halves.value(&game, &position), value / 2.0);
        }
    }
}

#[test]
fn weights_are_named_and_counted() {
    let game = game("");
    let count = |text: &str| {
        let tunable = game.tunable(&text.parse().expect("a spec"));
        match tunable.expect("a player") {
            Tunable::Weights(names) => {
                let different: std::collections::BTreeSet<&String> = names.iter().collect();
                assert_eq!(different.len(), names.len(), "{text}");
                names.len()
            }
            other => panic!("{text}: {other:?}"),
        }
    };
    assert_eq!(count("lines"), 24);
    assert_eq!(count("patches"), 56);
    assert_eq!(count("patches(phases=3)"), 112);
    assert_eq!(count("expectimax(eval=corner)"), 5);
    assert_eq!(count("expectimax(eval=lines)"), 24);
    let nothing = game.tunable(&"expectimax(eval=snake)".parse().expect("a spec"));
    assert_eq!(nothing, Ok(Tunable::Nothing));
    let wrong = game.prepare(&"lines(weights='1 2 3')".parse().expect("a spec"));
    let message = wrong.err().expect("too few weights").to_string();
    assert!(message.contains("24"), "{message}");
}
