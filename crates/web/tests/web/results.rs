//! The results of the five works on the page.

use std::collections::BTreeSet;

use crate::house::House;

/// The values of an attribute in a page.
fn values<'a>(html: &'a str, attribute: &str) -> BTreeSet<&'a str> {
    let begin = format!("{attribute}=\"");
    let parts = html.split(begin.as_str()).skip(1);
    parts.filter_map(|part| part.split('"').next()).collect()
}

#[test]
fn every_link_and_picture_of_the_results_is_there() {
    let house = House::open();
    let first = house.get("/api/results").ok();
    assert!(first["title"].as_str().unwrap().starts_with("Results"));
    let first = first["html"].as_str().unwrap();
    let links = values(first, "href");
    assert!(links.len() > 20, "{links:?}");
    assert!(links.contains(&"/results/records"), "{links:?}");
    let mut pictures: BTreeSet<String> = values(first, "src")
        .into_iter()
        .map(str::to_owned)
        .collect();
    for link in links.iter().filter(|link| !link.starts_with("https://")) {
        let link = link.split('#').next().unwrap_or_default();
        let Some(name) = link.strip_prefix("/results/") else {
            assert!(["", "/results"].contains(&link), "{link}");
            continue;
        };
        let report = house.get(&format!("/api/results/reports/{name}")).ok();
        let report = report["html"].as_str().unwrap();
        pictures.extend(values(report, "src").into_iter().map(str::to_owned));
        assert!(report.contains("<table>"), "{name}");
        assert!(!report.contains("style="), "{name}: CSP");
    }
    assert!(pictures.len() > 100, "{}", pictures.len());
    for picture in pictures {
        let answer = house.get(&picture);
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (200, Some("image/svg+xml")),
            "{picture}"
        );
    }
}

#[test]
fn columns_of_numbers_are_aligned() {
    let house = House::open();
    let path = "/api/results/reports/2048-ga-as-published";
    let report = house.get(path).ok();
    let html = report["html"].as_str().unwrap();
    for cell in [
        "<th>setting</th>",
        "<th class=\"number\">runs</th>",
        "<td>as published</td><td class=\"number\">4</td>",
    ] {
        assert!(html.contains(cell), "{cell}");
    }
}

#[test]
fn only_what_belongs_to_the_results_is_given() {
    let house = House::open();
    let refused = |path: &str| house.get(&format!("/api/results/{path}")).refused(404, "");
    refused("reports/nothing");
    refused("reports/..%2F..");
    refused("pictures/README.md");
    refused("pictures/..%2F..%2FCargo.toml");
}

#[test]
fn a_page_has_anchors_and_no_scripts() {
    let house = House::open();
    let first = house.get("/api/results").ok();
    let html = first["html"].as_str().unwrap();
    assert!(!html.contains("<script") && !html.contains("style="), "CSP");
    let ids = values(html, "id");
    for link in values(html, "href")
        .into_iter()
        .filter_map(|link| link.strip_prefix('#'))
    {
        assert!(ids.contains(link), "#{link}");
    }
}
