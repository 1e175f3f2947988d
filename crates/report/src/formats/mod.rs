//! The formats of a report, one file each. A new one is a file and a line here.

mod csv;
mod html;
mod json;
mod markdown;

use super::{Block, Format, Made, Report};
use lab::run::outcome::Table;

/// All formats.
pub static FORMATS: &[Format] = &[html::FORMAT, markdown::FORMAT, csv::FORMAT, json::FORMAT];

/// For each column of a table whether it holds numbers, which are aligned to the right.
fn numeric(table: &Table) -> Vec<bool> {
    let column = |place: usize| {
        let cells = || table.rows.iter().filter_map(move |row| row.get(place));
        cells().any(|cell| is_number(cell)) && cells().all(|cell| is_number(cell) || is_blank(cell))
    };
    (0..table.head.len()).map(column).collect()
}

fn is_blank(cell: &str) -> bool {
    matches!(cell, "" | "-")
}

/// A number, perhaps with its interval: `1,091 (1,063 to 1,133)`, `< 0.001`, `12 %`.
fn is_number(cell: &str) -> bool {
    let words = cell.split([' ', '(', ')', '<', '%']);
    let mut words = words.filter(|word| !matches!(*word, "" | "to"));
    let is_digits = |word: &str| {
        let digits = word.trim_start_matches(['+', '-']);
        digits.starts_with(|c: char| c.is_ascii_digit())
            && digits
                .chars()
                .all(|c| c.is_ascii_digit() || ",.e-".contains(c))
    };
    words.clone().next().is_some() && words.all(is_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_numbers_are_found() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let table = Table {
            title: String::new(),
            head: row(["setting", "score", "note"]),
            rows: vec![
                row(["10x20", "1,091 (1,063 to 1,133)", ""]),
                row(["2048-ga", "-", "1"]),
                row(["b", "< 0.001", "better"]),
            ],
        };
        assert_eq!(numeric(&table), [false, true, false]);
    }
}
