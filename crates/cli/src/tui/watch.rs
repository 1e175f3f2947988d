//! A game shown move by move or played without a screen: one that players play now, or one that was kept.

use std::time::Duration;

use play::replay::{Recorder, Replay};
use play::seating::{seat, try_out};
use players::arena::Dice;
use players::{Playable, Spec};
use ratatui::crossterm::event::KeyCode;
use ratatui::text::Line;

use super::course::Course;
use super::events::Events;
use super::keys::Help;
use super::paint::Paint;
use super::session::{self, Clock, Leave, Session};
use super::stage::{Notice, PANEL, Place, Scene, row};
use super::thinker::{Thinker, Thought, forfeit_notice};
use super::{is_terminal, theme};
use crate::output::{Failure, number};

const KEYS: &[Help] = &[
    ("Space", "pause"),
    ("s n", "step"),
    ("+ -", "slower, faster"),
    ("?", "help"),
    ("q", "leave"),
];

/// Delays between which `+` and `-` choose, in milliseconds.
const DELAYS: [u64; 10] = [0, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/// What is to be watched.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The game's name.
    pub(crate) name: String,
    /// The game and its rules, for the title.
    pub(crate) title: String,
    /// What the players are called, one a seat.
    pub(crate) players: Vec<String>,
    /// Where the game comes from, e.g. its seed.
    pub(crate) origin: String,
    /// Time between two moves.
    pub(crate) delay: Duration,
}

/// Who plays what is watched.
#[derive(Debug)]
pub(crate) struct Cast {
    /// The players, one a seat.
    pub(crate) players: Vec<Spec>,
    /// From which all random numbers follow.
    pub(crate) seed: u64,
    /// Keeps the game, if it is to be kept.
    pub(crate) recorder: Option<Recorder>,
}

/// What is left of a game that was watched.
pub(crate) struct Watched {
    /// What it told.
    pub(crate) told: String,
    /// The game itself, if it was to be kept.
    pub(crate) replay: Option<Replay>,
    /// Why it ended.
    pub(crate) leave: Leave,
}

/// Shows a game that players play, or plays it if there is no terminal.
pub(crate) fn watch<G: Paint + Playable>(
    game: &G,
    plan: &Plan,
    cast: Cast,
) -> Result<Watched, Failure> {
    try_out(game, &cast.players)?;
    let players = cast.players.iter().map(|spec| seat(game, spec, None));
    let mut players = players.collect::<Result<Vec<_>, _>>()?;
    let dice = Dice::of(cast.seed, 0);
    let mut course = Course::new(game, dice.clone(), cast.recorder);
    if !is_terminal() {
        course.play_out(&mut players);
        return Ok(watched(course, plan, Leave::Quit));
    }
    let events = Events::listen()?;
    // The players' generators are their own, so they and chance may live on different threads.
    let thinker = Thinker::start(game, players, dice, events.sender())?;
    show(&events, Screen::new(course, plan, Some(thinker)))
}

/// Shows a game that was played before, or only tells of it if there is no terminal.
pub(crate) fn watch_again<G: Paint>(
    game: &G,
    plan: &Plan,
    replay: &Replay,
) -> Result<Watched, Failure> {
    let script = replay.script(game);
    let script = script.map_err(|damage| Failure::Usage(damage.to_string()))?;
    let mut course = Course::again(game, script, replay.forfeit.clone());
    if !is_terminal() {
        course.play_out(&mut []);
        return Ok(watched(course, plan, Leave::Quit));
    }
    show(&Events::listen()?, Screen::new(course, plan, None))
}

fn show<G: Paint>(
    events: &Events<Thought<G::Move>>,
    mut screen: Screen<'_, G>,
) -> Result<Watched, Failure> {
    let leave = session::run(events, &mut screen)?;
    Ok(watched(screen.course, screen.plan, leave))
}

fn watched<G: Paint>(mut course: Course<G>, plan: &Plan, leave: Leave) -> Watched {
    Watched {
        told: course.sum_up(plan),
        replay: course.replay(plan),
        leave,
    }
}

struct Screen<'a, G: Paint> {
    course: Course<G>,
    plan: &'a Plan,
    /// None if the moves are known.
    thinker: Option<Thinker<G>>,
    /// The next move, waiting for its time.
    next: Option<Thought<G::Move>>,
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

