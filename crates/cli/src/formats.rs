//! Formats by their names on the command line.

/// The format of this name; if there is none, what there is.
pub(crate) fn named<'a, F>(
    all: &'a [F],
    name: impl Fn(&F) -> &'static str,
    text: &str,
) -> Result<&'a F, String> {
    let found = all.iter().find(|format| name(format) == text);
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(&name).collect();
        format!("the formats are {}", names.join(", "))
    })
}
