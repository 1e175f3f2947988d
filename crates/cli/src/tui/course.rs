//! A game as it goes, played or shown again, and what it tells at the end.

use std::time::{Duration, Instant};

use games::{Fact, Turn};
use play::replay::{Forfeit, Recorder, Replay, Script, Step, StepOf};
use players::Player;
use players::arena::Dice;

use super::paint::Paint;
use super::watch::Plan;
use crate::output::{Table, number, seconds};

/// A game so far.
pub(crate) struct Course<G: Paint> {
    pub(crate) game: G,
    pub(crate) position: G::Position,
    pub(crate) memory: G::Memory,
    pub(crate) moves: u64,
    /// The seat that could not go on, and why.
    pub(crate) forfeit: Option<(u8, String)>,
    thought: Duration,
    source: Source<G>,
    recorder: Option<Recorder>,
}

/// Where the steps of a game come from.
enum Source<G: Paint> {
    /// Players choose and dice are thrown.
    Players(Dice),
    /// They are known.
    Replay(Rest<G>),
}

/// What is left of a game that is shown again.
struct Rest<G: Paint> {
    steps: std::vec::IntoIter<StepOf<G>>,
    forfeit: Option<Forfeit>,
}

impl<G: Paint> Course<G> {
    /// A new game with these dice; `recorder` keeps it.
    pub(crate) fn new(game: &G, dice: Dice, recorder: Option<Recorder>) -> Self {
        Self::from(game, game.start(), Source::Players(dice), recorder)
    }

    /// A game that was played before.
    pub(crate) fn again(game: &G, script: Script<G>, forfeit: Option<Forfeit>) -> Self {
        let steps = script.steps.into_iter();
        let source = Source::Replay(Rest { steps, forfeit });
        Self::from(game, script.start, source, None)
    }

    fn from(
        game: &G,
        position: G::Position,
        source: Source<G>,
        recorder: Option<Recorder>,
    ) -> Self {
        let mut course = Self {
            game: game.clone(),
            position,
            memory: G::Memory::default(),
            moves: 0,
            forfeit: None,
            thought: Duration::ZERO,
            source,
            recorder,
        };
        course.let_chance_act();
        course
    }

    /// Until it is a player's turn, or nothing more is known.
    fn let_chance_act(&mut self) {
        while self.game.turn(&self.position) == Turn::Chance {
            let chance = match &mut self.source {
                Source::Players(dice) => dice.draw(&self.game, &mut self.position),
                Source::Replay(rest) => {
                    let Some(Step::Chance(chance)) = rest.steps.next() else {
                        return;
                    };
                    self.game.happen(&mut self.position, chance);
                    chance
                }
            };
            if let Some(recorder) = &mut self.recorder {
                recorder.keep_chance(&chance);
            }
        }
    }

    /// The next choice in a game that is shown again, with which it must go on at once.
    pub(crate) fn known_choice(&mut self) -> Option<Result<G::Move, String>> {
        let Source::Replay(rest) = &mut self.source else {
            return None;
        };
        match rest.steps.next() {
            Some(Step::Move(chosen)) => Some(Ok(chosen)),
            _ => rest.forfeit.take().map(|forfeit| Err(forfeit.reason)),
        }
    }

    /// The seat whose turn it is; none when the game is over.
    pub(crate) fn seat(&self) -> Option<u8> {
        match self.game.turn(&self.position) {
            Turn::Player(seat) if self.forfeit.is_none() => Some(seat),
            Turn::Player(_) | Turn::Chance | Turn::Over => None,
        }
    }

    /// Has it come to its end by the rules?
    pub(crate) fn is_over(&self) -> bool {
        self.game.turn(&self.position) == Turn::Over
    }

    /// Makes the move of whoever's turn it is, or ends the game there.
    pub(crate) fn play_or_forfeit(&mut self, chosen: Result<G::Move, String>, time: Duration) {
        match (chosen, self.seat()) {
            (Ok(chosen), _) => self.play(chosen, time),
            (Err(reason), Some(seat)) => {
                if let Some(recorder) = &mut self.recorder {
                    recorder.keep_forfeit(seat, &reason);
                }
                self.forfeit = Some((seat, reason));
            }
            (Err(_), None) => {}
        }
    }

    fn play(&mut self, chosen: G::Move, time: Duration) {
        if let Some(recorder) = &mut self.recorder {
            recorder.keep_move(&chosen);
        }
        let before = self.position.clone();
        self.game.play_unchecked(&mut self.position, chosen);
        self.let_chance_act();
        self.game
            .remember(&mut self.memory, &before, chosen, &self.position);
        self.moves += 1;
        self.thought += time;
    }

    /// Plays to the end without showing anything; a game that is shown again needs no players.
    pub(crate) fn play_out(&mut self, players: &mut [Box<dyn Player<G>>]) {
        while let Some(seat) = self.seat() {
            let started = Instant::now();
            let chosen = match &mut self.source {
                Source::Players(dice) => {
                    let player = &mut players[usize::from(seat)];
                    let chosen = player.choose(&self.game, &self.position, dice.of_seat(seat));
                    player.forfeit().map_or(Ok(chosen), Err)
                }
                Source::Replay(_) => match self.known_choice() {
                    Some(chosen) => chosen,
                    None => return,
                },
            };
            self.play_or_forfeit(chosen, started.elapsed());
        }
    }

    /// The game so far, if it was to be kept.
    pub(crate) fn replay(&mut self, plan: &Plan) -> Option<Replay> {
        let (recorder, names) = (self.recorder.take()?, plan.players.clone());
        let mut replay = Replay::new(&plan.name, &self.game, names, &self.position, recorder);
        replay.about.clone_from(&plan.origin);
        Some(replay)
    }

    /// What the game told.
    pub(crate) fn sum_up(&self, plan: &Plan) -> String {
        let ended = match self.forfeit {
            Some(_) => "forfeited",
            None if self.is_over() => "over",
            None => "left",
        };
        let mut text = format!(
            "{} by {}, {}: {ended} after {} moves\n\n",
            plan.name,
            plan.players.join(" against "),
            plan.origin,
            number(self.moves as f64, 0)
        );
        text += &self.table().render();
        if let Some((seat, reason)) = &self.forfeit {
            let player = &plan.players[usize::from(*seat)];
            text += &format!("\n{player} lost the game: {reason}\n");
        }
        text
    }

    fn table(&self) -> Table {
        let score = play::playing::score(&self.game, &self.position, self.forfeit.as_ref());
        let score = number(score as f64, 0);
        let mut table = Table::new(["score", &score]);
        table.row(["moves".to_owned(), number(self.moves as f64, 0)]);
        for (name, fact) in self.game.facts(&self.position) {
            let value = match fact {
                Fact::Count(value) | Fact::Class(value) => number(value as f64, 0),
                Fact::Flag(holds) => if holds { "yes" } else { "no" }.to_owned(),
            };
            table.row([name.replace('_', " "), value]);
        }
        // Nobody thinks when a game is shown again.
        if matches!(self.source, Source::Players(_)) {
            let time = self.thought.as_secs_f64() / self.moves.max(1) as f64;
            table.row(["time a move".to_owned(), seconds(time)]);
        }
        table
    }
}
