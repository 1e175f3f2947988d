//! Trainings on the page: they are followed, and their networks play.

use play::network_file::NetworkFile;
use players::network::shelf;
use serde_json::{Value, json};

use crate::house::House;

const TRAINING: &str = r#"
name = "learnt"
kind = "train"
repeats = 2
game.name = "2048"
train = { network = "0,1,2 0,1,4,5", games = 120, every = 40 }
final = { games = 20, baselines = ["random"], plies = [2], ply-games = 2 }
"#;

fn labels(list: &Value) -> Vec<&str> {
    let list = list.as_array().expect("a list").iter();
    list.filter_map(|one| one["name"].as_str()).collect()
}

#[test]
fn a_training_has_its_curve_its_network_and_nothing_of_an_evolution() {
    let house = House::open();
    house.run_study(TRAINING);
    let run = house.get("/api/runs/learnt/r1").ok();
    assert_eq!(run["kind"], "train", "{run}");
    assert_eq!(run["network"]["games"], 120, "{run}");
    assert_eq!(run["network"]["method"], "tc");
    assert!(run["network"]["file_bytes"].as_u64() > Some(0));
    let charts = labels(&run["charts"]);
    assert!(charts.contains(&"learning"), "{charts:?}");
    for evolution in ["fitness", "surface", "individuals", "champions", "luck"] {
        assert!(!charts.contains(&evolution), "{charts:?}");
    }
    let history = house.get("/api/runs/learnt/r1/history").ok();
    assert_eq!(history["generations"], json!([40, 80, 120]));
    let result = &history["results"][0];
    let label = result["label"].as_str().expect("a label");
    assert!(label.ends_with(" or more"), "{history}");
    assert_eq!(result["shares"].as_array().map(Vec::len), Some(3));
    let curves = house.get("/api/studies/learnt/curves").ok();
    assert_eq!(curves[0]["is_training"], true);
    assert_eq!(curves[0]["games"], json!([40.0, 80.0, 120.0]));
    let table = house.get("/api/runs/learnt/r1/files/history.csv");
    let head = table.body.lines().next().expect("a head").to_owned();
    assert_eq!(head, "run_id,setting,repeat,games,game,score,result");
}

#[test]
fn a_network_plays_in_a_server_that_has_not_seen_it() {
    let house = House::open();
    house.run_study(TRAINING);
    let file = house.store().folder("learnt").run("r1").path;
    let file = file.join(lab::study::NETWORK);
    let player = NetworkFile::open(&file).expect("a network").player();
    let id = player.get("id").expect("an id").to_owned();
    let start = house.post("/api/games/2048/view", &json!({"seed": 1})).ok();
    let body =
        json!({"position": start["position"], "player": player.to_string(), "seed": 1, "step": 1});
    shelf::remove(&id);
    let hint = house.post("/api/games/2048/hint", &body).ok();
    assert!(hint["chosen"].is_string(), "{hint}");
    shelf::remove(&id);
    let mut watched = house.listen(&format!(
        "/api/watch?game=2048&player=network(id={id})&seed=3"
    ));
    assert_eq!(watched.next().expect("a step").kind, "step");
    let entries = house.get("/api/leaderboard/2048").ok();
    let entries = entries["entries"].as_array().expect("a list");
    let is_network = |entry: &&Value| entry["player"] == player.to_string();
    assert_eq!(entries.iter().filter(is_network).count(), 1, "{entries:?}");
}

/// A player of the page may not say which files are there.
#[test]
fn networks_are_not_read_by_their_path() {
    let house = House::open();
    let start = house.post("/api/games/2048/view", &json!({"seed": 1})).ok();
    for player in [
        "network(file=/etc/passwd)",
        "expectimax(depth=2, eval=network(file=a.network))",
        "a.network",
    ] {
        let body = json!({"position": start["position"], "player": player, "seed": 1, "step": 1});
        house
            .post("/api/games/2048/choose", &body)
            .refused(403, "--allow-exec");
        let toml = format!(
            "name = \"reads\"\nkind = \"measure\"\nplayer = \"{player}\"\ngame.name = \"2048\"\nmeasure.games = 2\n"
        );
        house
            .post("/api/studies", &json!({"toml": toml}))
            .refused(403, "file");
    }
}
