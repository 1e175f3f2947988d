//! Connect-N for two people, or for a person against a player.

mod table;

use games::Game;
use games::connect::{Bits, Column, Connect, Position};
use play::seating::seat;
use players::Playable;
use players::arena::Dice;
use ratatui::crossterm::event::KeyCode;
use ratatui::text::{Line, Span};

use self::table::{Match, Tally};
use super::{Play, Table, hints, show};
use crate::output::Failure;
use crate::tui::events::Events;
use crate::tui::hint::{Advice, Hints};
use crate::tui::keys::{Help, Way, way};
use crate::tui::paint::connect::{Board, MARKS, Score, stone_style};
use crate::tui::session::{Clock, Session};
use crate::tui::stage::{Notice, Place, Scene, row};
use crate::tui::theme;
use crate::tui::thinker::{Thinker, Thought, forfeit_notice};

const KEYS: &[Help] = &[
    ("←→", "choose"),
    ("↓", "drop"),
    ("1-9", "drop there"),
    ("u", "undo"),
    ("Esc", "new game"),
    ("?", "hint"),
    ("i", "help"),
    ("q", "leave"),
];
const MORE: &[Help] = &[
    ("h l, a d", "choose, too"),
    ("j s Space Enter", "drop, too"),
    ("F1", "help, too"),
];

/// What other threads find out.
#[derive(Debug)]
enum News {
    /// The player moves.
    Thought(Thought<Column>),
    /// The hint.
    Advice(Advice<Column>),
}

impl From<Thought<Column>> for News {
    fn from(thought: Thought<Column>) -> Self {
        Self::Thought(thought)
    }
}

impl From<Advice<Column>> for News {
    fn from(advice: Advice<Column>) -> Self {
        Self::Advice(advice)
    }
}

struct Screen<B: Bits> {
    title: String,
    table: Match<B>,
    names: [String; 2],
    thinker: Option<Thinker<Connect<B>>>,
    /// The question that the player thinks about.
    question: Option<u64>,
    hints: Hints<Connect<B>>,
}

impl<B: Bits> Screen<B> {
    /// Asks the player if it is its turn.
    fn ask(&mut self) {
        let thinker = self.thinker.as_mut();
        if let (Some(seat), Some(thinker)) = (self.table.waits_for_player(), thinker) {
            self.question = Some(thinker.ask(seat, &self.table.position));
        }
    }

