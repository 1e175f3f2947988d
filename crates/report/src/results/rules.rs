//! Which game is played and by which rules: what differs there is not compared by its scores.

use games::{AnyGame, Options};

/// A game and its rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rules {
    game: &'static str,
    /// Every option with its value.
    options: Options,
}

impl Rules {
    pub(crate) fn of(game: &AnyGame) -> Self {
        Self {
            game: game.family().name,
            options: game.options(),
        }
    }

    /// How these differ from those of another, in words; none if they do not.
    pub(crate) fn difference(own: &Option<Self>, other: &Option<Self>) -> Option<String> {
        let name = |rules: &Option<Self>| rules.as_ref().map_or("no game", |rules| rules.game);
        match (own, other) {
            (None, None) => None,
            (Some(own), Some(other)) if own.game == other.game => own.other_options(other),
            _ => Some(format!("it plays {}, not {}", name(own), name(other))),
        }
    }

    fn other_options(&self, other: &Self) -> Option<String> {
        let differing = self.options.iter().filter_map(|(option, value)| {
            let others = other.options.get(option)?;
            (value != others).then(|| format!("{option} is {value}, not {others}"))
        });
        let differing: Vec<String> = differing.collect();
        (!differing.is_empty()).then(|| differing.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(game: &str, options: &str) -> Option<Rules> {
        let options = options.parse().expect("options");
        let game = games::registry::build(game, &options).expect("a game");
        Some(Rules::of(&game))
    }

    #[test]
    fn a_difference_is_told_in_words() {
        let first = rules("2048", "");
        for (own, told) in [
            (rules("2048", "size=4x4"), None),
            (
                rules("2048", "size=3x3 four=0"),
                Some("four is 0, not 0.1, size is 3x3, not 4x4"),
            ),
            (rules("tetris", ""), Some("it plays tetris, not 2048")),
            (None, Some("it plays no game, not 2048")),
        ] {
            assert_eq!(Rules::difference(&own, &first).as_deref(), told);
        }
        assert_eq!(Rules::difference(&None, &None), None);
    }
}
