//! Formats by their names on the command line.

/// The format of this name; if there is none, what there is.
pub(crate) fn named<F>(
    all: &'static [F],
    name: impl Fn(&F) -> &'static str,
    text: &str,
) -> Result<&'static F, String> {
    let found = all.iter().find(|format| name(format) == text);
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(&name).collect();
        format!("the formats are {}", names.join(", "))
    })
}
