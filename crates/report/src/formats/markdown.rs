//! A report as Markdown, with its pictures as separate files.

use super::{Block, Format, Made, Report, numeric};
use crate::figures::SVG;
use crate::results::Results;
use lab::run::outcome::Table;

pub(super) const FORMAT: Format = Format {
    name: "md",
    file: "report.md",
    make,
};

fn make(report: &Report, _: &Results) -> Made {
    let mut beside = Vec::new();
    let mut text = format!("# {}\n", report.title);
    for block in &report.blocks {
        text += "\n";
        text += &match block {
            Block::Heading(heading) => format!("## {heading}\n"),
            Block::Text(paragraph) => format!("{}\n", escaped(paragraph)),
            Block::Note(note) => format!("*{}*\n", escaped(note)),
            Block::Command(command) => {
                format!("```\n{}\n```\n", command.trim_end().replace("```", "'''"))
            }
            Block::Table(table) | Block::Lookup(table) => self::table(table),
            Block::Picture(picture) => {
                let (path, svg) = SVG.file(picture);
                let caption = escaped(&picture.caption);
                let text = format!("![{caption}]({path})\n\n*{caption}*\n");
                beside.push((path, svg));
                text
            }
        };
    }
    Made {
        contents: text.into_bytes(),
        beside,
    }
}

/// Escapes the texts of a study, so that they are not taken for Markdown or HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if matches!(
            c,
            '\\' | '*' | '_' | '<' | '>' | '[' | ']' | '`' | '|' | '#'
        ) {
            escaped.push('\\');
        }
        escaped.push(if c == '\n' { ' ' } else { c });
    }
    escaped
}

fn table(table: &Table) -> String {
    let row = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut text = String::new();
    if !table.title.is_empty() {
        text += &format!("**{}**\n\n", escaped(&table.title));
    }
    text += &row(&table.head);
    let columns = numeric(table).into_iter();
    let columns = columns.map(|is_numeric| if is_numeric { "---:|" } else { "---|" });
    text += &format!("|{}\n", columns.collect::<String>());
    table.rows.iter().for_each(|cells| text += &row(cells));
    text
}
