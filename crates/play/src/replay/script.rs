//! The steps of a replay as moves and acts of chance of one game, each tried before it is believed.

use std::iter;

use games::{Game, Turn};

use super::{Damage, Replay, StepError, score};

/// One thing that happened in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<M, C> {
    /// A player moved.
    Move(M),
    /// Chance acted.
    Chance(C),
}

/// A step of a game.
pub type StepOf<G> = Step<<G as Game>::Move, <G as Game>::Chance>;

/// What happens in a replay. Every step can be made in the position before it.
#[derive(Debug, Clone)]
pub struct Script<G: Game> {
    /// The position before the first step.
    pub start: G::Position,
    /// All steps, in their order.
    pub steps: Vec<StepOf<G>>,
}

impl<G: Game> Script<G> {
    /// All positions, the start among them.
    pub fn positions(&self, game: &G) -> impl Iterator<Item = G::Position> {
        let after = self
            .steps
            .iter()
            .scan(self.start.clone(), |position, &step| {
                make(game, position, step);
                Some(position.clone())
            });
        iter::once(self.start.clone()).chain(after)
    }

    /// The last position.
    #[must_use]
    pub fn end(&self, game: &G) -> G::Position {
        let mut position = self.start.clone();
        self.steps
            .iter()
            .for_each(|&step| make(game, &mut position, step));
        position
    }
}

impl Replay {
    /// The steps as those of `game`, which must be the one that [`build`](Replay::build) gives.
    pub fn script<G: Game>(&self, game: &G) -> Result<Script<G>, Damage> {
        let start: G::Position = self.start.parse()?;
        game.check(&start)?;
        let (mut position, mut steps) = (start.clone(), Vec::with_capacity(self.steps.len()));
        for (number, text) in (1..).zip(&self.steps) {
            let step =
                read(game, &position, text).map_err(|problem| Damage::Step { number, problem })?;
            make(game, &mut position, step);
            steps.push(step);
        }
        let moves = steps.iter().filter(|step| matches!(step, Step::Move(_)));
        self.check_end(game, &position, moves.count() as u64)?;
        Ok(Script { start, steps })
    }

    /// Does the game end as it says?
    fn check_end<G: Game>(&self, game: &G, end: &G::Position, moves: u64) -> Result<(), Damage> {
        let (given, seats) = (self.players.len(), game.seats());
        if given != usize::from(seats) {
            return Err(Damage::Players { given, seats });
        }
        if let Some(forfeit) = &self.forfeit
            && game.turn(end) != Turn::Player(forfeit.seat)
        {
            return Err(Damage::Forfeit(forfeit.seat));
        }
        let score = score(game, end, self.forfeit.as_ref());
        let results = [
            ("score", self.score, score),
            ("moves", self.moves as i64, moves as i64),
        ];
        match results.into_iter().find(|(_, said, found)| said != found) {
            None => Ok(()),
            Some((name, said, found)) => Err(Damage::Result { name, said, found }),
        }
    }
}

/// The step that a text names, if it can be made here.
fn read<G: Game>(game: &G, position: &G::Position, text: &str) -> Result<StepOf<G>, StepError> {
    match game.turn(position) {
        Turn::Over => Err(StepError::Over(text.to_owned())),
        Turn::Player(_) => {
            let chosen = text.parse()?;
            game.play(&mut position.clone(), chosen)?;
            Ok(Step::Move(chosen))
        }
        Turn::Chance => {
            let (chance, mut chances) = (text.parse()?, Vec::new());
            game.chances(position, &mut chances);
            if chances.iter().any(|(possible, _)| *possible == chance) {
                return Ok(Step::Chance(chance));
            }
            Err(StepError::Impossible {
                chance: text.to_owned(),
                position: position.to_string(),
            })
        }
    }
}

fn make<G: Game>(game: &G, position: &mut G::Position, step: StepOf<G>) {
    match step {
        Step::Move(chosen) => game.play_unchecked(position, chosen),
        Step::Chance(chance) => game.happen(position, chance),
    }
}
