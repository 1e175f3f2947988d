//! Players of 2048: expectimax against a plain one, evaluations by hand, the works' figures.

use games::twenty48::{Direction, Position, Rules, Twenty48};
use games::{Game, Turn, stream};
use players::arena::{Dice, play_out};
use players::{Playable, Player, Spec};

pub(crate) fn game(rules: &str) -> Twenty48 {
    Twenty48::new(Rules::from_options(&rules.parse().expect("options")).expect("allowed rules"))
}

pub(crate) fn player(game: &Twenty48, spec: &str) -> Box<dyn Player<Twenty48>> {
    let spec: Spec = spec.parse().expect("a spec");
    game.prepare(&spec).expect("a player").player()
}

/// Every move with its value by a search that does nothing clever.
fn plain_expectimax(
    game: &Twenty48,
    position: &Position,
    depth: u32,
    leaf: &mut dyn FnMut(&Position) -> f64,
) -> Vec<(Direction, f64)> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let values = moves.into_iter().map(|direction| {
        let mut next = *position;
        game.play_unchecked(&mut next, direction);
        if depth == 1 {
            return (direction, leaf(&next));
        }
        let mut chances = Vec::new();
        game.chances(&next, &mut chances);
        let mean: f64 = chances
            .iter()
            .map(|&(chance, share)| {
                let mut after = next;
                game.happen(&mut after, chance);
                let below = plain_expectimax(game, &after, depth - 1, leaf);
                share
                    * below
                        .iter()
                        .map(|&(_, value)| value)
                        .reduce(f64::max)
                        .unwrap_or(0.0)
            })
            .sum();
        (direction, mean)
    });
    values.collect()
}

fn check_expectimax(rules: &str, eval: &str, depth: u32, games: u64) {
    let game = game(rules);
    let spec = format!("expectimax(depth={depth}, eval={eval}, cutoff=0)");
    let mut fast = player(&game, &spec);
    let evaluation =
        players::evaluate::of_spec(&game, &spec.parse().expect("a spec")).expect("an evaluation");
    for number in 0..games {
        let mut rng = stream(21, &[number]);
        let mut position = game.start();
        for _ in 0..12 + 9 * number {
            match game.turn(&position) {
                Turn::Over => break,
                Turn::Chance => {
                    game.draw(&mut position, &mut rng);
                }
                Turn::Player(_) => {
                    let chosen = game.random_move(&position, &mut rng);
                    game.play_unchecked(&mut position, chosen);
                }
            }
        }
        if game.turn(&position) == Turn::Chance {
            game.draw(&mut position, &mut rng);
        }
        if game.turn(&position) != Turn::Player(0) {
            continue;
        }
        let plain = plain_expectimax(&game, &position, depth, &mut |next| {
            evaluation.value(&game, next)
        });
        let judged = fast.judge(&game, &position, &mut rng);
        assert_eq!(plain.len(), judged.len(), "{position}");
        for ((direction, exact), (same, value)) in plain.into_iter().zip(judged) {
            assert_eq!(direction, same);
            assert!(
                (exact - value).abs() <= 1e-4 * exact.abs().max(1.0),
                "{spec} {position} {direction}: {exact} {value}"
            );
        }
    }
}

#[test]
fn expectimax_has_the_values_of_a_plain_search() {
    check_expectimax("", "corner", 1, 12);
    check_expectimax("", "corner", 2, 12);
    check_expectimax("", "corner", 3, 4);
    check_expectimax("", "score", 2, 12);
    check_expectimax("", "empty", 2, 12);
    check_expectimax("size=3x3", "corner", 3, 4);
    check_expectimax("rules=fer", "corner", 2, 8);
    check_expectimax("four=0.5 size=3x4", "snake", 2, 8);
}

#[test]
fn a_budget_of_boards_is_respected() {
    let game = game("");
    let position: Position = "1234/0123/0012/0001".parse().expect("a position");
    for nodes in [1, 50, 1_000, 20_000] {
        let spec = format!("expectimax(depth=12, cutoff=0, nodes={nodes})");
        let mut player = player(&game, &spec);
        player.choose(&game, &position, &mut stream(1, &[]));
        // The first depth is always completed: at most four boards.
        assert!(
            player.nodes() <= Some(nodes + 4),
            "{nodes}: {:?}",
            player.nodes()
        );
    }
}

#[test]
fn a_stop_from_the_caller_is_heeded() {
    let game = game("");
    let position: Position = "1234/0123/0012/0001".parse().expect("a position");
    let mut player = player(&game, "expectimax(depth=12, cutoff=0)");
    player.limit(std::sync::Arc::new(|| true));
    player.choose(&game, &position, &mut stream(1, &[]));
    assert!(player.nodes() < Some(3_000), "{:?}", player.nodes());
}

