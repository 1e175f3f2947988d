//! Games for two: a person against a player, or two people. Who has won how often, and what the player thinks meanwhile.

use play::any::AnyPlayer;
use players::arena::Dice;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Table;
use super::round::Round;
use crate::output::Failure;
use crate::tui::events::Events;
use crate::tui::paint::MARKS;
use crate::tui::stage::{Notice, Place, row};
use crate::tui::theme;
use crate::tui::thinker::{Thinker, Thought, forfeit_notice};

/// Games that X and O have won, and drawn ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tally {
    pub(super) won: [u32; 2],
    pub(super) drawn: u32,
}

impl Tally {
    /// With a game, if it is over.
    fn with(mut self, round: &Round) -> Self {
        if round.is_over() {
            match round.winner() {
                Some(seat) => self.won[usize::from(seat)] += 1,
                None => self.drawn += 1,
            }
        }
        self
    }
}

/// Games for two, one after the other.
pub(super) struct Duel {
    pub(super) round: Round,
    /// Games before this one.
    tally: Tally,
    names: [String; 2],
    thinker: Option<Thinker>,
    /// The question that the player thinks about.
    question: Option<u64>,
}

impl Duel {
    /// Sits down at a table; a player that begins thinks already.
    pub(super) fn new(table: &Table, events: &Events) -> Result<Self, Failure> {
        let player = table.player.as_ref().map(|_| u8::from(!table.second));
        let names = [0, 1].map(|seat| match &table.player {
            None => String::new(),
            Some(spec) if player == Some(seat) => spec.label(),
            Some(_) => "you".to_owned(),
        });
        let mut duel = Self {
            round: Round::new(table.start(), table.seed, player),
            tally: Tally::default(),
            names,
            thinker: thinker(table, events)?,
            question: None,
        };
        duel.ask();
        Ok(duel)
    }

    /// Two people at a board, for tests.
    #[cfg(test)]
    pub(super) fn of(round: Round) -> Self {
        Self {
            round,
            tally: Tally::default(),
            names: Default::default(),
            thinker: None,
            question: None,
        }
    }

    /// Asks the player if it is its turn. Whatever it thought about before is not the position any more.
    fn ask(&mut self) {
        self.question = None;
        if let (Some(seat), Some(thinker)) = (self.round.waits_for_player(), &mut self.thinker) {
            self.question = Some(thinker.ask(seat, self.round.position()));
        }
    }

    /// Changes the game, and asks the player if it is its turn then.
    fn change(&mut self, change: impl FnOnce(&mut Round)) {
        let moves = self.round.moves();
        change(&mut self.round);
        if self.round.moves() != moves {
            self.ask();
        }
    }

    /// A person moves.
    pub(super) fn play(&mut self, chosen: &str) {
        self.change(|round| round.play(chosen));
    }

    pub(super) fn undo(&mut self) {
        self.change(Round::undo);
    }

    pub(super) fn restart(&mut self) {
        self.tally = self.tally();
        self.round.restart();
        self.ask();
    }

    /// The player has thought; an answer to an old question does not count.
    pub(super) fn hear(&mut self, thought: Thought) {
        if self.question == Some(thought.question) {
            self.question = None;
            self.round.answer(thought.chosen);
        }
    }

    /// All games that ended, this one included. It follows from the position, so undo takes it back.
    pub(super) fn tally(&self) -> Tally {
        self.tally.with(&self.round)
    }

    /// Mark and name of who sits there.
    fn name(&self, seat: usize) -> String {
        format!("{} {}", MARKS[seat], self.names[seat])
            .trim_end()
            .chars()
            .take(15)
            .collect()
    }

