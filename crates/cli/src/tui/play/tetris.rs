//! Tetris for a person: the piece falls by the clock, or waits in the turn-based mode.

use std::time::Duration;

use games::tetris::{ColumnBits, Falling, Placement, Position, Quarter, Side, Step, Tetris};
use games::{Game, Stream, stream};
use play::advice::value_text;
use players::Playable;
use ratatui::crossterm::event::KeyCode;
use ratatui::text::Line;

use super::{Play, Table, hints, scores, show};
use crate::output::{Failure, number};
use crate::tui::best::Best;
use crate::tui::events::Events;
use crate::tui::hint::{Advice, Hints};
use crate::tui::keys::{Help, Way, way};
use crate::tui::paint::tetris::{Board, HINT, Stack, landed, progress, queue};
use crate::tui::session::{Clock, Session};
use crate::tui::stage::{Notice, Place, Scene, row};
use crate::tui::theme;

const KEYS: &[Help] = &[
    ("←→", "move"),
    ("↑", "turn"),
    ("↓", "down"),
    ("Space", "drop"),
    ("p", "pause"),
    ("Esc", "new"),
    ("?", "hint"),
    ("i", "help"),
    ("q", "leave"),
];
const TURN_BASED_KEYS: &[Help] = &[
    ("←→", "move"),
    ("↑", "turn"),
    ("↓", "down"),
    ("Space", "drop"),
    ("Esc", "new"),
    ("?", "hint"),
    ("i", "help"),
    ("q", "leave"),
];
const MORE: &[Help] = &[
    ("h l, a d", "move, too"),
    ("k w x", "turn, too"),
    ("z", "turn the other way"),
    ("j s", "down, too"),
    ("Enter", "drop, too"),
    ("F1", "help, too"),
];

/// Time for a row at the first level.
const FIRST_PACE: Duration = Duration::from_millis(800);
/// A row never takes less.
const LAST_PACE: Duration = Duration::from_millis(60);
/// Each level takes so much of the time of the one before.
const FASTER: f64 = 0.85;
/// Lines of a level.
const LINES_A_LEVEL: u64 = 10;

/// What a person does in a game of Tetris.
#[derive(Debug)]
pub(super) struct Fall<C> {
    game: Tetris<C>,
    seed: u64,
    number: u64,
    falling: Falling<C>,
    stack: Stack,
    chance: Stream,
}

impl<C: ColumnBits> Fall<C> {
    pub(super) fn new(game: Tetris<C>, seed: u64, number: u64) -> Self {
        let mut chance = stream(seed, &[number]);
        Self {
            falling: Falling::start(&game, &mut chance),
            game,
            seed,
            number,
            stack: Stack::default(),
            chance,
        }
    }

    pub(super) fn restart(&mut self) {
        *self = Self::new(self.game.clone(), self.seed, self.number + 1);
    }

    pub(super) fn shift(&mut self, side: Side) {
        self.falling.shift(&self.game, side);
    }

    pub(super) fn rotate(&mut self, quarter: Quarter) {
        self.falling.rotate(&self.game, quarter);
    }

    /// One row down.
    pub(super) fn step(&mut self) -> Step {
        self.let_fall(Falling::step)
    }

    /// Down to the ghost.
    pub(super) fn drop(&mut self) -> Step {
        self.let_fall(Falling::drop)
    }

    fn let_fall(
        &mut self,
        fall: impl FnOnce(&mut Falling<C>, &Tetris<C>, &mut Stream) -> Step,
    ) -> Step {
        let before = *self.falling.position().board();
        let step = fall(&mut self.falling, &self.game, &mut self.chance);
        if let Step::Locked(piece) = step {
            let oriented = &self.game.shape(piece.piece).rotations()[usize::from(piece.rotation)];
            let after = self.falling.position().board();
            self.stack.lock(&before, oriented, piece, after);
        }
        step
    }

    pub(super) fn is_over(&self) -> bool {
        self.falling.piece().is_none()
    }

    pub(super) fn score(&self) -> i64 {
        self.game.score(self.falling.position())
    }

    fn level(&self) -> u64 {
        1 + self.falling.position().clears().lines() / LINES_A_LEVEL
    }
}

/// Time for a row at this level.
fn pace(level: u64) -> Duration {
    let steps = i32::try_from(level - 1).unwrap_or(i32::MAX);
    FIRST_PACE.mul_f64(FASTER.powi(steps)).max(LAST_PACE)
}

struct Screen<C: ColumnBits> {
    title: String,
    fall: Fall<C>,
    best: Best,
    paused: bool,
    turn_based: bool,
    hints: Hints<Tetris<C>>,
}

