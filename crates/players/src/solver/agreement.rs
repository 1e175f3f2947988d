//! Test: every layout of the board gives the same score, whichever would be chosen for its size.

use games::connect::{Bits, Connect, Position, Rules};
use games::{Game, Turn, stream};

use super::answer::{Budget, Config};
use super::root::Root;
use super::search::Search;
use super::shape::{Any, Four, Shape};

fn score<S: Shape, B: Bits>(rules: Rules, position: &Position<B>) -> i32 {
    let mut search = Search::<S, 128>::new(rules, Config::default());
    match search.root(&search.node(position)) {
        Root::Known(score) => score,
        Root::Open(node) => {
            let mut between = search.known(&node);
            search
                .narrow(&node, &mut between, &Budget::default())
                .expect("no limit")
        }
    }
}

/// Compares the shapes on positions after `plies` random moves.
fn check(rules: Rules, plies: u32, games: u64) {
    let game = Connect::<u64>::new(rules);
    for seed in 0..games {
        let mut position = game.start();
        let mut rng = stream(seed, &[]);
        while position.plies() < plies && game.turn(&position) != Turn::Over {
            let chosen = game.random_move(&position, &mut rng);
            game.play_unchecked(&mut position, chosen);
        }
        let wide = score::<Any<u128>, _>(rules, &position);
        assert_eq!(score::<Any<u64>, _>(rules, &position), wide, "{position}");
        if Four::<0>::suits(rules) {
            assert_eq!(score::<Four<0>, _>(rules, &position), wide, "{position}");
        }
        if Four::<6>::suits(rules) {
            assert_eq!(score::<Four<6>, _>(rules, &position), wide, "{position}");
        }
    }
}

#[test]
fn all_shapes_agree() {
    for (rows, cols, connect, pieces, plies) in [
        (6, 7, 4, 21, 22),
        (6, 7, 4, 14, 18),
        (6, 7, 3, 21, 6),
        (6, 7, 5, 21, 26),
        (5, 9, 4, 23, 28),
        (4, 10, 4, 20, 22),
        (19, 3, 4, 29, 40),
        (2, 20, 3, 5, 6),
    ] {
        let rules = Rules {
            rows,
            cols,
            connect,
            pieces,
        };
        check(rules, plies, 30);
    }
}
