//! Fast boards against plain, obviously right ones: the same games, compared after every step.

use games::{Game, Stream, Turn, stream, with_twins};
use proptest::prelude::*;

use crate::{all_games, game};

/// Plays one random game on both boards; returns the number of plies.
fn lockstep<F, P>(fast: &F, plain: &P, rng: &mut Stream) -> u64
where
    F: Game,
    P: Game<Move = F::Move, Chance = F::Chance>,
{
    let (mut fast_at, mut plain_at) = (fast.start(), plain.start());
    let mut plies = 0;
    loop {
        compare(fast, plain, &fast_at, &plain_at);
        let mut same = rng.clone();
        match fast.turn(&fast_at) {
            Turn::Over => return plies,
            Turn::Chance => {
                assert_eq!(
                    fast.draw(&mut fast_at, rng),
                    plain.draw(&mut plain_at, &mut same)
                );
            }
            Turn::Player(_) => {
                let chosen = fast.random_move(&fast_at, rng);
                assert_eq!(
                    chosen,
                    plain.random_move(&plain_at, &mut same),
                    "in {fast_at}"
                );
                fast.play_unchecked(&mut fast_at, chosen);
                plain.play_unchecked(&mut plain_at, chosen);
            }
        }
        plies += 1;
    }
}

/// Everything that can be asked of a position must have the same answer.
fn compare<F, P>(fast: &F, plain: &P, fast_at: &F::Position, plain_at: &P::Position)
where
    F: Game,
    P: Game<Move = F::Move, Chance = F::Chance>,
{
    let (mut fast_moves, mut plain_moves) = (Vec::new(), Vec::new());
    fast.moves(fast_at, &mut fast_moves);
    plain.moves(plain_at, &mut plain_moves);
    assert_eq!(fast_moves, plain_moves, "moves in {fast_at}");
    fast.moves_to_search(fast_at, &mut fast_moves);
    plain.moves_to_search(plain_at, &mut plain_moves);
    assert_eq!(fast_moves, plain_moves, "moves to search in {fast_at}");
    assert_eq!(
        fast.turn(fast_at),
        plain.turn(plain_at),
        "turn in {fast_at}"
    );
    assert_eq!(
        fast.score(fast_at),
        plain.score(plain_at),
        "score of {fast_at}"
    );
    assert_eq!(
        fast.facts(fast_at),
        plain.facts(plain_at),
        "facts of {fast_at}"
    );
    assert_eq!(fast_at.to_string(), plain_at.to_string());
    let sketch = fast.sketch(fast_at);
    assert_eq!(sketch, plain.sketch(plain_at), "sketch of {fast_at}");
    let (mut fast_chances, mut plain_chances) = (Vec::new(), Vec::new());
    fast.chances(fast_at, &mut fast_chances);
    plain.chances(plain_at, &mut plain_chances);
    assert_eq!(fast_chances, plain_chances, "chances in {fast_at}");
}

/// Every example on a thread of its own: together they play about a million plies.
#[test]
fn fast_and_plain_boards_agree_on_every_example() {
    std::thread::scope(|scope| {
        for (place, (_, any)) in all_games().enumerate() {
            scope.spawn(move || {
                let (mut plies, mut number) = (0, 0);
                while plies < 30_000 {
                    let mut rng = stream(11, &[place as u64, number]);
                    plies += with_twins!(&any, (fast, plain) => lockstep(fast, plain, &mut rng));
                    number += 1;
                }
            });
        }
    });
}

fn check(name: &str, rules: &str, seed: u64) {
    let any = game(name, rules);
    with_twins!(&any, (fast, plain) => lockstep(fast, plain, &mut stream(seed, &[])));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_rules_of_2048(
        rules in prop::sample::select(vec!["standard", "fer"]),
        (rows, cols) in (3..=5, 3..=5),
        win in 3..=12,
        stop in any::<bool>(),
        four in 0..=10,
        seed in any::<u64>(),
    ) {
        let win = 1_u64 << win;
        let four = f64::from(four) / 10.0;
        check("2048", &format!("rules={rules} size={rows}x{cols} win={win} stop-at-win={stop} four={four}"), seed);
    }

    #[test]
    fn any_rules_of_connect(
        (rows, cols) in (1_u64..=16, 1_u64..=16).prop_filter("128 cells", |(r, c)| r * c <= 128 && r.max(c) > &1),
        connect in 0..100_u64,
        pieces in 1..=64_u64,
        seed in any::<u64>(),
    ) {
        let connect = 2 + connect % (rows.max(cols) - 1);
        check("connect", &format!("rows={rows} cols={cols} connect={connect} pieces={pieces}"), seed);
    }

    #[test]
    fn any_rules_of_tetris(
        (cols, rows) in (4..=16, 4..=40),
        known in 1..=8,
        shapes in prop::sample::select(vec!["tetrominoes", "SZ", "IOTJL", "I", "##,###/.#.", "#"]),
        generator in prop::sample::select(vec!["uniform", "bag"]),
        gravity in prop::sample::select(vec!["rows", "cascade"]),
        seed in any::<u64>(),
    ) {
        let rules = format!(
            "board={cols}x{rows} known={known} shapes={shapes} generator={generator} gravity={gravity} limit=300"
        );
        check("tetris", &rules, seed);
    }

    #[test]
    fn pentominoes_and_weights((cols, rows) in (5..=16, 5..=40), weight in 0..5, seed in any::<u64>()) {
        check("tetris", &format!("board={cols}x{rows} shapes=pentominoes limit=300"), seed);
        check("tetris", &format!("board={cols}x{rows} generator=I={weight},S=2,Z=0 limit=300"), seed);
    }
}
