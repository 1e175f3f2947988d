//! Studies: checked, started, stopped, resumed, forked, read and compared.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::house::{House, LONG, MEETING, QUICK};

#[test]
fn a_study_is_checked_with_the_place_of_every_flaw() {
    let house = House::open();
    let check = |toml: &str| house.post("/api/check", &json!({"toml": toml})).ok();
    let good = check(QUICK);
    assert_eq!(
        (&good["ok"], &good["runs"], &good["exists"]),
        (&json!(true), &json!(4), &json!(false)),
        "{good}"
    );
    assert_eq!(good["settings"].as_array().unwrap().len(), 2);
    let bad = check("name = \"a\"\npopulation = 5\n[game]\nname = \"chess\"\n");
    assert_eq!(bad["ok"], false);
    let flaws = bad["flaws"].as_array().unwrap();
    let of = |key: &str| {
        flaws
            .iter()
            .find(|flaw| flaw["key"] == key)
            .unwrap_or_else(|| panic!("{bad}"))
    };
    assert_eq!(
        (
            &of("population")["line"],
            &of("population")["column"],
            &of("population")["length"]
        ),
        (&json!(2), &json!(1), &json!(10))
    );
    assert_eq!(of("game.name")["line"], 4);
    let broken = check("name = ");
    assert_eq!(broken["flaws"][0]["line"], 1, "{broken}");
    house.post("/api/check", &json!({})).refused(400, "toml");
}

#[test]
fn how_long_it_takes_is_tried_if_asked() {
    let house = House::open();
    let checked = house
        .post("/api/check", &json!({"toml": QUICK, "estimate": true}))
        .ok();
    assert!(
        checked["estimate_seconds"].as_f64().unwrap() > 0.0,
        "{checked}"
    );
}

#[test]
fn a_study_runs_to_its_end_and_is_told_like_on_the_command_line() {
    let house = House::open();
    assert_eq!(house.run_study(QUICK), "quick");
    let study = house.get("/api/studies/quick").ok();
    let folder = house.store().folder("quick");
    let results = report::results::Results::read(&folder).unwrap();
    assert_eq!(study["results"], serde_json::to_value(results).unwrap());
    assert_eq!(study["toml"], QUICK);
    let charts = study["charts"].as_array().unwrap();
    assert!(
        charts.iter().any(|chart| chart["name"] == "fitness"),
        "{charts:?}"
    );
    let chart = house.get("/api/studies/quick/charts/fitness");
    assert_eq!(chart.header("content-type"), Some("image/svg+xml"));
    assert!(chart.body.starts_with("<svg"));
    // An image has no text around it whose colour it could take.
    assert!(chart.body.contains("prefers-color-scheme:dark"));
    house
        .get("/api/studies/quick/charts/nothing")
        .refused(404, "no chart");
    let listed = house.get("/api/studies?query=QUI").ok();
    assert_eq!(listed["studies"][0]["finished"], 4, "{listed}");
    assert_eq!(
        (
            &listed["studies"][0]["game"],
            &listed["studies"][0]["state"]
        ),
        (&json!("2048"), &json!("finished"))
    );
    assert_eq!(house.get("/api/studies?query=nothing").ok()["total"], 0);
}

#[test]
fn files_of_a_study_can_be_kept() {
    let house = House::open();
    house.run_study(QUICK);
    for (name, begins) in [
        ("report.html", "<!"),
        ("report.md", "# "),
        ("results.json", "{"),
        ("study.toml", "\nname"),
    ] {
        let file = house.get(&format!("/api/studies/quick/files/{name}"));
        assert_eq!(file.status, 200, "{name}");
        assert!(
            file.body.to_lowercase().starts_with(begins),
            "{name}: {}",
            &file.body[..40]
        );
    }
    house
        .get("/api/studies/quick/files/lock")
        .refused(404, "unknown file 'lock'");
    house
        .get("/api/studies/quick/files/..%2f..%2fstudy.toml")
        .refused(404, "unknown file");
}

