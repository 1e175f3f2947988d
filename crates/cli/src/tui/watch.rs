//! A player's game, shown move by move or played without a screen, and what it told at the end.

use std::time::{Duration, Instant};

use games::{Fact, Turn};
use lab::seat::{seat, try_out};
use players::arena::Dice;
use players::{Player, Spec};
use ratatui::crossterm::event::KeyCode;
use ratatui::text::Line;

use super::events::Events;
use super::keys::Help;
use super::paint::Paint;
use super::session::{self, Clock, Leave, Session};
use super::stage::{PANEL, Scene, row};
use super::thinker::{Thinker, Thought, forfeit_notice};
use super::{is_terminal, theme};
use crate::output::{Failure, Table, number, seconds};

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
    /// The game and its rules, for the title.
    pub(crate) title: String,
    /// The players, one a seat.
    pub(crate) players: Vec<Spec>,
    /// Time between two moves.
    pub(crate) delay: Duration,
    /// From which all random numbers follow.
    pub(crate) seed: u64,
}

/// A game so far.
struct Course<G: Paint> {
    game: G,
    position: G::Position,
    memory: G::Memory,
    dice: Dice,
    moves: u64,
    thought: Duration,
    /// The seat that could not go on, and why.
    forfeit: Option<(u8, String)>,
}

impl<G: Paint> Course<G> {
    fn new(game: &G, seed: u64) -> Self {
        let mut course = Self {
            game: game.clone(),
            position: game.start(),
            memory: G::Memory::default(),
            dice: Dice::of(seed, 0),
            moves: 0,
            thought: Duration::ZERO,
            forfeit: None,
        };
        course.let_chance_act();
        course
    }

    fn let_chance_act(&mut self) {
        while self.game.turn(&self.position) == Turn::Chance {
            self.dice.draw(&self.game, &mut self.position);
        }
    }

    /// The seat whose turn it is; none when the game is over.
    fn seat(&self) -> Option<u8> {
        match self.game.turn(&self.position) {
            Turn::Player(seat) if self.forfeit.is_none() => Some(seat),
            Turn::Player(_) | Turn::Chance | Turn::Over => None,
        }
    }

    /// Makes the move of whoever's turn it is, or ends the game there.
    fn play_or_forfeit(&mut self, chosen: Result<G::Move, String>, time: Duration) {
        match (chosen, self.seat()) {
            (Ok(chosen), _) => self.play(chosen, time),
            (Err(reason), seat) => self.forfeit = seat.map(|seat| (seat, reason)),
        }
    }

    fn play(&mut self, chosen: G::Move, time: Duration) {
        let before = self.position.clone();
        self.game.play_unchecked(&mut self.position, chosen);
        self.let_chance_act();
        self.game
            .remember(&mut self.memory, &before, chosen, &self.position);
        self.moves += 1;
        self.thought += time;
    }

    /// Plays to the end without showing anything.
    fn play_out(&mut self, players: &mut [Box<dyn Player<G>>]) {
        while let Some(seat) = self.seat() {
            let started = Instant::now();
            let player = &mut players[usize::from(seat)];
            let chosen = player.choose(&self.game, &self.position, self.dice.of_seat(seat));
            let chosen = player.forfeit().map_or(Ok(chosen), Err);
            self.play_or_forfeit(chosen, started.elapsed());
        }
    }

    /// What the game told.
    fn sum_up(&self, game: &str, plan: &Plan) -> String {
        let ended = match self.seat() {
            None if self.forfeit.is_some() => "forfeited",
            None => "over",
            Some(_) => "left",
        };
        let players: Vec<String> = plan.players.iter().map(ToString::to_string).collect();
        let mut text = format!(
            "{game} by {}, seed {}: {ended} after {} moves\n\n",
            players.join(" against "),
            plan.seed,
            number(self.moves as f64, 0)
        );
        let score = lab::play::score(&self.game, &self.position, self.forfeit.as_ref());
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
        let time = self.thought.as_secs_f64() / self.moves.max(1) as f64;
        table.row(["time a move".to_owned(), seconds(time)]);
        text += &table.render();
        if let Some((seat, reason)) = &self.forfeit {
            let player = &plan.players[usize::from(*seat)];
            text += &format!("\n{player} lost the game: {reason}\n");
        }
        text
    }
}

