//! Trains a network of Connect Four and says how well it plays without looking ahead:
//!
//! ```text
//! cargo run --release -p gamete-learn --example connect [GAMES [TUPLES [METHOD]]]
//! ```
//!
//! All seeds are fixed. Solving the positions takes some minutes.

use games::connect::{Connect, Position, Rules};
use games::{Game, Turn, below, stream};
use learn::{Alone, Plan, Restart};
use players::arena::{Dice, play_out};
use players::network::{Floats, Shape, shelf};
use players::solver::{Budget, Config, MoveScore, Order, Solver};
use players::{Playable, Prepared};

const RULES: Rules = Rules {
    rows: 6,
    cols: 7,
    connect: 4,
    pieces: 21,
};
/// The seed of the training, and the one of positions and games to measure it.
const TRAINING: u64 = 1;
const MEASURING: u64 = 20_000;

const POSITIONS: usize = 2000;
const OPENINGS: usize = 100;
/// Random moves of an opening.
const PLIES: u32 = 4;
/// An opening from which a player wins so soon is none.
const SOON: u32 = 4;

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let text =
        |place: usize, default: &str| given.get(place).map_or(default, |text| text).to_owned();
    let games = text(0, "2000000").parse().expect("a number of games");
    let game = Connect::<u64>::new(RULES);
    let plan = Plan {
        game: game.clone().into(),
        shape: Shape::of(&text(1, "small")),
        method: text(2, "tc").parse().expect("a method"),
        initial: 0.0,
        restart: Restart::Start,
        side_by_side: 1,
        record: Default::default(),
    };
    train(&plan, games);
    let player = prepared(&game, "network(id=trained)");
    let mut solver = Solver::new(
        RULES,
        Config {
            remember: true,
            book: true,
            ..Config::default()
        },
    );
    let kept = kept(&game, &player, &mut solver);
    println!(
        "keeps win, draw or loss in {:.2} % of {POSITIONS} positions",
        100.0 * kept
    );
    let openings = openings(&game, &mut solver);
    for (opponent, seats) in [("mcts(iterations=1000)", 2), ("perfect", 1)] {
        let opponent_player = prepared(&game, opponent);
        for seat in 0..seats {
            let [won, drawn, lost] = play(&game, &player, &opponent_player, seat, &openings);
            println!(
                "against {opponent}, moving as number {}: {won} won, {drawn} drawn, {lost} lost",
                seat + 1
            );
        }
    }
    let start = [game.start()];
    let [won, drawn, _] = play(&game, &player, &prepared(&game, "perfect"), 0, &start);
    let result = ["lost", "drawn", "won"][2 * won + drawn];
    println!("against perfect, from the empty board, moving first: {result}");
}

/// Trains the network and puts it on the shelf.
fn train(plan: &Plan, games: u64) {
    let lookup = plan.lookup().expect("tuples");
    let tables = lookup.tables();
    let entries = tables.iter().sum();
    println!("{} tables of {entries} entries", tables.len());
    let mut learner = plan.learner(TRAINING, 0..tables.len()).expect("a learner");
    let begun = std::time::Instant::now();
    learner.advance(u64::MAX / 2, games, &mut Alone, &mut Vec::new());
    let seconds = begun.elapsed().as_secs_f64();
    println!("{games} games, {} moves in {seconds:.0} s", learner.moves());
    let mut weights = Floats::zeroed(entries).expect("memory");
    let mut left = weights.entries_mut();
    for (table, size) in tables.iter().enumerate() {
        let (own, rest) = left.split_at_mut(*size);
        learner.weights(table, own);
        left = rest;
    }
    shelf::put("trained", lookup.with(weights));
}

fn prepared(game: &Connect<u64>, player: &str) -> Prepared<Connect<u64>> {
    let player = player.parse().expect("a player");
    game.prepare(&player).expect("a player of Connect")
}

/// The position after so many random moves, if the game is not over by then.
fn random_position(game: &Connect<u64>, plies: u32, path: &[u64]) -> Option<Position<u64>> {
    let mut rng = stream(MEASURING, path);
    let mut position = game.start();
    for _ in 0..plies {
        let column = game.random_move(&position, &mut rng);
        game.play_unchecked(&mut position, column);
        if game.turn(&position) == Turn::Over {
            return None;
        }
    }
    Some(position)
}

/// The share of decisive positions, those of 8 to 30 random moves in which some moves keep the verdict and others do not, where the
/// player's move keeps it.
fn kept(game: &Connect<u64>, player: &Prepared<Connect<u64>>, solver: &mut Solver) -> f64 {
    let mut player = player.player();
    let (mut decisive, mut kept) = (0, 0);
    for number in 0.. {
        let mut rng = stream(MEASURING, &[0, number]);
        let plies = 8 + below(&mut rng, 23);
        let Some(position) = random_position(game, plies, &[1, number]) else {
            continue;
        };
        let judged = solver.judge_moves(
            &position,
            Order::ScoreByScore,
            &Budget::default(),
            &mut |_, _| {},
        );
        let judged = judged.moves;
        let highest = judged.iter().filter_map(MoveScore::verdict).max();
        if judged.iter().all(|one| one.verdict() == highest) {
            continue;
        }
        decisive += 1;
        let chosen = player.choose(game, &position, &mut rng);
        let good = judged.iter().filter(|one| one.verdict() == highest);
        kept += usize::from(good.into_iter().any(|one| one.column == chosen));
        if decisive == POSITIONS {
            break;
        }
    }
    kept as f64 / decisive as f64
}

/// Different positions after a few random moves.
fn openings(game: &Connect<u64>, solver: &mut Solver) -> Vec<Position<u64>> {
    let mut openings = Vec::new();
    let mut number = 0;
    while openings.len() < OPENINGS {
        number += 1;
        let Some(position) = random_position(game, PLIES, &[2, number]) else {
            continue;
        };
        let solved = solver
            .solve(&position, &Budget::default())
            .expect("no limit");
        if solved.moves.is_none_or(|moves| moves > SOON) && !openings.contains(&position) {
            openings.push(position);
        }
    }
    openings
}

/// Games won, drawn and lost from each of the openings, the player sitting at this seat.
fn play(
    game: &Connect<u64>,
    player: &Prepared<Connect<u64>>,
    opponent: &Prepared<Connect<u64>>,
    seat: usize,
    openings: &[Position<u64>],
) -> [usize; 3] {
    let mut results = [0; 3];
    for (number, opening) in openings.iter().enumerate() {
        let mut table = [player.player(), opponent.player()];
        table.rotate_right(seat);
        let mut position = *opening;
        let mut dice = Dice::of(MEASURING, number as u64);
        play_out(game, &mut position, &mut table, &mut dice, &mut ());
        let place = match game.winner(&position) {
            Some(winner) if usize::from(winner) == seat => 0,
            Some(_) => 2,
            None => 1,
        };
        results[place] += 1;
    }
    results
}
