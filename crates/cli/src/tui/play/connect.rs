//! Connect-N for two people, or for a person against a player.

use std::io;

use games::connect::{Bits, Column, Connect, Position};
use games::{Game, Turn};
use players::arena::Dice;
use players::registry;
use ratatui::crossterm::event::KeyCode;
use ratatui::text::{Line, Span};

use super::{Play, Table, show_with};
use crate::output::Failure;
use crate::tui::events::Events;
use crate::tui::keys::{Help, Way, way};
use crate::tui::paint::connect::{Board, MARKS, stone_style};
use crate::tui::session::{Clock, Session};
use crate::tui::stage::{Notice, Place, Scene, row};
use crate::tui::theme;
use crate::tui::thinker::{Thinker, Thought};

const KEYS: &[Help] = &[
    ("←→", "choose"),
    ("↓ Enter", "drop"),
    ("1-9", "drop there"),
    ("u", "undo"),
    ("Esc", "new game"),
    ("?", "help"),
    ("q", "leave"),
];
const MORE: &[Help] = &[("h l, a d", "choose, too"), ("j s Space", "drop, too")];

/// Games that X and O have won, and drawn ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tally {
    won: [u32; 2],
    drawn: u32,
}

/// What people and a player do in games of Connect-N.
#[derive(Debug)]
pub(super) struct Match<B> {
    game: Connect<B>,
    /// The seat of the player, if one plays.
    player: Option<u8>,
    position: Position<B>,
    moves: Vec<Column>,
    cursor: u8,
    /// Games before this one.
    tally: Tally,
}

impl<B: Bits> Match<B> {
    pub(super) fn new(game: Connect<B>, player: Option<u8>) -> Self {
        Self {
            position: game.start(),
            cursor: (game.rules().cols - 1) / 2,
            game,
            player,
            moves: Vec::new(),
            tally: Tally::default(),
        }
    }

    fn seat(&self) -> Option<u8> {
        match self.game.turn(&self.position) {
            Turn::Player(seat) => Some(seat),
            Turn::Chance | Turn::Over => None,
        }
    }

    /// Is it the turn of the player (and not of a person)?
    pub(super) fn waits_for_player(&self) -> Option<u8> {
        self.seat().filter(|&seat| self.player == Some(seat))
    }

    fn is_persons_turn(&self) -> bool {
        self.seat().is_some_and(|seat| self.player != Some(seat))
    }

    pub(super) fn point(&mut self, way: Way) {
        let last = self.game.rules().cols - 1;
        match way {
            Way::Left => self.cursor = self.cursor.saturating_sub(1),
            Way::Right => self.cursor = (self.cursor + 1).min(last),
            Way::Up | Way::Down => {}
        }
    }

    /// A person drops a stone; a full column takes none.
    pub(super) fn drop_at(&mut self, column: u8) {
        if self.is_persons_turn() && column < self.game.rules().cols {
            self.cursor = column;
            self.play(Column(column));
        }
    }

    /// Makes a move of whoever's turn it is, if it is legal.
    pub(super) fn play(&mut self, column: Column) {
        if self.game.play(&mut self.position, column).is_ok() {
            self.moves.push(column);
        }
    }

    /// Takes back to the last choice of a person.
    pub(super) fn undo(&mut self) {
        let is_persons = |ply: &usize| self.player != Some((ply % 2) as u8);
        let Some(ply) = (0..self.moves.len()).rev().find(is_persons) else {
            return;
        };
        self.moves.truncate(ply);
        self.position = self.game.start();
        for &column in &self.moves {
            self.game.play_unchecked(&mut self.position, column);
        }
    }

    pub(super) fn restart(&mut self) {
        self.tally = self.tally();
        self.moves.clear();
        self.position = self.game.start();
    }

    /// All games that ended, this one included. It follows from the position, so undo takes it back.
    pub(super) fn tally(&self) -> Tally {
        let mut tally = self.tally;
        if self.seat().is_none() {
            match self.game.winner(&self.position) {
                Some(seat) => tally.won[usize::from(seat)] += 1,
                None => tally.drawn += 1,
            }
        }
        tally
    }
}

struct Screen<B: Bits> {
    title: String,
    table: Match<B>,
    names: [String; 2],
    thinker: Option<Thinker<Connect<B>>>,
    /// The question that the player thinks about.
    question: Option<u64>,
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
        vec![
            turn,
            Line::default(),
            Line::styled("Games won", theme::FAINT),
            won(0),
            won(1),
            row("Drawn", &tally.drawn.to_string()),
            Line::default(),
            row("In a line", &rules.connect.to_string()),
        ]
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
        let (title, style) = match (
            self.table.game.winner(&self.table.position),
            self.table.player,
        ) {
            (None, _) => ("Drawn".to_owned(), theme::TITLE),
            (Some(seat), Some(player)) if seat == player => ("You lost".to_owned(), theme::BAD),
            (Some(_), Some(_)) => ("You won!".to_owned(), theme::GOOD),
            (Some(seat), None) => (format!("{} won!", MARKS[usize::from(seat)]), theme::GOOD),
        };
        Some(Notice {
            title,
            style,
            lines: vec![
                String::new(),
                "Esc new game".to_owned(),
                "u undo".to_owned(),
            ],
            place: Place::Panel,
        })
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
    type News = Thought<Column>;

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
        Clock::Runs
    }

    fn news(&mut self, thought: Thought<Column>) {
        if self.question == Some(thought.question) {
            self.question = None;
            self.table.play(thought.chosen);
        }
    }
}