#[test]
fn a_study_is_stopped_resumed_and_forked() {
    let house = House::open();
    let started = house.post("/api/studies", &json!({"toml": LONG}));
    assert_eq!(started.status, 201);
    house
        .post("/api/studies", &json!({"toml": LONG}))
        .refused(409, "worked on already");
    house.wait_for_work("long");
    assert_eq!(house.get("/api/status").ok()["running"], "long");
    // The next one waits, and can be taken back.
    let second = LONG.replace("\"long\"", "\"second\"");
    assert_eq!(
        house.post("/api/studies", &json!({"toml": second})).ok()["state"],
        "queued"
    );
    assert_eq!(house.get("/api/status").ok()["queue"], json!(["second"]));
    let waiting = house.get("/api/studies/second").ok();
    assert_eq!(
        (&waiting["state"], &waiting["place"], &waiting["files"]),
        (&json!("queued"), &json!(1), &json!([]))
    );
    assert_eq!(waiting["results"]["runs"], 1);
    assert_eq!(waiting["toml"], second);
    assert_eq!(
        house.post("/api/studies/second/stop", &Value::Null).status,
        202
    );
    assert_eq!(
        house.post("/api/studies/long/stop", &Value::Null).status,
        202
    );
    house.wait_for("long", "interrupted");
    house
        .post("/api/studies/long/stop", &Value::Null)
        .refused(409, "not worked on");
    let resumed = house.post("/api/studies/long/resume", &Value::Null);
    assert_eq!(resumed.status, 202);
    house.wait_for_work("long");
    house.post("/api/studies/long/stop", &Value::Null).ok();
    house.wait_for("long", "interrupted");
    let forked = house.post("/api/studies/long/fork", &Value::Null).ok();
    assert_eq!(forked["study"], "long-2");
    house.wait_for("long-2", "running");
}

#[test]
fn a_changed_study_begins_beside_the_old_one_only_if_asked() {
    let house = House::open();
    house.run_study(QUICK);
    let changed = QUICK.replace("population = 4", "population = 5");
    house
        .post("/api/studies", &json!({"toml": changed}))
        .refused(409, "has changed since");
    let checked = house.post("/api/check", &json!({"toml": changed})).ok();
    assert!(checked["changed"].is_string() && checked["exists"] == true);
    let forked = house
        .post("/api/studies", &json!({"toml": changed, "fork": true}))
        .ok();
    assert_eq!(forked["study"], "quick-2");
    house.wait_for("quick-2", "finished");
    let short = house
        .post("/api/studies", &json!({"toml": QUICK, "short": true}))
        .ok();
    assert_eq!(short["study"], "quick-short");
    house.wait_for("quick-short", "finished");
}

#[test]
fn a_study_that_grows_goes_on() {
    let house = House::open();
    house.run_study(QUICK);
    let grown = QUICK.replace("generations = 3", "generations = 5");
    assert_ne!(grown, QUICK);
    let checked = house.post("/api/check", &json!({"toml": grown})).ok();
    assert!(checked["changed"].is_null(), "{checked}");
    house.post("/api/studies", &json!({"toml": grown})).ok();
    house.wait_for("quick", "finished");
    let study = house.get("/api/studies/quick").ok();
    let run = &study["results"]["settings"][0]["runs"][0];
    assert_eq!(run["metrics"]["generations"]["value"], 5.0, "{run}");
}

#[test]
fn what_cannot_be_started_is_told() {
    let house = House::open();
    let wrong = house.post("/api/studies", &json!({"toml": "name = \"../evil\""}));
    wrong.refused(400, "wrong");
    assert_eq!(wrong.json()["error"]["flaws"][0]["line"], 1);
    for action in ["stop", "resume", "fork"] {
        house
            .post(&format!("/api/studies/nobody/{action}"), &Value::Null)
            .refused(404, "no study");
    }
    house.get("/api/studies/nobody").refused(404, "no study");
    house.get("/api/studies?size=0").refused(400, "1 to 1000");
    house.get("/api/studies?page=x").refused(400, "");
}

