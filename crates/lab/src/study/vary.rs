//! What a study varies: every `[[vary]]` is a list of changes, and every combination of one change from each list is a setting.
//!
//! `game.shapes.subsets-of = "SZT"` stands for a list of all choices of these letters: SZT, SZ, ST, ZT, S, Z, T.

use serde_json::Value as Json;

use super::document::{Document, Entry, Node, Table, Value, set};
use super::flaw::Flaw;

/// One setting: how it differs from the rest of the study.
#[derive(Debug, Clone)]
pub(super) struct Variant {
    /// Its display name.
    pub label: String,
    /// Dotted keys and their values.
    pub changes: Vec<(String, Json)>,
    /// The study's table with the changes applied.
    pub table: Table,
}

/// The label of the only setting of a study that varies nothing.
pub const ONLY_SETTING: &str = "all";
/// The most settings of a study.
const MOST_SETTINGS: usize = 10_000;
/// The most runs of a study: each has a directory of its own.
const MOST_RUNS: usize = 100_000;
/// The most bytes of all settings together: each may need as much memory as the text of the study.
const MOST_BYTES: usize = 64 << 20;

/// A change, or several that belong together.
#[derive(Debug, Clone)]
struct Change {
    label: Option<String>,
    keys: Vec<(String, Entry)>,
}

/// All settings of a study. Each is made when it is needed, since it is as large as the study.
#[derive(Debug)]
pub(super) struct Variants {
    base: Table,
    lists: Vec<Vec<Change>>,
}

/// The settings of a study, and errors in its `vary` blocks; one setting without changes if it varies nothing.
pub(super) fn variants(document: &Document) -> (Variants, Vec<Flaw>) {
    let mut base = document.root.clone();
    let (mut lists, mut flaws) = (Vec::new(), Vec::new());
    let vary = base.remove("vary");
    if let Some(vary) = &vary {
        for block in blocks(vary, &mut flaws) {
            lists.extend(self::lists(block, &mut flaws));
        }
    }
    let mut variants = Variants { base, lists };
    if let Some(message) = variants.too_many(document.text.len()) {
        let place = vary.as_ref().or_else(|| variants.base.get("repeats"));
        let span = place.map_or(0..0, |entry| entry.key.clone());
        flaws.push(flaw(&span, "vary", message));
        variants.lists.clear();
    }
    (variants, flaws)
}

impl Variants {
    /// Why there are too many settings, if there are.
    fn too_many(&self, bytes: usize) -> Option<String> {
        let settings = self.count();
        let repeats = match self.base.get("repeats").map(|entry| &entry.node.value) {
            Some(&Value::Whole(repeats)) => usize::try_from(repeats).unwrap_or(1),
            _ => 1,
        };
        let runs = settings.saturating_mul(repeats);
        let most = MOST_BYTES / bytes.max(1);
        if settings > MOST_SETTINGS {
            return Some(format!(
                "more than {MOST_SETTINGS} settings; vary fewer values"
            ));
        }
        if runs > MOST_RUNS {
            return Some(format!(
                "{settings} settings x {repeats} repeats are {runs} runs; at most {MOST_RUNS} are possible"
            ));
        }
        (settings > most.max(1)).then(|| {
            format!("{settings} settings of a study of {bytes} bytes need too much memory; vary at most {most} or shorten the text")
        })
    }

    /// How many there are.
    fn count(&self) -> usize {
        let lengths = self.lists.iter().map(Vec::len);
        lengths.fold(1, usize::saturating_mul)
    }

    /// All of them; the last list changes fastest.
    pub(super) fn iter(&self) -> impl Iterator<Item = Variant> {
        (0..self.count()).map(|number| {
            let mut rest = number;
            let mut changes: Vec<&Change> = Vec::with_capacity(self.lists.len());
            for list in self.lists.iter().rev() {
                changes.push(&list[rest % list.len()]);
                rest /= list.len();
            }
            changes.reverse();
            variant(&self.base, &changes)
        })
    }
}

fn flaw(span: &std::ops::Range<usize>, key: &str, message: impl Into<String>) -> Flaw {
    Flaw {
        span: span.clone(),
        key: key.to_owned(),
        message: message.into(),
    }
}