impl<B: Bits> Play for Connect<B> {
    fn sit(&self, table: &Table) -> Result<(), Failure> {
        let events = Events::listen()?;
        let player = table.player.as_ref().map(|_| u8::from(!table.second));
        let names = [0, 1].map(|seat| match &table.player {
            None => String::new(),
            Some(spec) if player == Some(seat) => spec.to_string(),
            Some(_) => "you".to_owned(),
        });
        let mut screen = Screen {
            title: table.title.clone(),
            table: Match::new(self.clone(), player),
            names,
            thinker: thinker(self, table, &events)?,
            question: None,
        };
        screen.ask();
        show_with(&events, &mut screen, |screen| screen.sum_up())
    }
}

/// The player's thread, if a player plays.
fn thinker<B: Bits>(
    game: &Connect<B>,
    table: &Table,
    events: &Events<Thought<Column>>,
) -> Result<Option<Thinker<Connect<B>>>, Failure> {
    let Some(spec) = &table.player else {
        return Ok(None);
    };
    // One a seat, though only one is asked: which depends on who begins.
    let seats = [registry::build(game, spec)?, registry::build(game, spec)?];
    let dice = Dice::of(table.seed, 0);
    let thinker: io::Result<_> = Thinker::start(game, seats.into(), dice, events.sender());
    Ok(Some(thinker?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing::{picture, press};
    use games::connect::Rules;

    fn new(options: &str, player: Option<u8>) -> Match<u64> {
        let rules = Rules::from_options(&options.parse().unwrap()).unwrap();
        Match::new(Connect::new(rules), player)
    }

    fn drop_all(table: &mut Match<u64>, columns: &str) {
        for digit in columns.bytes() {
            table.drop_at(digit - b'1');
        }
    }

    fn screen(options: &str) -> Screen<u64> {
        Screen {
            title: "connect".to_owned(),
            table: new(options, None),
            names: Default::default(),
            thinker: None,
            question: None,
        }
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
            chosen: Column(0),
            time: std::time::Duration::ZERO,
        };
        screen.news(thought(1));
        assert!(screen.table.moves.is_empty());
        screen.news(thought(2));
        assert_eq!(screen.table.moves.len(), 1);
    }

    #[test]
    fn the_cursor_stays_on_the_board() {
        let mut table = new("", None);
        assert_eq!(table.cursor, 3);
        (0..9).for_each(|_| table.point(Way::Left));
        assert_eq!(table.cursor, 0);
        (0..9).for_each(|_| table.point(Way::Right));
        assert_eq!(table.cursor, 6);
        drop_all(&mut table, "9");
        assert_eq!((table.moves.len(), table.cursor), (0, 6));
    }

    #[test]
    fn a_full_column_takes_no_stone() {
        let mut table = new("rows=2 cols=4 connect=3", None);
        drop_all(&mut table, "1112");
        assert_eq!(table.position.to_string(), "o.../xx..");
    }

    #[test]
    fn wins_and_draws_are_counted_and_undo_takes_them_back() {
        let mut table = new("rows=2 cols=4 connect=4 pieces=4", None);
        drop_all(&mut table, "1122334");
        assert_eq!(table.tally().won, [1, 0]);
        table.undo();
        assert_eq!(table.tally(), Tally::default());
        drop_all(&mut table, "4");
        table.restart();
        assert_eq!(table.tally().won, [1, 0]);
        drop_all(&mut table, "12341234");
        table.restart();
        assert_eq!(
            table.tally(),
            Tally {
                won: [1, 0],
                drawn: 1
            }
        );
    }

    #[test]
    fn undo_goes_back_to_the_persons_own_choice() {
        let mut table = new("", Some(1));
        drop_all(&mut table, "1");
        assert_eq!(table.waits_for_player(), Some(1));
        drop_all(&mut table, "2");
        assert_eq!(table.moves.len(), 1, "a person cannot move for the player");
        table.play(Column(4));
        drop_all(&mut table, "2");
        table.undo();
        assert_eq!(table.moves, [Column(0), Column(4)]);
        table.undo();
        assert!(table.moves.is_empty());
        table.undo();
    }

    #[test]
    fn moving_second_the_players_first_stone_stays() {
        let mut table = new("", Some(0));
        assert_eq!(table.waits_for_player(), Some(0));
        table.play(Column(3));
        table.undo();
        assert_eq!(table.moves, [Column(3)]);
        drop_all(&mut table, "1");
        table.undo();
        assert_eq!(table.moves, [Column(3)]);
    }
}
