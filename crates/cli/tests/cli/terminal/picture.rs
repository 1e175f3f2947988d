//! The terminal as the README shows it: a picture made of what a window really shows, so that it cannot go out of date.
//! `GAMETE_BLESS=1` draws it anew.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use vt100::{Cell, Color, Screen};

use super::gamete_in;

/// Width and height of a cell, and the size of the letters in it.
const CELL: (f64, f64) = (8.4, 18.0);
const LETTERS: f64 = 14.0;
const MARGIN: f64 = 14.0;

/// The colours of the window: readable on a light page and on a dark one, since it has a background of its own.
const GROUND: &str = "#1e1f24";
const INK: &str = "#d6d7dc";

const BASIC: [&str; 16] = [
    "#3b3d45", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d6d7dc",
    "#7f828c", "#f2868e", "#b4dd97", "#f5d797", "#82c4f8", "#dc9aee", "#78d0da", "#ffffff",
];

/// A colour of the 256 of xterm, or any other.
fn hex(color: Color) -> Option<String> {
    let [r, g, b] = match color {
        Color::Default => return None,
        Color::Idx(index @ 0..16) => return Some(BASIC[usize::from(index)].to_owned()),
        Color::Idx(index @ 16..232) => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
            let index = index - 16;
            [level(index / 36), level(index / 6 % 6), level(index % 6)]
        }
        Color::Idx(index) => [8 + 10 * (index - 232); 3],
        Color::Rgb(r, g, b) => [r, g, b],
    };
    Some(format!("#{r:02x}{g:02x}{b:02x}"))
}

#[derive(Clone, PartialEq)]
struct Style {
    ink: Option<String>,
    ground: Option<String>,
    bold: bool,
}

impl Style {
    fn of(cell: &Cell) -> Self {
        let (mut ink, mut ground) = (hex(cell.fgcolor()), hex(cell.bgcolor()));
        if cell.inverse() {
            ink = Some(ground.unwrap_or(GROUND.to_owned()));
            ground = Some(hex(cell.fgcolor()).unwrap_or(INK.to_owned()));
        }
        let bold = cell.bold();
        Self { ink, ground, bold }
    }
}

/// A row as runs of cells that look alike: where each begins, its text and its look.
fn runs(screen: &Screen, row: u16) -> Vec<(u16, String, Style)> {
    let mut runs: Vec<(u16, String, Style)> = Vec::new();
    for col in 0..screen.size().1.get() {
        let Some(cell) = screen.cell(row, col) else {
            continue;
        };
        let text = if cell.has_contents() {
            cell.contents()
        } else {
            " "
        };
        let style = Style::of(cell);
        match runs.last_mut() {
            Some((_, before, same)) if *same == style => before.push_str(text),
            _ => runs.push((col, text.to_owned(), style)),
        }
    }
    runs
}

fn svg(screen: &Screen, title: &str) -> String {
    let (rows, cols) = screen.size();
    let width = f64::from(cols.get()) * CELL.0 + 2.0 * MARGIN;
    let height = f64::from(rows.get()) * CELL.1 + 2.0 * MARGIN;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" role=\"img\">\n\
        <title>{title}</title>\n\
        <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{GROUND}\"/>\n\
        <g font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"{LETTERS}\" fill=\"{INK}\" xml:space=\"preserve\">\n"
    );
    for row in 0..rows.get() {
        for (col, run, style) in runs(screen, row) {
            draw(&mut text, (row, col), &run, &style).expect("texts grow");
        }
    }
    text + "</g>\n</svg>\n"
}

fn draw(svg: &mut String, (row, col): (u16, u16), run: &str, style: &Style) -> std::fmt::Result {
    let (x, y) = (
        MARGIN + f64::from(col) * CELL.0,
        MARGIN + f64::from(row) * CELL.1,
    );
    let width = run.chars().count() as f64 * CELL.0;
    if let Some(ground) = &style.ground {
        // A little wider than the cells: no gaps between those of one colour.
        writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{ground}\"/>",
            width + 0.4,
            CELL.1 + 0.4
        )?;
    }
    let ink = style.ink.as_ref().map(|ink| format!(" fill=\"{ink}\""));
    let ink = ink.unwrap_or_default();
    let bold = if style.bold {
        " font-weight=\"bold\""
    } else {
        ""
    };
    for (offset, words) in phrases(run) {
        let x = x + offset as f64 * CELL.0;
        let width = words.chars().count() as f64 * CELL.0;
        let shown = words.replace('&', "&amp;").replace('<', "&lt;");
        writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.1}\" textLength=\"{width:.1}\" lengthAdjust=\"spacingAndGlyphs\"{ink}{bold}>{shown}</text>",
            y + 13.5
        )?;
    }
    Ok(())
}

/// The parts of a run between gaps, with the cell where each begins: spaces that matter are lost in SVG.
fn phrases(run: &str) -> Vec<(usize, String)> {
    let mut phrases: Vec<(usize, String)> = Vec::new();
    let mut spaces = 2;
    for (place, c) in run.chars().enumerate() {
        if c == ' ' {
            spaces += 1;
            continue;
        }
        match phrases.last_mut() {
            Some((_, phrase)) if spaces < 2 => {
                phrase.push_str(&" ".repeat(spaces));
                phrase.push(c);
            }
            _ => phrases.push((place, c.to_string())),
        }
        spaces = 0;
    }
    phrases
}

fn check(name: &str, svg: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("docs/pictures").join(name);
    if std::env::var_os("GAMETE_BLESS").is_some() {
        fs::write(&path, svg).expect("it can be written");
    }
    let drawn = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        drawn == svg,
        "docs/pictures/{name} shows another screen; GAMETE_BLESS=1 draws it anew"
    );
}

/// A late position of the first game of `expectimax(depth=2)` with seed 1, and how it went on: shown at its start, a kept game
/// always looks the same.
const GAME: &str = r#"{
    "format": "gamete-replay", "version": 1, "game": "2048",
    "rules": {"four": "0.1", "rules": "standard", "size": "4x4", "stop-at-win": "false", "win": "2048"},
    "players": ["expectimax(depth=2)"], "score": 27956, "moves": 2, "about": "seed 1",
    "start": "2002/0123/2358/589b fours 133", "steps": ["down", "2@2", "right", "2@8"]
}"#;

#[test]
fn the_readme_shows_the_terminal_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = folder.path().join("game.json");
    fs::write(&game, GAME).expect("it can be written");
    let words = format!("watch --replay {} --delay 1h", game.display());
    let mut pty = gamete_in(&words, (80, 24), &[("COLORTERM", "truecolor")]);
    // The last line is written last; after it, only what a key changes.
    pty.wait_for("leave");
    pty.press(" ");
    pty.wait_for("paused");
    let drawn = pty.picture(|screen| svg(screen, "A game of 2048 by expectimax, in the terminal"));
    check("terminal.svg", &drawn);
    pty.press("q");
    pty.end();
}
