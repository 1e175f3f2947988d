//! A page without scripts, for browsers without them and for a gamete that was built without the full page: it lists studies, runs and reports.

use report::escaped;
use std::fmt::Write;
use std::sync::Arc;

use lab::store::{Query, Row, StudyRow};
use lab::study::NETWORK;

use crate::problem::Problem;
use crate::site::Site;
use crate::threads::on_thread;

/// More would not be read.
const ROWS: u32 = 200;

const HEAD: &str = "<!doctype html>
<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>gamete</title>
<style>
:root { color-scheme: light dark; } body { font: 16px/1.5 system-ui, sans-serif; margin: 1rem auto; max-width: 70rem; padding: 0 1rem; background: #fff; color: #1b2530; }
a { color: #0b5394; } @media (prefers-color-scheme: dark) { body { background: #12171e; color: #e6ebf0; } a { color: #7db8ee; } }
table { border-collapse: collapse; width: 100%; } td { text-align: left; padding: .2rem .6rem .2rem 0; border-bottom: 1px solid #8886; overflow-wrap: anywhere; }
</style></head><body><main><h1>gamete</h1>
";
const ALONE: &str = "<p>This gamete was built without its full page. To get that, build it where Node and npm are, with
<code>GAMETE_PAGE=full cargo build --release</code>. Everything else works: <code>gamete run</code>, <code>gamete play</code>, and the
<a href=\"/api/openapi.json\">API</a>.</p>
";
const BESIDE: &str = "<p>This page works without scripts; <a href=\"/\">the full one</a> also plays, watches and starts studies.</p>
";

/// Whether there is the full page as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Full {
    /// There is.
    There,
    /// It was not built.
    Missing,
}

/// The page as of now.
pub(super) async fn page(site: &Arc<Site>, full: Full) -> Result<String, Problem> {
    let site = Arc::clone(site);
    on_thread(move || {
        let query = Query {
            size: ROWS,
            ..Query::default()
        };
        let studies = site.catalogue.ask(|index| index.studies("", 0, ROWS))?;
        let runs = site.catalogue.ask(|index| index.find(&query))?;
        let mut page = HEAD.to_owned();
        page.push_str(match full {
            Full::There => BESIDE,
            Full::Missing => ALONE,
        });
        section(
            &mut page,
            "Studies",
            studies.total,
            studies.rows.iter().map(study),
        );
        section(&mut page, "Runs", runs.total, runs.rows.iter().map(run));
        Ok(page + "</main></body></html>\n")
    })
    .await
}

fn section(page: &mut String, title: &str, total: u64, rows: impl Iterator<Item = String>) {
    let _ = write!(page, "<h2>{title} ({total})</h2>\n<table>\n");
    rows.for_each(|row| page.push_str(&row));
    page.push_str("</table>\n");
}

fn study(row: &StudyRow) -> String {
    let StudyRow {
        name,
        question,
        state,
        runs,
        finished,
        ..
    } = row;
    let (name, question) = (escaped(name), escaped(question));
    format!(
        "<tr><td>{name}</td><td>{question}</td><td>{state}, {finished} of {runs}</td>\
         <td><a href=\"/api/studies/{name}/files/report.html\">report</a></td></tr>\n"
    )
}

fn run(row: &Row) -> String {
    let Row {
        state,
        done,
        of,
        steps,
        best,
        ..
    } = row;
    let (id, setting) = (escaped(&row.id), escaped(&row.setting));
    let (state, steps) = (escaped(state), escaped(steps));
    let file =
        |name: &str, text: &str| format!("<a href=\"/api/runs/{id}/files/{name}\">{text}</a>");
    // Only what evolves or learns has a best one, and what learns counts games.
    let files = match (state.as_str(), best, steps.as_str()) {
        ("finished", Some(_), "games") => file(NETWORK, "network"),
        ("finished", Some(_), _) => file("champion.json", "champion"),
        ("finished", None, _) => file("games.csv", "games"),
        _ => String::new(),
    };
    format!(
        "<tr><td>{id}</td><td>{setting}</td><td>{state}</td><td>{done} of {of} {steps}</td><td>{files}</td></tr>\n"
    )
}
