//! The known name that somebody probably meant.

/// The known name closest to `word`, if it is close enough to be a slip of the fingers.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    known
        .map(|name| (distance(&word, &name.to_lowercase()), name))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, name)| distance <= 1 + name.len() / 4)
        .map(|(_, name)| name)
}

/// Insertions, deletions and replacements that turn `a` into `b` (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// ` (did you mean '...'?)` when a known name is close, else nothing.
#[must_use]
pub fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(word, known)
        .map(|name| format!(" (did you mean '{name}'?)"))
        .unwrap_or_default()
}