    fn panel(&self) -> Vec<Line<'static>> {
        let tally = self.table.tally();
        let won = |seat: usize| row(&self.name(seat), &tally.won[seat].to_string());
        let turn = match self.table.seat() {
            None => Line::styled("Game over", theme::TITLE),
            Some(seat) => {
                let verb = match self.table.waits_for_player() {
                    Some(_) => "thinks ...",
                    None => "to move",
                };
                let mark = format!(" {} ", MARKS[usize::from(seat)]);
                Line::from(vec![
                    Span::styled(mark, stone_style(seat)),
                    Span::styled(format!(" {verb}"), theme::TITLE),
                ])
            }
        };
        let rules = self.table.game.rules();
        let mut panel = vec![
            turn,
            Line::default(),
            Line::styled("Games won", theme::FAINT),
            won(0),
            won(1),
            row("Drawn", &tally.drawn.to_string()),
            Line::default(),
            row("In a line", &rules.connect.to_string()),
        ];
        let cut_short = Line::styled("not proved in time", theme::FAINT);
        let more = self.hints.was_cut_short().then_some(cut_short);
        let column = |best: Column| format!("column {}", best.0 + 1);
        panel.extend(self.hints.panel(column, more.into_iter().collect()));
        panel
    }

    /// What the hint writes over the columns.
    fn scores(&self) -> Vec<Score> {
        let best = self.hints.best();
        (0..self.table.game.rules().cols)
            .map(Column)
            .map(|column| Score {
                column,
                value: self.hints.value(column),
                is_best: best == Some(column),
            })
            .collect()
    }

    /// Mark and name of who sits there.
    fn name(&self, seat: usize) -> String {
        format!("{} {}", MARKS[seat], self.names[seat])
            .trim_end()
            .chars()
            .take(15)
            .collect()
    }

    fn notice(&self) -> Option<Notice> {
        if self.table.seat().is_some() {
            return None;
        }
        let (title, style) = match (self.table.winner(), self.table.player) {
            (None, _) => ("Drawn".to_owned(), theme::TITLE),
            (Some(seat), Some(player)) if seat == player => ("You lost".to_owned(), theme::BAD),
            (Some(_), Some(_)) => ("You won!".to_owned(), theme::GOOD),
            (Some(seat), None) => (format!("{} won!", MARKS[usize::from(seat)]), theme::GOOD),
        };
        let mut notice = match &self.table.forfeit {
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

    fn sum_up(&self) -> String {
        let Tally { won, drawn } = self.table.tally();
        format!(
            "connect: {} won {}, {} won {}, drawn {drawn}\n",
            self.name(0),
            won[0],
            self.name(1),
            won[1]
        )
    }
}

impl<B: Bits> Session for Screen<B> {
    type News = News;

    fn scene(&self) -> Scene<'_> {
        let table = &self.table;
        let hanging = table.seat().filter(|_| table.is_persons_turn());
        Scene {
            title: self.title.clone(),
            picture: Box::new(Board {
                game: &table.game,
                position: &table.position,
                hanging: hanging.map(|seat| (seat, table.cursor)),
                last: table.moves.last().copied(),
                scores: Some(self.scores()),
            }),
            panel: self.panel(),
            keys: KEYS,
            more: MORE,
            notice: self.notice(),
        }
    }

    fn key(&mut self, key: KeyCode) -> Clock {
        let plies = self.table.moves.len();
        match (key, way(key)) {
            (KeyCode::Esc, _) => self.table.restart(),
            (KeyCode::Char('u'), _) => self.table.undo(),
            (KeyCode::Char('?'), _) if self.table.is_persons_turn() => {
                self.hints.ask(&self.table.position);
            }
            (KeyCode::Char(digit @ '1'..='9'), _) => self.table.drop_at(digit as u8 - b'1'),
            (KeyCode::Enter | KeyCode::Char(' '), _) | (_, Some(Way::Down)) => {
                self.table.drop_at(self.table.cursor);
            }
            (_, Some(way)) => self.table.point(way),
            _ => {}
        }
        if key == KeyCode::Esc || plies != self.table.moves.len() {
            // Whatever the player thinks about is not the position any more.
            self.question = None;
            self.ask();
        }
        self.hints.follow(&self.table.position);
        Clock::Runs
    }

    fn news(&mut self, news: News) {
        match news {
            News::Advice(advice) => self.hints.hear(advice),
            News::Thought(thought) if self.question == Some(thought.question) => {
                self.question = None;
                match thought.chosen {
                    Ok(column) => self.table.play(column),
                    Err(reason) => self.table.forfeit = Some(reason),
                }
            }
            News::Thought(_) => {}
        }
    }
}

impl<B: Bits> Play for Connect<B>
where
    Self: Playable + Game<Position = Position<B>, Move = Column>,
{
    const HINT: &'static str = "perfect";

    fn sit(&self, table: &Table) -> Result<(), Failure> {
        let events = Events::listen()?;
        let player = table.player.as_ref().map(|_| u8::from(!table.second));
        let names = [0, 1].map(|seat| match &table.player {
            None => String::new(),
            Some(spec) if player == Some(seat) => spec.label(),
            Some(_) => "you".to_owned(),
        });
        let mut screen = Screen {
            title: table.title.clone(),
            table: Match::new(self.clone(), player),
            names,
            thinker: thinker(self, table, &events)?,
            question: None,
            hints: hints(self, table, &events)?,
        };
        screen.ask();
        show(&events, &mut screen, |screen| screen.sum_up())
    }
}

/// The player's thread, if a player plays.
fn thinker<B: Bits>(
    game: &Connect<B>,
    table: &Table,
    events: &Events<News>,
) -> Result<Option<Thinker<Connect<B>>>, Failure>
where
    Connect<B>: Playable + Game<Position = Position<B>, Move = Column>,
{
    let Some(spec) = &table.player else {
        return Ok(None);
    };
    // One a seat, though only one is asked: which depends on who begins.
    let sit = || seat(game, spec, table.move_time);
    let seats = vec![sit()?, sit()?];
    let dice = Dice::of(table.seed, 0);
    Ok(Some(Thinker::start(game, seats, dice, events.sender())?))
}

#[cfg(test)]
mod tests {
    use super::table::tests::new;
    use super::*;
    use crate::tui::testing::{hear, hints_of, picture, press};

    fn screen(options: &str) -> Screen<u64> {
        screen_with_hints(options, "random").0
    }

