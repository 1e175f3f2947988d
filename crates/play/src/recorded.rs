//! Games that were played, to learn from: replays (a file, a file of one per line, a directory), or a table of their steps.

use std::fs;
use std::path::{Path, PathBuf};

use games::{AnyGame, Turn};
use players::RecordedGame;

use crate::any::AnyPosition;
use crate::replay::Replay;

/// Columns of a table that may have the steps.
const COLUMNS: [&str; 2] = ["steps", "moves"];

/// The games of a file or directory, in the order of their names and lines. The error names the place.
pub fn read(path: &Path, game: &AnyGame) -> Result<Vec<RecordedGame>, String> {
    let mut games = Vec::new();
    for file in files(path)? {
        let shown = file.display();
        let text =
            fs::read_to_string(&file).map_err(|error| format!("cannot read {shown}: {error}"))?;
        let found = match file.extension().is_some_and(|ending| ending == "csv") {
            true => of_table(&text, game),
            false => of_replays(&text, game),
        };
        games.extend(found.map_err(|problem| format!("{shown}: {problem}"))?);
    }
    match games.is_empty() {
        true => Err(format!("{} has no games", path.display())),
        false => Ok(games),
    }
}

/// The file itself, or the replays and tables of a directory.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, String> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let unreadable = |error| format!("cannot read {}: {error}", path.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        let ending = file.extension().and_then(|ending| ending.to_str());
        if ending.is_some_and(|ending| ["json", "jsonl", "csv"].contains(&ending)) {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// One replay per line.
fn of_replays(text: &str, game: &AnyGame) -> Result<Vec<RecordedGame>, String> {
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let read = |(number, line): (usize, &str)| {
        let replay = Replay::from_text(line).map_err(|error| error.to_string());
        let replay = replay.and_then(|replay| of_replay(&replay, game));
        replay.map_err(|problem| format!("line {}: {problem}", number + 1))
    };
    lines.map(read).collect()
}

fn of_replay(replay: &Replay, game: &AnyGame) -> Result<RecordedGame, String> {
    let name = game.family().name;
    if replay.game != name {
        return Err(format!("is a game of {}, not of {name}", replay.game));
    }
    if replay.rules != game.options() {
        return Err(format!("was played by other rules ({})", replay.rules));
    }
    let start = AnyPosition::parse(game, replay.start()).map_err(|error| error.to_string())?;
    followed(start, replay.steps().iter().map(String::as_str))
}

/// One game per row.
fn of_table(text: &str, game: &AnyGame) -> Result<Vec<RecordedGame>, String> {
    let mut rows = text.lines();
    let head: Vec<&str> = rows
        .next()
        .unwrap_or_default()
        .split(',')
        .map(str::trim)
        .collect();
    let column = head.iter().position(|name| COLUMNS.contains(name));
    let column = column.ok_or_else(|| format!("has no column {}", COLUMNS.join(" or ")))?;
    let read = |(number, row): (usize, &str)| {
        let steps = row.split(',').nth(column).unwrap_or_default().trim();
        // Moves of one character need nothing between them.
        let steps: Vec<String> = match steps.contains(' ') {
            true => steps.split_whitespace().map(str::to_owned).collect(),
            false => steps.chars().map(String::from).collect(),
        };
        let game = followed(AnyPosition::start(game), steps.iter().map(String::as_str));
        game.map_err(|problem| format!("line {}: {problem}", number + 2))
    };
    let rows = rows.enumerate().filter(|(_, row)| !row.trim().is_empty());
    rows.map(read).collect()
}

/// Follows the steps of a game to its end.
fn followed<'a>(
    mut position: AnyPosition,
    steps: impl Iterator<Item = &'a str>,
) -> Result<RecordedGame, String> {
    let mut moves = Vec::new();
    for (number, step) in steps.enumerate() {
        let at = |problem: String| format!("step {}: {problem}", number + 1);
        match position.turn() {
            Turn::Over => return Err(at(format!("'{step}' comes after the end of the game"))),
            Turn::Chance => position
                .happen(step)
                .map_err(|error| at(error.to_string()))?,
            Turn::Player(_) => {
                moves.push((position.to_string(), step.to_owned()));
                position.play(step).map_err(|error| at(error.to_string()))?;
            }
        }
    }
    match position.is_over() {
        true => Ok(RecordedGame {
            moves,
            end: position.to_string(),
        }),
        false => Err(
            "the game does not come to its end, so nothing can be learned from its last positions"
                .to_owned(),
        ),
    }
}
