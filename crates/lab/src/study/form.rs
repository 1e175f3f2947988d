//! What a form for studies asks: the keys of every kind of study, and the settings of every algorithm. Programs and notifications are left
//! to the text, since a form is for people who only play games.

use games::registry::FAMILIES;
use serde::Serialize;

use super::COMMON;
use super::key::{KeyInfo, Shape};
use super::keys;
use super::kind::{KINDS, Kind, PROGRAM_KEYS};
use crate::evolution::presets;
use crate::evolution::settings::default_settings;

/// What a form for studies asks.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StudyForm {
    /// All kinds of studies; the first is meant when a study says nothing.
    pub kinds: Vec<FormKind>,
    /// All algorithms.
    pub algorithms: Vec<FormAlgorithm>,
}

/// A kind of study.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormKind {
    /// Its name.
    pub name: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// Its keys, in their order.
    pub keys: Vec<FormKey>,
}

/// A key of a study.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormKey {
    /// Its dotted path, e.g. `stop.generations`.
    pub path: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// What holds where a study says nothing.
    pub default: Option<String>,
    /// How its value is asked for.
    pub value: FormValue,
    /// The values to choose from, if it is one of them.
    pub choices: Vec<&'static str>,
    /// The least number.
    pub least: Option<u64>,
    /// The greatest number.
    pub most: Option<u64>,
}

/// How a value is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum FormValue {
    /// A text.
    Text,
    /// One of several texts.
    Choice,
    /// A number.
    Number,
    /// `true` or `false`.
    Truth,
    /// A list, as the study's text has it.
    List,
}

/// An algorithm and its settings, which are keys of `optimizer`.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormAlgorithm {
    /// Its name.
    pub name: &'static str,
    /// Its settings.
    pub settings: Vec<FormSetting>,
}

/// A setting of an algorithm.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormSetting {
    /// Its name.
    pub name: String,
    /// What holds where a study says nothing.
    pub default: String,
}

/// What a form for studies asks.
#[must_use]
pub fn study_form() -> StudyForm {
    let algorithm = |(name, settings): (&'static str, Vec<(String, String)>)| FormAlgorithm {
        name,
        settings: settings
            .into_iter()
            .map(|(name, default)| FormSetting { name, default })
            .collect(),
    };
    StudyForm {
        kinds: KINDS.iter().map(kind).collect(),
        algorithms: default_settings().into_iter().map(algorithm).collect(),
    }
}

fn kind(kind: &Kind) -> FormKind {
    let is_asked =
        |key: &&KeyInfo| key.path != keys::FITNESS_EXEC.path() && !PROGRAM_KEYS.contains(&key.path);
    // What is rarely set of every study comes last.
    let (sections, top): (Vec<&KeyInfo>, _) = COMMON.iter().partition(|key| key.path.contains('.'));
    let keys = top
        .into_iter()
        .chain(kind.keys.iter().copied().flatten())
        .chain(sections);
    let keys = keys.filter(is_asked);
    FormKind {
        name: kind.name,
        about: kind.about,
        keys: keys.filter_map(form_key).collect(),
    }
}

/// The key, if its value can be asked for in one field.
fn form_key(key: &KeyInfo) -> Option<FormKey> {
    let value = match key.shape {
        Shape::Text | Shape::Time => FormValue::Text,
        Shape::OneOf(_) => FormValue::Choice,
        Shape::Whole(..) | Shape::Real => FormValue::Number,
        Shape::Truth => FormValue::Truth,
        Shape::Texts | Shape::Wholes(..) => FormValue::List,
        Shape::Open | Shape::Tables => return None,
    };
    let choices = choices(key);
    let bounds = match key.shape {
        Shape::Whole(least, most) => Some((least, most)),
        _ => None,
    };
    Some(FormKey {
        path: key.path,
        about: key.about,
        default: key.default.text(),
        value: if choices.is_empty() {
            value
        } else {
            FormValue::Choice
        },
        choices,
        least: bounds.map(|(least, _)| least),
        most: bounds.map(|(_, most)| most),
    })
}

fn choices(key: &KeyInfo) -> Vec<&'static str> {
    if key.path == keys::GAME_NAME.path() {
        return FAMILIES.iter().map(|family| family.name).collect();
    }
    if key.path == keys::PRESET.path() {
        return presets::all().map(|preset| preset.name).collect();
    }
    if key.path == keys::OPTIMIZER_ALGORITHM.path() {
        return default_settings()
            .into_iter()
            .map(|(name, _)| name)
            .collect();
    }
    match key.shape {
        Shape::OneOf(names) => names.to_vec(),
        _ => Vec::new(),
    }
}
