//! Who may do what: a test for every promise.

use lab::store::Store;
use serde_json::{Value, json};
use web::{ServeError, Server, Settings};

use crate::client::{Reply, send, until};
use crate::house::{House, MEETING, QUICK};

const TOKEN: &str = "a-token-of-some-length";
const JSON: (&str, &str) = ("content-type", "application/json");

#[test]
fn it_listens_on_this_machine_only_unless_there_is_a_token() {
    let runs = tempfile::tempdir().unwrap();
    let mut settings = Settings::local(Store::new(runs.path()));
    assert!(settings.listen.ip().is_loopback());
    settings.listen = "0.0.0.0:0".parse().unwrap();
    let refused = Server::bind(settings.clone());
    assert!(matches!(refused, Err(ServeError::NoToken(_))));
    settings.token = Some(TOKEN.to_owned());
    assert!(Server::bind(settings).is_ok());
}

#[test]
fn a_port_in_use_is_told() {
    let house = House::open();
    let runs = tempfile::tempdir().unwrap();
    let mut settings = Settings::local(Store::new(runs.path()));
    settings.listen = house.address;
    let Err(error) = Server::bind(settings) else {
        panic!("two servers listen at one port");
    };
    assert!(error.to_string().contains("in use already"), "{error}");
}

#[test]
fn every_request_must_know_the_token() {
    let house = House::with(|settings| settings.token = Some(TOKEN.to_owned()));
    let get = |headers: &[(&str, &str)]| send(house.address, "GET", "/api/status", headers, "");
    get(&[]).refused(401, "token");
    get(&[("authorization", "Bearer wrong")]).refused(401, "token");
    get(&[("authorization", TOKEN)]).refused(401, "token");
    get(&[("authorization", &format!("Bearer {TOKEN}"))]).ok();
    get(&[("cookie", &format!("a=b; gamete-token={TOKEN}"))]).ok();
    get(&[("cookie", "gamete-token=")]).refused(401, "token");
    house.get("/").refused(401, "token");
    for wrong in ["/?token=wrong", "/?token=", "/?a=b&token"] {
        house.get(wrong).refused(401, "token");
    }
    let kept = house.get(&format!("/?a=b&token={TOKEN}"));
    assert_eq!((kept.status, kept.header("location")), (303, Some("/")));
    let cookie = kept.header("set-cookie").unwrap();
    assert!(
        cookie.contains(TOKEN) && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
}

#[test]
fn a_made_token_cannot_be_guessed() {
    let (one, other) = (web::new_token().unwrap(), web::new_token().unwrap());
    assert!(one != other && one.len() == 32 && one.chars().all(|c| c.is_ascii_alphanumeric()));
}

#[test]
fn other_names_of_this_machine_are_not_answered() {
    let house = House::open();
    let get = |host: &str| send(house.address, "GET", "/api/status", &[("host", host)], "");
    get(&house.address.to_string()).ok();
    get(&format!("localhost:{}", house.address.port())).ok();
    // A tunnel changes the port.
    for host in ["127.0.0.1", "127.0.0.1:1", "localhost", "[::1]:8048"] {
        get(host).ok();
    }
    for host in [
        "evil.example",
        "evil.example:80",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "10.0.0.1",
        "192.168.1.5:80",
        "[fe80::1]:80",
        "",
    ] {
        get(host).refused(403, "not called");
    }
}

#[test]
fn a_server_for_others_is_called_by_its_addresses() {
    let house = House::with(|settings| {
        settings.listen = "0.0.0.0:0".parse().unwrap();
        settings.token = Some(TOKEN.to_owned());
    });
    let get = |host: &str| {
        let token = format!("Bearer {TOKEN}");
        let headers = [("host", host), ("authorization", &token)];
        let local = (std::net::Ipv4Addr::LOCALHOST, house.address.port());
        send(local.into(), "GET", "/api/status", &headers, "")
    };
    get("192.168.1.5:80").ok();
    get("evil.example").refused(403, "not called");
}

fn start_from(house: &House, headers: &[(&str, &str)]) -> Reply {
    let headers: Vec<_> = headers.iter().copied().chain([JSON]).collect();
    let body = json!({"position": ""}).to_string();
    send(
        house.address,
        "POST",
        "/api/games/connect/view",
        &headers,
        &body,
    )
}

#[test]
fn other_pages_are_not_answered() {
    let house = House::open();
    let own = format!("http://{}", house.address);
    start_from(&house, &[("origin", &own)]).ok();
    start_from(
        &house,
        &[("origin", &own), ("sec-fetch-site", "same-origin")],
    )
    .ok();
    start_from(&house, &[]).ok();
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", ""] {
        start_from(&house, &[("origin", origin)]).refused(403, "other sites");
    }
    start_from(&house, &[("sec-fetch-site", "cross-site")]).refused(403, "other sites");
    let read = send(
        house.address,
        "GET",
        "/api/status",
        &[("origin", "http://evil.example")],
        "",
    );
    read.refused(403, "other sites");
}

