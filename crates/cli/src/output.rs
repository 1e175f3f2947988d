//! What reaches the outside: results on standard output, failures on standard error, exit codes.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

pub(crate) use play::numbers::grouped as number;
use serde::Serialize;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The person asked for something that cannot be; nothing was started.
    Usage(String),
    /// It was tried and did not work.
    Failed(anyhow::Error),
    /// Nobody reads the output any more, which is no error.
    ClosedPipe,
    /// Ctrl-C or a signal ended it, which the person knows.
    Interrupted,
}

impl Failure {
    /// What is wrong, in words.
    pub(crate) fn message(self) -> String {
        match self {
            Self::ClosedPipe | Self::Interrupted => String::new(),
            Self::Usage(message) => message,
            Self::Failed(error) => format!("{error:#}"),
        }
    }

    /// Tells the person and gives the exit code.
    pub(crate) fn report(self) -> u8 {
        let code = match self {
            Self::ClosedPipe => return 0,
            Self::Interrupted => return 130,
            Self::Usage(_) => 2,
            Self::Failed(_) => 1,
        };
        let style = clap::builder::Styles::styled().get_error().to_owned();
        let message = self.message();
        let message = harmless(&message);
        print_to_stderr(format_args!("{style}error:{style:#} {message}"));
        code
    }
}

impl From<games::RulesError> for Failure {
    fn from(error: games::RulesError) -> Self {
        Self::Usage(match error {
            games::RulesError::Value {
                option,
                value,
                allowed,
            } => format!("--{option} {value}: {allowed}"),
            games::RulesError::Unknown {
                game,
                option,
                known,
                ..
            } => {
                let known: Vec<String> =
                    known.split(", ").map(|name| format!("--{name}")).collect();
                format!(
                    "--{option} is no rule of {game}; its rules are {}",
                    known.join(", ")
                )
            }
            other => other.to_string(),
        })
    }
}

impl From<players::SpecError> for Failure {
    fn from(error: players::SpecError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<games::PositionError> for Failure {
    fn from(error: games::PositionError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<play::playing::PlayError> for Failure {
    fn from(error: play::playing::PlayError) -> Self {
        match error {
            play::playing::PlayError::Player(error) => error.into(),
            other => Self::Failed(other.into()),
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::Failed(error.into())
        }
    }
}

/// A character that a terminal might obey, or that changes the order in which text is shown.
fn is_command(c: char) -> bool {
    let reorders = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (c.is_control() && !matches!(c, '\n' | '\t')) || reorders
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return text.into();
    }
    let mut shown = String::new();
    for c in text.chars() {
        match is_escaped(c) {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown.into()
}

/// Text as a terminal may get it, whatever files or other machines put into it: control characters are shown as escapes.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    escaped(text, is_command)
}

/// A part of a line: its line ends are shown as escapes as well, so that it cannot pretend to be several lines.
pub(crate) fn in_line(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c == '\n' || is_command(c))
}

/// Prints a result.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(harmless(text).as_bytes())?;
    Ok(out.flush()?)
}

/// Prints a line to standard error: a failure, a warning or a note.
pub(crate) fn print_to_stderr(line: impl fmt::Display) {
    // A command goes on without its notes if standard error is closed.
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// Prints a result as JSON.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(anyhow::Error::from)?;
    print(&format!("{}\n", harmless_json(&text)))
}

/// JSON as a terminal may get it: what its writer does not escape stands in strings, where JSON has an escape for it.
pub(crate) fn harmless_json(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_command(c) {
            true => shown.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => shown.push(c),
        }
    }
    shown
}

/// A time a person can read: 350 ns, 1.2 us, 3.4 ms, 5.6 s.
pub(crate) fn seconds(value: f64) -> String {
    let (scaled, unit) = match value {
        v if v < 1e-6 => (v * 1e9, "ns"),
        v if v < 1e-3 => (v * 1e6, "us"),
        v if v < 1.0 => (v * 1e3, "ms"),
        v => (v, "s"),
    };
    format!(
        "{} {unit}",
        number(scaled, if scaled < 10.0 { 2 } else { 0 })
    )
}

/// A table of text: the first column to the left, the others to the right.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with this head.
    pub(crate) fn new<const N: usize>(head: [&str; N]) -> Self {
        Self {
            rows: vec![head.map(str::to_owned).to_vec()],
        }
    }

    /// A table with as many columns as are needed.
    pub(crate) fn with_head(head: &[&str]) -> Self {
        Self {
            rows: vec![head.iter().map(|&cell| cell.to_owned()).collect()],
        }
    }

    /// Adds a row of any length.
    pub(crate) fn add(&mut self, cells: Vec<String>) {
        let shown = |cell: String| in_line(&cell).into_owned();
        self.rows.push(cells.into_iter().map(shown).collect());
    }

    /// Adds a row, which may be shorter than the head.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.add(cells.into());
    }

    /// The lines, each with its end.
    pub(crate) fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = row
                .iter()
                .zip(&widths)
                .enumerate()
                .map(|(column, (cell, &width))| {
                    if column == 0 {
                        format!("{cell:<width$}")
                    } else {
                        format!("  {cell:>width$}")
                    }
                });
            format!("{}\n", cells.collect::<String>().trim_end())
        };
        self.rows.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_command() {
        let text = "a\u{1b}[2Jb\r\u{7}\u{9b}31m\u{7f}\u{202e}\n\tz";
        let shown = harmless(text);
        let escapes = r"a\u{1b}[2Jb\r\u{7}\u{9b}31m\u{7f}\u{202e}";
        assert_eq!(shown, format!("{escapes}\n\tz"));
        assert_eq!(in_line("a\nb"), r"a\nb");
        assert!(matches!(harmless("plain äöü ✓"), Cow::Borrowed(_)));
    }

    #[test]
    fn json_stays_json() {
        let value = "a\u{1b}\u{9b}\u{7f}\u{202e}\n";
        let text = serde_json::to_string_pretty(&[value]).expect("JSON");
        let shown = harmless_json(&text);
        assert!(!shown.chars().any(is_command), "{shown}");
        let read: Vec<String> = serde_json::from_str(&shown).expect("JSON");
        assert_eq!(read, [value]);
    }

    #[test]
    fn a_cell_is_one_line() {
        let mut table = Table::new(["name", "n"]);
        table.row(["a\n  faked".to_owned(), "1".to_owned()]);
        assert_eq!(table.render().lines().count(), 2);
    }
}
