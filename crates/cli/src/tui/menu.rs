//! The menu of `gamete play`: which game, who plays, and how the automatic player plays, as choices instead of a spec.

mod entries;

use games::registry::FAMILIES;
use games::{AnyGame, Options};
use play::seating::check;
use players::Spec;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::{Rect, Size};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use self::entries::Automatic;
use super::events::{Events, News};
use super::keys::{Help, Way, way};
use super::session::{self, Clock, Leave, Session};
use super::stage::{Picture, Scene};
use super::theme;
use crate::output::Failure;

const KEYS: &[Help] = &[
    ("↑↓", "line"),
    ("←→", "change"),
    ("0-9", "type a number"),
    ("Enter", "start"),
    ("i", "help"),
    ("q", "leave"),
];
const MORE: &[Help] = &[
    ("hjkl, wasd", "arrows, too"),
    ("Backspace", "erase a digit"),
    ("F1", "help, too"),
];
/// Columns of the menu and of the names in it.
const WIDTH: u16 = 56;
const NAMES: usize = 14;
/// Lines of explanation below the choices.
const ABOUT: u16 = 3;

/// What was chosen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chosen {
    /// The name of the game.
    pub(crate) game: &'static str,
    /// The automatic player, if one plays.
    pub(crate) player: Option<Spec>,
    /// In a two-player game: does the automatic player begin?
    pub(crate) second: bool,
}

/// Who plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    People,
    Automatic,
    /// In a two-player game, the automatic player begins.
    AutomaticFirst,
}

/// A line of the menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    Game,
    Who,
    Player,
    Parameter(usize),
}

struct Menu {
    game: AnyGame,
    who: Who,
    automatic: Automatic,
    /// The line that keys change.
    at: usize,
    /// Why the choice cannot be played.
    problem: Option<String>,
    is_done: bool,
}

/// Lets a person choose; `None` if they leave.
pub(crate) fn choose(events: &Events) -> Result<Option<Chosen>, Failure> {
    let mut menu = Menu::new(0);
    match session::run(events, &mut menu)? {
        Leave::Quit => Ok(menu.is_done.then(|| menu.chosen())),
        Leave::Interrupted => Err(Failure::Interrupted),
    }
}

/// The game at this place of the registry, under its usual rules.
fn usual(place: usize) -> AnyGame {
    let family = &FAMILIES[place];
    family
        .build(&Options::default())
        .expect("the usual rules of a game are rules of it")
}

impl Menu {
    fn new(place: usize) -> Self {
        let game = usual(place);
        Self {
            automatic: Automatic::of(game.family().name),
            game,
            who: Who::People,
            at: 0,
            problem: None,
            is_done: false,
        }
    }

    fn chosen(&self) -> Chosen {
        Chosen {
            game: self.game.family().name,
            player: (self.who != Who::People).then(|| self.automatic.spec()),
            second: self.who == Who::AutomaticFirst,
        }
    }

    fn entries(&self) -> Vec<Entry> {
        let mut entries = vec![Entry::Game, Entry::Who];
        if self.who != Who::People {
            entries.push(Entry::Player);
            entries.extend((0..self.automatic.parameters().len()).map(Entry::Parameter));
        }
        entries
    }

    fn entry(&self) -> Entry {
        self.entries()[self.at]
    }

