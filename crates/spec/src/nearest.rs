//! Suggests a known name for a misspelt one.

use strsim::levenshtein;

/// The known name closest to `word`, if it is close enough to be a typing error.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    known
        .map(|name| (levenshtein(&word, &name.to_lowercase()), name))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, name)| distance <= 1 + name.len() / 4)
        .map(|(_, name)| name)
}

/// ` (did you mean '...'?)` if a known name is close, else nothing.
#[must_use]
pub fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(word, known)
        .map(|name| format!(" (did you mean '{name}'?)"))
        .unwrap_or_default()
}
