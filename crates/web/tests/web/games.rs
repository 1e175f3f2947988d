//! Games, positions and moves.

use serde_json::{Value, json};

use crate::house::House;

#[test]
fn every_game_is_listed_with_its_rules_and_players() {
    let house = House::open();
    let games = house.get("/api/games").ok();
    let names: Vec<&str> = games
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["name"].as_str().unwrap())
        .collect();
    let known: Vec<&str> = games::registry::FAMILIES
        .iter()
        .map(|family| family.name)
        .collect();
    assert_eq!(names, known);
    for game in games.as_array().unwrap() {
        assert!(game["suggested"].as_array().unwrap().len() > 2, "{game}");
        let players = game["players"].as_array().unwrap();
        assert!(players.iter().any(|player| player["name"] == "random"));
        assert!(
            players.iter().all(|player| player["name"] != "exec"),
            "programs are not offered"
        );
    }
}

/// All games, each with all rules that are worth trying.
fn every_game() -> impl Iterator<Item = (&'static str, Value)> {
    let rules = |text: &str| {
        let options: games::Options = text.parse().unwrap();
        options
            .iter()
            .map(|(name, value)| (name.to_owned(), Value::from(value)))
            .collect()
    };
    games::registry::FAMILIES.iter().flat_map(move |family| {
        let examples = family.examples.iter();
        examples.map(move |text| (family.name, Value::Object(rules(text))))
    })
}

/// Plays the first legal move, with whatever chance does, to the end.
fn play_to_the_end(house: &House, game: &str, rules: &Value) -> (Value, usize) {
    let path = |what: &str| format!("/api/games/{game}/{what}");
    let mut view = house
        .post(&path("view"), &json!({"rules": rules, "seed": 7}))
        .ok();
    let mut moves = 0;
    while view["turn"]["kind"] == "player" {
        moves += 1;
        let body = json!({"rules": rules, "position": view["position"], "move": view["moves"][0], "seed": 7, "step": moves});
        let steps = house.post(&path("move"), &body).ok();
        let steps = steps.as_array().unwrap();
        assert_eq!(steps[0]["move"], view["moves"][0]);
        assert!(
            steps[1..]
                .iter()
                .all(|step| step["chance"].is_string() && step["move"].is_null())
        );
        view = steps.last().unwrap()["view"].clone();
        assert_ne!(
            view["turn"]["kind"], "chance",
            "the last view is never chance's"
        );
    }
    (view, moves)
}

#[test]
fn every_game_is_played_to_its_end() {
    let house = House::open();
    for (game, rules) in every_game() {
        let (view, moves) = play_to_the_end(&house, game, &rules);
        assert!(moves > 0, "{game} {rules}");
        assert!(view["result"].is_string(), "{view}");
        assert!(view["moves"].as_array().unwrap().is_empty());
        let again = house.post(
            &format!("/api/games/{game}/view"),
            &json!({"rules": rules, "position": view["position"]}),
        );
        assert_eq!(again.ok(), view, "its text is read back");
    }
}

#[test]
fn chance_follows_from_seed_and_step_alone() {
    let house = House::open();
    let view = |seed: u64| {
        house
            .post("/api/games/2048/view", &json!({"seed": seed}))
            .ok()
    };
    assert_eq!(view(5), view(5));
    let start = view(5);
    let step = |step: u64| {
        let body = json!({"position": start["position"], "move": start["moves"][0], "seed": 5, "step": step});
        house.post("/api/games/2048/move", &body).ok()
    };
    assert_eq!(step(3), step(3));
    assert!((1..20).any(|number| step(number) != step(3)));
}

#[test]
fn connect_is_written_as_the_columns_played() {
    let house = House::open();
    let view = |body: Value| house.post("/api/games/connect/view", &body).ok();
    let one = view(json!({"position": "4453"}));
    assert_eq!(one, view(json!({"moves": "4453"})));
    assert_eq!(one, view(json!({"position": "4,4,5,3"})));
    assert_eq!(one["turn"], json!({"kind": "player", "seat": 0}));
    let cells = one["board"]["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 42);
    assert_eq!(cells[5 * 7 + 3], "x");
    assert_eq!(cells[4 * 7 + 3], "o");
    let won = view(json!({"position": "1212121"}));
    assert_eq!(
        (&won["result"], &won["turn"]["kind"]),
        (&json!("won"), &json!("over"))
    );
    assert_eq!(won["board"]["line"], json!([14, 21, 28, 35]));
}

#[test]
fn tetris_tells_where_a_piece_comes_to_lie() {
    let house = House::open();
    let rules = json!({"board": "4x4"});
    let view = house
        .post(
            "/api/games/tetris/view",
            &json!({"rules": rules, "position": "4x4 #.../##.. OI"}),
        )
        .ok();
    assert_eq!(view["board"]["current"], "O");
    assert_eq!(view["board"]["next"], json!(["I"]));
    let placements = view["board"]["placements"].as_array().unwrap();
    let right = placements
        .iter()
        .find(|placement| placement["move"] == "r0c2")
        .unwrap();
    assert_eq!(right["cells"], json!([10, 11, 14, 15]));
}

#[test]
fn a_won_2048_goes_on() {
    let house = House::open();
    let view = house
        .post(
            "/api/games/2048/view",
            &json!({"position": "b000/0000/0000/0001"}),
        )
        .ok();
    assert_eq!(
        (&view["result"], &view["turn"]["kind"]),
        (&json!("won"), &json!("player"))
    );
    assert_eq!(view["board"]["cells"][0], 2048);
}

#[test]
fn what_cannot_be_is_told() {
    let house = House::open();
    let post = |path: &str, body: Value| house.post(path, &body);
    post("/api/games/chess/view", json!({})).refused(404, "unknown game 'chess'");
    post("/api/games/2048/view", json!({"rules": {"size": "99x1"}})).refused(400, "size");
    post("/api/games/2048/view", json!({"rules": {"colour": "red"}}))
        .refused(400, "no option 'colour'");
    post("/api/games/2048/view", json!({"position": "nonsense"})).refused(400, "not a position");
    post("/api/games/connect/view", json!({"position": "99"})).refused(400, "move 1");
    post("/api/games/connect/view", json!({"position": "1212121212"})).refused(400, "over");
    post(
        "/api/games/2048/view",
        json!({"position": "a".repeat(100_000)}),
    )
    .refused(400, "too long");
    post("/api/games/2048/view", json!({"position": 5})).refused(400, "position");
    post(
        "/api/games/connect/move",
        json!({"position": "", "move": "9"}),
    )
    .refused(400, "9 is not legal");
    post(
        "/api/games/connect/move",
        json!({"position": "", "move": "up"}),
    )
    .refused(400, "not a move");
    post("/api/games/connect/move", json!({"move": "1"})).refused(400, "position");
}
