//! What a study would do beyond playing games: start programs, send messages, read files. A server that runs studies of strangers checks
//! this first, since even parsing a study may open the files it names.

use super::document::{Document, Node, Table, Value};
use super::flaw::{Flaw, Flaws};
use super::keys::{START, TRAIN_FROM};
use play::bots::EXEC;
use play::player_file::may_open_file;

/// Keys with free text, which starts and opens nothing.
const WORDS: [&str; 2] = ["question", "reference"];

/// Everything in a study that goes beyond games, as errors with the reason; empty if the text is not TOML, which
/// parsing reports.
#[must_use]
pub fn reaches_outside(text: &str, file: &str) -> Option<Flaws> {
    let document = Document::parse(text).ok()?;
    let mut flaws = Vec::new();
    walk(&document.root, "", &mut flaws);
    (!flaws.is_empty()).then(|| Flaws::new(file, text, flaws))
}

fn walk(table: &Table, above: &str, flaws: &mut Vec<Flaw>) {
    for (name, entry) in table {
        let path = format!("{above}{name}");
        if WORDS.contains(&path.as_str()) {
            continue;
        }
        // A key of `vary` is written with its dots: "fitness.exec".
        let mut words = name.split('.');
        let forbidden = words.clone().find_map(forbidden_key);
        match forbidden.or_else(|| forbidden_path(&path)) {
            Some(why) => flaws.push(flaw(&entry.key, &path, why)),
            None if words.next_back() == Some("label") => {}
            None => walk_value(&entry.node, &path, flaws),
        }
    }
}

fn walk_value(node: &Node, path: &str, flaws: &mut Vec<Flaw>) {
    match &node.value {
        Value::Table(table) => walk(table, &format!("{path}."), flaws),
        Value::List(list) => list.iter().for_each(|one| walk_value(one, path, flaws)),
        Value::Text(text) => {
            let why = forbidden_text(text);
            flaws.extend(why.map(|why| flaw(&node.span, path, why)));
        }
        Value::Whole(_) | Value::Real(_) | Value::Truth(_) => {}
    }
}

fn flaw(span: &std::ops::Range<usize>, key: &str, message: &str) -> Flaw {
    Flaw {
        span: span.clone(),
        key: key.to_owned(),
        message: message.to_owned(),
    }
}

fn forbidden_key(word: &str) -> Option<&'static str> {
    match word.trim() {
        "exec" => Some("starts a program, which is not allowed here"),
        "notify" => Some("runs a command or sends messages, which is not allowed here"),
        _ => None,
    }
}

/// Other tables may have keys of the same name: `optimizer.start` is a number.
fn forbidden_path(path: &str) -> Option<&'static str> {
    let above = ["short.", "vary.settings.", "vary."];
    let path = above
        .iter()
        .find_map(|above| path.strip_prefix(above))
        .unwrap_or(path);
    let reads = [START.path(), TRAIN_FROM.path()].contains(&path);
    reads.then_some("names files, which are not read here")
}

fn forbidden_text(text: &str) -> Option<&'static str> {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
    if words.any(|word| word == EXEC.kind.name) {
        return Some("is a player that starts a program, which is not allowed here");
    }
    may_open_file(text).then_some("names a file, which is not read here; write the player itself")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found = reaches_outside(text, "page");
        let keys = found.iter().flat_map(|flaws| &flaws.flaws);
        let keys: Vec<&str> = keys.map(|flaw| flaw.key.as_str()).collect();
        assert_eq!(keys, expected, "{text}");
    }

    #[test]
    fn programs_messages_and_files_are_found_wherever_they_stand() {
        check("[fitness]\nexec = \"./score.py\"", &["fitness.exec"]);
        check("fitness.exec = \"x\"", &["fitness.exec"]);
        check("fitness = { exec = \"x\" }", &["fitness.exec"]);
        check(
            "[[vary]]\n\"fitness.exec\" = [\"a\"]",
            &["vary.fitness.exec"],
        );
        check("[notify]\ncommand = \"x\"", &["notify"]);
        check("notify.webhook = \"http://a\"", &["notify"]);
        check("player = \"exec(command=x)\"", &["player"]);
        check("player = \" exec \"", &["player"]);
        check("player = \"network(file=a/b)\"", &["player"]);
        check(
            "player = \"expectimax(depth=2, eval=network(file=a))\"",
            &["player"],
        );
        check("player = \"network(id=0a)\"", &[]);
        check("train.from = \"games.csv\"", &["train.from"]);
        check("[[vary]]\n\"train.from\" = [\"a\"]", &["vary.train.from"]);
        check(
            "[fitness]\nagainst = [\"random\", \"exec(a)\"]",
            &["fitness.against"],
        );
        check(
            "[[vary]]\nplayer = [\"random\", \"/etc/x.json\"]",
            &["vary.player"],
        );
        check(
            "[[vary]]\nsettings = [{ player = \"../x.JSON\" }]",
            &["vary.settings.player"],
        );
        check("start = \"population.txt\"", &["start"]);
        check("[[vary]]\nstart = [\"a.txt\"]", &["vary.start"]);
        check(
            "[[vary]]\nsettings = [{ start = \"a.txt\" }]",
            &["vary.settings.start"],
        );
        check("[short]\nstart = \"a.txt\"", &["short.start"]);
        check("[short]\nplayer = \"exec(x)\"", &["short.player"]);
    }

    #[test]
    fn words_for_people_and_plain_studies_are_let_through() {
        check("question = \"is exec(...) better than x.json\"", &[]);
        check("[reference]\nsource = \"tables.json\"", &[]);
        check(
            "player = \"expectimax(depth=2)\"\n[game]\nname = \"2048\"",
            &[],
        );
        check("[optimizer]\nstart = [0.5, 1]", &[]);
        check("this is not TOML", &[]);
    }
}
