//! A report as Markdown, with its pictures as separate files.

use std::path::Path;

use super::{Block, Format, Report};
use crate::results::Results;
use lab::run::file::{FileError, make_directory, replace};
use lab::run::outcome::Table;

pub(super) const FORMAT: Format = Format {
    name: "md",
    file: "report.md",
    write,
};

/// The directory of the pictures.
const CHARTS: &str = "charts";

fn write(path: &Path, report: &Report, _: &Results) -> Result<(), FileError> {
    let directory = path.with_file_name(CHARTS);
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
            Block::Table(table) => self::table(table),
            Block::Picture(picture) => {
                make_directory(&directory)?;
                let name = format!("{}.svg", picture.name);
                replace(&directory.join(&name), picture.svg.as_bytes())?;
                let caption = escaped(&picture.caption);
                format!("![{caption}]({CHARTS}/{name})\n\n*{caption}*\n")
            }
        };
    }
    replace(path, text.as_bytes())
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
    text += &format!("|{}\n", "---|".repeat(table.head.len()));
    table.rows.iter().for_each(|cells| text += &row(cells));
    text
}
