//! A game in progress, played or shown again, and its statistics at the end.

use std::time::{Duration, Instant};

use games::{Fact, Generators, Turn};
use play::any::{AnyPlayer, AnyPosition, Step};
use play::replay::{Forfeit, Recorder, Replay, Script};
use players::arena::Dice;

use super::paint::{Painter, painter};
use super::watch::Subject;
use crate::output::{Table, number, seconds};

/// A game so far.
pub(crate) struct Course {
    pub(crate) position: AnyPosition,
    pub(crate) painter: Box<dyn Painter>,
    pub(crate) moves: u64,
    /// The seat that gave up, and why.
    pub(crate) forfeit: Option<(u8, String)>,
    /// How long every move was thought about.
    times: Vec<MoveTime>,
    source: Source,
    recorder: Option<Recorder>,
}

/// How long a move was thought about, and by whom.
struct MoveTime {
    seat: u8,
    time: Duration,
}

/// Where the steps of a game come from.
enum Source {
    /// Players choose and dice are thrown.
    Players(Dice),
    /// They are known.
    Replay(Rest),
}

/// What is left of a game that is shown again.
struct Rest {
    steps: std::vec::IntoIter<Step>,
    forfeit: Option<Forfeit>,
}

impl Course {
    /// A new game with these dice; `recorder` keeps it.
    pub(crate) fn new(subject: &Subject, dice: Dice, recorder: Option<Recorder>) -> Self {
        let start = AnyPosition::start(&subject.game);
        Self::from(start, Source::Players(dice), recorder)
    }

    /// A game that was played before.
    pub(crate) fn again(script: Script, forfeit: Option<Forfeit>) -> Self {
        let steps = script.steps.into_iter();
        let source = Source::Replay(Rest { steps, forfeit });
        Self::from(script.start, source, None)
    }

    fn from(position: AnyPosition, source: Source, recorder: Option<Recorder>) -> Self {
        let mut course = Self {
            painter: painter(&position),
            position,
            moves: 0,
            forfeit: None,
            times: Vec::new(),
            source,
            recorder,
        };
        course.let_chance_act();
        course
    }

    /// Until it is a player's turn, or nothing more is known.
    fn let_chance_act(&mut self) {
        while self.position.turn() == Turn::Chance {
            let chance = match &mut self.source {
                Source::Players(dice) => self.position.draw(dice),
                Source::Replay(rest) => {
                    let Some(step @ Step::Chance(_)) = rest.steps.next() else {
                        return;
                    };
                    self.position.make(&step);
                    continue;
                }
            };
            if let Some(recorder) = &mut self.recorder {
                recorder.keep_chance(chance);
            }
        }
    }

    /// The next choice in a game that is shown again, which must be made at once.
    pub(crate) fn known_choice(&mut self) -> Option<Result<String, String>> {
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
        match self.position.turn() {
            Turn::Player(seat) if self.forfeit.is_none() => Some(seat),
            Turn::Player(_) | Turn::Chance | Turn::Over => None,
        }
    }

    /// Makes the move of the player whose turn it is, or ends the game there.
    pub(crate) fn play_or_forfeit(&mut self, chosen: Result<String, String>, time: Duration) {
        match (chosen, self.seat()) {
            (Ok(chosen), Some(seat)) => self.play(&chosen, MoveTime { seat, time }),
            (Err(reason), Some(seat)) => {
                if let Some(recorder) = &mut self.recorder {
                    recorder.keep_forfeit(seat, &reason);
                }
                self.forfeit = Some((seat, reason));
            }
            (_, None) => {}
        }
    }

    fn play(&mut self, chosen: &str, time: MoveTime) {
        let before = self.position.clone();
        let played = self.position.play(chosen);
        played.expect("players choose legal moves");
        if let Some(recorder) = &mut self.recorder {
            recorder.keep_move(chosen.to_owned());
        }
        self.let_chance_act();
        self.painter.remember(&before, chosen, &self.position);
        self.moves += 1;
        self.times.push(time);
    }

    /// Plays to the end without showing anything; a game that is shown again needs no players.
    pub(crate) fn play_out(&mut self, players: &mut [AnyPlayer]) {
        while let Some(seat) = self.seat() {
            let started = Instant::now();
            let chosen = match &mut self.source {
                Source::Players(dice) => {
                    players[usize::from(seat)].choose(&self.position, dice.seat(seat))
                }
                Source::Replay(_) => match self.known_choice() {
                    Some(chosen) => chosen,
                    None => return,
                },
            };
            self.play_or_forfeit(chosen, started.elapsed());
        }
    }

    fn score(&self) -> i64 {
        self.position.score_after(self.forfeit.as_ref())
    }

    /// The game so far, if it was to be kept.
    pub(crate) fn replay(&mut self, subject: &Subject) -> Option<Replay> {
        let (recorder, names) = (self.recorder.take()?, subject.players.clone());
        let mut replay = Replay::new(&subject.game, names, self.score(), recorder);
        replay.about.clone_from(&subject.origin);
        Some(replay)
    }

    /// The time of every move, as lines of CSV.
    pub(crate) fn times_csv(&self) -> String {
        let mut text = "move,seat,seconds\n".to_owned();
        for (number, MoveTime { seat, time }) in (1..).zip(&self.times) {
            text += &format!("{number},{seat},{:.9}\n", time.as_secs_f64());
        }
        text
    }

    /// The statistics of the game, as text.
    pub(crate) fn sum_up(&self, subject: &Subject) -> String {
        let ended = match self.forfeit {
            Some(_) => "forfeited",
            None if self.position.is_over() => "over",
            None => "left",
        };
        let mut text = format!(
            "{} by {}, {}: {ended} after {} moves\n\n",
            subject.game.family().name,
            subject.players.join(" against "),
            subject.origin,
            number(self.moves as f64, 0)
        );
        text += &self.table().render();
        if let Some((seat, reason)) = &self.forfeit {
            let player = &subject.players[usize::from(*seat)];
            text += &format!("\n{player} lost the game: {reason}\n");
        }
        text
    }

    fn table(&self) -> Table {
        let score = number(self.score() as f64, 0);
        let mut table = Table::new(["score", &score]);
        table.row(["moves".to_owned(), number(self.moves as f64, 0)]);
        for (name, fact) in self.position.facts() {
            let value = match fact {
                Fact::Count(value) | Fact::Class(value) => number(value as f64, 0),
                Fact::Flag(holds) => if holds { "yes" } else { "no" }.to_owned(),
            };
            table.row([name.replace('_', " "), value]);
        }
        // Nobody thinks when a game is shown again.
        if matches!(self.source, Source::Players(_)) {
            let total: Duration = self.times.iter().map(|one| one.time).sum();
            let total = total.as_secs_f64();
            let mean = total / self.moves.max(1) as f64;
            table.row(["time a move".to_owned(), seconds(mean)]);
            table.row(["total time".to_owned(), seconds(total)]);
        }
        table
    }
}
