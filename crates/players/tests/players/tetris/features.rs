//! Features of boards drawn by hand, and fast features against those counted cell by cell.

use games::tetris::{ColumnBits, Placement, Position, Tetris};
use games::{Game, Stream, Turn, stream};
use players::Player;

use super::plain::Made;
use super::{Columns, game, player};

/// A feature set by name, how many features it has, and how to count them cell by cell.
type Set = (&'static str, usize, fn(&Made) -> Vec<f64>);

/// `dt20` has the features of `dt10`.
const SETS: [Set; 11] = [
    ("five", 5, Made::five),
    ("six", 6, Made::six),
    ("ten", 10, Made::ten),
    ("fifteen", 15, Made::fifteen),
    ("twenty", 20, Made::twenty),
    ("five, reading=as-published", 5, Made::five_as_published),
    ("ten, reading=as-published", 10, Made::ten_as_published),
    ("dellacherie", 6, Made::surface),
    ("bcts", 8, Made::surface),
    ("dt10", 9, Made::surface),
    ("points", 15, Made::points),
];

type Probes<C> = Vec<Box<dyn Player<Tetris<C>>>>;

/// One player a feature: with a weight of 1 for that feature alone, its values are the feature.
fn probes<C: Columns>(game: &Tetris<C>, set: &Set) -> Probes<C> {
    let weights = |one: usize| -> String {
        (0..set.1)
            .map(|place| if place == one { "1 " } else { "0 " })
            .collect()
    };
    (0..set.1)
        .map(|one| {
            player(
                game,
                &format!("weighted(features={}, weights='{}')", set.0, weights(one)),
            )
        })
        .collect()
}

/// The features of every legal placement, as the player sees them.
fn seen<C: ColumnBits>(
    probes: &mut Probes<C>,
    game: &Tetris<C>,
    position: &Position<C>,
) -> Vec<(Placement, Vec<f64>)> {
    let mut all: Vec<(Placement, Vec<f64>)> = Vec::new();
    for probe in probes {
        let judged = probe.judge(game, position, &mut stream(0, &[]));
        all.resize_with(judged.len(), || (judged[0].0, Vec::new()));
        for (found, (placement, value)) in all.iter_mut().zip(judged) {
            found.0 = placement;
            found.1.push(value);
        }
    }
    all
}

fn check(set: &str, board: &str, placement: &str, expected: &[f64]) {
    let size = board.split(' ').next().unwrap();
    let game: Tetris<u32> = game(&format!("board={size} known=1"));
    let position: Position<u32> = board.parse().unwrap();
    game.check(&position).unwrap();
    let set = SETS.iter().find(|known| known.0 == set).unwrap();
    let all = seen(&mut probes(&game, set), &game, &position);
    let found = all.iter().find(|(place, _)| place.to_string() == placement);
    assert_eq!(
        found.unwrap().1,
        expected,
        "{} of {placement} on {board}",
        set.0
    );
    let made = Made::of(&game, &position, placement.parse().unwrap());
    assert_eq!(set.2(&made)[..set.1], *expected, "{} cell by cell", set.0);
}

#[test]
fn changes_of_hand_made_boards() {
    // Height, edges at filled cells, edges at walls and floor, gaps, lines.
    check("five", "4x8 - O", "r0c0", &[2.0, 0.0, 4.0, 0.0, 0.0]);
    check("five", "4x8 - O", "r0c1", &[2.0, 0.0, 2.0, 0.0, 0.0]);
    check("five", "4x8 - I", "r0c0", &[0.0, 0.0, 6.0, 0.0, 1.0]);
    check("five", "4x8 #... O", "r0c0", &[2.0, 1.0, 2.0, 1.0, 0.0]);
    check(
        "five",
        "4x8 #.../#..# O",
        "r0c1",
        &[-1.0, 3.0, 2.0, 0.0, 1.0],
    );
    // The row that covered two cells goes, and with it the holes.
    check(
        "five",
        "4x8 ###./#... I",
        "r1c3",
        &[1.0, 1.0, 5.0, -2.0, 1.0],
    );
    // Two lines of three go, and with the upper one the hole below it.
    check(
        "five",
        "4x8 #.##/#.#./#.## I",
        "r1c1",
        &[-1.0, 6.0, 1.0, -1.0, 2.0],
    );
    check(
        "ten",
        "4x8 ###./#... I",
        "r1c3",
        &[1.0, 1.0, 1.0, 1.0, 5.0, 25.0, -2.0, 4.0, 1.0, 1.0],
    );
    check(
        "fifteen",
        "4x8 ###./#... I",
        "r1c3",
        &[
            1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 5.0, 25.0, 125.0, -2.0, 4.0, -8.0, 1.0, 1.0, 1.0,
        ],
    );
    // Three empty cells below the piece, two of them covered by it; one hole elsewhere.
    check(
        "six",
        "4x8 .#.#/.... O",
        "r0c1",
        &[2.0, 1.0, 0.0, 2.0, 0.0, 3.0],
    );
    // None elsewhere.
    check("six", "4x8 #... O", "r0c0", &[2.0, 1.0, 2.0, 1.0, 0.0, 1.0]);
}

#[test]
fn surfaces_of_hand_made_boards() {
    // Landing height, eroded cells, row and column transitions, holes, wells, depth, rows with holes, steps.
    let check = |board: &str, placement: &str, expected: [f64; 9]| {
        check("dt10", board, placement, &expected);
        check("bcts", board, placement, &expected[..8]);
        check("dellacherie", board, placement, &expected[..6]);
    };
    let empty_rows = |rows: f64| 2.0 * rows;
    // Heights 2 2 0 0: steps 0 and -2.
    check(
        "4x6 - O",
        "r0c0",
        [0.5, 0.0, empty_rows(6.0), 4.0, 0.0, 0.0, 0.0, 0.0, 2.0],
    );
    // A shaft of two cells at the wall: 1 + 2. Heights 0 2 2 0.
    check(
        "4x6 - O",
        "r0c1",
        [
            0.5,
            0.0,
            empty_rows(4.0) + 8.0,
            4.0,
            0.0,
            6.0,
            0.0,
            0.0,
            3.0,
        ],
    );
    // All is cleared.
    check(
        "4x6 - I",
        "r0c0",
        [0.0, 4.0, empty_rows(6.0), 4.0, 0.0, 0.0, 0.0, 0.0, 1.0],
    );
    // Two lines with two cells each; below them a hole comes to light.
    check(
        "4x6 ##../##../#.## O",
        "r0c2",
        [
            1.5,
            8.0,
            empty_rows(5.0) + 2.0,
            4.0,
            0.0,
            1.0,
            0.0,
            0.0,
            3.0,
        ],
    );
    // A hole under two cells, its row the only one with a hole: heights 1 3 3 0.
    check(
        "4x6 ##.. O",
        "r0c1",
        [
            1.5,
            0.0,
            empty_rows(3.0) + 2.0 + 8.0,
            6.0,
            1.0,
            3.0 + 5.0,
            2.0,
            1.0,
            2.0,
        ],
    );
}

/// Plays random games, or good ones when `skill` is given, and hands over every position to be judged.
fn each_position<C: Columns>(
    game: &Tetris<C>,
    skill: Option<&str>,
    positions: usize,
    rng: &mut Stream,
    mut check: impl FnMut(&Position<C>),
) {
    let mut skilled = skill.map(|spec| player(game, spec));
    let mut position = game.start();
    let mut seen = 0;
    while seen < positions {
        match game.turn(&position) {
            Turn::Over => position = game.start(),
            Turn::Chance => {
                game.draw(&mut position, rng);
            }
            Turn::Player(_) => {
                check(&position);
                seen += 1;
                let chosen = match &mut skilled {
                    // Some random moves keep even good games away from the floor.
                    Some(skilled) if seen % 5 != 0 => skilled.choose(game, &position, rng),
                    _ => game.random_move(&position, rng),
                };
                game.play_unchecked(&mut position, chosen);
            }
        }
    }
}

/// Returns how many placements were compared.
fn compare<C: Columns>(rules: &str, skill: Option<&str>, positions: usize) -> usize {
    let game: Tetris<C> = game(rules);
    let mut sets: Vec<(Set, Probes<C>)> =
        SETS.iter().map(|set| (*set, probes(&game, set))).collect();
    let mut compared = 0;
    let mut moves = Vec::new();
    each_position(&game, skill, positions, &mut stream(5, &[]), |position| {
        game.moves(position, &mut moves);
        let made: Vec<Made> = moves
            .iter()
            .map(|&m| Made::of(&game, position, m))
            .collect();
        for (set, probes) in &mut sets {
            let seen = seen(probes, &game, position);
            assert_eq!(seen.len(), moves.len(), "moves in {position}");
            for ((found, made), &chosen) in seen.iter().zip(&made).zip(&moves) {
                assert_eq!(found.0, chosen, "order in {position}");
                assert_eq!(
                    found.1,
                    set.2(made)[..set.1],
                    "{} of {chosen} on {position}",
                    set.0
                );
            }
        }
        compared += moves.len();
    });
    compared
}

/// More than 200,000 placements, each feature of each.
#[test]
fn fast_features_are_those_counted_cell_by_cell() {
    let skills = [None, Some("weighted(features=dellacherie)")];
    let mut compared = 0;
    for skill in skills {
        compared += compare::<u32>("known=1", skill, 2000);
        compared += compare::<u32>("board=10x10 known=1", skill, 1000);
        compared += compare::<u32>("board=10x10 hold=true", skill, 300);
        compared += compare::<u32>("board=4x4 known=1", skill, 500);
        compared += compare::<u32>("board=16x32 known=1", skill, 500);
        compared += compare::<u32>("board=8x6 known=1", skill, 500);
        compared += compare::<u64>("board=16x40 known=1", skill, 300);
        compared += compare::<u64>("board=5x33 known=1", skill, 500);
        compared += compare::<u32>("board=9x12 known=1 shapes=pentominoes", skill, 800);
        compared += compare::<u64>("board=12x40 known=1 shapes=pentominoes", skill, 200);
        compared += compare::<u32>("board=12x14 known=1 shapes=hexominoes", skill, 300);
        compared += compare::<u64>("board=9x40 known=1 shapes=hexominoes", skill, 200);
        compared += compare::<u32>("board=7x9 known=1 shapes=#,##/.#,###,#.#/###", skill, 800);
        compared += compare::<u32>(
            "board=10x14 known=1 shapes=#.#.#/#####/#.#.#,#####,#.#/#.#/###",
            skill,
            500,
        );
        compared += compare::<u32>("board=6x12 known=1 gravity=cascade", skill, 500);
        compared += compare::<u64>(
            "board=5x33 known=1 shapes=#,#.#/### gravity=cascade",
            skill,
            300,
        );
    }
    assert!(compared > 200_000, "only {compared}");
}
