//! Networks value boards as their definition says, in every view and size, and players follow them.

use games::twenty48::{Direction, Position, Tiles, Twenty48};
use games::{AnyGame, Game, Stream, stream};
use players::network::{AnyLookup, Floats, Shape, shelf};
use players::{Playable, Player, Spec};
use streams::below;

use crate::twenty48::{game, player};

/// A network whose weights all differ, under its own name on the shelf.
struct Drawn {
    game: Twenty48,
    tuples: Vec<Vec<usize>>,
    sizes: Vec<usize>,
    weights: Vec<f32>,
    name: String,
}

impl Drawn {
    fn new(rules: &str, tuples: &str) -> Self {
        let game = game(rules);
        let lookup = AnyLookup::new(&AnyGame::from(game.clone()), &Shape::of(tuples));
        let lookup = lookup.expect("a network");
        let sizes = lookup.tables().to_vec();
        let mut weights = Floats::zeroed(sizes.iter().sum()).expect("memory");
        let mut rng = stream(9, &[]);
        for weight in weights.entries_mut() {
            *weight = below(&mut rng, 1 << 20) as f32 / 1000.0;
        }
        let name = format!("{rules} {tuples}")
            .replace([' ', '='], "-")
            .replace(',', "_");
        let drawn = Self {
            weights: weights.entries().to_vec(),
            tuples: tuples
                .split(' ')
                .map(|tuple| {
                    tuple
                        .split(',')
                        .map(|cell| cell.parse().expect("a cell"))
                        .collect()
                })
                .collect(),
            sizes,
            name,
            game,
        };
        shelf::put(&drawn.name, lookup.with(weights));
        drawn
    }

    fn player(&self) -> Box<dyn Player<Twenty48>> {
        player(&self.game, &format!("network(id={})", self.name))
    }

    /// The sum over all tuples and all views.
    fn value(&self, tiles: Tiles) -> f64 {
        let mut first = 0;
        let mut value = 0.0;
        for (tuple, size) in self.tuples.iter().zip(&self.sizes) {
            for view in views(tiles) {
                let cells = tuple.iter().rev();
                let entry = cells.fold(0, |entry, &cell| {
                    16 * entry + usize::from(view[cell].min(15))
                });
                value += f64::from(self.weights[first + entry]);
            }
            first += size;
        }
        value
    }
}

/// A board as it is, mirrored and turned: all eight, or the four of one that is not a square.
fn views(tiles: Tiles) -> Vec<Vec<u8>> {
    let (rows, cols) = (usize::from(tiles.rows()), usize::from(tiles.cols()));
    let own: Vec<u8> = tiles.exponents().collect();
    let mirrored: Vec<u8> = own
        .chunks(cols)
        .flat_map(|row| row.iter().rev().copied())
        .collect();
    let mut views = vec![own.clone(), mirrored.clone()];
    for view in [own, mirrored] {
        views.push(view.iter().rev().copied().collect());
    }
    if rows == cols {
        for view in views.clone() {
            let turned = (0..cols).flat_map(|col| (0..rows).map(move |row| (row, col)));
            views.push(turned.map(|(row, col)| view[row * cols + col]).collect());
        }
    }
    views
}

/// Random boards, some of them nearly empty, with tiles up to this exponent.
fn board(game: &Twenty48, highest: u8, rng: &mut Stream) -> Position {
    let empty = game.start().tiles();
    let text: String = (0..usize::from(empty.rows()))
        .map(|_| {
            let cell = |_| match below(rng, 3) {
                0 => '0',
                _ => char::from_digit(1 + below(rng, u32::from(highest)), 36).expect("a digit"),
            };
            (0..usize::from(empty.cols())).map(cell).collect::<String>()
        })
        .collect::<Vec<_>>()
        .join("/");
    text.parse().expect("a position")
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-5 * expected.abs().max(1.0)
}

fn check(rules: &str, tuples: &str, highest: u8) {
    let drawn = Drawn::new(rules, tuples);
    let mut follower = drawn.player();
    let mut rng = stream(4, &[]);
    for _ in 0..200 {
        let position = board(&drawn.game, highest, &mut rng);
        for (direction, value) in follower.judge(&drawn.game, &position, &mut rng.clone()) {
            let after = drawn.game.slid(position.tiles(), direction);
            let gain = (after.merged() - position.tiles().merged()) as f64;
            let expected = gain + drawn.value(after);
            assert!(
                close(value, expected),
                "{position} {direction:?}: {value} {expected}"
            );
        }
    }
}

#[test]
fn values_are_sums_over_tuples_and_views() {
    check("", "0,1,2,3 4,5,6,9 0,5,10", 15);
    check("size=3x3", "0,1,2 3,4,5", 11);
    check("size=5x5", "0,1,2,3 20,21,22,24", 15);
    check("size=3x5", "0,1,2 10,11,14", 11);
}