#[test]
fn the_form_asks_for_keys_that_studies_have() {
    let house = House::open();
    let form = house.get("/api/form").ok();
    let kinds = form["kinds"].as_array().unwrap();
    let names: Vec<&str> = kinds
        .iter()
        .map(|kind| kind["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, lab::study::kind::NAMES);
    let schema = lab::study::study_schema();
    for key in kinds
        .iter()
        .flat_map(|kind| kind["keys"].as_array().unwrap())
    {
        let path = key["path"].as_str().unwrap();
        let pointer = format!("/properties/{}", path.replace('.', "/properties/"));
        assert!(schema.pointer(&pointer).is_some(), "{path}");
        let is_program = path.contains("exec") || path.contains("retries");
        assert!(!is_program, "{path}: programs are written by hand");
    }
}

#[test]
fn every_game_has_a_template_that_can_be_started_and_the_schema_is_that_of_the_lab() {
    let house = House::open();
    let templates = house.get("/api/templates").ok();
    let templates = templates.as_array().unwrap();
    for family in games::registry::FAMILIES {
        let is_own = |template: &Value| template["game"] == family.name;
        assert!(templates.iter().any(is_own), "{}", family.name);
    }
    for template in templates {
        let checked = house
            .post("/api/check", &json!({"toml": template["toml"]}))
            .ok();
        assert_eq!(checked["ok"], true, "{template}: {checked}");
    }
    assert_eq!(house.get("/api/schema").ok(), lab::study::study_schema());
}

/// The curve of a setting is the median of its runs, in a range from the lowest to the highest of them.
#[test]
fn fitness_by_generation_is_told_over_the_repeats() {
    let house = House::open();
    house.run_study(QUICK);
    let curves = house.get("/api/studies/quick/curves").ok();
    assert_eq!(curves.as_array().unwrap().len(), 2, "{curves}");
    for (place, curve) in curves.as_array().unwrap().iter().enumerate() {
        assert_eq!(curve["runs"], 2);
        assert_eq!(curve["generations"], json!([0, 1, 2, 3]));
        let best = |repeat: u32| {
            let run = format!("/api/runs/quick/s{}-r{repeat}/history", place + 1);
            house.get(&run).ok()["best"].clone()
        };
        let (one, other) = (best(1), best(2));
        for generation in 0..4 {
            let of = |list: &Value| list[generation].as_f64().unwrap();
            let (low, high) = (of(&one).min(of(&other)), of(&one).max(of(&other)));
            let told = ["best_low", "best", "best_high"].map(|name| of(&curve[name]));
            assert_eq!(told, [low, f64::midpoint(low, high), high], "{curve}");
        }
    }
    let thin = house.get("/api/studies/quick/curves?points=2").ok();
    assert_eq!(thin[0]["generations"], json!([0, 3]));
    house
        .get("/api/studies/quick/curves?points=1")
        .refused(400, "from 2 to");
    house.run_study(MEETING);
    assert_eq!(house.get("/api/studies/meeting/curves").ok(), json!([]));
}

#[test]
fn settings_and_runs_are_compared_like_on_the_command_line() {
    let house = House::open();
    house.run_study(QUICK);
    for names in [
        vec!["quick"],
        vec!["quick/s1", "quick/s2"],
        vec!["quick/s1-r1", "quick/s2-r1"],
    ] {
        let mut told = house.post("/api/compare", &json!({"names": names})).ok();
        let dots = told.as_object_mut().unwrap().remove("dots").unwrap();
        let samples = told["comparison"]["samples"].as_array().unwrap();
        for (dots, sample) in dots.as_array().unwrap().iter().zip(samples) {
            assert_eq!(dots.as_array().unwrap().len(), sample["n"], "{sample}");
        }
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let groups = report::groups::gather(&house.store(), &names, None).unwrap();
        assert_eq!(told, serde_json::to_value(groups).unwrap());
    }
    let moves = house
        .post(
            "/api/compare",
            &json!({"names": ["quick"], "metric": "moves"}),
        )
        .ok();
    assert_eq!(moves["metric"], "moves");
    house
        .post("/api/compare", &json!({"names": []}))
        .refused(400, "name 1 to");
    house
        .post("/api/compare", &json!({"names": ["nobody"]}))
        .refused(404, "nobody");
    house
        .post("/api/compare", &json!({"names": ["../../etc"]}))
        .refused(404, "no study");
}

#[test]
fn measured_players_stand_in_the_leaderboard() {
    let house = House::open();
    house.run_study(QUICK);
    house.run_study(MEETING);
    let board = house.get("/api/leaderboard/2048").ok();
    let entries = board["entries"].as_array().unwrap();
    assert_eq!(entries[0]["rank"], 1);
    assert!(entries[0]["value"].as_f64() >= entries[1]["value"].as_f64());
    let is_champion = |entry: &&Value| entry["source"] != "quick";
    let (champions, baselines): (Vec<_>, Vec<_>) = entries.iter().partition(is_champion);
    assert_eq!(champions.len(), 4, "{board}");
    assert!(
        champions[0]["player"].as_str().unwrap().contains("weights"),
        "{board}"
    );
    // Each once, though two settings have them.
    let random = |entry: &&&Value| entry["player"] == "random";
    assert_eq!(baselines.iter().filter(random).count(), 1, "{board}");
    let connect = house.get("/api/leaderboard/connect").ok();
    assert_eq!(connect["entries"][0]["against"], "random");
    assert_eq!(connect["elo"][0]["player"], "greedy", "{connect}");
    assert_eq!(
        house.get("/api/leaderboard/tetris").ok()["entries"],
        json!([])
    );
    house.get("/api/leaderboard/chess").refused(404, "chess");
}

/// A champion of a two-player game is ranked among those that met the same opponent.
#[test]
fn the_leaderboard_names_the_opponent_of_a_champion() {
    let house = House::open();
    house.run_study(CHAMPION_OF_CONNECT);
    let board = house.get("/api/leaderboard/connect").ok();
    let entries = board["entries"].as_array().unwrap();
    let told: Vec<_> = entries
        .iter()
        .map(|entry| (&entry["against"], &entry["rank"]))
        .collect();
    assert_eq!(
        told,
        [(&json!("greedy"), &json!(1)), (&json!("random"), &json!(1))]
    );
}

/// Files are identified by the player in them: two paths to one player are one player on the list.
#[test]
fn the_leaderboard_shows_the_player_of_a_file_and_not_only_its_path() {
    let house = House::with(|settings| settings.allow_exec = true);
    let files = tempfile::tempdir().unwrap();
    let file =
        json!({"format": "gamete-player", "version": 1, "game": "connect", "player": "greedy"});
    let [one, other] = ["one.json", "other.json"].map(|name| {
        let path = files.path().join(name);
        std::fs::write(&path, file.to_string()).unwrap();
        path.display().to_string()
    });
    for (name, path) in [("first", &one), ("second", &other)] {
        let study = MEETING.replace("\"meeting\"", &format!("{name:?}"));
        house.run_study(&study.replace("\"greedy\"", &format!("{path:?}")));
    }
    let board = house.get("/api/leaderboard/connect").ok();
    for entry in board["entries"].as_array().unwrap() {
        let path = if entry["source"] == "first" {
            &one
        } else {
            &other
        };
        assert_eq!(entry["label"], **path, "{board}");
        assert_eq!(entry["player"], "greedy", "{board}");
    }
    let rated = board["elo"].as_array().unwrap();
    assert_eq!(rated.len(), 2, "{board}");
    assert_eq!(rated[0]["player"], "greedy", "{board}");
    assert_eq!(rated[0]["label"], *one, "{board}");
    assert_eq!(rated[0]["games"], 40, "{board}");
}

#[test]
fn a_study_may_have_any_name_that_the_api_uses() {
    let house = House::open();
    for name in ["templates", "check", "new", "files"] {
        let toml = MEETING.replace("\"meeting\"", &format!("{name:?}"));
        assert_eq!(house.run_study(&toml), name);
        let shown = house.get(&format!("/api/studies/{name}")).ok();
        assert_eq!(shown["results"]["study"], name);
    }
}

#[test]
fn seeds_are_told_and_taken_as_texts_without_a_digit_lost() {
    const SEED: &str = "9007199254740993";
    let house = House::open();
    house.run_study(&MEETING.replace("kind =", &format!("seed = {SEED}\nkind =")));
    assert_eq!(house.get("/api/studies/meeting").ok()["seed"], SEED);
    let run = house.get("/api/runs/meeting/r1").ok();
    let file = house.store().folder("meeting").run("r1").file().unwrap();
    assert_eq!(run["seed"], file.unwrap().seed.to_string());
    let start = |seed: Value| house.post("/api/games/2048/view", &json!({"seed": seed}));
    assert_eq!(start(json!("7")).ok(), start(json!(7)).ok());
    let greatest = start(json!(u64::MAX.to_string())).ok();
    assert_ne!(greatest, start(json!((u64::MAX - 1).to_string())).ok());
    for wrong in [
        json!("x"),
        json!("-1"),
        json!("18446744073709551616"),
        json!(1.5),
    ] {
        start(wrong).refused(400, "whole number from 0 to 18446744073709551615");
    }
    house
        .get("/api/watch?game=2048&player=random&seed=x")
        .refused(400, "whole number");
}

#[test]
fn studies_that_are_too_deep_or_too_large_are_refused_and_nobody_suffers() {
    let house = House::open();
    let start = "name = \"a\"\nkind = \"measure\"\nplayer = \"random\"\n";
    let game = "[game]\nname = \"2048\"\n";
    let deep = vec!["a"; 50_000].join(".");
    let label = |n: usize| format!("{{ label = \"{n}\" }}");
    let hundred: Vec<String> = (0..100).map(label).collect();
    let settings = format!("[[vary]]\nsettings = [{}]\n", hundred.join(","));
    for (toml, words) in [
        (
            format!("{start}{game}[[vary]]\n\"{deep}\" = [1]\n"),
            "nested too deeply",
        ),
        (
            format!("{start}{game}[short]\n\"{deep}\" = 1\n"),
            "nested too deeply",
        ),
        (
            format!("{start}repeats = 10000\n{game}{settings}{settings}"),
            "at most 100000 are possible",
        ),
    ] {
        let checked = house.post("/api/check", &json!({"toml": toml})).ok();
        let message = checked["flaws"][0]["message"].as_str().unwrap().to_owned();
        assert!(message.contains(words), "{message}");
        house
            .post("/api/studies", &json!({"toml": toml}))
            .refused(400, words);
    }
    house.get("/api/status").ok();
}

/// Readers ask for the report while others write it: every answer is whole.
#[test]
fn reports_are_whole_whoever_reads_and_writes_them() {
    let house = &House::open();
    house.run_study(QUICK);
    let folder = house.store().folder("quick");
    let files = ["report.html", "report.md", "results.csv", "results.json"];
    let get = |file: &str| house.get(&format!("/api/studies/quick/files/{file}"));
    let whole = files.map(|file| get(file).body);
    assert!(whole[0].trim_end().ends_with("</html>"));
    let writing = AtomicUsize::new(2);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..10 {
                    report::write_all(&folder).expect("the report is written");
                }
                writing.fetch_sub(1, Ordering::Relaxed);
            });
        }
        for reader in 0..6 {
            let (get, whole, writing) = (&get, &whole, &writing);
            scope.spawn(move || {
                while writing.load(Ordering::Relaxed) > 0 {
                    let place = reader % files.len();
                    let reply = get(files[place]);
                    assert_eq!(reply.status, 200, "{reply:?}");
                    assert!(reply.body == whole[place], "{}", files[place]);
                    assert!(folder_file(house, "report/index.html").ends_with("</html>\n"));
                }
            });
        }
    });
}

