//! 2048 for a person: slide, take back, play on after winning.

use games::twenty48::{Direction, Position, Twenty48};
use games::{Game, Turn};
use play::advice::value_text;
use players::arena::Dice;
use ratatui::crossterm::event::KeyCode;
use ratatui::style::Style;
use ratatui::text::Line;

use super::{Play, Table, hints, scores, show};
use crate::output::{Failure, number};
use crate::tui::best::Best;
use crate::tui::events::Events;
use crate::tui::hint::{Advice, Hints};
use crate::tui::keys::{Help, Way, way};
use crate::tui::paint::twenty48::{Board, highest, new_cell};
use crate::tui::session::{Clock, Session};
use crate::tui::stage::{Notice, Place, Scene, row};
use crate::tui::theme;

const KEYS: &[Help] = &[
    ("←↑↓→", "slide"),
    ("u", "undo"),
    ("Esc", "new game"),
    ("?", "hint"),
    ("i", "help"),
    ("q", "leave"),
];
const MORE: &[Help] = &[("hjkl wasd", "slide, too"), ("F1", "help, too")];

/// One moment of a game. Chance is part of it: taking a move back does not roll the dice again.
#[derive(Debug, Clone)]
struct Moment {
    position: Position,
    dice: Dice,
    new: Option<usize>,
}

/// What a person does in a game of 2048.
#[derive(Debug)]
pub(super) struct Round {
    game: Twenty48,
    seed: u64,
    number: u64,
    now: Moment,
    before: Vec<Moment>,
    praise: Praise,
}

/// The person is told once that they have won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Praise {
    Due,
    Shown,
    Over,
}

impl Round {
    pub(super) fn new(game: Twenty48, seed: u64, number: u64) -> Self {
        let mut now = Moment {
            position: game.start(),
            dice: Dice::of(seed, number),
            new: None,
        };
        now.let_chance_act(&game);
        Self {
            game,
            seed,
            number,
            now,
            before: Vec::new(),
            praise: Praise::Due,
        }
    }

    pub(super) fn slide(&mut self, direction: Direction) {
        let mut next = self.now.clone();
        if self.game.play(&mut next.position, direction).is_err() {
            return;
        }
        next.let_chance_act(&self.game);
        next.new = new_cell(&self.game, &self.now.position, direction, &next.position);
        self.before.push(std::mem::replace(&mut self.now, next));
        let won = self.game.is_won(&self.now.position);
        if won && self.praise == Praise::Due && !self.is_over() {
            self.praise = Praise::Shown;
        }
    }

    pub(super) fn undo(&mut self) {
        if let Some(before) = self.before.pop() {
            self.now = before;
        }
        self.play_on();
    }

    pub(super) fn restart(&mut self) {
        *self = Self::new(self.game.clone(), self.seed, self.number + 1);
    }

    /// The praise has been seen.
    fn play_on(&mut self) {
        if self.praise == Praise::Shown {
            self.praise = Praise::Over;
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.game.turn(&self.now.position) == Turn::Over
    }

    pub(super) fn score(&self) -> i64 {
        self.game.score(&self.now.position)
    }
}

impl Moment {
    fn let_chance_act(&mut self, game: &Twenty48) {
        while game.turn(&self.position) == Turn::Chance {
            self.dice.draw(game, &mut self.position);
        }
    }
}

struct Screen {
    title: String,
    round: Round,
    best: Best,
    hints: Hints<Twenty48>,
}

impl Screen {
    /// The directions with their values, the best one marked.
    fn values(&self) -> Vec<Line<'static>> {
        let hints = &self.hints;
        if !hints.has_values() {
            return Vec::new();
        }
        let line = |direction: Direction| {
            let value = hints.value(direction).map_or("-".to_owned(), value_text);
            let (mark, style) = match hints.best() == Some(direction) {
                true => ('>', theme::GOOD),
                false => (' ', Style::new()),
            };
            let text = format!("{mark} {:<8}{value:>10}", name(direction));
            Line::styled(text, style)
        };
        Direction::ALL.map(line).into()
    }