/// What a browser sends when a page of another site opens this address.
fn opened_elsewhere(house: &House, path: &str, target: &str) -> u16 {
    let headers = [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-mode", "navigate"),
        ("sec-fetch-dest", target),
    ];
    send(house.address, "GET", path, &headers, "").status
}

#[test]
fn other_sites_may_link_to_the_page_and_start_nothing() {
    let house = House::open();
    assert_eq!(opened_elsewhere(&house, "/", "document"), 200);
    assert_eq!(opened_elsewhere(&house, "/plain", "document"), 200);
    for target in ["iframe", "frame", "embed", "object", ""] {
        assert_eq!(opened_elsewhere(&house, "/", target), 403, "{target}");
    }
    for path in [
        "/api/measure?game=connect&player=random&games=1",
        "/api/watch?game=connect&player=random",
        "/api/replays/some/run/1",
        "/api/events",
        "/api/status",
    ] {
        for target in ["document", "iframe"] {
            assert_eq!(
                opened_elsewhere(&house, path, target),
                403,
                "{path} {target}"
            );
        }
    }
}

#[test]
fn a_form_of_another_page_cannot_be_a_request() {
    let house = House::open();
    let headers = [("content-type", "text/plain")];
    let sent = send(
        house.address,
        "POST",
        "/api/studies",
        &headers,
        &json!({"toml": QUICK}).to_string(),
    );
    sent.refused(400, "application/json");
}

#[test]
fn bodies_have_a_limit() {
    let house = House::open();
    let large = json!({"toml": "#".repeat(300 << 10)});
    house.post("/api/check", &large).refused(413, "too large");
    let small = House::with(|settings| settings.limits.replay = 1000);
    small.post("/api/replays", &large).refused(413, "too large");
    house
        .post("/api/replays", &large)
        .refused(400, "not a replay");
}

#[test]
fn programs_are_not_started_and_files_are_not_read() {
    let house = House::open();
    let witness = house.runs.path().join("witness");
    let touch = format!("touch {}", witness.display());
    let bot = format!("exec(command=\"{touch}\")");
    let question = json!({"position": "", "player": bot});
    for what in ["choose", "hint"] {
        house
            .post(&format!("/api/games/connect/{what}"), &question)
            .refused(403, "--allow-exec");
    }
    let file = json!({"position": "", "player": "/etc/passwd.json"});
    house
        .post("/api/games/connect/choose", &file)
        .refused(403, "player file");
    for path in ["watch", "measure"] {
        house
            .get(&format!("/api/{path}?game=connect&player=exec(command=x)"))
            .refused(403, "--allow-exec");
        house
            .get(&format!(
                "/api/{path}?game=connect&player=random&player2=x.json"
            ))
            .refused(403, "player file");
    }
    let with = |line: &str| QUICK.replace("repeats = 2", line);
    let studies = [
        QUICK.replace("games = 1\n", &format!("games = 1\nexec = \"{touch}\"\n")),
        format!("{QUICK}\n[notify]\ncommand = \"{touch}\"\n"),
        format!("{QUICK}\n[notify]\nwebhook = \"http://127.0.0.1:1/\"\n"),
        with("player = \"exec(command=x)\""),
        with("player = \"/etc/passwd.json\""),
        QUICK.replace(
            "\"fitness.games\" = [1, 2]",
            "player = [\"random\", \"exec(command=x)\"]",
        ),
    ];
    for toml in studies {
        let refused = house.post("/api/studies", &json!({"toml": toml}));
        refused.refused(403, "");
        assert!(
            !refused.json()["error"]["flaws"]
                .as_array()
                .unwrap()
                .is_empty()
        );
        let checked = house.post("/api/check", &json!({"toml": toml})).ok();
        assert_eq!(checked["ok"], false, "{toml}");
    }
    assert!(!witness.exists());
    assert_eq!(house.get("/api/runs").ok()["total"], 0);
}

#[test]
fn a_study_with_programs_is_not_resumed_from_the_page() {
    let runs = tempfile::tempdir().unwrap();
    let store = Store::new(runs.path());
    let text = format!("{QUICK}\n[notify]\ncommand = \"true\"\n");
    let study = lab::study::Study::parse(&text, "a", runs.path(), lab::study::Form::Whole).unwrap();
    let folder = store.folder("quick");
    drop(folder.lock().unwrap());
    folder.write_study(&study).unwrap();
    let house = House::over(runs, |_| {});
    for action in ["resume", "fork"] {
        house
            .post(&format!("/api/studies/quick/{action}"), &Value::Null)
            .refused(403, "not allowed");
    }
}

#[test]
fn a_game_of_a_program_is_not_played_again_from_the_page() {
    let runs = tempfile::tempdir().unwrap();
    let bot = "exec(cmd=false)";
    let text = MEETING.replace("\"greedy\"", &format!("{bot:?}"));
    let run = lab::study::Study::parse(&text, "a", runs.path(), lab::study::Form::Whole).unwrap();
    let folder = Store::new(runs.path()).folder("meeting");
    drop(folder.lock().unwrap());
    folder.write_study(&run).unwrap();
    let place = folder.run(&run.runs()[0].folder);
    let file = lab::store::RunFile::of(&run, &run.runs()[0]);
    place.begin(&file).unwrap();
    let outcome = lab::run::outcome::Outcome::default().text();
    std::fs::write(place.path.join(lab::store::OUTCOME), outcome).unwrap();
    let house = House::over(runs, |_| {});
    let game = format!("/api/replays/meeting/{}/0", place.name);
    house.get(&game).refused(403, "--allow-exec");
}