/// Shows the game, or plays it if there is no terminal. Returns what it told, and why it ended.
pub(crate) fn watch<G: Paint>(
    name: &str,
    game: &G,
    plan: &Plan,
) -> Result<(String, Leave), Failure> {
    try_out(game, &plan.players)?;
    let mut players = plan
        .players
        .iter()
        .map(|spec| seat(game, spec, None))
        .collect::<Result<Vec<_>, _>>()?;
    let mut course = Course::new(game, plan.seed);
    if !is_terminal() {
        course.play_out(&mut players);
        return Ok((course.sum_up(name, plan), Leave::Quit));
    }
    let events = Events::listen()?;
    // The players' generators are their own, so they and chance may live on different threads.
    let thinker = Thinker::start(game, players, course.dice.clone(), events.sender())?;
    let mut screen = Screen::new(course, plan, thinker);
    let leave = session::run(&events, &mut screen)?;
    Ok((screen.course.sum_up(name, plan), leave))
}

struct Screen<'a, G: Paint> {
    course: Course<G>,
    plan: &'a Plan,
    thinker: Thinker<G>,
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
    fn new(course: Course<G>, plan: &'a Plan, thinker: Thinker<G>) -> Self {
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
        if let Some(seat) = self.course.seat() {
            self.thinker.ask(seat, &self.course.position);
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
        let name = |(seat, spec): (usize, &Spec)| {
            let mark = if two { ["X ", "O "][seat % 2] } else { "" };
            let name = format!("{mark}{spec}");
            name.chars().take(usize::from(PANEL)).collect()
        };
        self.plan.players.iter().enumerate().map(name).collect()
    }
}

impl<G: Paint> Session for Screen<'_, G> {
    type News = Thought<G::Move>;

    fn scene(&self) -> Scene<'_> {
        let course = &self.course;
        let notice = course.seat().is_none().then(|| {
            let mut notice = match &course.forfeit {
                None => course.game.verdict(&course.position, &self.names()),
                Some((seat, reason)) => {
                    let name = &self.names()[usize::from(*seat)];
                    forfeit_notice(format!("{name} lost the game"), reason)
                }
            };
            notice.lines.extend([String::new(), "q leaves".to_owned()]);
            notice
        });
        Scene {
            title: self.plan.title.clone(),
            picture: course.game.picture(&course.position, &course.memory),
            panel: self.panel(),
            keys: KEYS,
            more: &[],
            notice,
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

    use super::*;
    use crate::tui::events::Event;
    use crate::tui::testing::{picture, press};

    type News = Event<Thought<games::twenty48::Direction>>;

    fn plan() -> Plan {
        Plan {
            title: "2048".to_owned(),
            players: vec!["random".parse().unwrap()],
            delay: Duration::from_millis(50),
            seed: 1,
        }
    }

    fn screen(plan: &Plan) -> (Screen<'_, Twenty48>, Receiver<News>) {
        let rules = Rules::from_options(&"win=64".parse().unwrap()).unwrap();
        let game = Twenty48::new(rules);
        let course = Course::new(&game, plan.seed);
        let (sender, receiver) = mpsc::channel();
        let players = vec![seat(&game, &plan.players[0], None).unwrap()];
        let thinker = Thinker::start(&game, players, course.dice.clone(), sender).unwrap();
        (Screen::new(course, plan, thinker), receiver)
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
        let mut unseen = Course::new(&screen.course.game, plan.seed);
        unseen.play_out(&mut [seat(&unseen.game, &plan.players[0], None).unwrap()]);
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
        let text = screen.course.sum_up("2048", &plan);
        assert!(text.contains("seed 1: forfeited after 0 moves\n"), "{text}");
        assert!(
            text.ends_with("\nrandom lost the game: the bot ended: exit status 1\n"),
            "{text}"
        );
    }

    #[test]
    fn statistics_tell_what_happened() {
        let plan = plan();
        let (screen, _news) = screen(&plan);
        let text = screen.course.sum_up("2048", &plan);
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
