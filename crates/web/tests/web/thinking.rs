//! Players that think for the page.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::house::House;

#[test]
fn every_suggested_player_makes_a_move() {
    let house = House::open();
    for game in games::registry::FAMILIES {
        let start = house
            .post(
                &format!("/api/games/{}/view", game.name),
                &json!({"seed": 1}),
            )
            .ok();
        for player in play::suggested::suggested(game.name) {
            let body = json!({"position": start["position"], "player": player, "seed": 1, "step": 1, "time_ms": 200});
            let choice = house
                .post(&format!("/api/games/{}/choose", game.name), &body)
                .ok();
            assert!(
                start["moves"]
                    .as_array()
                    .unwrap()
                    .contains(&choice["chosen"]),
                "{choice}"
            );
            assert_eq!(choice["steps"][0]["move"], choice["chosen"]);
        }
    }
}

#[test]
fn the_perfect_player_knows_exact_scores() {
    let house = House::open();
    // X has three on the floor with both ends open: it wins at once.
    let hint = house
        .post(
            "/api/games/connect/hint",
            &json!({"position": "334455", "player": "perfect", "time_ms": 5000}),
        )
        .ok();
    assert_eq!(hint["exact"], true, "{hint}");
    let best = hint["chosen"].as_str().unwrap();
    assert!(best == "2" || best == "6", "{hint}");
    let values = hint["values"].as_array().unwrap();
    assert_eq!(values.len(), 7);
    let of = |chosen: &str| values.iter().find(|value| value["move"] == chosen).unwrap();
    assert!(
        of("2")["value"].as_f64() > Some(0.0) && of("2")["text"].as_str().unwrap().starts_with('+')
    );
}

#[test]
fn a_game_that_is_over_has_no_hint_and_no_choice() {
    let house = House::open();
    let over = json!({"position": "1212121", "player": "random"});
    let hint = house.post("/api/games/connect/hint", &over).ok();
    assert_eq!(
        (&hint["chosen"], &hint["values"]),
        (&Value::Null, &json!([]))
    );
    house
        .post("/api/games/connect/choose", &over)
        .refused(400, "over");
}

#[test]
fn wrong_players_are_told() {
    let house = House::open();
    let choose = |player: &str| {
        house.post(
            "/api/games/2048/choose",
            &json!({"position": "1100/0000/0000/0000", "player": player}),
        )
    };
    choose("randm").refused(400, "did you mean 'random'");
    choose("expectimax(depth=x)").refused(400, "depth");
    choose("perfect").refused(400, "plays only connect");
    choose("").refused(400, "");
    choose(&"x".repeat(100_000)).refused(400, "too long");
}

/// A question that takes as long as it may.
fn endless(tab: &str) -> Value {
    json!({"position": "", "player": "mcts(iterations=100000000)", "time_ms": 10_000, "tab": tab})
}

#[test]
fn a_newer_question_of_the_tab_cancels_the_older() {
    let house = House::open();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        let older = scope.spawn(|| house.post("/api/games/connect/choose", &endless("a")));
        std::thread::sleep(Duration::from_millis(300));
        let newer = json!({"position": "", "player": "random", "tab": "a"});
        house.post("/api/games/connect/choose", &newer).ok();
        older.join().unwrap().refused(409, "cancelled");
    });
    assert!(
        begun.elapsed() < Duration::from_secs(8),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn a_connection_that_ends_stops_the_search() {
    let house = House::with(|settings| settings.limits.searches = 1);
    let body = endless("a").to_string();
    let mut gone = TcpStream::connect(house.address).unwrap();
    let head = format!(
        "POST /api/games/connect/choose HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        house.address,
        body.len()
    );
    gone.write_all(head.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let quick = json!({"position": "", "player": "random"});
    house
        .post("/api/games/connect/choose", &quick)
        .refused(429, "running already");
    drop(gone);
    let begun = Instant::now();
    while house.post("/api/games/connect/choose", &quick).status == 429 {
        assert!(
            begun.elapsed() < Duration::from_secs(5),
            "the search goes on"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_search_ends_in_its_time() {
    let house = House::open();
    let begun = Instant::now();
    let body = json!({"position": "", "player": "mcts(iterations=100000000)", "time_ms": 200});
    house.post("/api/games/connect/choose", &body).ok();
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
    let hint = house.post("/api/games/connect/hint", &body).ok();
    assert_eq!(hint["cut_short"], true);
}

/// Without a limit each of these would think for hours.
const DEEP: [&str; 3] = [
    "minimax(depth=60)",
    "alphabeta(depth=60)",
    "negamax(depth=60)",
];

#[test]
fn a_search_of_any_depth_ends_in_its_time_and_goes_by_what_it_has_found() {
    let house = House::with(|settings| settings.limits.searches = 1);
    for player in DEEP {
        let body = json!({"position": "334455", "player": player, "time_ms": 100});
        house.post("/api/games/connect/choose", &body).ok();
        // The place is free again, so the search is over.
        let hint = house.post("/api/games/connect/hint", &body).ok();
        assert_eq!(hint["cut_short"], true, "{hint}");
        let values = hint["values"].as_array().unwrap();
        let values: Vec<f64> = values
            .iter()
            .filter_map(|one| one["value"].as_f64())
            .collect();
        // X has three on the floor with both ends open.
        assert_eq!(values.len(), 7);
        assert!(values.iter().all(|&value| value <= values[1]), "{hint}");
    }
}

#[test]
fn searches_of_any_depth_that_were_cancelled_leave_their_places() {
    let house = &House::with(|settings| settings.limits.searches = 2);
    let deep =
        |player: &str| json!({"position": "", "player": player, "time_ms": 10_000, "tab": "a"});
    std::thread::scope(|scope| {
        let older = DEEP.map(|player| {
            let asked = scope.spawn(move || house.post("/api/games/connect/choose", &deep(player)));
            std::thread::sleep(Duration::from_millis(200));
            asked
        });
        let newer = json!({"position": "", "player": "random", "tab": "a"});
        while house.post("/api/games/connect/choose", &newer).status == 429 {
            std::thread::sleep(Duration::from_millis(20));
        }
        for asked in older {
            asked.join().unwrap().refused(409, "cancelled");
        }
    });
}

#[test]
fn columns_that_could_not_be_solved_have_no_score() {
    let house = House::open();
    let hint = |position: &str, time: u64| {
        let body = json!({"position": position, "player": "perfect", "time_ms": time});
        house.post("/api/games/connect/hint", &body).ok()
    };
    // Openings are known by heart.
    let opening = hint("44", 10_000);
    assert_eq!(
        (&opening["exact"], &opening["solves"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(opening["values"].as_array().unwrap().len(), 7);
    let cut = hint("1737", 1);
    assert_eq!(
        (&cut["exact"], &cut["solves"], &cut["cut_short"]),
        (&json!(false), &json!(true), &json!(true))
    );
    assert!(cut["values"].as_array().unwrap().len() < 7, "{cut}");
}