fn blocks<'a>(vary: &'a Entry, flaws: &mut Vec<Flaw>) -> Vec<&'a Table> {
    let mut refuse = |span, found: &Value| {
        let message = match found {
            Value::Table(_) => "needs two brackets on either side: [[vary]]".to_owned(),
            other => format!("must be sections [[vary]], not {}", other.kind()),
        };
        flaws.push(flaw(span, "vary", message));
    };
    let Value::List(list) = &vary.node.value else {
        refuse(&vary.key, &vary.node.value);
        return Vec::new();
    };
    let mut blocks = Vec::new();
    for node in list {
        match &node.value {
            Value::Table(table) => blocks.push(table),
            other => refuse(&node.span, other),
        }
    }
    blocks
}

/// The lists of changes of a block: one per key, or the settings it lists.
fn lists(block: &Table, flaws: &mut Vec<Flaw>) -> Vec<Vec<Change>> {
    let Some(listed) = block.get("settings") else {
        let leaves = leaves(block, "", flaws);
        return leaves
            .iter()
            .filter_map(|(key, entry)| match key.strip_suffix(SUBSETS) {
                Some(of) => values(of, &subsets(key, entry, flaws)?, flaws),
                None => values(key, entry, flaws),
            })
            .collect();
    };
    if block.len() > 1 {
        let message = "a block of 'vary' has either 'settings' or keys with lists, not both";
        flaws.push(flaw(&listed.key, "vary.settings", message));
    }
    let settings = match &listed.node.value {
        Value::List(list) => list.as_slice(),
        _ => &[],
    };
    let mut changes = Vec::new();
    for node in settings {
        match &node.value {
            Value::Table(table) => changes.push(listed_setting(table, flaws)),
            other => {
                let message = format!(
                    "must be a list of tables like {{ label = \"a\", seed = 1 }}, not of {}",
                    other.kind()
                );
                flaws.push(flaw(&node.span, "vary.settings", message));
            }
        }
    }
    if changes.is_empty() {
        flaws.push(flaw(
            &listed.key,
            "vary.settings",
            "must be a list of at least one table",
        ));
        return Vec::new();
    }
    vec![changes]
}

fn listed_setting(table: &Table, flaws: &mut Vec<Flaw>) -> Change {
    let mut table = table.clone();
    let label = table
        .remove("label")
        .and_then(|entry| match entry.node.value {
            Value::Text(label) => Some(label),
            _ => {
                flaws.push(flaw(
                    &entry.key,
                    "vary.settings.label",
                    "must be a text in quotes",
                ));
                None
            }
        });
    let keys = leaves(&table, "", flaws);
    Change { label, keys }
}

/// The values of a key, one change each.
fn values(key: &str, entry: &Entry, flaws: &mut Vec<Flaw>) -> Option<Vec<Change>> {
    let Value::List(list) = &entry.node.value else {
        let message = format!(
            "must be a list of the values to try, e.g. [{}]",
            entry.node.value.to_json()
        );
        flaws.push(flaw(&entry.key, &format!("vary.{key}"), message));
        return None;
    };
    if list.is_empty() {
        flaws.push(flaw(&entry.key, &format!("vary.{key}"), "has no values"));
        return None;
    }
    let change = |node: &Node| {
        let key_of_value = node.span.clone();
        let entry = Entry {
            key: key_of_value,
            node: node.clone(),
        };
        let (label, keys) = (None, vec![(key.to_owned(), entry)]);
        Change { label, keys }
    };
    Some(list.iter().map(change).collect())
}

/// After a key: its values are all choices of some letters.
const SUBSETS: &str = ".subsets-of";
/// The most letters to choose from: they make 4,095 settings.
const MOST_LETTERS: usize = 12;

/// The list of all choices of letters, the most letters first.
fn subsets(key: &str, entry: &Entry, flaws: &mut Vec<Flaw>) -> Option<Entry> {
    let letters: Vec<char> = match &entry.node.value {
        Value::Text(text) => text.chars().collect(),
        _ => Vec::new(),
    };
    let differ = (1..letters.len()).all(|place| !letters[..place].contains(&letters[place]));
    // Nothing but letters: so no choice of them can be a path, or a player with parameters.
    let are_letters = letters.iter().all(char::is_ascii_alphanumeric);
    if !(1..=MOST_LETTERS).contains(&letters.len()) || !differ || !are_letters {
        let message = format!(
            "must be 1 to {MOST_LETTERS} letters that differ, like \"SZT\"; all choices of them are tried"
        );
        flaws.push(flaw(&entry.key, &format!("vary.{key}"), message));
        return None;
    }
    let mut choices: Vec<u32> = (1..1 << letters.len()).collect();
    // Of as many letters, those that keep the first ones come first.
    choices.sort_by_key(|choice| {
        (
            u32::MAX - choice.count_ones(),
            choice.reverse_bits().wrapping_neg(),
        )
    });
    let text = |choice: u32| {
        let chosen = letters.iter().enumerate();
        let chosen = chosen.filter(|(place, _)| choice >> place & 1 == 1);
        chosen.map(|(_, letter)| letter).collect::<String>()
    };
    let node = |choice| Node {
        span: entry.node.span.clone(),
        value: Value::Text(text(choice)),
    };
    let list = Value::List(choices.into_iter().map(node).collect());
    Some(Entry {
        key: entry.key.clone(),
        node: Node {
            span: entry.node.span.clone(),
            value: list,
        },
    })
}