impl<'a, G: Paint> Screen<'a, G> {
    fn new(course: Course<G>, plan: &'a Plan, thinker: Option<Thinker<G>>) -> Self {
        let mut screen = Self {
            course,
            plan,
            thinker,
            next: None,
            delay: plan.delay,
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
        panel.extend(self.course.game.tell(&self.course.position));
        panel
    }

    /// The players, with the marks of their seats if there are two.
    fn names(&self) -> Vec<String> {
        let two = self.plan.players.len() > 1;
        let name = |(seat, name): (usize, &String)| {
            let mark = if two { ["X ", "O "][seat % 2] } else { "" };
            let name = format!("{mark}{name}");
            name.chars().take(usize::from(PANEL)).collect()
        };
        self.plan.players.iter().enumerate().map(name).collect()
    }

    /// What is said when nothing more comes.
    fn notice(&self) -> Option<Notice> {
        let course = &self.course;
        let mut notice = match &course.forfeit {
            Some((seat, reason)) => {
                let name = &self.names()[usize::from(*seat)];
                forfeit_notice(format!("{name} lost the game"), reason)
            }
            None if course.is_over() => course.game.verdict(&course.position, &self.names()),
            None if self.thinker.is_none() && self.next.is_none() => left_notice(),
            None => return None,
        };
        notice.lines.extend([String::new(), "q leaves".to_owned()]);
        Some(notice)
    }
}

impl<G: Paint> Session for Screen<'_, G> {
    type News = Thought<G::Move>;

