//! A game shown move by move or played without a screen: one that players play now, or one that was kept.

use std::time::Duration;

use games::AnyGame;
use indicatif::ProgressBar;
use play::any::AnyPlayer;
use play::replay::{Recorder, Replay};
use players::Spec;
use players::arena::Dice;
use ratatui::crossterm::event::KeyCode;
use ratatui::text::Line;

use super::course::Course;
use super::events::{Events, News};
use super::keys::Help;
use super::session::{self, Clock, Leave, Session};
use super::stage::{Notice, PANEL, Place, Scene, row};
use super::thinker::{Thinker, Thought, forfeit_notice};
use super::{is_terminal, theme};
use crate::lookout::Lookout;
use crate::output::{Failure, number};

const KEYS: &[Help] = &[
    ("Space", "pause"),
    ("s n", "step"),
    ("+ -", "slower, faster"),
    ("i", "help"),
    ("q", "leave"),
];

/// Delays between which `+` and `-` choose, in milliseconds.
const DELAYS: [u64; 10] = [0, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/// What is to be watched.
#[derive(Debug)]
pub(crate) struct Subject {
    /// The game.
    pub(crate) game: AnyGame,
    /// The game and its rules, for the title.
    pub(crate) title: String,
    /// What the players are called, one per seat.
    pub(crate) players: Vec<String>,
    /// Where the game comes from, e.g. its seed.
    pub(crate) origin: String,
    /// Time between two moves.
    pub(crate) delay: Duration,
}

/// Who plays what is watched.
#[derive(Debug)]
pub(crate) struct Cast {
    /// The players, one per seat.
    pub(crate) players: Vec<Spec>,
    /// The random seed.
    pub(crate) seed: u64,
    /// Keeps the game, if it is to be kept.
    pub(crate) recorder: Option<Recorder>,
}

/// What is left of a game that was watched.
pub(crate) struct Watched {
    /// Its statistics, as text.
    pub(crate) summary: String,
    /// The game itself, if it was to be kept.
    pub(crate) replay: Option<Replay>,
    /// The time of every move, as lines of CSV.
    pub(crate) times: String,
    /// Why it ended.
    pub(crate) leave: Leave,
}

/// Shows a game of players that were tried out, or plays it if there is no terminal.
/// An earlier screen may have begun to listen to `events`.
pub(crate) fn watch(
    subject: &Subject,
    cast: Cast,
    events: Option<Events>,
) -> Result<Watched, Failure> {
    let players = cast.players.iter();
    let players = players.map(|spec| AnyPlayer::new(&subject.game, spec, None));
    let mut players = players.collect::<Result<Vec<_>, _>>()?;
    let dice = Dice::of(cast.seed, 0);
    let mut course = Course::new(subject, dice.clone(), cast.recorder);
    if !is_terminal() {
        let lookout = Lookout::over(&ProgressBar::hidden(), &subject.game, 1);
        course.play_out(&mut players);
        drop(lookout);
        return Ok(watched(course, subject, Leave::Quit));
    }
    let events = events.map_or_else(Events::listen, Ok)?;
    // The players' generators are their own, so they and chance may live on different threads.
    let thinker = Thinker::start(players, dice, events.sender())?;
    show(&events, Screen::new(course, subject, Some(thinker)))
}

/// Shows a game that was played before; without a terminal, only its statistics.
pub(crate) fn watch_again(subject: &Subject, replay: &Replay) -> Result<Watched, Failure> {
    let script = replay.script();
    let script = script.map_err(|damage| Failure::Usage(damage.to_string()))?;
    let mut course = Course::again(script, replay.forfeit.clone());
    if !is_terminal() {
        course.play_out(&mut []);
        return Ok(watched(course, subject, Leave::Quit));
    }
    show(&Events::listen()?, Screen::new(course, subject, None))
}

fn show(events: &Events, mut screen: Screen<'_>) -> Result<Watched, Failure> {
    let leave = session::run(events, &mut screen)?;
    Ok(watched(screen.course, screen.subject, leave))
}

fn watched(mut course: Course, subject: &Subject, leave: Leave) -> Watched {
    Watched {
        summary: course.sum_up(subject),
        replay: course.replay(subject),
        times: course.times_csv(),
        leave,
    }
}

struct Screen<'a> {
    course: Course,
    subject: &'a Subject,
    /// None if the moves are known.
    thinker: Option<Thinker>,
    /// The next move, waiting for its time.
    next: Option<Thought>,
    delay: Duration,
    pause: Pause,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pause {
    Running,
    Paused,
    /// Paused after one more move.
    OneMore,
}

impl<'a> Screen<'a> {
    fn new(course: Course, subject: &'a Subject, thinker: Option<Thinker>) -> Self {
        let mut screen = Self {
            course,
            subject,
            thinker,
            next: None,
            delay: subject.delay,
            pause: Pause::Running,
        };
        screen.ask();
        screen
    }

    fn ask(&mut self) {
        let Some(seat) = self.course.seat() else {
            return;
        };
        match &mut self.thinker {
            Some(thinker) => {
                thinker.ask(seat, &self.course.position);
            }
            None => {
                self.next = self.course.known_choice().map(|chosen| Thought {
                    question: 0,
                    chosen,
                    time: Duration::ZERO,
                });
            }
        }
    }

    fn panel(&self) -> Vec<Line<'static>> {
        let delay = match self.pause {
            Pause::Running => format!("{} ms", self.delay.as_millis()),
            Pause::Paused | Pause::OneMore => "paused".to_owned(),
        };
        let mut panel: Vec<Line<'static>> = self
            .names()
            .into_iter()
            .map(|name| Line::styled(name, theme::KEY))
            .collect();
        panel.extend([
            Line::default(),
            row("Moves", &number(self.course.moves as f64, 0)),
            row("Delay", &delay),
        ]);
        panel.extend(self.course.painter.panel(&self.course.position));
        panel
    }

    /// The players, with the marks of their seats if there are two.
    fn names(&self) -> Vec<String> {
        let two = self.subject.players.len() > 1;
        let name = |(seat, name): (usize, &String)| {
            let mark = if two { ["X ", "O "][seat % 2] } else { "" };
            let name = format!("{mark}{name}");
            name.chars().take(usize::from(PANEL)).collect()
        };
        self.subject.players.iter().enumerate().map(name).collect()
    }

    /// What is said when nothing more comes.
    fn notice(&self) -> Option<Notice> {
        let course = &self.course;
        let mut notice = match &course.forfeit {
            Some((seat, reason)) => {
                let name = &self.names()[usize::from(*seat)];
                forfeit_notice(format!("{name} lost the game"), reason)
            }
            None if course.position.is_over() => {
                course.painter.verdict(&course.position, &self.names())
            }
            None if self.thinker.is_none() && self.next.is_none() => left_notice(),
            None => return None,
        };
        notice.lines.extend([String::new(), "q leaves".to_owned()]);
        Some(notice)
    }
}

