//! Games that were played by others: the learner follows their moves instead of its own.

use players::RecordedGame;
use serde::{Deserialize, Serialize};

use super::{Course, MoveOption};

/// A record of games, over and over in their order.
pub(crate) struct Recorded<C: Course> {
    base: C,
    games: Vec<Followed<C::Episode>>,
}

/// A game to follow.
struct Followed<E> {
    /// Positions before moves, and which of the moves was made.
    steps: Vec<(E, usize)>,
    /// The position at its end.
    end: E,
}

/// A place in the record.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Place {
    game: usize,
    step: usize,
}

impl<C: Course> Recorded<C> {
    /// Follows these games, of which there must be one. Fails with the number of the first that cannot have been played, from 0.
    pub(crate) fn new(base: C, games: &[RecordedGame]) -> Result<Self, usize> {
        let follow = |(number, game)| followed(&base, game).ok_or(number);
        let games = games.iter().enumerate().map(follow);
        let games = games.collect::<Result<_, _>>()?;
        Ok(Self { base, games })
    }

    fn episode(&self, place: &Place) -> &C::Episode {
        let game = &self.games[place.game];
        game.steps.get(place.step).map_or(&game.end, |step| &step.0)
    }
}

fn followed<C: Course>(base: &C, game: &RecordedGame) -> Option<Followed<C::Episode>> {
    let mut options = Vec::new();
    let step = |(position, chosen): &(String, String)| {
        let episode = base.read(position)?;
        let after = base.after(&episode, chosen)?;
        options.clear();
        base.options(&episode, &mut options);
        let number = options.iter().position(|option| option.after == after)?;
        Some((episode, number))
    };
    Some(Followed {
        steps: game.moves.iter().map(step).collect::<Option<_>>()?,
        end: base.read(&game.end)?,
    })
}

impl<C: Course> Course for Recorded<C> {
    type After = C::After;
    type Episode = Place;
    type Lookup = C::Lookup;
    const TURN: f32 = C::TURN;

    fn squash(sum: f32) -> f32 {
        C::squash(sum)
    }

    fn slope(value: f32) -> f32 {
        C::slope(value)
    }

    fn lookup(&self) -> &C::Lookup {
        self.base.lookup()
    }

    fn begin(&self, game: u64) -> Place {
        let game = (game % self.games.len() as u64) as usize;
        Place { game, step: 0 }
    }

    fn begin_from(&self, _: u64, place: &Place) -> Place {
        *place
    }

    fn options(&self, place: &Place, options: &mut Vec<MoveOption<C::After>>) {
        if let Some((episode, _)) = self.games[place.game].steps.get(place.step) {
            self.base.options(episode, options);
        }
    }

    fn recorded(&self, place: &Place) -> Option<usize> {
        let step = self.games[place.game].steps.get(place.step);
        step.map(|(_, number)| *number)
    }

    fn read(&self, _: &str) -> Option<Place> {
        None
    }

    fn after(&self, _: &Place, _: &str) -> Option<C::After> {
        None
    }

    fn advance(&self, place: &mut Place, _: &MoveOption<C::After>) {
        place.step += 1;
    }

    fn stage(&self, after: &C::After) -> usize {
        self.base.stage(after)
    }

    fn score(&self, place: &Place) -> i64 {
        self.base.score(self.episode(place))
    }

    fn class(&self, place: &Place) -> u64 {
        self.base.class(self.episode(place))
    }
}