    fn scene(&self) -> Scene<'_> {
        let course = &self.course;
        Scene {
            title: self.plan.title.clone(),
            picture: course.game.picture(&course.position, &course.memory),
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

    fn explains(&self, key: KeyCode) -> bool {
        matches!(key, KeyCode::Char('?' | 'i') | KeyCode::F(1))
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

    fn news(&mut self, thought: Thought<G::Move>) {
        self.next = Some(thought);
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
mod tests {
    use std::sync::mpsc::{self, Receiver};

    use games::twenty48::{Rules, Twenty48};
    use players::Player;

    use super::*;
    use crate::tui::events::Event;
    use crate::tui::testing::{picture, press};

    type News = Event<Thought<games::twenty48::Direction>>;

    fn plan() -> Plan {
        Plan {
            name: "2048".to_owned(),
            title: "2048".to_owned(),
            players: vec!["random".to_owned()],
            origin: "seed 1".to_owned(),
            delay: Duration::from_millis(50),
        }
    }

    fn game() -> Twenty48 {
        Twenty48::new(Rules::from_options(&"win=64".parse().unwrap()).unwrap())
    }

    fn random() -> Box<dyn Player<Twenty48>> {
        seat(&game(), &"random".parse().unwrap(), None).unwrap()
    }

    fn screen(plan: &Plan) -> (Screen<'_, Twenty48>, Receiver<News>) {
        let dice = Dice::of(1, 0);
        let course = Course::new(&game(), dice.clone(), Some(Recorder::default()));
        let (sender, receiver) = mpsc::channel();
        let thinker = Thinker::start(&game(), vec![random()], dice, sender).unwrap();
        (Screen::new(course, plan, Some(thinker)), receiver)
    }

    /// Brings the player's next move.
    fn hear(screen: &mut Screen<'_, Twenty48>, news: &Receiver<News>) {
        match news.recv().unwrap() {
            Event::News(thought) => screen.news(thought),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_shown_game_is_the_game_played_without_a_screen() {
        let plan = plan();
        let (mut screen, news) = screen(&plan);
        let mut unseen = Course::new(&screen.course.game, Dice::of(1, 0), None);
        unseen.play_out(&mut [random()]);
        while screen.course.seat().is_some() {
            hear(&mut screen, &news);
            assert_eq!(screen.pace(), Some(plan.delay));
            screen.tick();
        }
        assert_eq!(screen.pace(), None);
        assert_eq!(screen.course.position, unseen.position);
        assert_eq!(screen.course.moves, unseen.moves);
        insta::assert_snapshot!(picture(&screen, 80, 24));
    }

    #[test]
    fn a_pause_stops_and_a_step_is_one_move() {
        let plan = plan();
        let (mut screen, news) = screen(&plan);
        hear(&mut screen, &news);
        press(&mut screen, " ");
        assert_eq!(screen.pace(), None);
        press(&mut screen, "s");
        assert_eq!(screen.pace(), Some(Duration::ZERO));
        screen.tick();
        hear(&mut screen, &news);
        assert_eq!((screen.course.moves, screen.pace()), (1, None));
        press(&mut screen, " ");
        assert_eq!(screen.pace(), Some(plan.delay));
    }

    #[test]
    fn a_player_that_cannot_go_on_ends_the_game_there() {
        let plan = plan();
        let (mut screen, _news) = screen(&plan);
        screen.news(Thought {
            question: 1,
            chosen: Err("the bot ended: exit status 1".to_owned()),
            time: Duration::ZERO,
        });
        screen.tick();
        assert_eq!((screen.course.moves, screen.pace()), (0, None));
        let shown = picture(&screen, 80, 24);
        assert!(shown.contains("the bot ended: exit status 1"), "{shown}");
        let text = screen.course.sum_up(&plan);
        assert!(text.contains("seed 1: forfeited after 0 moves\n"), "{text}");
        assert!(
            text.ends_with("\nrandom lost the game: the bot ended: exit status 1\n"),
            "{text}"
        );
    }

    /// A kept game of so many moves, and the statistics of the game it was.
    fn kept(plan: &Plan, moves: usize) -> (Replay, String) {
        let (mut screen, news) = screen(plan);
        for _ in 0..moves {
            hear(&mut screen, &news);
            screen.tick();
        }
        let told = screen.course.sum_up(plan);
        (screen.course.replay(plan).unwrap(), told)
    }

    fn shown_again<'a>(plan: &'a Plan, replay: &Replay) -> Screen<'a, Twenty48> {
        let script = replay.script(&game()).unwrap();
        let course = Course::again(&game(), script, replay.forfeit.clone());
        Screen::new(course, plan, None)
    }

    #[test]
    fn a_kept_game_pauses_steps_and_ends_where_it_was_left() {
        let plan = plan();
        let (replay, told) = kept(&plan, 5);
        let mut screen = shown_again(&plan, &replay);
        assert_eq!(screen.pace(), Some(plan.delay));
        press(&mut screen, "s");
        screen.tick();
        assert_eq!((screen.course.moves, screen.pace()), (1, None));
        assert!(screen.notice().is_none());
        press(&mut screen, " ");
        (1..5).for_each(|_| screen.tick());
        assert_eq!((screen.course.moves, screen.pace()), (5, None));
        assert!(picture(&screen, 80, 24).contains("Left here"));
        let again = screen.course.sum_up(&plan);
        assert!(again.starts_with("2048 by random, seed 1: left after 5 moves\n"));
        let numbers = |text: &str| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert!(
            numbers(&told).starts_with(&numbers(&again)),
            "{told}{again}"
        );
    }

    #[test]
    fn a_kept_forfeit_is_shown_again() {
        let plan = plan();
        let (mut screen, _news) = screen(&plan);
        screen
            .course
            .play_or_forfeit(Err("it broke".to_owned()), Duration::ZERO);
        let replay = screen.course.replay(&plan).unwrap();
        let mut screen = shown_again(&plan, &replay);
        screen.tick();
        assert!(picture(&screen, 80, 24).contains("it broke"));
        assert!(
            screen
                .course
                .sum_up(&plan)
                .contains("forfeited after 0 moves")
        );
    }

    #[test]
    fn statistics_tell_what_happened() {
        let plan = plan();
        let (screen, _news) = screen(&plan);
        let text = screen.course.sum_up(&plan);
        assert!(text.starts_with("2048 by random, seed 1: left after 0 moves\n\nscore "));
        assert!(text.contains("\nhighest tile  ") && text.contains("\ntime a move  "));
    }

    #[test]
    fn delays_grow_and_shrink_within_bounds() {
        let ms = Duration::from_millis;
        assert_eq!((slower(ms(50)), faster(ms(50))), (ms(100), ms(20)));
        assert_eq!((slower(ms(60)), faster(ms(60))), (ms(100), ms(50)));
        assert_eq!((slower(ms(5000)), faster(ms(0))), (ms(5000), ms(0)));
        assert_eq!(faster(ms(60_000)), ms(5000));
    }
}