impl Session for Screen<'_> {
    fn scene(&self) -> Scene<'_> {
        let course = &self.course;
        Scene {
            title: self.subject.title.clone(),
            picture: course.painter.picture(&course.position),
            panel: self.panel(),
            keys: KEYS,
            more: &[],
            notice: self.notice(),
        }
    }

    fn key(&mut self, key: KeyCode) -> Clock {
        match key {
            KeyCode::Char(' ') if self.pause == Pause::Running => self.pause = Pause::Paused,
            KeyCode::Char(' ') => self.pause = Pause::Running,
            KeyCode::Char('s' | 'n') => self.pause = Pause::OneMore,
            KeyCode::Char('+' | '=') => self.delay = slower(self.delay),
            KeyCode::Char('-' | '_') => self.delay = faster(self.delay),
            _ => {}
        }
        Clock::Runs
    }

    fn pace(&self) -> Option<Duration> {
        self.next.as_ref()?;
        match self.pause {
            Pause::Running => Some(self.delay),
            Pause::OneMore => Some(Duration::ZERO),
            Pause::Paused => None,
        }
    }

    fn tick(&mut self) {
        if let Some(thought) = self.next.take() {
            self.course.play_or_forfeit(thought.chosen, thought.time);
            self.ask();
        }
        if self.pause == Pause::OneMore {
            self.pause = Pause::Paused;
        }
    }

    fn news(&mut self, news: News) {
        if let News::Thought(thought) = news {
            self.next = Some(thought);
        }
    }
}

/// A game that was kept before its end.
fn left_notice() -> Notice {
    Notice {
        title: "Left here".to_owned(),
        style: theme::TITLE,
        lines: vec!["The game was not played on.".to_owned()],
        place: Place::Picture,
    }
}

fn slower(delay: Duration) -> Duration {
    let mut longer = DELAYS.into_iter().map(Duration::from_millis);
    longer.find(|longer| *longer > delay).unwrap_or(delay)
}

fn faster(delay: Duration) -> Duration {
    let mut shorter = DELAYS.into_iter().rev().map(Duration::from_millis);
    shorter
        .find(|shorter| *shorter < delay)
        .unwrap_or(Duration::ZERO)
}

#[cfg(test)]
mod tests;
