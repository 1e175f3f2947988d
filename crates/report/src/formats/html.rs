//! A report as one self-contained HTML file: no network, no scripts; light and dark, and printable.

use super::{Block, Format, Made, Report, numeric};
use crate::escaped;
use crate::results::Results;
use lab::run::outcome::Table;

pub(super) const FORMAT: Format = Format {
    name: "html",
    file: "index.html",
    make,
};

/// The most rows of a table to look numbers up in that are shown at once.
const LONGEST_OPEN: usize = 12;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c2024; --paper: #fcfcfd; --faint: #60646c; --line: #d9d9e0; --shade: #f2f2f5; }
@media (prefers-color-scheme: dark) { :root { --ink: #edeef0; --paper: #111113; --faint: #b0b4ba; --line: #3a3f45; --shade: #1d1f22; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .75rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
p { margin: .75rem 0; max-width: 46rem; }
.note { color: var(--faint); font-size: .92rem; }
.lead { font-size: 1.15rem; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .35rem .8rem .35rem 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
th.number, td.number { text-align: right; }
td { max-width: 34rem; overflow-wrap: break-word; }
figure { margin: 1.75rem 0; break-inside: avoid; }
figure svg { display: block; max-width: 100%; height: auto; }
figure.game svg { max-width: 20rem; }
figcaption { color: var(--faint); font-size: .92rem; margin-top: .4rem; max-width: 46rem; }
summary { cursor: pointer; color: var(--faint); }
pre { background: var(--shade); border-radius: 6px; padding: .8rem 1rem; overflow-x: auto; font-size: .85rem; }
@media print { :root { --ink: #000; --paper: #fff; --faint: #444; --line: #bbb; --shade: #f4f4f4; } main { max-width: none; padding: 0; } pre { white-space: pre-wrap; } details::details-content { content-visibility: visible; } summary { display: none; } }
";

fn make(report: &Report, _: &Results) -> Made {
    let title = escaped(&report.title);
    let mut body = format!("<h1>{title}</h1>\n");
    for (place, block) in report.blocks.iter().enumerate() {
        body += &html(block, place == 0);
    }
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    );
    page.into()
}

fn html(block: &Block, is_first: bool) -> String {
    match block {
        Block::Heading(heading) => format!("<h2>{}</h2>\n", escaped(heading)),
        Block::Text(text) if is_first => format!("<p class=\"lead\">{}</p>\n", escaped(text)),
        Block::Text(text) => format!("<p>{}</p>\n", escaped(text)),
        Block::Note(note) => format!("<p class=\"note\">{}</p>\n", escaped(note)),
        Block::Command(command) => format!("<pre>{}</pre>\n", escaped(command.trim_end())),
        Block::Lookup(table) if table.rows.len() > LONGEST_OPEN => format!(
            "<details>\n<summary>Show {} rows</summary>\n{}</details>\n",
            table.rows.len(),
            self::table(table)
        ),
        Block::Table(table) | Block::Lookup(table) => self::table(table),
        Block::Picture(picture) => format!(
            "<figure class=\"{}\">\n{}\n<figcaption>{}</figcaption>\n</figure>\n",
            escaped(&picture.name),
            picture.svg,
            escaped(&picture.caption)
        ),
    }
}

fn table(table: &Table) -> String {
    let numeric = numeric(table);
    let cells = |tag: &str, cells: &[String]| {
        let cell = |(place, cell): (usize, &String)| {
            let class = match numeric.get(place) {
                Some(true) => " class=\"number\"",
                _ => "",
            };
            format!("<{tag}{class}>{}</{tag}>", escaped(cell))
        };
        let cells: String = cells.iter().enumerate().map(cell).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let mut text = "<div class=\"wide\"><table>\n".to_owned();
    if !table.title.is_empty() {
        text += &format!("<caption>{}</caption>\n", escaped(&table.title));
    }
    text += &format!("<thead>{}</thead>\n<tbody>\n", cells("th", &table.head));
    table.rows.iter().for_each(|row| text += &cells("td", row));
    text + "</tbody></table></div>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_long_table_to_look_numbers_up_in_is_folded() {
        let of_rows = |rows| Table {
            title: String::new(),
            head: vec!["n".to_owned()],
            rows: vec![vec!["1".to_owned()]; rows],
        };
        let is_folded = |block: Block| html(&block, false).contains("<details>");
        assert!(is_folded(Block::Lookup(of_rows(13))));
        assert!(!is_folded(Block::Lookup(of_rows(12))));
        assert!(!is_folded(Block::Table(of_rows(13))));
    }
}
