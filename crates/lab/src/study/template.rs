//! A commented study to edit.

/// A commented study of a game; none if there is no such game.
#[must_use]
pub fn template(game: &str) -> Option<String> {
    let preset = crate::presets::of_game(game)?;
    Some(format!(
        "name = \"my-{game}\"\n\n[game]\nname = \"{}\"\n",
        preset.game
    ))
}
