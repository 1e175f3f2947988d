//! Which game is played, by which rules and against whom: what differs there is not compared by its scores.

use games::{AnyGame, Options};
use play::measure::Plan;
use players::Spec;

/// A game, its rules, and the opponent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rules {
    game: &'static str,
    /// Every option with its value.
    options: Options,
    /// In a two-player game: who the measured player meets; none as long as nothing is measured.
    against: Option<String>,
}

impl Rules {
    pub(crate) fn of(game: &AnyGame) -> Self {
        Self {
            game: game.family().name,
            options: game.options(),
            against: None,
        }
    }

    /// The same, and against whom these games are played.
    pub(crate) fn measured_by(self, plan: &Plan) -> Self {
        let against = plan.table.specs().get(1).map(Spec::label);
        Self { against, ..self }
    }

    /// How these differ from those of another, in words; none if they do not.
    pub(crate) fn difference(own: &Option<Self>, other: &Option<Self>) -> Option<String> {
        let name = |rules: &Option<Self>| rules.as_ref().map_or("no game", |rules| rules.game);
        match (own, other) {
            (None, None) => None,
            (Some(own), Some(other)) if own.game == other.game => own.differing(other),
            _ => Some(format!("it plays {}, not {}", name(own), name(other))),
        }
    }

    fn differing(&self, other: &Self) -> Option<String> {
        let differing = self.options.iter().filter_map(|(option, value)| {
            let others = other.options.get(option)?;
            (value != others).then(|| format!("{option} is {value}, not {others}"))
        });
        let against = self.against.iter().zip(&other.against);
        let other_opponent = against.filter(|(own, other)| own != other);
        let other_opponent =
            other_opponent.map(|(own, other)| format!("the opponent is {own}, not {other}"));
        let differing: Vec<String> = differing.chain(other_opponent).collect();
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

    #[test]
    fn another_opponent_is_a_difference_once_it_is_known() {
        let against = |name: Option<&str>| {
            let against = name.map(str::to_owned);
            rules("connect", "").map(|rules| Rules { against, ..rules })
        };
        let first = against(Some("perfect"));
        let told = Rules::difference(&against(Some("greedy")), &first);
        assert_eq!(told.as_deref(), Some("the opponent is greedy, not perfect"));
        assert_eq!(Rules::difference(&against(None), &first), None);
    }
}
