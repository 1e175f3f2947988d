//! The steps of a replay, each checked by playing it.

use std::iter;

use games::Turn;

use super::{Damage, Replay, StepError};
use crate::any::{AnyPosition, ChanceError, MoveError, Step};

/// The steps of a replay. Every step is possible in the position before it.
#[derive(Debug, Clone)]
pub struct Script {
    /// The position before the first step.
    pub start: AnyPosition,
    /// All steps, in their order.
    pub steps: Vec<Step>,
}

impl Script {
    /// All positions, including the start.
    pub fn positions(&self) -> impl Iterator<Item = AnyPosition> {
        let after = self
            .steps
            .iter()
            .scan(self.start.clone(), |position, step| {
                position.make(step);
                Some(position.clone())
            });
        iter::once(self.start.clone()).chain(after)
    }
}

impl Replay {
    /// The steps, if each is possible and they lead to the stated result.
    pub fn script(&self) -> Result<Script, Damage> {
        let start = AnyPosition::parse(&self.build()?, &self.start)?;
        let (mut position, mut steps) = (start.clone(), Vec::with_capacity(self.steps.len()));
        for (number, text) in (1..).zip(&self.steps) {
            let step =
                make(&mut position, text).map_err(|problem| Damage::Step { number, problem })?;
            steps.push(step);
        }
        let moves = steps.iter().filter(|step| matches!(step, Step::Move(_)));
        self.check_end(&position, moves.count() as u64)?;
        Ok(Script { start, steps })
    }

    /// Does the game end as stated?
    fn check_end(&self, end: &AnyPosition, moves: u64) -> Result<(), Damage> {
        let (given, seats) = (self.players.len(), end.seats());
        if given != usize::from(seats) {
            return Err(Damage::Players { given, seats });
        }
        let forfeit = self.forfeit.as_ref();
        if let Some(forfeit) = forfeit
            && end.turn() != Turn::Player(forfeit.seat)
        {
            return Err(Damage::Forfeit(forfeit.seat));
        }
        let forfeit = forfeit.map(|forfeit| (forfeit.seat, forfeit.reason.clone()));
        let score = end.score_after(forfeit.as_ref());
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

/// Makes the step that a text names.
fn make(position: &mut AnyPosition, text: &str) -> Result<Step, StepError> {
    match position.turn() {
        Turn::Over => Err(StepError::Over(text.to_owned())),
        Turn::Player(_) => {
            position.play(text)?;
            Ok(Step::Move(text.to_owned()))
        }
        Turn::Chance => {
            position.happen(text)?;
            Ok(Step::Chance(text.to_owned()))
        }
    }
}

impl From<MoveError> for StepError {
    fn from(error: MoveError) -> Self {
        match error {
            MoveError::Text(error) => Self::Text(error),
            MoveError::Illegal(error) => Self::Illegal(error),
        }
    }
}

impl From<ChanceError> for StepError {
    fn from(error: ChanceError) -> Self {
        match error {
            ChanceError::Text(error) => Self::Text(error),
            ChanceError::Impossible { chance, position } => Self::Impossible { chance, position },
        }
    }
}