/// Mean and standard error of a player's score over games as in 2048-search: they stop at 2048, and new tiles are 2s.
fn mean_score(spec: &str, games: u64) -> (f64, f64) {
    let game = game("stop-at-win=true four=0");
    let scores: Vec<f64> = (0..games)
        .map(|number| {
            let mut players = vec![player(&game, spec)];
            let mut position = game.start();
            play_out(
                &game,
                &mut position,
                &mut players,
                &mut Dice::of(1, number),
                &mut (),
            );
            game.score(&position) as f64
        })
        .collect();
    let mean = scores.iter().sum::<f64>() / games as f64;
    let variance = scores
        .iter()
        .map(|score| (score - mean).powi(2))
        .sum::<f64>()
        / (games - 1) as f64;
    (mean, (variance / games as f64).sqrt())
}

/// The work's mean of 15 games, within 3 standard errors of the difference. Error rate: 1 in 370 each.
fn check_published(spec: &str, games: u64, published: f64, sd: f64) {
    let (mean, error) = mean_score(spec, games);
    let tolerance = 3.0 * f64::hypot(sd / f64::sqrt(15.0), error);
    assert!(
        (mean - published).abs() < tolerance,
        "{spec}: {mean}, published {published} +- {tolerance}"
    );
}

#[test]
fn minimax_of_depth_five_plays_as_in_2048_search() {
    check_published("alphabeta(depth=5, eval=score)", 60, 11_491.2, 5_132.4);
    check_published("alphabeta(depth=5, eval=empty)", 60, 11_646.1, 4_485.0);
}

#[test]
#[ignore = "takes minutes: the deeper cells of 2048-search"]
fn minimax_of_depths_seven_and_nine_plays_as_in_2048_search() {
    check_published("alphabeta(depth=7, eval=score)", 60, 15_362.7, 4_227.8);
    check_published("alphabeta(depth=7, eval=empty)", 60, 16_783.7, 3_828.1);
    check_published("alphabeta(depth=9, eval=score)", 40, 18_487.2, 2_686.2);
    check_published("alphabeta(depth=9, eval=empty)", 40, 15_628.4, 4_060.2);
}

#[test]
fn the_second_version_of_a_star_plays_as_in_2048_search() {
    check_published("astar(depth=10, eval=score-v2)", 60, 6_296.8, 2_965.0);
}

#[test]
fn a_star_that_follows_moves_without_effect_plays_as_in_2048_search() {
    let no_op = |eval| format!("astar(depth=5, eval={eval}, reading=no-op)");
    check_published(&no_op("score"), 60, 361.1, 168.5);
    check_published(&no_op("empty"), 60, 350.4, 112.4);
    let (legal, _) = mean_score("astar(depth=5, eval=score)", 20);
    assert!(legal > 1000.0, "{legal}");
}

#[test]
fn the_eight_weights_are_counted_as_in_2048_ga() {
    // One 4 in a corner, alone: 15 empty cells, one difference of 2 to each neighbour.
    let game = game("");
    let position: Position = "2000/0000/0000/0000 fours 1".parse().expect("a position");
    let value = |weights: &str| {
        let spec = format!("greedy(eval=eight, weights='{weights}')");
        let evaluation = players::evaluate::of_spec(&game, &spec.parse().expect("a spec"))
            .expect("an evaluation");
        evaluation.value(&game, &position)
    };
    assert_eq!(value("0 1 0 0 0 0 0 0"), 15.0);
    assert_eq!(value("0 0 1 0 0 0 0 0"), 0.0);
    assert_eq!(value("0 0 0 1 0 0 0 0"), 4.0);
    // Neighbours: 4 corners of 2, 8 edges of 3, 4 inner cells of 4.
    assert_eq!(value("0 0 0 0 1 0 0 0"), 48.0);
    // Of those 48 all are empty but the two that look at the 4.
    assert_eq!(value("0 0 0 0 0 1 0 0"), 46.0);
    // Smallest difference: 2 for the 4 itself, 0 for its neighbours, which have other empty ones.
    assert_eq!(value("0 0 0 0 0 0 1 0"), 2.0);
    // Largest difference: 2 for the 4 and for its two neighbours.
    assert_eq!(value("0 0 0 0 0 0 0 1"), 6.0);
    // The 4 is the largest cell value, so it stands at place 16 and counts 1 + 1.6 times.
    assert!((value("1 0 0 1 0 0 0 0") - 4.0 * 2.6).abs() < 1e-9);
}
