//! Workers on other machines, as the page hears of them.

use std::sync::Arc;

use web::{PoolStudy, PoolSurvey, PoolView, PoolWorker};

use crate::house::House;

#[derive(Debug)]
struct Two;

impl PoolView for Two {
    fn survey(&self) -> Result<PoolSurvey, String> {
        let worker = |name: &str, refused: Option<&str>| PoolWorker {
            id: format!("id-{name}"),
            name: name.to_owned(),
            refused_version: refused.map(str::to_owned),
            cores: 4,
            jobs: 100,
            jobs_per_second: 10.0,
            busy: 0.9,
        };
        Ok(PoolSurvey {
            url: "nats://127.0.0.1:4222".to_owned(),
            cores: 4,
            jobs_per_second: 10.0,
            waiting: 3,
            begun: 2,
            efficiency: 0.9,
            workers: vec![worker("one", None), worker("two", Some("0.0.1-old"))],
            studies: vec![PoolStudy {
                study: "mine@1".to_owned(),
                jobs: 100,
                jobs_per_second: 10.0,
                on_their_way: 5,
                checked: 1,
            }],
        })
    }

    fn metrics(&self) -> Result<String, String> {
        Ok("gamete_workers 2\n".to_owned())
    }
}

#[derive(Debug)]
struct Away;

impl PoolView for Away {
    fn survey(&self) -> Result<PoolSurvey, String> {
        Err("no server answers at nats://127.0.0.1:1".to_owned())
    }

    fn metrics(&self) -> Result<String, String> {
        Err("no server answers at nats://127.0.0.1:1".to_owned())
    }
}

#[test]
fn workers_and_studies_are_told() {
    let house = House::with(|settings| settings.pool = Some(Arc::new(Two)));
    let told = house.get("/api/cluster");
    assert_eq!(told.status, 200);
    let told = told.json();
    assert_eq!(told["workers"][1]["refused_version"], "0.0.1-old");
    assert_eq!(told["studies"][0]["on_their_way"], 5);
    assert_eq!(house.get("/api/status").json()["has_pool"], true);
    let metrics = house.get("/metrics");
    assert_eq!(
        (metrics.status, metrics.body.as_str()),
        (200, "gamete_workers 2\n")
    );
}

#[test]
fn a_page_without_workers_says_how_to_get_them() {
    let house = House::open();
    for path in ["/api/cluster", "/metrics"] {
        let told = house.get(path);
        assert_eq!(told.status, 404, "{path}");
        assert!(told.body.contains("gamete serve --pool"), "{}", told.body);
    }
    assert_eq!(house.get("/api/status").json()["has_pool"], false);
}

#[test]
fn a_server_that_is_away_is_told() {
    let house = House::with(|settings| settings.pool = Some(Arc::new(Away)));
    for path in ["/api/cluster", "/metrics"] {
        let told = house.get(path);
        assert_eq!(told.status, 502, "{path}");
        assert!(told.body.contains("no server answers"), "{}", told.body);
    }
}