#[test]
fn programs_are_started_if_that_is_allowed() {
    let house = House::with(|settings| settings.allow_exec = true);
    let witness = house.runs.path().join("witness");
    let text = format!(
        "{QUICK}\n[notify]\ncommand = \"touch {}\"\n",
        witness.display()
    );
    let mut stream = house.listen("/api/events");
    house.post("/api/studies", &json!({"toml": text})).ok();
    stream.until("study-over");
    house.wait_for("quick", "finished");
    until("somebody was told", || witness.exists());
    let games = house.get("/api/games").ok();
    let players = games[0]["players"].as_array().unwrap();
    assert!(players.iter().any(|player| player["name"] == "exec"));
}

#[test]
fn nothing_outside_the_runs_has_a_name() {
    let house = House::open();
    house.run_study(QUICK);
    std::fs::write(house.runs.path().join("secret.toml"), "secret").unwrap();
    for path in [
        "/api/studies/..",
        "/api/studies/%2e%2e",
        "/api/studies/..%2f..%2fetc",
        "/api/studies/%2fetc/files/study.toml",
        "/api/studies/.hidden/files/study.toml",
        "/api/studies/quick%2f../files/study.toml",
        "/api/runs/quick/..%2f..",
        "/api/runs/quick/s1-r1/files/..%2f..%2f..%2fsecret.toml",
        "/api/replays/..%2f../quick",
        "/api/replays/quick/..%2fquick%2fs1-r1/0",
        "/api/runs/%2e%2e/quick/games",
        "/assets/../../Cargo.toml",
        "/assets/%2e%2e/%2e%2e/secret.toml",
    ] {
        let answer = send(house.address, "GET", path, &[], "");
        assert_eq!(answer.status, 404, "{path}: {answer:?}");
        assert!(
            !answer.body.contains("secret\"") && !answer.body.contains("[package]"),
            "{path}"
        );
    }
}

#[test]
fn the_browser_is_told_to_trust_nothing_else() {
    let house = House::open();
    house.run_study(QUICK);
    for path in [
        "/",
        "/play/2048",
        "/api/status",
        "/api/nothing",
        "/api/runs/quick/s1-r1",
    ] {
        let answer = house.get(path);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(
            policy.contains("default-src 'self'") && !policy.contains("script-src"),
            "{path}: {policy}"
        );
        assert_eq!(
            answer.header("x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
        assert_eq!(answer.header("x-frame-options"), Some("DENY"), "{path}");
    }
    // A report has texts of the study in it: it gets no rights at all, and the texts are no HTML.
    let report = house.get("/api/studies/quick/files/report.html");
    assert!(
        report
            .header("content-security-policy")
            .unwrap()
            .contains("sandbox")
    );
    assert!(!report.body.contains("<b>better</b>") && report.body.contains("&lt;b&gt;better"));
}

#[test]
fn a_refused_origin_changes_nothing() {
    let house = House::open();
    let headers = [JSON, ("origin", "http://evil.example")];
    send(
        house.address,
        "POST",
        "/api/studies",
        &headers,
        &json!({"toml": QUICK}).to_string(),
    )
    .refused(403, "other sites");
    assert_eq!(house.get("/api/status").ok()["running"], Value::Null);
    assert_eq!(house.get("/api/runs").ok()["total"], 0);
}

/// Each of these once could, or might, have ended the server by a recursion without limit.
#[test]
fn nothing_that_is_nested_deeply_ends_the_server() {
    let house = House::open();
    let deep = |open: &str, close: &str| open.repeat(20_000) + &close.repeat(20_000);
    for player in [deep("a(b=", ")"), deep("a(", ")"), deep("(", ")")] {
        let body = json!({"position": "", "player": player});
        house
            .post("/api/games/connect/choose", &body)
            .refused(400, "");
    }
    for position in [deep("[", "]"), deep("(", ")"), deep("/", "/")] {
        let body = json!({"position": position});
        house
            .post("/api/games/connect/view", &body)
            .refused(400, "");
    }
    for body in [deep("[", "]"), deep("{\"a\":", "}")] {
        for path in ["/api/check", "/api/replays", "/api/games/connect/view"] {
            send(house.address, "POST", path, &[JSON], &body).refused(400, "");
        }
        let nested = body
            .replace('"', "%22")
            .replace('{', "%7B")
            .replace('}', "%7D");
        let path = format!(
            "/api/watch?game=connect&player=random&rules={}",
            &nested[..nested.len().min(5000)]
        );
        house.get(&path).refused(400, "rules");
    }
    let nested = format!("name = \"a\"\nx = {}\n", deep("[", "]"));
    let checked = house.post("/api/check", &json!({"toml": nested})).ok();
    assert_eq!(checked["ok"], false);
    house.get("/api/status").ok();
}
