//! Studies: a question as a text file, with everything its answer depends on.
//!
//! A study names a game, a player, an algorithm and the number of repeats; `[[vary]]` lists what is compared. Every repeat of every
//! setting is a run. All errors are reported at once, with their lines, before anything starts.

mod charts;
pub mod document;
mod draft;
pub mod estimate;
pub mod flaw;
pub mod form;
mod identity;
pub mod key;
pub mod keys;
pub mod kind;
mod notify;
pub mod reading;
mod reference;
mod schema;
mod template;
mod trust;
mod vary;

use std::collections::HashSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value as Json;
use streams::derive;

pub use self::charts::CHARTS;
use self::charts::RETIRED;
use self::document::{Document, Entry, Node, Table, Value, set, table_to_json};
pub use self::draft::Draft;
use self::flaw::{Flaw, Flaws};
use self::key::KeyInfo;
pub use self::kind::{CHAMPION, NETWORK};
use self::kind::{Experiment, KINDS, Kind, Short};
use self::reading::Reading;
pub use self::reference::{Figure, Reference};
pub use self::schema::study_schema;
pub use self::template::{Template, template, templates};
pub use self::trust::reaches_outside;
pub use self::vary::ONLY_SETTING;
use self::vary::{Variant, variants};
use crate::evolution::external::Programs;
use crate::notify::Notify;
use crate::run::context::RunName;
use play::stats::Better;

/// Keys that every study has.
const COMMON: &[KeyInfo] = &[
    keys::NAME.info(),
    keys::QUESTION.info(),
    keys::KIND.info(),
    keys::SEED.info(),
    keys::REPEATS.info(),
    keys::SAME_START.info(),
    keys::VARY.info(),
    keys::COMPARE_METRIC.info(),
    keys::COMPARE_BETTER.info(),
    keys::COMPARE_WITH.info(),
    keys::CHARTS.info(),
    keys::REFERENCE_SOURCE.info(),
    keys::REFERENCE_CONCLUSION.info(),
    keys::REFERENCE_FIGURES.info(),
    keys::SHORT.info(),
];

/// A study that can be run.
#[derive(Debug, Clone)]
pub struct Study {
    /// Its name, and the directory of its runs.
    pub name: String,
    /// The question it should answer.
    pub question: String,
    /// What its runs do.
    pub kind: &'static Kind,
    /// Random seed.
    pub seed: u64,
    /// Runs per setting.
    pub repeats: u32,
    /// Whether the same repeat of all settings has the same random numbers.
    pub same_start: bool,
    /// What is compared.
    pub settings: Vec<Setting>,
    /// The metric, and whether higher or lower is better.
    pub compare: (String, Better),
    /// The index of the setting that all others are compared with, if not with one another.
    pub base_setting: Option<usize>,
    /// Charts of the report, if not all.
    pub charts: Option<Vec<String>>,
    /// Figures of a work.
    pub reference: Reference,
    /// Who to notify when it has ended.
    pub notify: Notify,
    /// The text of the file.
    pub text: String,
    /// The directory of the file; other files are relative to it.
    pub base: PathBuf,
    /// Whether this is the short form.
    pub short: bool,
}

/// One of the settings that are compared.
#[derive(Debug, Clone)]
pub struct Setting {
    /// Its display name.
    pub label: String,
    /// What is different from the rest of the study.
    pub changes: Vec<(String, Json)>,
    /// Everything its results depend on.
    pub config: Json,
    /// What its runs do.
    pub experiment: Arc<dyn Experiment>,
}

/// A run before it is started.
#[derive(Debug, Clone)]
pub struct RunPlan {
    /// Its name.
    pub name: RunName,
    /// Its directory within that of the study.
    pub folder: String,
    /// The index of its setting.
    pub setting: usize,
    /// Its seed.
    pub seed: u64,
}

/// Whether a study is run in full or in its short form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// In full.
    Whole,
    /// With few and short games, to see that it works.
    Short,
}

/// Why there is no study.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The file cannot be read.
    #[error("cannot read the study {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It has errors.
    #[error(transparent)]
    Flaws(#[from] Flaws),
}

