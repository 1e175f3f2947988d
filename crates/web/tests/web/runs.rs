//! Runs: the list, one in detail, its history and files.

use serde_json::{Value, json};

use crate::client::until;
use crate::house::{House, MEETING, QUICK};

#[test]
fn runs_are_filtered_sorted_and_paged() {
    let house = House::open();
    house.run_study(QUICK);
    house.run_study(MEETING);
    let list = |query: &str| house.get(&format!("/api/runs?{query}")).ok();
    let ids = |query: &str| -> Vec<String> {
        let listed = list(query);
        let runs = listed["runs"].as_array().unwrap();
        runs.iter()
            .map(|run| run["id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(list("")["total"], 5);
    assert_eq!(
        ids("study=quick&sort=id&order=asc"),
        ["quick/s1-r1", "quick/s1-r2", "quick/s2-r1", "quick/s2-r2"]
    );
    assert_eq!(
        ids("sort=id&order=desc&size=2&page=1"),
        ["quick/s1-r2", "quick/s1-r1"]
    );
    assert_eq!(ids("query=MEET"), ["meeting/r1"]);
    assert_eq!(list("state=running")["total"], 0);
    assert_eq!(list("state=finished")["total"], 5);
    let best = list("study=quick&sort=best");
    let best: Vec<f64> = best["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["best"].as_f64().unwrap())
        .collect();
    assert!(best.is_sorted_by(|a, b| a >= b), "{best:?}");
    assert_eq!(list("page=99")["runs"], json!([]));
    for bad in ["sort=colour", "order=up", "size=0", "size=5000", "page=-1"] {
        house.get(&format!("/api/runs?{bad}")).refused(400, "");
    }
    // What is asked is a value, never a part of the question.
    assert_eq!(list("query=%27%20OR%201%3D1--")["total"], 0);
}

#[test]
fn a_run_is_shown_in_detail() {
    let house = House::open();
    house.run_study(QUICK);
    let run = house.get("/api/runs/quick/s2-r1").ok();
    assert_eq!(
        (&run["row"]["id"], &run["row"]["state"], &run["steps_name"]),
        (
            &json!("quick/s2-r1"),
            &json!("finished"),
            &json!("generations")
        )
    );
    assert_eq!(run["config"]["fitness"]["games"], 2);
    assert!(run["metrics"]["score"]["value"].as_f64().unwrap() > 0.0);
    let champion = &run["champion"];
    assert_eq!(champion["genes"].as_array().unwrap().len(), 8, "{champion}");
    // The champion plays wherever players do.
    let body = json!({"position": "1100/0000/0000/0000", "player": champion["spec"]});
    house.post("/api/games/2048/choose", &body).ok();
    let charts = run["charts"].as_array().unwrap();
    assert!(
        charts.iter().any(|chart| chart["name"] == "fitness"),
        "{charts:?}"
    );
    assert!(
        house
            .get("/api/runs/quick/s2-r1/charts/fitness")
            .body
            .starts_with("<svg")
    );
    assert!(!run["log"].as_array().unwrap().is_empty());
    house
        .get("/api/runs/quick/nothing")
        .refused(404, "no study or run");
    house
        .get("/api/runs/quick/..%2fquick")
        .refused(404, "no study or run");
    house
        .get("/api/runs/%2e%2e/quick")
        .refused(404, "no study or run");
}

#[test]
fn the_history_fits_the_chart() {
    let house = House::open();
    house.run_study(QUICK);
    let history = house.get("/api/runs/quick/s1-r1/history").ok();
    let generations = history["generations"].as_array().unwrap().len();
    assert!(generations >= 3, "{history}");
    for name in ["best", "mean", "sd", "low", "high", "median"] {
        assert_eq!(
            history[name].as_array().unwrap().len(),
            generations,
            "{name}"
        );
    }
    assert_eq!(history["genes"].as_array().unwrap().len(), 8);
    assert_eq!(history["thinned"], false);
    let thin = house.get("/api/runs/quick/s1-r1/history?points=2").ok();
    assert_eq!(
        (
            thin["generations"].as_array().unwrap().len(),
            &thin["thinned"]
        ),
        (2, &json!(true))
    );
    let population = house
        .get("/api/runs/quick/s1-r1/population?columns=2&rows=3")
        .ok();
    assert_eq!(population["fitness"].as_array().unwrap().len(), 2);
    assert_eq!(population["fitness"][0].as_array().unwrap().len(), 3);
    assert!(population["low"].as_f64() <= population["high"].as_f64());
    house
        .get("/api/runs/quick/s1-r1/history?points=1")
        .refused(400, "points");
    house
        .get("/api/runs/quick/s1-r1/population?rows=99999")
        .refused(400, "rows");
    house.run_study(MEETING);
    assert_eq!(
        house.get("/api/runs/meeting/r1/history").ok()["generations"],
        json!([]),
        "a measurement keeps none"
    );
}

#[test]
fn any_generation_shows_its_individuals() {
    let house = House::open();
    house.run_study(QUICK);
    let of = |query: &str| {
        house
            .get(&format!("/api/runs/quick/s2-r1/individuals{query}"))
            .ok()
    };
    let (first, last) = (of("?generation=0"), of(""));
    assert_eq!(first["generation"], 0);
    assert_eq!(last["generation"], last["last"]);
    assert_eq!(first["genes"].as_array().unwrap().len(), 8);
    for one in first["individuals"].as_array().unwrap() {
        assert_eq!((&one["games"], &one["born"]), (&json!(2), &json!(0)));
        let [lowest, mean, highest] =
            ["lowest", "fitness", "highest"].map(|name| one[name].as_f64().unwrap());
        assert_eq!(lowest + highest, 2.0 * mean, "two games: {one}");
        assert_eq!(one["genes"].as_array().unwrap().len(), 8);
    }
    let fitness: Vec<f64> = last["individuals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["fitness"].as_f64().unwrap())
        .collect();
    assert!(fitness.is_sorted_by(|a, b| a >= b), "{fitness:?}");
    let refused = |path: &str, status, expected: &str| {
        house
            .get(&format!("/api/runs/{path}"))
            .refused(status, expected);
    };
    refused("quick/s2-r1/individuals?generation=99", 404, "only 0 to");
    refused("quick/s2-r1/individuals?generation=-1", 400, "");
    house.run_study(MEETING);
    refused("meeting/r1/individuals", 404, "has no individuals");
}

#[test]
fn files_of_a_run_can_be_kept() {
    let house = House::open();
    house.run_study(QUICK);
    for (name, kind) in [
        ("champion.json", "application/json"),
        ("games.csv", "text/csv; charset=utf-8"),
        ("history.csv", "text/csv; charset=utf-8"),
        ("best-game.json", "application/json"),
    ] {
        let file = house.get(&format!("/api/runs/quick/s1-r1/files/{name}"));
        assert_eq!(
            (file.status, file.header("content-type")),
            (200, Some(kind)),
            "{name}"
        );
        assert_eq!(
            file.header("content-disposition").unwrap(),
            format!("attachment; filename=\"quick-s1-r1-{name}\"")
        );
    }
    for bad in [
        "checkpoint",
        "run.json",
        "..%2fstudy.toml",
        "%2fetc%2fpasswd",
    ] {
        house
            .get(&format!("/api/runs/quick/s1-r1/files/{bad}"))
            .refused(404, "unknown file");
    }
}

#[test]
fn games_of_a_champion_are_listed_and_each_is_played_again() {
    let house = House::open();
    house.run_study(QUICK);
    let list = |query: &str| {
        house
            .get(&format!("/api/runs/quick/s1-r1/games?{query}"))
            .ok()
    };
    let column = |list: &Value, name: &str| -> Vec<i64> {
        let games = list["games"].as_array().unwrap();
        games
            .iter()
            .map(|game| game[name].as_i64().unwrap())
            .collect()
    };
    let best_first = list("");
    assert_eq!(
        (&best_first["total"], &best_first["page"]),
        (&json!(6), &json!(0))
    );
    let scores = column(&best_first, "score");
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    assert_eq!(
        column(&list("sort=game&order=asc&size=2&page=1"), "game"),
        [2, 3]
    );
    let moves = column(&list("sort=moves&order=asc"), "moves");
    assert!(moves.is_sorted(), "{moves:?}");
    assert!(
        best_first["games"][0]["facts"]["highest tile"].as_u64() > Some(0),
        "{best_first}"
    );
    for game in best_first["games"].as_array().unwrap() {
        let again = house
            .get(&format!("/api/replays/quick/s1-r1/{}", game["game"]))
            .ok();
        assert_eq!(
            (&again["score"], &again["moves"]),
            (&game["score"], &game["moves"])
        );
    }
    let kept = house.get("/api/replays/quick/s1-r1").ok();
    assert_eq!(
        kept["score"], best_first["games"][0]["score"],
        "the best one was kept"
    );
    house
        .get("/api/replays/quick/s1-r1/6")
        .refused(404, "0 to 5");
    house
        .get("/api/replays/quick/s1-r1/x")
        .refused(400, "number");
    house
        .get("/api/runs/quick/s1-r1/games?sort=colour")
        .refused(400, "");
    house
        .get("/api/runs/quick/nothing/games")
        .refused(404, "no study or run");
}

#[test]
fn games_for_two_are_played_again_from_both_seats() {
    let house = House::open();
    house.run_study(&MEETING.replace("games = 20", "games = 20\nboth-seats = true"));
    let list = house.get("/api/runs/meeting/r1/games?size=20").ok();
    for game in list["games"].as_array().unwrap() {
        let number = game["game"].as_i64().unwrap();
        let again = house.get(&format!("/api/replays/meeting/r1/{number}")).ok();
        let sign = if number % 2 == 1 { -1 } else { 1 };
        assert_eq!(
            again["score"].as_i64().map(|score| sign * score),
            game["score"].as_i64()
        );
        let players = [json!(["greedy", "random"]), json!(["random", "greedy"])];
        assert_eq!(again["players"], players[number as usize % 2]);
    }
}

#[test]
fn a_damaged_run_is_named_and_hides_no_other() {
    let house = House::open();
    house.run_study(QUICK);
    house.run_study(MEETING);
    let damage = |file: &str| {
        let path = house.runs.path().join(file);
        let mut contents = std::fs::read(&path).unwrap();
        contents[20] ^= 1;
        std::fs::write(&path, contents).unwrap();
    };
    damage("quick/s1-r1/run.json");
    damage("quick/s1-r2/champion.json");
    let row = |id: &str| {
        let listed = house.get("/api/runs").ok();
        let runs = listed["runs"].as_array().unwrap().clone();
        assert_eq!(runs.len(), 5);
        runs.into_iter().find(|run| run["id"] == id).unwrap()
    };
    until("the damage is seen", || {
        row("quick/s1-r2")["state"] == "damaged"
    });
    for (id, file) in [
        ("quick/s1-r1", "s1-r1/run.json"),
        ("quick/s1-r2", "s1-r2/champion.json"),
    ] {
        let row = row(id);
        assert_eq!(row["state"], "damaged");
        let told = row["damage"].as_str().unwrap();
        assert!(told.contains(file), "{told}");
    }
    assert_eq!(row("quick/s2-r1")["state"], "finished");
    let studies = house.get("/api/studies").ok();
    let state = |name: &str| {
        let studies = studies["studies"].as_array().unwrap();
        let found = studies.iter().find(|study| study["name"] == name);
        found.unwrap()["state"].clone()
    };
    assert_eq!(
        (state("quick"), state("meeting")),
        (json!("damaged"), json!("finished"))
    );
    let shown = house.get("/api/studies/quick").ok();
    let runs = &shown["results"]["settings"][0]["runs"];
    assert!(
        runs[1]["damage"][0]
            .as_str()
            .unwrap()
            .contains("champion.json")
    );
    house.get("/api/studies/meeting").ok();
    let plain = house.get("/plain");
    assert!(plain.body.contains("quick/s1-r1") && plain.body.contains("damaged"));
    let board = house.get("/api/leaderboard/2048").ok();
    let told = board["damaged"].to_string();
    assert!(told.contains("quick/s1-r1") && told.contains("quick/s1-r2"));
    // A study that cannot be read is named as well.
    damage("quick/study.json");
    until("the damage is seen", || {
        let studies = house.get("/api/studies?query=quick").ok();
        studies["studies"][0]["damage"].is_string()
    });
    let board = house.get("/api/leaderboard/2048").ok();
    assert!(board["damaged"].to_string().contains("study.json"));
    house.get("/api/studies/meeting").ok();
}