impl<C: ColumnBits> Screen<C> {
    /// How the hint looks on the board, and what its placement is worth. The line is always there: pieces to come
    /// should not jump.
    fn hint(&self) -> Line<'static> {
        let hints = &self.hints;
        match (hints.best(), hints.is_thinking()) {
            (Some(best), _) => {
                let value = hints.value(best).map(value_text);
                row(&format!("Hint {HINT}"), &value.unwrap_or_default())
            }
            (None, true) => row("Hint", "thinking ..."),
            (None, false) => row("Hint", "?"),
        }
    }

    fn keep(&mut self) {
        self.best.keep(self.fall.score());
    }

    fn notice(&self) -> Option<Notice> {
        let score = scores(self.fall.score(), &self.best);
        let (title, style, lines) = if self.fall.is_over() {
            let lines = vec![score, String::new(), "Esc new game".to_owned()];
            ("Game over", theme::BAD, lines)
        } else if self.paused {
            ("Paused", theme::TITLE, vec!["any key goes on".to_owned()])
        } else {
            return None;
        };
        Some(Notice {
            title: title.to_owned(),
            style,
            lines,
            place: Place::Picture,
        })
    }

    fn panel(&self) -> Vec<Line<'static>> {
        let of = |count: i64| number(count as f64, 0);
        let score = self.fall.score();
        let mut panel = vec![
            row("Score", &of(score)),
            row("Best", &of(self.best.with(score))),
        ];
        panel.extend(progress(self.fall.falling.position()));
        if !self.turn_based {
            panel.push(row("Level", &self.fall.level().to_string()));
        }
        panel.push(self.hint());
        let next = queue(&self.fall.game, self.fall.falling.position(), 1);
        if !next.is_empty() {
            panel.extend([Line::default(), Line::styled("Next", theme::FAINT)]);
        }
        panel.extend(next);
        panel.extend(self.hints.failure());
        panel
    }

    fn act(&mut self, key: KeyCode) -> Step {
        match (key, way(key)) {
            (KeyCode::Char(' ') | KeyCode::Enter, _) => return self.fall.drop(),
            (KeyCode::Char('?'), _) if !self.fall.is_over() => {
                self.hints.ask(self.fall.falling.position());
            }
            (KeyCode::Char('x'), _) | (_, Some(Way::Up)) => self.fall.rotate(Quarter::Clockwise),
            (KeyCode::Char('z'), _) => self.fall.rotate(Quarter::Counterclockwise),
            (_, Some(Way::Left)) => self.fall.shift(Side::Left),
            (_, Some(Way::Right)) => self.fall.shift(Side::Right),
            (_, Some(Way::Down)) => return self.fall.step(),
            _ => {}
        }
        Step::Fell
    }
}

impl<C: ColumnBits> Session for Screen<C> {
    type News = Advice<Placement>;

    fn scene(&self) -> Scene<'_> {
        let falling = &self.fall.falling;
        let best = self.hints.best();
        Scene {
            title: self.title.clone(),
            picture: Box::new(Board {
                game: &self.fall.game,
                position: falling.position(),
                stack: &self.fall.stack,
                falling: falling.piece().zip(falling.ghost(&self.fall.game)),
                hint: best.and_then(|best| landed(&self.fall.game, falling.position(), best)),
            }),
            panel: self.panel(),
            keys: if self.turn_based {
                TURN_BASED_KEYS
            } else {
                KEYS
            },
            more: MORE,
            notice: self.notice(),
        }
    }

    fn key(&mut self, key: KeyCode) -> Clock {
        if key == KeyCode::Esc {
            self.keep();
            self.fall.restart();
            self.hints.follow(self.fall.falling.position());
            self.paused = false;
            return Clock::Restarts;
        }
        if self.paused || key == KeyCode::Char('p') {
            self.paused = !self.paused && !self.turn_based && !self.fall.is_over();
            return Clock::Restarts;
        }
        let step = self.act(key);
        self.hints.follow(self.fall.falling.position());
        if self.fall.is_over() {
            self.keep();
        }
        // The next piece, and a piece that was just pushed down, get their full time.
        let pushed = way(key) == Some(Way::Down);
        match step {
            Step::Fell if !pushed => Clock::Runs,
            _ => Clock::Restarts,
        }
    }

    fn pace(&self) -> Option<Duration> {
        let stands = self.paused || self.turn_based || self.fall.is_over();
        (!stands).then(|| pace(self.fall.level()))
    }

    fn tick(&mut self) {
        self.fall.step();
        self.hints.follow(self.fall.falling.position());
        if self.fall.is_over() {
            self.keep();
        }
    }

    fn news(&mut self, advice: Advice<Placement>) {
        self.hints.hear(advice);
    }
}