impl Study {
    /// What its runs count: games, or evaluations by a program.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        let game = self
            .settings
            .first()
            .and_then(|setting| setting.experiment.game());
        game.map_or("evaluations", |_| "games")
    }

    /// The study in a file.
    pub fn read(path: &Path, form: Form) -> Result<Self, StudyError> {
        let unreadable = |error| StudyError::Unreadable {
            path: path.to_owned(),
            error,
        };
        let text = read_text(path).map_err(unreadable)?;
        let base = path.parent().filter(|base| !base.as_os_str().is_empty());
        let base = std::path::absolute(base.unwrap_or(Path::new("."))).map_err(unreadable)?;
        Ok(Self::parse(
            &text,
            &path.display().to_string(),
            &base,
            form,
        )?)
    }

    /// Parses a study; `file` is its name for messages, `base` the directory of its other files.
    pub fn parse(text: &str, file: &str, base: &Path, form: Form) -> Result<Self, Flaws> {
        let wrong = |flaws| Flaws::new(file, text, flaws);
        let mut document = Document::parse(text).map_err(wrong)?;
        if form == Form::Short {
            shorten(&mut document.root);
        }
        let (variants, mut flaws) = variants(&document);
        let programs = Arc::default();
        let mut settings = Vec::new();
        for variant in variants.iter() {
            let (setting, found) = read_setting(&variant, base, &programs);
            flaws.extend(found);
            settings.extend(setting);
            if flaws.len() > ENOUGH_FLAWS {
                break;
            }
        }
        let mut reading = Reading::new(&document.root, base, programs);
        let study = read_whole(&mut reading, settings, text, form);
        flaws.extend(reading.flaws);
        match study {
            Some(study) if flaws.is_empty() => Ok(study),
            _ => Err(Flaws::new(file, text, flaws)),
        }
    }

    /// All runs: every repeat of every setting. The first repeats of all settings come first, so that all settings advance together.
    #[must_use]
    pub fn runs(&self) -> Vec<RunPlan> {
        let settings = self.settings.len();
        let labels = self.settings.iter().map(|setting| setting.label.as_str());
        let labels: Vec<Arc<str>> = labels.map(Arc::from).collect();
        let width = |count: usize| count.to_string().len();
        let (wide, deep) = (width(settings), width(self.repeats as usize));
        let plan = |repeat: u32, setting: usize| {
            let folder = match settings {
                1 => format!("r{repeat:0deep$}"),
                _ => format!("s{:0wide$}-r{repeat:0deep$}", setting + 1),
            };
            let place = if self.same_start {
                0
            } else {
                setting as u64 + 1
            };
            RunPlan {
                name: RunName {
                    id: format!("{}/{folder}", self.name),
                    setting: Arc::clone(&labels[setting]),
                    repeat,
                },
                folder,
                setting,
                seed: derive(self.seed, &[u64::from(repeat), place]),
            }
        };
        let repeats = 1..=self.repeats;
        let plan = &plan;
        repeats
            .flat_map(|repeat| (0..settings).map(move |setting| plan(repeat, setting)))
            .collect()
    }
}

/// With more errors than this, no further setting is read.
const ENOUGH_FLAWS: usize = 1000;

/// The largest study file.
const MOST_BYTES: u64 = 4 << 20;

/// The text of a file, if it could be a study.
fn read_text(path: &Path) -> io::Result<String> {
    let wrong = |text: &str| io::Error::new(io::ErrorKind::InvalidData, text);
    let about = std::fs::metadata(path)?;
    if about.is_dir() {
        return Err(wrong("it is a directory; give a study file"));
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path)?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(wrong("it is larger than 4 MiB, the limit for a study"));
    }
    String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8 text"))
}

/// Keys that do not affect runs.
const COSMETIC: [&str; 9] = [
    "name",
    "question",
    "repeats",
    "vary",
    "reference",
    "charts",
    "notify",
    "short",
    "compare",
];

/// Keys that change how long an answer may take, but not the answer: a program that was too slow gets more time without starting over.
const ABOUT_TIME: [&str; 3] = ["copies", "retries", "time-limit"];

