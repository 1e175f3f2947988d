//! Errors in a study file: all at once, each with its position.

use std::fmt;
use std::ops::Range;

use super::document::line;

/// One error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaw {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// The key, e.g. `optimizer.population`; empty if the text is not TOML.
    pub key: String,
    /// What is wrong, and what is allowed.
    pub message: String,
}

/// All errors in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flaws {
    /// The file's name.
    pub file: String,
    /// Its text.
    pub text: String,
    /// The errors, in the order of the text; never empty.
    pub flaws: Vec<Flaw>,
}

impl Flaws {
    /// These errors, sorted and without duplicates.
    #[must_use]
    pub fn new(file: &str, text: &str, mut flaws: Vec<Flaw>) -> Self {
        flaws.sort_by(|a, b| {
            (a.span.start, &a.key, &a.message).cmp(&(b.span.start, &b.key, &b.message))
        });
        // A wrong key in a list of values is wrong for every value.
        let same_line = |a: &Flaw, b: &Flaw| {
            let (first, last) = (
                a.span.start.min(b.span.start),
                a.span.start.max(b.span.start),
            );
            !text.as_bytes()[first.min(text.len())..last.min(text.len())].contains(&b'\n')
        };
        flaws.dedup_by(|b, a| a.key == b.key && a.message == b.message && same_line(a, b));
        Self {
            file: file.to_owned(),
            text: text.to_owned(),
            flaws,
        }
    }

    /// The line number of an error, from 1.
    #[must_use]
    pub fn line(&self, flaw: &Flaw) -> usize {
        line(&self.text, flaw.span.start)
    }
}

impl Flaws {
    /// The column of an error, in characters from 1, and how many characters of the line it covers, at least one.
    #[must_use]
    pub fn column(&self, flaw: &Flaw) -> (usize, usize) {
        let clip = |place: usize| {
            let mut place = place.min(self.text.len());
            while !self.text.is_char_boundary(place) {
                place -= 1;
            }
            place
        };
        let (start, end) = (clip(flaw.span.start), clip(flaw.span.end));
        let line = self.text[..start].rfind('\n').map_or(0, |end| end + 1);
        let covered = self.text[start..end.max(start)].lines().next();
        let length = covered.map_or(0, |text| text.chars().count());
        (self.text[line..start].chars().count() + 1, length.max(1))
    }
}

impl std::error::Error for Flaws {}

/// The most errors shown at once.
const MOST_SHOWN: usize = 30;
/// Longer lines of the file are shortened.
const LONGEST_SHOWN: usize = 120;

fn shortened(source: &str) -> String {
    match source.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{} ...", &source[..end]),
        None => source.to_owned(),
    }
}

impl fmt::Display for Flaws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.flaws.len();
        let things = if count == 1 { "thing is" } else { "things are" };
        write!(
            f,
            "{}: {count} {things} wrong; nothing was started",
            self.file
        )?;
        for flaw in self.flaws.iter().take(MOST_SHOWN) {
            let line = self.line(flaw);
            let key = if flaw.key.is_empty() {
                String::new()
            } else {
                format!(", {}", flaw.key)
            };
            write!(f, "\n  line {line}{key}: {}", flaw.message)?;
            let source = self.text.lines().nth(line - 1).unwrap_or_default().trim();
            if !source.is_empty() {
                write!(f, "\n    | {}", shortened(source))?;
            }
        }
        match count.saturating_sub(MOST_SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n  and {more} more"),
        }
    }
}
