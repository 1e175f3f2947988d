//! What the browser shows.

use crate::client::send;
use crate::house::{House, QUICK};

#[test]
fn every_address_of_the_page_is_the_page() {
    let house = House::open();
    for path in [
        "/",
        "/play",
        "/play/a-game?pos=4453",
        "/runs/a/b",
        "/leaderboard/a-game",
    ] {
        let page = house.get(path);
        assert_eq!(
            (page.status, page.header("content-type")),
            (200, Some("text/html; charset=utf-8")),
            "{path}"
        );
        assert!(
            page.body.to_lowercase().contains("<!doctype html>"),
            "{path}"
        );
    }
}

#[test]
fn what_is_not_there_is_told() {
    let house = House::open();
    house.get("/api/nothing").refused(404, "no such path");
    house
        .get("/assets/nothing.js")
        .refused(404, "nothing found");
    send(house.address, "POST", "/", &[], "").refused(405, "GET");
    let wrong_way = send(house.address, "DELETE", "/api/runs", &[], "");
    assert_eq!(wrong_way.status, 405);
}

#[test]
fn the_plain_page_lists_runs_and_reports_and_its_texts_are_no_html() {
    let house = House::open();
    house.run_study(&QUICK.replace("<b>better</b>", "<b a='1'>better</b> & so on"));
    let page = house.get("/plain").body;
    assert!(
        page.contains("quick/s1-r1") && page.contains("files/report.html"),
        "{page}"
    );
    assert!(
        page.contains("&lt;b a=&#39;1&#39;&gt;better&lt;/b&gt; &amp; so on"),
        "{page}"
    );
    assert!(!page.contains("<script"), "{page}");
}