#[test]
fn tiles_above_the_largest_share_its_entries() {
    check("", "0,1,2,3 0,1,4,5", 17);
}

#[test]
fn boards_that_are_turned_or_mirrored_are_worth_the_same() {
    let drawn = Drawn::new("", "0,1,2,3 4,5,6,9");
    let mut rng = stream(5, &[]);
    let mut follower = drawn.player();
    for _ in 0..100 {
        let position = board(&drawn.game, 15, &mut rng);
        let mut best = |tiles: &[u8]| {
            let rows = tiles.chunks(4).map(|row| {
                row.iter()
                    .map(|&tile| char::from_digit(tile.into(), 36).expect("a digit"))
                    .collect()
            });
            let text = rows.collect::<Vec<String>>().join("/");
            let position: Position = text.parse().expect("a position");
            let values = follower.judge(&drawn.game, &position, &mut stream(1, &[]));
            values.iter().map(|(_, value)| *value).fold(0.0, f64::max)
        };
        let own: Vec<u8> = position.tiles().exponents().collect();
        let expected = best(&own);
        for view in views(position.tiles()) {
            assert!(close(best(&view), expected), "{position}");
        }
    }
}

/// The value of a position by the definition of expectimax.
fn searched(drawn: &Drawn, position: &Position, depth: u32) -> f64 {
    let mut best: Option<f64> = None;
    for direction in Direction::ALL {
        let after = drawn.game.slid(position.tiles(), direction);
        if after != position.tiles() {
            let gain = (after.merged() - position.tiles().merged()) as f64;
            let value = gain + after_move(drawn, after, depth - 1);
            best = Some(best.map_or(value, |best| best.max(value)));
        }
    }
    best.unwrap_or(0.0)
}

fn after_move(drawn: &Drawn, tiles: Tiles, depth: u32) -> f64 {
    if depth == 0 {
        return drawn.value(tiles);
    }
    let mut position: Position = "0000/0000/0000/0000".parse().expect("a position");
    position = position.with_tiles(tiles);
    drawn.game.play_unchecked(&mut position, Direction::Up);
    let position = position.with_tiles(tiles);
    let mut chances = Vec::new();
    drawn.game.chances(&position, &mut chances);
    let mut mean = 0.0;
    for (spawn, share) in chances {
        let mut next = position;
        drawn.game.happen(&mut next, spawn);
        mean += share * searched(drawn, &next, depth);
    }
    mean
}

#[test]
fn a_search_adds_what_is_scored_on_the_way() {
    let drawn = Drawn::new("", "0,1,2,3 0,1,4,5");
    let mut rng = stream(6, &[]);
    let mut checked = 0;
    for depth in [1, 2, 2, 3] {
        let mut position = board(&drawn.game, 6, &mut rng);
        if depth == 3 {
            position = "1234/5612/3451/2300".parse().expect("a position");
        }
        let spec = format!(
            "expectimax(depth={depth}, cutoff=0, eval=network(id={}))",
            drawn.name
        );
        let values = player(&drawn.game, &spec).judge(&drawn.game, &position, &mut rng);
        let best = values
            .iter()
            .map(|(_, value)| *value)
            .fold(f64::MIN, f64::max);
        if !values.is_empty() {
            let expected = searched(&drawn, &position, depth);
            assert!(
                close(best, expected),
                "{depth} {position}: {best} {expected}"
            );
            checked += 1;
        }
    }
    assert!(checked >= 3);
}

#[test]
fn a_player_needs_a_network_that_is_there() {
    let problem = |spec: &str| {
        let spec: Spec = spec.parse().expect("a spec");
        let found = game("").prepare(&spec);
        found.err().expect("there is none").to_string()
    };
    assert!(problem("network(id=nobody)").contains("the network 'nobody' is not known here"));
    Drawn::new("size=3x3", "0,1,3");
    let other = problem("network(id=size-3x3-0_1_3)");
    assert!(other.contains("for a board of 3x3, not of 4x4"), "{other}");
    Drawn::new("", "0,1,4");
    let odd = problem("network(id=-0_1_4, downgrade=9)");
    assert!(odd.contains("downgrade must be a power of two"), "{odd}");
}

#[test]
fn every_search_takes_a_network_as_evaluation() {
    let drawn = Drawn::new("", "0,1,2,3 0,5,10");
    let position: Position = "1234/5612/3451/2300".parse().expect("a position");
    for search in [
        "minimax(depth=2",
        "expectimax(depth=2",
        "mcts(iterations=50",
    ] {
        let spec = format!("{search}, eval=network(id={}))", drawn.name);
        let mut player = player(&drawn.game, &spec);
        let values = player.judge(&drawn.game, &position, &mut stream(1, &[]));
        assert!(values.len() > 1, "{spec}: {values:?}");
        assert!(values.iter().all(|(_, value)| value.is_finite()), "{spec}");
    }
}
