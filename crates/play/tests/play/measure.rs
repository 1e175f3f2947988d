//! Measurements: the numbers of games that are added up as they are played.

use std::time::Duration;

use games::{Options, registry};
use play::measure::{Measurement, Plan, measure};
use play::openings::Openings;
use play::playing::{Interest, Record, Table, Workers};

fn plan(game: &str, players: &[&str], games: u64) -> Plan {
    let players = players.iter().map(|text| text.parse().expect("a spec"));
    Plan {
        game: registry::build(game, &Options::default()).expect("a game"),
        table: Table::new(players.collect(), None),
        games,
        seed: 1,
        threads: 2,
        interest: Interest::Result,
        both_seats: players_of(game) == 2,
        openings: Openings::None,
    }
}

fn players_of(game: &str) -> u8 {
    let game = registry::build(game, &Options::default()).expect("a game");
    game.seats()
}

fn run(plan: &Plan) -> (Measurement, Vec<Record>) {
    let mut records = Vec::new();
    let workers = Workers::new(2).expect("threads");
    let measured = measure(plan, &workers, &|| {}, &mut |more| records.extend(more));
    let measured = measured.expect("players can play");
    (measured.expect("it was not stopped"), records)
}

/// As JSON, without times.
fn numbers(measurement: &Measurement) -> serde_json::Value {
    let mut value = serde_json::to_value(measurement).expect("numbers");
    let fields = value.as_object_mut().expect("an object");
    fields.retain(|name, _| !name.contains("second"));
    value
}

/// Games are played and added up in blocks of 262,144.
#[test]
fn many_games_have_the_numbers_of_all_of_them_together() {
    let of_one = plan("2048", &["random"], 600_000);
    // The last game has no partner, and a block of its own.
    let of_pairs = plan("connect", &["random", "random"], 262_145);
    for plan in [of_one, of_pairs] {
        let (measured, records) = run(&plan);
        assert_eq!(records.len() as u64, plan.games);
        let together = plan.sum_up(&records, Duration::from_secs(1));
        assert_eq!(numbers(&measured), numbers(&together));
    }
}

/// Of pairs with an odd game at the end, and of repeated games.
#[test]
fn numbers_are_those_of_their_definition() {
    let (measured, records) = run(&plan("connect", &["random", "mcts(iterations=5)"], 41));
    let scores: Vec<f64> = records.iter().map(|record| record.score as f64).collect();
    let mean = scores.iter().sum::<f64>() / 41.0;
    let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
    assert!((measured.score.mean - mean).abs() < 1e-12);
    assert!((measured.score.sd.expect("many") - (squares / 40.0).sqrt()).abs() < 1e-12);
    let wins = scores.iter().filter(|&&score| score == 1.0).count();
    let json = numbers(&measured);
    assert_eq!(json["wins"]["games"], wins);
    assert_eq!(json["games"], 41);
    let determined = ["weighted", "negamax(depth=2, eval=lines)"];
    let (measured, records) = run(&plan("connect", &determined, 40));
    assert_eq!((measured.games, measured.different_games), (40, Some(2)));
    assert_eq!(records.len(), 40);
}
