//! Where games begin, and what is counted of games that are repeated.

use std::collections::HashSet;
use std::time::Duration;

use games::{AnyGame, Options, registry};
use play::batch::GameBatch;
use play::measure::{self, Finding, Measurement};
use play::openings::Openings;
use play::playing::{Interest, Record, Table, Workers};
use play::seating::draws;
use play::stats::{Accepted, Share, Sprt};
use play::tournament::{Outcome, Plan, play, play_until};
use players::Spec;
use players::registry::PLAYERS;

fn game(name: &str) -> AnyGame {
    registry::build(name, &Options::default()).expect("a game")
}

fn specs(texts: &[&str]) -> Vec<Spec> {
    let spec = |text: &&str| text.parse().expect("a spec");
    texts.iter().map(spec).collect()
}

/// Two players that draw no random numbers.
const DETERMINED: [&str; 2] = ["weighted", "negamax(depth=2, eval=lines)"];

fn tournament(players: &[&str], games: u64, openings: Openings) -> Outcome {
    let plan = Plan {
        game: game("connect"),
        players: specs(players),
        games,
        seed: 1,
        move_time: None,
        openings,
    };
    let workers = Workers::new(2).expect("threads");
    let played = play(&plan, &workers, &|| {}).expect("players can play");
    played.expect("it was not stopped")
}

fn measured(players: &[&str], games: u64, both_seats: bool, openings: Openings) -> Measurement {
    let plan = measure::Plan {
        game: game("connect"),
        table: Table::new(specs(players), None),
        games,
        seed: 1,
        threads: 2,
        interest: Interest::Result,
        both_seats,
        openings,
    };
    let workers = Workers::new(2).expect("threads");
    let played = measure::measure(&plan, &workers, &|| {}, &mut |_| {}).expect("players can play");
    played.expect("it was not stopped")
}

#[test]
fn openings_are_different_and_follow_from_the_seed() {
    let connect = game("connect");
    let hundred = Openings::Balanced.positions(&connect, 1, 100);
    assert_eq!(hundred.len(), 100);
    assert_eq!(HashSet::<&String>::from_iter(&hundred).len(), 100);
    assert_eq!(Openings::Balanced.positions(&connect, 1, 10), hundred[..10]);
    assert_ne!(Openings::Balanced.positions(&connect, 2, 10), hundred[..10]);
    let stones = |text: &String| text.chars().filter(char::is_ascii_alphabetic).count();
    assert!(hundred.iter().all(|text| stones(text) == 4), "{hundred:?}");
    let six = Openings::Random { plies: 6 }.positions(&connect, 1, 5);
    assert!(six.iter().all(|text| stones(text) == 6), "{six:?}");
    let list = Openings::List(hundred.clone());
    list.check(&connect).expect("they can be played");
    let small = Openings::Balanced.positions(&game("tic-tac-toe"), 1, 1000);
    assert!((2..=72).contains(&small.len()), "{}", small.len());
}

#[test]
fn games_with_chance_begin_at_the_start() {
    for name in ["2048", "tetris"] {
        assert!(Openings::Balanced.positions(&game(name), 1, 10).is_empty());
        let refused = Openings::Random { plies: 2 }.check(&game(name));
        let text = refused.expect_err("there is chance").to_string();
        assert!(text.contains("chance"), "{text}");
    }
}

