//! Players that think for the page.

use std::io::Write;
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::client::{HANG, Reply, Stream, until};
use crate::house::House;

/// More milliseconds than anybody is waited for.
const AMPLE: u64 = 2 * HANG.as_millis() as u64;

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
            &json!({"position": "334455", "player": "perfect", "time_ms": AMPLE}),
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

const CHOOSE: &str = "/api/games/connect/choose";

/// A question that takes longer than anybody is waited for.
fn endless(player: &str) -> Value {
    json!({"position": "", "player": player, "time_ms": AMPLE, "tab": "a"})
}

/// A question that takes no time.
fn quick() -> Value {
    json!({"position": "", "player": "random"})
}

/// A house where one player thinks at a time: so it is seen whether one does.
fn narrow() -> House {
    House::with(|settings| settings.limits.searches = 1)
}

/// Asks until there is a place for the question.
fn ask(house: &House, question: &Value) -> Reply {
    let mut reply = house.post(CHOOSE, question);
    until("there is a place", || {
        let is_full = reply.status == 429;
        if is_full {
            reply = house.post(CHOOSE, question);
        }
        !is_full
    });
    reply
}

fn is_busy(house: &House) -> bool {
    house.post(CHOOSE, &quick()).status == 429
}

/// If it goes on, there is no place for the newer one.
#[test]
fn a_newer_question_of_the_tab_cancels_the_older() {
    let house = &narrow();
    std::thread::scope(|scope| {
        let older = scope.spawn(|| ask(house, &endless(LONG)));
        until("it thinks", || is_busy(house));
        let newer = json!({"position": "", "player": "random", "tab": "a"});
        ask(house, &newer).ok();
        older.join().unwrap().refused(409, "cancelled");
    });
}

/// Asks without waiting for the answer.
fn begin(house: &House, question: &Value) -> TcpStream {
    begin_at(house, CHOOSE, question)
}

fn begin_at(house: &House, path: &str, question: &Value) -> TcpStream {
    let body = question.to_string();
    let mut stream = TcpStream::connect(house.address).unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        house.address,
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.set_nonblocking(true).unwrap();
    stream
}

#[test]
fn a_connection_that_ends_stops_the_search() {
    let house = narrow();
    let mut gone = begin(&house, &endless(LONG));
    until("it thinks", || {
        let is_busy = is_busy(&house);
        // Its place may have been taken when it came: then it has its answer.
        if !is_busy && gone.peek(&mut [0]).is_ok() {
            gone = begin(&house, &endless(LONG));
        }
        is_busy
    });
    drop(gone);
    until("the search is over", || !is_busy(&house));
}

/// Thinks for hours if it may.
const LONG: &str = "mcts(iterations=100000000)";