/// Keys that may not differ between settings: they belong to the study as a whole.
const WHOLE: [&str; 11] = [
    "name",
    "question",
    "kind",
    "repeats",
    "seed",
    "same-start",
    "vary",
    "reference",
    "charts",
    "notify",
    "short",
];

/// All values below a table, by dotted key: `a.b = 1` and `"a.b" = 1` mean the same.
fn leaves(table: &Table, above: &str, flaws: &mut Vec<Flaw>) -> Vec<(String, Entry)> {
    let mut found = Vec::new();
    for (key, entry) in table {
        let path = format!("{above}{key}");
        let first = path.split('.').next().unwrap_or_default();
        if WHOLE.contains(&first) {
            let message = format!("{first} belongs to the study as a whole and cannot be varied");
            flaws.push(flaw(&entry.key, &format!("vary.{path}"), message));
            continue;
        }
        match &entry.node.value {
            Value::Table(inner) => found.extend(leaves(inner, &format!("{path}."), flaws)),
            _ => found.push((path, entry.clone())),
        }
    }
    found
}

fn variant(base: &Table, changes: &[&Change]) -> Variant {
    let mut table = base.clone();
    let mut made = Vec::new();
    let mut labels = Vec::new();
    for &change in changes {
        for (key, entry) in &change.keys {
            set(&mut table, key, entry);
            made.push((key.clone(), entry.node.value.to_json()));
        }
        let of_keys = || {
            change
                .keys
                .iter()
                .map(|(key, entry)| label(key, &entry.node.value))
        };
        labels.push(
            change
                .label
                .clone()
                .unwrap_or_else(|| of_keys().collect::<Vec<_>>().join(", ")),
        );
    }
    let label = if labels.is_empty() {
        ONLY_SETTING.to_owned()
    } else {
        labels.join(", ")
    };
    Variant {
        label,
        changes: made,
        table,
    }
}

/// `optimizer.population` = 10 is called "population 10"; players and presets need no key.
fn label(key: &str, value: &Value) -> String {
    let name = key.rsplit('.').next().unwrap_or(key);
    let value = value.plain();
    match name {
        "player" | "preset" | "chromosome" | "algorithm" => value,
        _ => format!("{name} {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(vary: &str) -> (Vec<String>, Vec<String>) {
        let document = Document::parse(&format!("[[vary]]\n{vary}")).expect("TOML");
        let (variants, flaws) = variants(&document);
        let labels = variants.iter().map(|variant| variant.label).collect();
        let flaws = flaws
            .into_iter()
            .map(|flaw| format!("{}: {}", flaw.key, flaw.message));
        (labels, flaws.collect())
    }

    #[test]
    fn subsets_are_all_choices_of_letters() {
        let expected =
            ["SZT", "SZ", "ST", "ZT", "S", "Z", "T"].map(|text| format!("shapes {text}"));
        let (labels, flaws) = read("game.shapes.subsets-of = \"SZT\"");
        assert_eq!((labels, flaws), (expected.to_vec(), vec![]));
        let (labels, _) = read("game.shapes.subsets-of = \"IOTJLSZ\"\ngame.limit = [1, 2]");
        assert_eq!(labels.len(), 127 * 2);
    }

    #[test]
    fn wrong_subsets_are_refused_with_what_is_right() {
        for wrong in [
            "\"\"",
            "\"SS\"",
            "\"a.json\"",
            "\"abcdefghijklm\"",
            "[\"S\"]",
            "3",
        ] {
            let (_, flaws) = read(&format!("game.shapes.subsets-of = {wrong}"));
            assert_eq!(flaws.len(), 1, "{wrong}: {flaws:?}");
            let place = "vary.game.shapes.subsets-of: must be 1 to 12 letters that differ";
            assert!(flaws[0].starts_with(place), "{wrong}: {flaws:?}");
        }
    }
}