#[test]
fn wrong_openings_are_refused() {
    let connect = game("connect");
    for (text, expected) in [
        ("book", "balanced, none or random(plies=N)"),
        ("random(plies=0)", "from 1 to 100"),
        ("random(depth=3)", "no parameter"),
        ("none(plies=2)", "no parameter"),
    ] {
        let error = Openings::read(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{error}");
    }
    for (text, expected) in [
        ("", "no openings"),
        ("# nothing\n\n", "no openings"),
        ("hello", "opening 1"),
    ] {
        let error = Openings::list(text).check(&connect);
        let error = error.expect_err(text).to_string();
        assert!(error.contains(expected), "{error}");
    }
    for text in ["balanced", "none", "random(plies=7)"] {
        let read = Openings::read(text).expect(text);
        assert_eq!(read.to_string(), text);
    }
}

/// A batch that has travelled plays the same games.
#[test]
fn openings_travel() {
    let connect = game("connect");
    let mut batch = GameBatch::new(&connect, 3).with_openings(&Openings::Balanced, 20);
    batch.add(Table::new(specs(&DETERMINED), None), 0..20);
    let text = serde_json::to_string(&batch.part(5..15)).expect("plain data");
    let there: GameBatch = serde_json::from_str(&text).expect("a batch");
    let same = |batch: &GameBatch| -> Vec<(i64, u32, Option<u64>)> {
        let records = batch.play().expect("players can play");
        let same = records.iter().map(|one| (one.score, one.moves, one.same));
        same.collect()
    };
    assert_eq!(same(&there), same(&batch)[5..15]);
    let wrong = text.replacen("\"openings\":[\"", "\"openings\":[\"x", 1);
    let refused = serde_json::from_str::<GameBatch>(&wrong);
    assert!(refused.is_err(), "{wrong}");
}

#[test]
fn a_repeated_game_counts_once() {
    let repeated = tournament(&DETERMINED, 100, Openings::None);
    let pairing = &repeated.pairings[0];
    assert_eq!(pairing.different_games, 2);
    assert_eq!(pairing.wins + pairing.draws + pairing.losses, 2);
    assert!(pairing.p > 0.4, "{}", pairing.p);
    let opened = tournament(&DETERMINED, 100, Openings::Balanced);
    let pairing = &opened.pairings[0];
    assert_eq!(pairing.different_games, 100);
    assert_eq!(pairing.pairs.iter().sum::<u32>(), 50);
    // Players with random numbers of their own may meet in the same game by chance; it counts.
    let random = tournament(&["random", "greedy"], 100, Openings::None);
    assert_eq!(random.pairings[0].different_games, 100);
}

#[test]
fn a_measurement_counts_different_games() {
    let repeated = measured(&DETERMINED, 50, true, Openings::None);
    assert_eq!((repeated.games, repeated.different_games), (50, Some(2)));
    assert_eq!(repeated.score.ci95, None);
    let opened = measured(&DETERMINED, 50, true, Openings::Balanced);
    assert_eq!((opened.games, opened.different_games), (50, None));
    assert_eq!(opened.openings.as_deref(), Some("balanced"));
    let random = measured(&["random", "random"], 50, false, Openings::None);
    assert_eq!((random.different_games, random.openings), (None, None));
}

#[test]
fn a_test_ends_when_it_is_decided() {
    let plan = Plan {
        game: game("connect"),
        players: specs(&["greedy", "random"]),
        games: 2000,
        seed: 1,
        move_time: None,
        openings: Openings::Balanced,
    };
    let test = Sprt {
        elo0: 0.0,
        elo1: 50.0,
        alpha: 0.05,
        beta: 0.05,
    };
    let run = |plan: &Plan, threads: usize| {
        let workers = Workers::new(threads).expect("threads");
        let played = play_until(plan, &test, &workers, &|| {}).expect("players can play");
        played.expect("it was not stopped")
    };
    let (outcome, decision) = run(&plan, 2);
    assert_eq!(decision.accepted, Some(Accepted::Elo1));
    assert!(outcome.games < 1000, "{}", outcome.games);
    let (alone, _) = run(&plan, 1);
    assert_eq!(alone.games, outcome.games);
    let short = Plan { games: 2, ..plan };
    let (outcome, decision) = run(&short, 1);
    assert_eq!((outcome.games, decision.accepted), (2, None));
    assert!(!decision.only_repeats);
    let repeated = Plan {
        players: specs(&DETERMINED),
        games: 1000,
        openings: Openings::None,
        ..short
    };
    let (outcome, decision) = run(&repeated, 2);
    assert_eq!((decision.accepted, decision.only_repeats), (None, true));
    assert_eq!(outcome.pairings[0].different_games, 2);
    assert!(outcome.games < 1000, "{}", outcome.games);
}

#[test]
fn players_draw_random_numbers_as_they_say() {
    let small = "rows=4 cols=4 connect=3".parse().expect("options");
    let connect = registry::build("connect", &small).expect("allowed rules");
    for game in [connect, game("tic-tac-toe")] {
        // A network is a player only once it has learnt something.
        let players = PLAYERS.iter().filter(|one| one.kind.name != "network");
        for entry in players.filter(|one| one.plays(game.family().name)) {
            let spec = specs(&[entry.kind.name]).remove(0);
            let mut batch = GameBatch::new(&game, 1);
            batch.add(Table::new(vec![spec.clone(), spec.clone()], None), 0..1);
            let record = batch.play().expect("defaults can play").remove(0);
            let (name, family) = (entry.kind.name, game.family().name);
            assert_eq!(record.same.is_none(), entry.draws, "{name} in {family}");
            assert_eq!(draws(&game, &spec), entry.draws, "{name} in {family}");
        }
    }
}

#[test]
fn shares_of_a_measurement_are_over_pairs() {
    let plan = measure::Plan {
        game: game("connect"),
        table: Table::new(specs(&DETERMINED), None),
        games: 40,
        seed: 1,
        threads: 1,
        interest: Interest::Result,
        both_seats: true,
        openings: Openings::Balanced,
    };
    let record = |number: u64, score: i64| Record {
        score,
        moves: 10 + 10 * u32::from(score > 0),
        facts: vec![0; plan.game.facts().len()].into(),
        forfeit: None,
        seconds: 0.0,
        move_seconds: Box::default(),
        same: Some(number),
        origin: None,
    };
    // Whoever is better in an opening wins it from both seats: twenty observations, not forty.
    let records: Vec<Record> = (0..40)
        .map(|n| record(n, if n / 2 % 2 == 0 { 1 } else { -1 }))
        .collect();
    let found = plan.sum_up(&records, Duration::ZERO);
    let wins = found.facts.0.iter().find(|(name, _)| *name == "wins");
    let Some((_, Finding::Flag(wins))) = wins else {
        panic!("wins are a share");
    };
    assert_eq!(wins.games, 20);
    assert_eq!(wins.ci95, Share::new(10, 20).ci95);
    let [low, high] = found.moves.ci95.expect("many pairs");
    assert!(high - low > 4.0, "{low} to {high}");
    assert_eq!(plan.pairs(&records).counts, [10, 0, 0, 0, 10]);
    // The same two games again are no further evidence.
    let again: Vec<Record> = (0..40).map(|n| record(n % 2, 1)).collect();
    assert_eq!(plan.pairs(&again).counts, [0, 0, 0, 0, 1]);
}