fn read_setting(
    variant: &Variant,
    base: &Path,
    programs: &Arc<Programs>,
) -> (Option<Setting>, Vec<Flaw>) {
    let mut reading = Reading::new(&variant.table, base, Arc::clone(programs));
    let kind = kind(&reading);
    // An unknown kind is reported as a wrong value.
    let keys = kind.map_or(&[][..], |kind| kind.keys);
    reading.check_keys(&[&[COMMON, notify::KEYS], keys].concat().concat());
    let experiment = kind.and_then(|kind| (kind.read)(&mut reading));
    let setting = experiment.map(|experiment| Setting {
        label: variant.label.clone(),
        changes: variant.changes.clone(),
        config: config(&variant.table, base, &*experiment),
        experiment: Arc::from(experiment),
    });
    (setting, reading.flaws)
}

/// The key of a configuration for the contents of the study's files.
pub(crate) const FILES: &str = "files";

/// The key of a configuration for where games begin.
const OPENINGS: &str = "openings";

/// Everything the results of a setting depend on.
fn config(table: &Table, base: &Path, experiment: &dyn Experiment) -> Json {
    let mut table = table.clone();
    table.retain(|key, _| !COSMETIC.contains(&key.as_str()));
    remove_baselines(&mut table);
    let files = identity::contents(&table, base);
    let mut config = table_to_json(&table);
    if let Some(config) = config.as_object_mut() {
        if !files.is_empty() {
            config.insert(FILES.to_owned(), files.into());
        }
        if let Some(openings) = experiment.openings() {
            config.insert(OPENINGS.to_owned(), openings.into());
        }
        if let Some(fitness) = config.get_mut("fitness").and_then(Json::as_object_mut) {
            ABOUT_TIME.iter().for_each(|key| {
                fitness.remove(*key);
            });
        }
    }
    config
}

/// Removes the players that champions are compared with: runs do not know them.
fn remove_baselines(table: &mut Table) {
    let (section, key) = keys::FINAL_BASELINES
        .path()
        .split_once('.')
        .expect("two words");
    let Some(Value::Table(finals)) = table.get_mut(section).map(|entry| &mut entry.node.value)
    else {
        return;
    };
    if finals.remove(key).is_some() && finals.is_empty() {
        table.remove(section);
    }
}

fn read_whole(
    reading: &mut Reading<'_>,
    settings: Vec<Setting>,
    text: &str,
    form: Form,
) -> Option<Study> {
    let name = name(reading);
    let kind = kind(reading)?;
    let reference = reference::read(reading, &settings);
    let notify = notify::read(reading);
    let charts = charts(reading);
    check_labels(reading, &settings);
    let base_setting = base_setting(reading, &settings);
    let first = settings.first()?;
    let (metric, better) = first.experiment.main_metric();
    let better = match reading.get(keys::COMPARE_BETTER).as_deref() {
        _ if !reading.has(keys::COMPARE_BETTER) => better,
        Some("lower") => Better::Lower,
        _ => Better::Higher,
    };
    let short = form == Form::Short;
    Some(Study {
        name: if short {
            format!("{}-short", name?)
        } else {
            name?
        },
        question: reading.get(keys::QUESTION).unwrap_or_default(),
        kind,
        seed: reading.value_of(keys::SEED),
        repeats: reading.value_of(keys::REPEATS),
        same_start: reading.value_of(keys::SAME_START),
        compare: (reading.get(keys::COMPARE_METRIC).unwrap_or(metric), better),
        base_setting,
        charts,
        reference,
        notify: notify?,
        text: text.to_owned(),
        base: reading.base().to_owned(),
        short,
        settings,
    })
}

/// The setting that all others are compared with; reports a label that no setting has.
fn base_setting(reading: &mut Reading<'_>, settings: &[Setting]) -> Option<usize> {
    let wanted = reading.get(keys::COMPARE_WITH)?;
    let labels = || settings.iter().map(|setting| setting.label.as_str());
    let found = labels().position(|label| label == wanted);
    if found.is_none() {
        let hint = spec::did_you_mean(&wanted, labels());
        let known: Vec<String> = labels().map(|label| format!("'{label}'")).collect();
        let message = format!(
            "no setting is called '{wanted}'{hint}; there are {}",
            known.join(", ")
        );
        reading.flaw(keys::COMPARE_WITH.path(), message);
    }
    found
}