    fn whos(&self) -> &'static [Who] {
        match self.game.seats() {
            1 => &[Who::People, Who::Automatic],
            _ => &[Who::People, Who::Automatic, Who::AutomaticFirst],
        }
    }

    /// Changes the value of the line to the next one, or to the one before.
    fn change(&mut self, forward: bool) {
        match self.entry() {
            Entry::Game => {
                let families = || FAMILIES.iter().map(|family| family.name);
                let here = families().position(|name| name == self.game.family().name);
                *self = Self::new(stepped(here.unwrap_or(0), FAMILIES.len(), forward));
            }
            Entry::Who => {
                let whos = self.whos();
                let here = whos.iter().position(|&who| who == self.who);
                self.who = whos[stepped(here.unwrap_or(0), whos.len(), forward)];
            }
            Entry::Player => self.automatic.step_player(forward),
            Entry::Parameter(place) => self.automatic.step_value(place, forward),
        }
    }

    fn finish(&mut self) {
        self.automatic.settle();
        let problem = self.chosen().player.map(|spec| check(&self.game, &spec));
        match problem {
            Some(Err(error)) => self.problem = Some(error.to_string()),
            _ => self.is_done = true,
        }
    }

    /// Name and value of a line.
    fn texts(&self, entry: Entry) -> (String, String) {
        let (name, value) = match entry {
            Entry::Game => ("Game", self.game.family().name.to_owned()),
            Entry::Who => ("Who plays", self.who_text().to_owned()),
            Entry::Player => ("Algorithm", self.automatic.player().name.to_owned()),
            Entry::Parameter(place) => {
                let parameter = self.automatic.parameters()[place];
                let value = self.automatic.value(place).to_owned();
                return (parameter.label(), value);
            }
        };
        (name.to_owned(), value)
    }

    fn who_text(&self) -> &'static str {
        match (self.who, self.game.seats()) {
            (Who::People, 1) => "me",
            (Who::People, _) => "two people",
            (Who::Automatic, 1) => "automatic",
            (Who::Automatic, _) => "me first, automatic second",
            (Who::AutomaticFirst, _) => "automatic first, me second",
        }
    }

    fn about(&self) -> String {
        match self.entry() {
            Entry::Game => self.game.family().about.to_owned(),
            Entry::Who if self.who == Who::People => "You play with the keys.".to_owned(),
            Entry::Who if self.game.seats() == 1 => {
                "It plays, you watch: space pauses, n makes one move.".to_owned()
            }
            Entry::Who => "You play against it.".to_owned(),
            Entry::Player => self.automatic.player().about.to_owned(),
            Entry::Parameter(place) => self.automatic.about(place),
        }
    }

    /// The command that does the same without the menu.
    fn command(&self) -> String {
        let chosen = self.chosen();
        let player = chosen
            .player
            .map(|spec| format!(" --player '{spec}'"))
            .unwrap_or_default();
        let second = if chosen.second { " --second" } else { "" };
        format!("gamete play {}{player}{second}", chosen.game)
    }

    fn lines(&self) -> Vec<Line<'static>> {
        let here = self.entry();
        let line = |entry: Entry| {
            let (name, value) = self.texts(entry);
            let name = format!("{name:<NAMES$}");
            match entry == here {
                true => Line::from(vec![
                    Span::styled(name, theme::TITLE),
                    Span::styled(
                        format!("‹ {value} ›"),
                        Style::new().add_modifier(Modifier::REVERSED),
                    ),
                ]),
                false => Line::from(vec![
                    Span::styled(name, theme::FAINT),
                    Span::raw(format!("  {value}")),
                ]),
            }
        };
        self.entries().into_iter().map(line).collect()
    }
}

/// The next place of so many, or the one before; after the last comes the first.
fn stepped(here: usize, count: usize, forward: bool) -> usize {
    (here + if forward { 1 } else { count - 1 }) % count
}

impl Session for Menu {
    fn scene(&self) -> Scene<'_> {
        Scene {
            title: "Play".to_owned(),
            picture: Box::new(Choices {
                lines: self.lines(),
                about: self.about(),
                problem: self.problem.clone(),
                command: self.command(),
            }),
            panel: Vec::new(),
            keys: KEYS,
            more: MORE,
            notice: None,
        }
    }

    fn key(&mut self, key: KeyCode) -> Clock {
        self.problem = None;
        let count = self.entries().len();
        match (key, way(key)) {
            (KeyCode::Enter | KeyCode::Char(' '), _) => self.finish(),
            (KeyCode::Char(digit @ ('0'..='9' | '.')), _) => {
                if let Entry::Parameter(place) = self.entry() {
                    self.automatic.type_digit(place, digit);
                }
            }
            (KeyCode::Backspace, _) => {
                if let Entry::Parameter(place) = self.entry() {
                    self.automatic.erase(place);
                }
            }
            (_, Some(Way::Up | Way::Down)) => {
                self.automatic.settle();
                self.at = stepped(self.at, count, way(key) == Some(Way::Down));
            }
            (_, Some(Way::Left | Way::Right)) => self.change(way(key) == Some(Way::Right)),
            _ => {}
        }
        Clock::Runs
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    fn news(&mut self, _: News) {}
}

/// The lines of the menu, what the current one means, and the command that does the same.
struct Choices {
    lines: Vec<Line<'static>>,
    about: String,
    problem: Option<String>,
    command: String,
}

impl Picture for Choices {
    fn size(&self, _: Size) -> Size {
        Size::new(WIDTH, self.lines.len() as u16 + 2 * (ABOUT + 1))
    }

    fn paint(&self, area: Rect, buffer: &mut Buffer) {
        let lines = self.lines.len() as u16;
        let below = |skipped: u16, height: u16| Rect {
            y: area.y + lines + 1 + skipped,
            height,
            ..area
        };
        Paragraph::new(self.lines.clone()).render(
            Rect {
                height: lines,
                ..area
            },
            buffer,
        );
        let (text, style) = match &self.problem {
            Some(problem) => (problem, theme::BAD),
            None => (&self.about, theme::FAINT),
        };
        let wrapped = |text: &str, style| {
            Paragraph::new(Line::styled(text.to_owned(), style)).wrap(Wrap { trim: true })
        };
        wrapped(text, style).render(below(0, ABOUT), buffer);
        wrapped(&self.command, theme::KEY).render(below(ABOUT + 1, ABOUT), buffer);
    }
}

#[cfg(test)]
mod tests;