#[test]
fn a_search_ends_in_its_time() {
    let house = House::open();
    let body = json!({"position": "", "player": LONG, "time_ms": 200});
    house.post(CHOOSE, &body).ok();
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
    let house = narrow();
    for player in DEEP {
        let body = json!({"position": "334455", "player": player, "time_ms": 100});
        house.post(CHOOSE, &body).ok();
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
    let house = &narrow();
    std::thread::scope(|scope| {
        let mut older = None;
        for player in DEEP.into_iter().chain(["random"]) {
            let newer = scope.spawn(move || ask(house, &endless(player)));
            // The newer one has its place only when the older one has left it.
            if let Some(older) = older.replace(newer) {
                older.join().unwrap().refused(409, "cancelled");
            }
            until("it thinks", || player == "random" || is_busy(house));
        }
        older.unwrap().join().unwrap().ok();
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
    let opening = hint("44", AMPLE);
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

/// All hints of a stream, which has ended.
fn hints(house: &House, query: &str) -> Vec<Value> {
    let mut stream = house.listen(&format!("/api/games/connect/hints?{query}"));
    let hints = std::iter::from_fn(|| stream.next()).map(|heard| {
        assert_eq!(heard.kind, "hint", "{}", heard.data);
        serde_json::from_str(&heard.data).unwrap()
    });
    hints.collect()
}

#[test]
fn hints_come_as_they_are_proved() {
    let house = House::open();
    // Fourteen stones: a moment's work.
    let told = hints(&house, "position=44444433333352&player=perfect");
    let (last, before) = told.split_last().unwrap();
    assert_eq!(
        (&last["done"], &last["exact"], &last["cut_short"]),
        (&json!(true), &json!(true), &json!(false))
    );
    assert!(before.iter().all(|hint| hint["done"] == false));
    assert_eq!(told[0]["values"].as_array().unwrap().len(), 5);
    let body = json!({"position": "44444433333352", "player": "perfect", "time_ms": AMPLE});
    let at_once = house.post("/api/games/connect/hint", &body).ok();
    assert_eq!(last["values"], at_once["values"]);
    // Any other player says all it has to say at once.
    let told = hints(&house, "position=44&player=greedy");
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["values"][0]["kind"], "own");
}

#[test]
fn hints_out_of_time_end_with_what_is_known_and_the_next_go_on_from_there() {
    let house = House::open();
    let told = hints(
        &house,
        "position=1737&player=perfect&time_ms=50&rules=%7B%22rows%22%3A%227%22%7D",
    );
    let last = told.last().unwrap();
    assert_eq!(
        (&last["done"], &last["cut_short"]),
        (&json!(true), &json!(true))
    );
    let values = last["values"].as_array().unwrap();
    assert_eq!(values.len(), 7, "{last}");
    assert!(
        values.iter().any(|value| value["kind"] == "estimate"),
        "{last}"
    );
}

#[test]
fn hints_end_with_their_client() {
    let house = House::with(|settings| {
        settings.limits.searches = 1;
        settings.limits.time = HANG;
    });
    let stream = house.listen(
        "/api/games/connect/hints?position=1737&player=perfect&rules=%7B%22rows%22%3A%227%22%7D",
    );
    assert!(is_busy(&house));
    drop(stream);
    until("the search is over", || !is_busy(&house));
}

/// The address of a measurement.
fn measurement(player: &str) -> String {
    let player = player
        .replace('(', "%28")
        .replace(')', "%29")
        .replace('=', "%3D");
    format!("/api/measure?game=connect&player={player}&games=1")
}

/// The measurement is in the middle of its first move when its client leaves.
#[test]
fn a_measurement_ends_with_its_client() {
    let house = narrow();
    for player in DEEP {
        let stream = house.listen(&measurement(player));
        assert!(is_busy(&house), "{player}");
        drop(stream);
        until("the measurement is over", || !is_busy(&house));
    }
}

const SLOW: &str = "name = \"slow\"\nkind = \"measure\"\nplayer = \"minimax(depth=60)\"\n[game]\nname = \"connect\"\n[measure]\ngames = 2\n";

#[test]
fn an_estimate_ends_with_its_client() {
    let house = narrow();
    let body = json!({"toml": SLOW, "estimate": true});
    let mut gone = begin_at(&house, "/api/check", &body);
    until("it tries", || {
        let is_busy = is_busy(&house);
        if !is_busy && gone.peek(&mut [0]).is_ok() {
            gone = begin_at(&house, "/api/check", &body);
        }
        is_busy
    });
    drop(gone);
    until("the estimate is over", || !is_busy(&house));
}

#[test]
fn an_estimate_that_takes_too_long_is_given_up() {
    let house = House::with(|settings| {
        settings.limits.searches = 1;
        settings.limits.time = std::time::Duration::from_millis(100);
        settings.limits.grace = std::time::Duration::from_millis(100);
    });
    let body = json!({"toml": SLOW, "estimate": true});
    house.post("/api/check", &body).refused(429, "not finished");
    until("the estimate is over", || !is_busy(&house));
}

/// A study in the middle of an endless move stops when it is told to, and so does the server.
#[test]
fn a_study_stops_in_the_middle_of_a_move() {
    let house = House::open();
    house.post("/api/studies", &json!({"toml": SLOW})).ok();
    house.wait_for_work("slow");
    house.post("/api/studies/slow/stop", &Value::Null).ok();
    house.wait_for("slow", "interrupted");
    house.post("/api/studies/slow/resume", &Value::Null).ok();
    house.wait_for_work("slow");
    // It ends here, although the study is at work.
    drop(house);
}

/// Enough readers to take all places, each with a game that would fill any buffer.
#[test]
fn readers_that_do_not_read_hold_no_places() {
    let house = House::with(|settings| settings.limits.searches = 2);
    let game =
        "/api/watch?game=2048&player=expectimax%28depth%3D1%29&rules=%7B%22size%22%3A%225x5%22%7D";
    let mut asleep = Vec::new();
    for _ in 0..4 {
        // The games before it take a place again whenever there is room for their events.
        until("there is a place", || {
            let stream = Stream::open_if_free(house.address, game);
            let is_open = stream.is_some();
            asleep.extend(stream);
            is_open
        });
    }
    // Their games wait for them once all that a connection holds is full.
    until("all have filled what they can", || {
        (0..20).all(|_| house.post(CHOOSE, &quick()).status == 200)
    });
    drop(asleep);
}