fn folder_file(house: &House, name: &str) -> String {
    std::fs::read_to_string(house.runs.path().join("quick").join(name)).unwrap()
}

#[test]
fn to_read_a_report_writes_nothing() {
    let house = House::open();
    house.run_study(QUICK);
    let report = house.runs.path().join("quick/report");
    std::fs::remove_dir_all(&report).unwrap();
    for file in ["report.html", "report.md", "results.csv", "results.json"] {
        let reply = house.get(&format!("/api/studies/quick/files/{file}"));
        assert_eq!(reply.status, 200, "{reply:?}");
    }
    assert!(!report.exists());
}

#[test]
fn a_damaged_status_holds_no_other_study_up() {
    let house = House::open();
    house.run_study(MEETING);
    let place = house.runs.path().join("meeting/r1");
    std::fs::remove_file(place.join("outcome.json")).unwrap();
    let status = std::fs::read_to_string(place.join("status.json")).unwrap();
    let line = status.lines().find(|line| line.contains("\"seconds\":"));
    let wrong = status.replace(line.unwrap(), "  \"seconds\": -1.0,");
    std::fs::write(place.join("status.json"), wrong).unwrap();
    house.post("/api/studies/meeting/resume", &Value::Null).ok();
    house.run_study(QUICK);
    house.wait_for("meeting", "finished");
}

/// Champions measured against two opponents.
const CHAMPION_OF_CONNECT: &str = "
name = \"champions-of-connect\"
preset = \"connect-ga\"
[game]
name = \"connect\"
[stop]
generations = 1
[final]
games = 4
[optimizer]
population = 4
[[vary]]
final.against = [\"random\", \"greedy\"]
";
