//! The end of a program's standard error, made safe to display.

/// Bytes kept.
const MOST_BYTES: usize = 2000;
/// Lines shown.
const MOST_LINES: usize = 10;

/// Keeps the last bytes of a stream.
#[derive(Debug, Default)]
pub(super) struct Tail {
    bytes: Vec<u8>,
}

impl Tail {
    /// Appends output.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        let surplus = self.bytes.len().saturating_sub(MOST_BYTES);
        self.bytes.drain(..surplus);
    }

    /// The last lines, without control sequences.
    pub(super) fn text(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        let lines = &lines[lines.len().saturating_sub(MOST_LINES)..];
        printable(lines.join("\n").trim_matches('\n'))
    }
}

/// The text with control characters escaped.
fn printable(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' => c,
        '\t' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(shown).collect()
}

/// A bot's line, shortened for an error message.
pub fn quoted(line: &str) -> String {
    const MOST: usize = 80;
    let short: String = printable(line).chars().take(MOST).collect();
    let dots = if line.chars().count() > MOST {
        "..."
    } else {
        ""
    };
    format!("'{short}{dots}'")
}

/// The end of standard error as the end of an error message; empty if there was none.
#[must_use]
pub fn after(last_words: &str) -> String {
    if last_words.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = last_words
        .lines()
        .map(|line| format!("\n  {line}"))
        .collect();
    format!("; the end of its standard error:{}", lines.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_kept_and_can_be_shown() {
        let mut tail = Tail::default();
        (0..1000).for_each(|number| tail.push(format!("line {number}\n").as_bytes()));
        tail.push(b"\x1b[31mred\xff\n\n");
        let text = tail.text();
        assert!(text.starts_with("line 992\n"), "{text}");
        assert!(text.ends_with("\u{fffd}[31mred\u{fffd}"), "{text}");
    }

    #[test]
    fn a_quoted_line_is_short() {
        assert_eq!(quoted("a\rb"), "'a\u{fffd}b'");
        assert!(quoted(&"x".repeat(1000)).ends_with("xxx...'"));
    }
}
