//! What a setting's results depend on beyond the text of the study: its players' files and records, its populations and the programs it starts.
//!
//! A file is identified by its contents, never by its path: a player by its canonical text, a program or population by a hash.

use std::path::Path;

use play::bots::EXEC;
use play::named_player::is_spec;
use play::network_file::{NetworkFile, is_network, network_files};
use play::player_file::PlayerFile;
use play::recorded;
use play::records::Record;
use players::Spec;
use serde_json::{Map, Value as Json};

use super::document::{Table, Value};
use super::keys::{START, TRAIN_FROM};

/// The contents of all files named in a table, by file name. A file that cannot be read is left out; the code that
/// needs it reports the error.
pub(super) fn contents(table: &Table, base: &Path) -> Map<String, Json> {
    let mut found = Map::new();
    walk_table(table, "", &mut |key, text| {
        if !is_spec(text) {
            found.extend(player(text, base).map(|player| (text.to_owned(), player.into())));
        }
        for file in network_files(text) {
            found.extend(player(&file, base).map(|player| (file, player.into())));
        }
        if key == START.path() {
            found.extend(hash(text, base).map(|hash| (text.to_owned(), hash.into())));
        }
        if key == TRAIN_FROM.path() {
            let record = hash_of_record(&base.join(text));
            found.extend(record.map(|hash| (text.to_owned(), hash.into())));
        }
        for word in command(key, text).iter().flat_map(|text| words(text)) {
            found.extend(hash(word, base).map(|hash| (word.to_owned(), hash.into())));
        }
    });
    found
}

fn walk_table(table: &Table, above: &str, visit: &mut dyn FnMut(&str, &str)) {
    for (name, entry) in table {
        walk(&entry.node.value, &format!("{above}{name}"), visit);
    }
}

fn walk(value: &Value, path: &str, visit: &mut dyn FnMut(&str, &str)) {
    match value {
        Value::Table(table) => walk_table(table, &format!("{path}."), visit),
        Value::List(list) => list.iter().for_each(|one| walk(&one.value, path, visit)),
        Value::Text(text) => visit(path, text),
        Value::Whole(_) | Value::Real(_) | Value::Truth(_) => {}
    }
}

fn player(name: &str, base: &Path) -> Option<String> {
    if is_network(name) {
        return Some(
            NetworkFile::open(&base.join(name))
                .ok()?
                .player()
                .to_string(),
        );
    }
    let file = match Record::named(name) {
        Some(record) => record.ok()?.player(),
        None => PlayerFile::read(&base.join(name)).ok()?,
    };
    Some(file.spec().ok()?.to_string())
}

/// The command in a text: a fitness program or a bot.
fn command(key: &str, text: &str) -> Option<String> {
    if key == "fitness.exec" {
        return Some(text.to_owned());
    }
    let spec: Spec = text.parse().ok()?;
    let is_bot = spec.name() == EXEC.kind.name;
    spec.get("cmd").filter(|_| is_bot).map(str::to_owned)
}

fn words(command: &str) -> impl Iterator<Item = &str> {
    let quotes = ['\'', '"'];
    command
        .split_whitespace()
        .map(move |word| word.trim_matches(quotes))
}

/// A hash of all files of a record of games.
fn hash_of_record(path: &Path) -> Option<String> {
    let mut hasher = blake3::Hasher::new();
    for file in recorded::files(path).ok()? {
        hasher.update_reader(std::fs::File::open(file).ok()?).ok()?;
    }
    Some(format!("blake3 {}", hasher.finalize().to_hex()))
}

/// A hash of a program or population in the study's directory or the current one.
fn hash(word: &str, base: &Path) -> Option<String> {
    let places = [base.join(word), word.into()];
    let file = places.into_iter().find(|path| path.is_file())?;
    let bytes = std::fs::read(file).ok()?;
    Some(format!("blake3 {}", blake3::hash(&bytes).to_hex()))
}