    fn notice(&self) -> Option<Notice> {
        let round = &self.round;
        let won = round.game.is_won(&round.now.position);
        let tile = 1_u64 << round.game.rules().win;
        let (title, style, then) = match (round.is_over(), won) {
            (true, true) if round.game.rules().stop_at_win => {
                (format!("You won: {tile}!"), theme::GOOD, "")
            }
            (true, _) => ("Game over".to_owned(), theme::BAD, ""),
            (false, _) if round.praise == Praise::Shown => (
                format!("You won: {tile}!"),
                theme::GOOD,
                "any other key plays on",
            ),
            _ => return None,
        };
        let score = scores(round.score(), &self.best);
        let mut lines = vec![score, String::new(), "Esc new game, u undo".to_owned()];
        lines.extend((!then.is_empty()).then(|| then.to_owned()));
        Some(Notice {
            title,
            style,
            lines,
            place: Place::Picture,
        })
    }

    fn keep(&mut self) {
        self.best.keep(self.round.score());
    }
}

impl Session for Screen {
    type News = Advice<Direction>;

    fn scene(&self) -> Scene<'_> {
        let round = &self.round;
        let of = |count: i64| number(count as f64, 0);
        let mut panel = vec![
            row("Score", &of(round.score())),
            row("Best", &of(self.best.with(round.score()))),
            row("Moves", &of(round.before.len() as i64)),
        ];
        panel.extend(highest(&round.game, &round.now.position));
        panel.extend(self.hints.panel(name, self.values()));
        Scene {
            title: self.title.clone(),
            picture: Box::new(Board {
                tiles: round.now.position.tiles(),
                new: round.now.new,
            }),
            panel,
            keys: KEYS,
            more: MORE,
            notice: self.notice(),
        }
    }

    fn key(&mut self, key: KeyCode) -> Clock {
        match key {
            KeyCode::Esc => {
                self.keep();
                self.round.restart();
            }
            KeyCode::Char('u') => self.round.undo(),
            _ if self.round.praise == Praise::Shown => self.round.play_on(),
            KeyCode::Char('?') if !self.round.is_over() => {
                self.hints.ask(&self.round.now.position);
            }
            _ => {
                if let Some(way) = way(key) {
                    self.round.slide(direction(way));
                }
            }
        }
        self.hints.follow(&self.round.now.position);
        if self.round.is_over() {
            self.keep();
        }
        Clock::Runs
    }

    fn news(&mut self, advice: Advice<Direction>) {
        self.hints.hear(advice);
    }
}

/// A direction for people.
fn name(direction: Direction) -> String {
    let arrow = match direction {
        Direction::Up => '↑',
        Direction::Right => '→',
        Direction::Down => '↓',
        Direction::Left => '←',
    };
    format!("{arrow} {direction}")
}

fn direction(way: Way) -> Direction {
    match way {
        Way::Up => Direction::Up,
        Way::Right => Direction::Right,
        Way::Down => Direction::Down,
        Way::Left => Direction::Left,
    }
}

impl Play for Twenty48 {
    const HINT: &'static str = "expectimax(depth=3)";