    fn screen_with_hints(
        options: &str,
        player: &str,
    ) -> (Screen<u64>, crate::tui::testing::News<Screen<u64>>) {
        let table = new(options, None);
        let (hints, news) = hints_of(&table.game, player);
        let screen = Screen {
            title: "connect".to_owned(),
            table,
            names: Default::default(),
            thinker: None,
            question: None,
            hints,
        };
        (screen, news)
    }

    #[test]
    fn the_screen_shows_stones_the_cursor_and_whose_turn_it_is() {
        let mut screen = screen("");
        press(&mut screen, "44>v<5");
        insta::assert_snapshot!("to_move", picture(&screen, 80, 24));
        press(&mut screen, "326");
        insta::assert_snapshot!("won", picture(&screen, 80, 24));
    }

    #[test]
    fn a_draw_is_seen() {
        let mut screen = screen("rows=2 cols=3 connect=3");
        press(&mut screen, "123213");
        insta::assert_snapshot!(picture(&screen, 80, 24));
    }

    #[test]
    fn boards_become_denser_until_they_do_not_fit() {
        insta::assert_snapshot!("dense", picture(&screen("rows=8 cols=8"), 50, 16));
        let picture = picture(&screen("rows=1 cols=64"), 80, 24);
        assert!(
            picture.contains("needs a window of at least 153x"),
            "{picture}"
        );
    }

    #[test]
    fn an_answer_to_an_old_question_is_not_played() {
        let mut screen = screen("");
        screen.question = Some(2);
        let thought = |question| Thought {
            question,
            chosen: Ok(Column(0)),
            time: std::time::Duration::ZERO,
        };
        screen.news(thought(1).into());
        assert!(screen.table.moves.is_empty());
        screen.news(thought(2).into());
        assert_eq!(screen.table.moves.len(), 1);
    }

    #[test]
    fn a_player_that_cannot_go_on_loses_until_the_game_is_taken_back() {
        let mut screen = screen("");
        screen.table = new("", Some(1));
        press(&mut screen, "4");
        screen.question = Some(1);
        screen.news(News::Thought(Thought {
            question: 1,
            chosen: Err("the bot did not answer within 10s".to_owned()),
            time: std::time::Duration::ZERO,
        }));
        let shown = picture(&screen, 80, 24);
        assert!(shown.contains("You won!"), "{shown}");
        assert!(
            shown.contains("the bot did not answer within 10s"),
            "{shown}"
        );
        assert_eq!(screen.table.tally().won, [1, 0]);
        press(&mut screen, "u");
        assert_eq!(screen.table.tally(), Tally::default());
        assert_eq!(
            (screen.table.seat(), screen.notice().is_some()),
            (Some(0), false)
        );
    }

    #[test]
    fn a_hint_shows_the_score_of_every_column() {
        let (mut screen, news) = screen_with_hints("", "perfect");
        press(&mut screen, "44444221656611217?");
        assert!(picture(&screen, 80, 24).contains("Hint    thinking ..."));
        hear(&mut screen, &news);
        press(&mut screen, "<");
        insta::assert_snapshot!("hint", picture(&screen, 80, 24));
        insta::assert_snapshot!("hint_small", picture(&screen, 57, 24));
        press(&mut screen, "5");
        assert!(!picture(&screen, 80, 24).contains("Hint"));
    }

    #[test]
    fn a_hint_without_values_points_at_its_column() {
        let (mut screen, news) = screen_with_hints("cols=1 rows=4", "random");
        press(&mut screen, "?");
        hear(&mut screen, &news);
        let picture = picture(&screen, 80, 24);
        assert!(
            picture.contains("Hint        column 1") && picture.contains('▼'),
            "{picture}"
        );
    }

    #[test]
    fn a_hint_for_a_position_that_has_gone_is_dropped() {
        let (mut screen, news) = screen_with_hints("", "greedy");
        press(&mut screen, "?4");
        hear(&mut screen, &news);
        assert_eq!(screen.hints.best(), None);
        press(&mut screen, "?!");
        hear(&mut screen, &news);
        assert_eq!(screen.hints.best(), None);
    }

    #[test]
    fn nobody_is_asked_while_the_player_thinks() {
        let mut screen = screen("");
        screen.table = new("", Some(0));
        press(&mut screen, "?");
        assert!(!screen.hints.is_thinking());
    }
}