impl<C: ColumnBits> Play for Tetris<C>
where
    Self: Playable + Game<Position = Position<C>, Move = Placement>,
{
    const HINT: &'static str = "weighted(features=bcts)";

    fn sit(&self, table: &Table) -> Result<(), Failure> {
        let events = Events::listen()?;
        // Without the clock the same score is worth less: it has a record of its own.
        let clock = if table.turn_based { " turn-based" } else { "" };
        let mut screen = Screen {
            title: format!("{}{clock}", table.title),
            fall: Fall::new(self.clone(), table.seed, 0),
            best: Best::of(format!("{}{clock}", table.record)),
            paused: false,
            turn_based: table.turn_based,
            hints: hints(self, table, &events)?,
        };
        show(&events, &mut screen, |screen| {
            screen.keep();
            let lines = screen.fall.falling.position().clears().lines();
            let scores = scores(screen.fall.score(), &screen.best);
            format!("tetris: {scores}, {} lines\n", number(lines as f64, 0))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing::{News, hear, hints_of, picture, press};
    use games::tetris::Rules;

    fn fall(options: &str) -> Fall<u32> {
        let rules = Rules::from_options(&options.parse().unwrap()).unwrap();
        Fall::new(Tetris::new(rules), 1, 0)
    }

    fn screen(options: &str, turn_based: bool) -> Screen<u32> {
        screen_with_hints(options, turn_based, "random").0
    }

    fn screen_with_hints(
        options: &str,
        turn_based: bool,
        player: &str,
    ) -> (Screen<u32>, News<Screen<u32>>) {
        let fall = fall(options);
        let (hints, news) = hints_of(&fall.game, player);
        let screen = Screen {
            title: "tetris".to_owned(),
            fall,
            best: Best::unkept(),
            paused: false,
            turn_based,
            hints,
        };
        (screen, news)
    }

    #[test]
    fn the_screen_shows_the_stack_the_piece_its_ghost_and_the_next() {
        let mut screen = screen("known=3", false);
        press(&mut screen, "<< > ^  z<<<< ^>v");
        insta::assert_snapshot!(picture(&screen, 80, 24));
        press(&mut screen, "p");
        assert!(picture(&screen, 80, 24).contains("Paused"));
        assert_eq!(screen.pace(), None);
        press(&mut screen, "p");
        assert_eq!(screen.pace(), Some(FIRST_PACE));
    }

    #[test]
    fn the_end_is_seen_and_time_stands_still() {
        let mut screen = screen("board=5x6", false);
        press(&mut screen, "      ");
        insta::assert_snapshot!(picture(&screen, 80, 24));
        assert_eq!(screen.pace(), None);
        press(&mut screen, "!");
        assert!(screen.pace().is_some());
    }

    #[test]
    fn a_hint_shows_where_the_piece_should_lie_until_it_lies() {
        let (mut screen, news) = screen_with_hints("", true, "weighted(features=bcts)");
        press(&mut screen, " << > ?");
        assert!(picture(&screen, 80, 24).contains("Hint    thinking ..."));
        hear(&mut screen, &news);
        press(&mut screen, "<");
        insta::assert_snapshot!("hint", picture(&screen, 80, 24));
        press(&mut screen, " ");
        assert!(!picture(&screen, 80, 24).contains("<>"));
    }

    #[test]
    fn a_hint_for_a_piece_that_lies_already_is_dropped() {
        let (mut screen, news) = screen_with_hints("board=4x8", false, "greedy");
        press(&mut screen, "?");
        while screen.hints.is_thinking() {
            screen.tick();
        }
        hear(&mut screen, &news);
        assert_eq!(screen.hints.best(), None);
        press(&mut screen, "?!");
        assert!(!screen.hints.is_thinking());
    }

    #[test]
    fn the_turn_based_game_has_no_clock() {
        let mut screen = screen("", true);
        press(&mut screen, "<p");
        assert_eq!(screen.pace(), None);
        let picture = picture(&screen, 80, 24);
        assert!(!picture.contains("pause") && !picture.contains("Level"));
    }

    #[test]
    fn a_tall_board_says_what_window_it_needs() {
        let picture = picture(&screen("board=16x32", false), 80, 24);
        assert!(
            picture.contains("needs a window of at least 57x35"),
            "{picture}"
        );
    }

    #[test]
    fn dropping_everything_ends_the_game() {
        let mut fall = fall("");
        while !fall.is_over() {
            assert!(matches!(fall.drop(), Step::Locked(_)));
        }
        assert_eq!(fall.step(), Step::Fell, "nothing moves any more");
        fall.restart();
        assert!(!fall.is_over());
        assert_eq!(fall.falling.position().pieces(), 0);
    }

    #[test]
    fn a_row_takes_less_time_from_level_to_level() {
        assert_eq!(pace(1), Duration::from_millis(800));
        for level in 1..15 {
            assert!(pace(level + 1) < pace(level));
        }
        assert_eq!(pace(1000), LAST_PACE);
        assert_eq!(pace(u64::MAX), LAST_PACE);
    }

    #[test]
    fn lines_count_and_raise_the_level() {
        let mut fall = fall("board=4x8 shapes=I known=1");
        for _ in 0..10 {
            fall.drop();
        }
        assert_eq!((fall.score(), fall.level()), (100, 2));
    }
}