/// The requested charts; reports unknown ones.
fn charts(reading: &mut Reading<'_>) -> Option<Vec<String>> {
    let wanted = reading.get(keys::CHARTS)?;
    for name in wanted
        .iter()
        .filter(|name| ![&CHARTS[..], &RETIRED].concat().contains(&name.as_str()))
    {
        let hint = spec::did_you_mean(name, CHARTS.into_iter());
        let message = format!(
            "unknown chart '{name}'{hint}; available: {}",
            CHARTS.join(", ")
        );
        reading.flaw(keys::CHARTS.path(), message);
    }
    Some(wanted)
}

/// The kind, or the first if none is given; `None` if it is unknown.
fn kind(reading: &Reading<'_>) -> Option<&'static Kind> {
    match reading.has(keys::KIND) {
        true => reading.given(keys::KIND).and_then(|name| named(&name)),
        false => KINDS.first(),
    }
}

fn named(kind: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|known| known.name == kind)
}

/// The name becomes a directory.
fn name(reading: &mut Reading<'_>) -> Option<String> {
    let Some(name) = reading.get(keys::NAME) else {
        if !reading.has(keys::NAME) {
            reading.flaw(
                keys::NAME.path(),
                "is missing; e.g. name = \"my-study\" at the top",
            );
        }
        return None;
    };
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let fits =
        !name.is_empty() && name.len() <= 80 && name.chars().all(allowed) && !name.starts_with('-');
    if !fits {
        let message = format!(
            "'{name}' must be 1 to 80 lowercase letters, digits and hyphens: its runs are in a directory of this name"
        );
        reading.flaw(keys::NAME.path(), message);
        return None;
    }
    Some(name)
}

/// Two settings with the same name could not be told apart in a report.
fn check_labels(reading: &mut Reading<'_>, settings: &[Setting]) {
    let mut seen = HashSet::new();
    for setting in settings {
        if !seen.insert(&setting.label) {
            let message = format!(
                "two settings are called '{}'; give each its own label, e.g. settings = [{{ label = \"a\", fitness.games = 5 }}]",
                setting.label
            );
            reading.flaw(keys::VARY.path(), message);
            return;
        }
    }
}

/// Repeats of the short form.
const SHORT_REPEATS: i64 = 2;

/// Makes a study short: applies its section `short`, and few repeats.
fn shorten(root: &mut Table) {
    let short = root.get("short").map(|entry| entry.node.value.clone());
    let kind = document::find(root, "kind").map(|entry| entry.node.value.plain());
    let kind = kind.map_or(KINDS.first(), |kind| named(&kind));
    for &(path, short) in kind.map_or(&[][..], |kind| kind.short) {
        make_short(root, path, short);
    }
    if root.contains_key("repeats") {
        make_short(root, "repeats", Short::AtMost(SHORT_REPEATS));
    }
    if let Some(Value::Table(short)) = short {
        overlay(root, &short, "");
    }
}

fn make_short(root: &mut Table, path: &str, short: Short) {
    let given = document::find(root, path).map(|entry| &entry.node.value);
    let Some(value) = shorter(short, given) else {
        return;
    };
    let node = Node { span: 0..0, value };
    set(root, path, &Entry { key: 0..0, node });
}

/// The short value, unless the given one is of the wrong kind, which is reported elsewhere.
fn shorter(short: Short, given: Option<&Value>) -> Option<Value> {
    Some(match (short, given) {
        (Short::AtMost(most), None) => Value::Whole(most),
        (Short::AtMost(most), Some(&Value::Whole(number))) => Value::Whole(number.min(most)),
        (Short::AtMostReal(most), None) => Value::Real(most),
        (Short::AtMostReal(most), Some(&Value::Real(number))) => Value::Real(number.min(most)),
        (Short::AtMostReal(most), Some(&Value::Whole(number))) => {
            Value::Real(most.min(number as f64))
        }
        (Short::Wholes(numbers), None | Some(Value::List(_))) => {
            let node = |&number: &i64| Node {
                span: 0..0,
                value: Value::Whole(number),
            };
            Value::List(numbers.iter().map(node).collect())
        }
        _ => return None,
    })
}

fn overlay(root: &mut Table, short: &Table, above: &str) {
    for (key, entry) in short {
        let path = format!("{above}{key}");
        match &entry.node.value {
            Value::Table(inner) => overlay(root, inner, &format!("{path}.")),
            _ => set(root, &path, entry),
        }
    }
}