    /// Whose turn it is, and who has won how often; `style` is how the marks of the seats look.
    pub(super) fn panel(&self, style: fn(u8) -> Style) -> Vec<Line<'static>> {
        let tally = self.tally();
        let won = |seat: usize| row(&self.name(seat), &tally.won[seat].to_string());
        vec![
            self.turn(style),
            Line::default(),
            Line::styled("Games won", theme::FAINT),
            won(0),
            won(1),
            row("Drawn", &tally.drawn.to_string()),
            Line::default(),
        ]
    }

    fn turn(&self, style: fn(u8) -> Style) -> Line<'static> {
        let Some(seat) = self.round.seat() else {
            return Line::styled("Game over", theme::TITLE);
        };
        let verb = match self.round.waits_for_player() {
            Some(_) => "thinks ...",
            None => "to move",
        };
        let mark = format!(" {} ", MARKS[usize::from(seat)]);
        Line::from(vec![
            Span::styled(mark, style(seat)),
            Span::styled(format!(" {verb}"), theme::TITLE),
        ])
    }

    /// What is said when the game is over.
    pub(super) fn notice(&self) -> Option<Notice> {
        if !self.round.is_over() {
            return None;
        }
        let (title, style) = match (self.round.winner(), self.round.player) {
            (None, _) => ("Drawn".to_owned(), theme::TITLE),
            (Some(seat), Some(player)) if seat == player => ("You lost".to_owned(), theme::BAD),
            (Some(_), Some(_)) => ("You won!".to_owned(), theme::GOOD),
            (Some(seat), None) => (format!("{} won!", MARKS[usize::from(seat)]), theme::GOOD),
        };
        let mut notice = match self.round.forfeit() {
            Some(reason) => forfeit_notice(title, reason),
            None => Notice {
                title,
                style,
                lines: Vec::new(),
                place: Place::Panel,
            },
        };
        let keys = ["", "Esc new game", "u undo"];
        notice.lines.extend(keys.map(str::to_owned));
        Some(notice)
    }

    /// A line about all games.
    pub(super) fn sum_up(&self) -> String {
        let Tally { won, drawn } = self.tally();
        format!(
            "{}: {} won {}, {} won {}, drawn {drawn}\n",
            self.round.position().game(),
            self.name(0),
            won[0],
            self.name(1),
            won[1]
        )
    }
}

/// The player's thread, if a player plays.
fn thinker(table: &Table, events: &Events) -> Result<Option<Thinker>, Failure> {
    let Some(spec) = &table.player else {
        return Ok(None);
    };
    // One per seat, though only one is asked: which depends on who begins.
    let sit = || AnyPlayer::new(&table.game, spec, table.move_time);
    let players = vec![sit()?, sit()?];
    let dice = Dice::of(table.seed, 0);
    Ok(Some(Thinker::start(players, dice, events.sender())?))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::tui::play::round::tests::round;

    fn duel(options: &str, player: Option<u8>) -> Duel {
        Duel::of(round("connect", options, player))
    }

    fn play_all(duel: &mut Duel, columns: &str) {
        for column in columns.chars() {
            duel.play(&column.to_string());
        }
    }

    #[test]
    fn wins_and_draws_are_counted_and_undo_takes_them_back() {
        let mut duel = duel("rows=2 cols=4 connect=4 pieces=4", None);
        play_all(&mut duel, "1122334");
        assert_eq!(duel.tally().won, [1, 0]);
        duel.undo();
        assert_eq!(duel.tally(), Tally::default());
        play_all(&mut duel, "4");
        duel.restart();
        assert_eq!(duel.tally().won, [1, 0]);
        play_all(&mut duel, "12341234");
        duel.restart();
        let (won, drawn) = ([1, 0], 1);
        assert_eq!(duel.tally(), Tally { won, drawn });
    }

    #[test]
    fn an_answer_to_an_old_question_is_not_played() {
        let mut duel = duel("", Some(0));
        duel.question = Some(2);
        let thought = |question| Thought {
            question,
            chosen: Ok("1".to_owned()),
            time: Duration::ZERO,
        };
        duel.hear(thought(1));
        assert_eq!(duel.round.moves(), 0);
        duel.hear(thought(2));
        assert_eq!(duel.round.moves(), 1);
    }

    #[test]
    fn a_player_that_cannot_go_on_loses_until_the_game_is_taken_back() {
        let mut duel = duel("", Some(1));
        duel.play("4");
        duel.question = Some(1);
        duel.hear(Thought {
            question: 1,
            chosen: Err("the bot did not answer within 10s".to_owned()),
            time: Duration::ZERO,
        });
        let notice = duel.notice().unwrap();
        assert_eq!(notice.title, "You won!");
        assert_eq!(notice.lines[0], "the bot did not answer within 10s");
        assert_eq!(duel.tally().won, [1, 0]);
        duel.undo();
        assert_eq!(duel.tally(), Tally::default());
        assert!(duel.notice().is_none());
        assert_eq!(duel.round.seat(), Some(0));
    }
}