    fn sit(&self, table: &Table) -> Result<(), Failure> {
        let events = Events::listen()?;
        let mut screen = Screen {
            title: table.title.clone(),
            round: Round::new(self.clone(), table.seed, 0),
            best: Best::of(table.record.clone()),
            hints: hints(self, table, &events)?,
        };
        show(&events, &mut screen, |screen| {
            screen.keep();
            let highest = 1_u64 << screen.round.now.position.tiles().highest();
            let scores = scores(screen.round.score(), &screen.best);
            format!("2048: {scores}, highest tile {highest}\n")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing::{News, hear, hints_of, picture, press};
    use games::twenty48::Rules;

    fn round(options: &str) -> Round {
        let rules = Rules::from_options(&options.parse().unwrap()).unwrap();
        Round::new(Twenty48::new(rules), 1, 0)
    }

    fn play_to_the_end(round: &mut Round) {
        while !round.is_over() && round.praise != Praise::Shown {
            for direction in Direction::ALL {
                round.slide(direction);
            }
        }
    }

    fn screen(options: &str) -> Screen {
        screen_with_hints(options, "greedy").0
    }

    fn screen_with_hints(options: &str, player: &str) -> (Screen, News<Screen>) {
        let round = round(options);
        let (hints, news) = hints_of(&round.game, player);
        let screen = Screen {
            title: "2048".to_owned(),
            round,
            best: Best::unkept(),
            hints,
        };
        (screen, news)
    }

    #[test]
    fn the_screen_shows_tiles_scores_and_keys() {
        let mut screen = screen("");
        press(&mut screen, "<v>v<v<v>v<v<v>v<v<v>v<v");
        insta::assert_snapshot!(picture(&screen, 80, 24));
        insta::assert_snapshot!("small_window", picture(&screen, 57, 11));
        insta::assert_snapshot!("too_small_window", picture(&screen, 55, 11));
    }

    #[test]
    fn winning_and_losing_are_seen() {
        let mut screen = screen("win=16 size=3x3");
        play_to_the_end(&mut screen.round);
        insta::assert_snapshot!("won", picture(&screen, 80, 24));
        press(&mut screen, "x");
        play_to_the_end(&mut screen.round);
        insta::assert_snapshot!("lost", picture(&screen, 80, 24));
        press(&mut screen, "!");
        assert_eq!(screen.round.score(), 0);
        assert!(screen.best.with(0) > 0);
    }

    #[test]
    fn a_hint_shows_the_best_direction_and_what_all_are_worth() {
        let (mut screen, news) = screen_with_hints("", "greedy");
        press(&mut screen, "<v>v<v<v>v<v<v>v<v<v>v<v?");
        assert!(picture(&screen, 80, 24).contains("Hint    thinking ..."));
        hear(&mut screen, &news);
        insta::assert_snapshot!("hint", picture(&screen, 80, 24));
        press(&mut screen, "?");
        assert!(!screen.hints.is_thinking(), "it is known already");
        press(&mut screen, "<>");
        assert!(!picture(&screen, 80, 24).contains("Hint"));
    }

    #[test]
    fn a_player_that_does_not_judge_moves_gives_a_hint_without_values() {
        let (mut screen, news) = screen_with_hints("", "random");
        press(&mut screen, "?");
        hear(&mut screen, &news);
        let best = screen.hints.best().map(name).unwrap();
        let picture = picture(&screen, 80, 24);
        assert!(
            picture.contains(&format!("{best} ")) && !picture.contains('>'),
            "{picture}"
        );
    }

    #[test]
    fn a_hint_for_a_position_that_has_gone_is_dropped() {
        let (mut screen, news) = screen_with_hints("", "greedy");
        press(&mut screen, "?<>");
        hear(&mut screen, &news);
        assert_eq!(screen.hints.best(), None);
        press(&mut screen, "?");
        assert!(screen.hints.is_thinking());
        hear(&mut screen, &news);
        assert!(screen.hints.best().is_some());
    }

    #[test]
    fn the_largest_board_fits_the_smallest_usual_window() {
        let picture = picture(&screen("size=5x5 rules=fer"), 80, 24);
        assert!(!picture.contains("needs a window"));
    }

    #[test]
    fn undo_takes_back_and_chance_does_not_change_its_mind() {
        let mut round = round("");
        let start = round.now.position;
        round.slide(Direction::Left);
        round.slide(Direction::Up);
        let (later, new) = (round.now.position, round.now.new);
        assert!(new.is_some());
        round.undo();
        round.undo();
        round.undo();
        assert_eq!(round.now.position, start);
        round.slide(Direction::Left);
        round.slide(Direction::Up);
        assert_eq!((round.now.position, round.now.new), (later, new));
    }

    #[test]
    fn a_slide_that_changes_nothing_is_no_move() {
        let mut round = round("");
        for _ in 0..20 {
            round.slide(Direction::Left);
        }
        let moves = round.before.len();
        round.slide(Direction::Left);
        assert_eq!(round.before.len(), moves);
    }

    #[test]
    fn a_new_game_is_another_one() {
        let mut round = round("");
        let first = round.now.position;
        round.slide(Direction::Left);
        round.restart();
        assert!(round.before.is_empty());
        assert_ne!(round.now.position, first);
    }

    #[test]
    fn winning_is_praised_once_and_the_game_goes_on() {
        let mut round = round("win=16");
        play_to_the_end(&mut round);
        assert_eq!(round.praise, Praise::Shown);
        round.play_on();
        play_to_the_end(&mut round);
        assert!(round.is_over());
        assert_eq!(round.praise, Praise::Over);
    }

    #[test]
    fn with_stop_at_win_winning_is_the_end() {
        let mut round = round("win=16 stop-at-win=true");
        play_to_the_end(&mut round);
        assert!(round.is_over());
        assert_eq!(round.praise, Praise::Due);
    }
}
