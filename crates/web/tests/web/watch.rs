//! Games to watch, measurements as they grow, and replays.

use serde_json::{Value, json};

use crate::house::{House, QUICK};

#[test]
fn every_game_is_watched_to_its_end() {
    let house = House::open();
    for family in games::registry::FAMILIES {
        watch_to_the_end(&house, family.name);
    }
}

fn watch_to_the_end(house: &House, game: &str) {
    let mut stream = house.listen(&format!("/api/watch?game={game}&player=random&seed=3"));
    let mut moves = 0;
    loop {
        let heard = stream.next().expect("an end");
        if heard.kind == "end" {
            let end = heard.json();
            assert_eq!(end["moves"], moves, "{game}");
            assert_eq!(end["view"]["turn"]["kind"], "over", "{game}");
            break;
        }
        assert_eq!(heard.kind, "step", "{game}");
        let step = heard.json();
        assert!(step["ms"].is_number(), "{step}");
        assert!(step["view"]["board"]["kind"].is_string(), "{step}");
        moves += u32::from(step["move"].is_string());
    }
    assert_eq!(stream.next(), None, "{game}");
}

#[test]
fn a_game_is_watched_from_a_position_and_with_rules() {
    let house = House::open();
    let mut stream = house.listen(
        "/api/watch?game=connect&player=random&from=121212&rules=%7B%22pieces%22%3A%2221%22%7D",
    );
    let first = stream.next().unwrap().json();
    let stones = first["view"]["board"]["cells"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|cell| cell.is_string())
        .count();
    assert_eq!(stones, 7);
}

#[test]
fn what_cannot_be_watched_is_told() {
    let house = House::open();
    house.get("/api/watch?game=connect").refused(400, "player");
    house
        .get("/api/watch?game=chess&player=random")
        .refused(404, "chess");
    house
        .get("/api/watch?game=connect&player=nobody")
        .refused(400, "nobody");
    house
        .get("/api/watch?game=connect&player=random&rules=5")
        .refused(400, "JSON object");
    house
        .get("/api/watch?game=connect&player=random&from=99")
        .refused(400, "move 1");
    house
        .get("/api/measure?game=connect&player=random&games=0")
        .refused(400, "games");
    house
        .get("/api/measure?game=connect&player=random&games=1000000000")
        .refused(400, "games");
    house
        .get("/api/measure?game=2048&player=perfect")
        .refused(400, "plays only connect");
}

#[test]
fn a_measurement_is_that_of_the_lab() {
    let house = House::open();
    let mut stream =
        house.listen("/api/measure?game=connect&player=random&player2=greedy&games=300&seed=4");
    let mut last = Value::Null;
    while let Some(heard) = stream.next() {
        assert_eq!(heard.kind, "measurement");
        last = heard.json();
    }
    assert_eq!((&last["done"], &last["games"]), (&json!(true), &json!(300)));
    let game = games::registry::build("connect", &games::Options::default()).unwrap();
    let specs = ["random", "greedy"].map(|text| text.parse().unwrap());
    let plan = play::measure::Plan {
        game,
        table: play::playing::Table::new(specs.to_vec(), None),
        games: 300,
        seed: 4,
        threads: 1,
        interest: play::playing::Interest::Result,
        both_seats: false,
        openings: play::openings::Openings::Balanced,
    };
    let workers = play::playing::Workers::new(1).unwrap();
    let measured = play::measure::measure(&plan, &workers, &|| {}, &mut |_| {});
    let measured = measured.unwrap().unwrap();
    let measured = serde_json::to_value(measured).unwrap();
    for name in ["score", "moves", "wins", "rules", "player", "against"] {
        assert_eq!(last[name], measured[name], "{name}");
    }
}

#[test]
fn the_best_game_of_a_run_is_shown_again() {
    let house = House::open();
    house.run_study(QUICK);
    let replay = house.get("/api/replays/quick/s1-r1").ok();
    assert_eq!(replay["game"], "2048");
    let steps = replay["steps"].as_array().unwrap();
    assert!(
        steps.len() > 10
            && steps
                .iter()
                .all(|step| step["view"]["board"]["kind"] == "2048")
    );
    assert_eq!(steps.last().unwrap()["view"]["score"], replay["score"]);
    let file = house.get("/api/runs/quick/s1-r1/files/best-game.json");
    let again = house.post("/api/replays", &file.json()).ok();
    assert_eq!(again, replay);
}

#[test]
fn what_is_no_replay_is_told() {
    let house = House::open();
    house
        .post("/api/replays", &json!({"a": 1}))
        .refused(400, "not a replay");
    let wrong = json!({"format": "gamete-replay", "version": 1, "game": "connect", "rules": {}, "players": ["a", "b"], "score": 0, "moves": 1, "start": "", "steps": ["9"]});
    house.post("/api/replays", &wrong).refused(400, "start");
    house
        .get("/api/replays/no/such")
        .refused(404, "no study or run");
}

/// A game of Connect-N on the largest board, as a file.
fn large_replay() -> Value {
    let rules = "rows=11 cols=11 connect=11".parse().unwrap();
    let game = games::registry::build("connect", &rules).unwrap();
    let random = || "random".parse().unwrap();
    let table = play::playing::Table::new(vec![random(), random()], None);
    let replay = play::replay::record(&game, &table, 1, 0).unwrap();
    serde_json::to_value(replay).unwrap()
}

/// Two clients begin to send a replay and do not go on.
#[test]
fn replays_are_read_a_few_at_a_time() {
    use std::io::Write;
    let house = House::open();
    let begin = || {
        let mut stream = std::net::TcpStream::connect(house.address).unwrap();
        let head = format!(
            "POST /api/replays HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{{",
            house.address
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream
    };
    let mut slow = Vec::new();
    let replay = large_replay();
    // One that comes while ours is being read is refused, so there is another each time.
    crate::client::until("both places are taken", || {
        slow.extend([begin(), begin()]);
        house.post("/api/replays", &replay).status == 429
    });
    drop(slow);
    crate::client::until("there is a place again", || {
        house.post("/api/replays", &replay).status == 200
    });
}

/// Every step is a whole position, so a small file could have an answer of any size.
#[test]
fn a_long_game_on_a_large_board_is_cut() {
    let house = House::open();
    let rules = "board=16x40 limit=4000".parse().unwrap();
    let game = games::registry::build("tetris", &rules).unwrap();
    let table = play::playing::Table::new(vec!["weighted".parse().unwrap()], None);
    let replay = play::replay::record(&game, &table, 1, 0).unwrap();
    let replay = serde_json::to_value(replay).unwrap();
    let reply = house.post("/api/replays", &replay);
    let shown = reply.ok();
    assert_eq!(shown["cut"], true);
    let steps = shown["steps"].as_array().unwrap().len();
    assert!(steps < replay["steps"].as_array().unwrap().len());
    assert!(
        (4 << 20..9 << 20).contains(&reply.body.len()),
        "{} bytes",
        reply.body.len()
    );
}
