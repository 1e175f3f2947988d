//! A game that a person plays: moves, moves taken back, new games. Another person or a player may sit opposite.

use games::Turn;
use play::any::AnyPosition;
use players::arena::Dice;

use crate::tui::paint::winner;

/// One moment of a game. Chance is part of it: taking a move back does not roll the dice again.
#[derive(Debug, Clone)]
struct Moment {
    position: AnyPosition,
    dice: Dice,
}

/// Games of one person, or of two, or of a person and a player, one after the other.
#[derive(Debug)]
pub(super) struct Round {
    start: AnyPosition,
    seed: u64,
    number: u64,
    /// The seat of the player, if one plays.
    pub(super) player: Option<u8>,
    now: Moment,
    /// The moments of all moves so far, with the moves.
    before: Vec<(Moment, String)>,
    /// Why the player gave up.
    forfeit: Option<String>,
}

impl Round {
    /// The first game from this position on; `player` is the seat of the player, if one plays.
    pub(super) fn new(start: AnyPosition, seed: u64, player: Option<u8>) -> Self {
        Self {
            now: Moment::first(&start, seed, 0),
            start,
            seed,
            number: 0,
            player,
            before: Vec::new(),
            forfeit: None,
        }
    }

    /// Begins the next game.
    pub(super) fn restart(&mut self) {
        self.number += 1;
        self.now = Moment::first(&self.start, self.seed, self.number);
        self.before.clear();
        self.forfeit = None;
    }

    /// The current position.
    pub(super) fn position(&self) -> &AnyPosition {
        &self.now.position
    }

    /// How many moves have been made.
    pub(super) fn moves(&self) -> usize {
        self.before.len()
    }

    /// The last move, and the position before it.
    pub(super) fn last(&self) -> Option<(&AnyPosition, &str)> {
        let (moment, chosen) = self.before.last()?;
        Some((&moment.position, chosen))
    }

    /// The seat whose turn it is; none when the game is over.
    pub(super) fn seat(&self) -> Option<u8> {
        match self.now.position.turn() {
            Turn::Player(seat) if self.forfeit.is_none() => Some(seat),
            Turn::Player(_) | Turn::Chance | Turn::Over => None,
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.seat().is_none()
    }

    /// Is it the turn of the player (and not of a person)?
    pub(super) fn waits_for_player(&self) -> Option<u8> {
        self.seat().filter(|&seat| self.player == Some(seat))
    }

    pub(super) fn is_persons_turn(&self) -> bool {
        self.seat().is_some_and(|seat| self.player != Some(seat))
    }

    /// Points of the first seat; a two-player game is lost for a player that gave up.
    pub(super) fn score(&self) -> i64 {
        let forfeit = self.player.zip(self.forfeit.clone());
        self.now.position.score_after(forfeit.as_ref())
    }

    /// The seat that has won a two-player game.
    pub(super) fn winner(&self) -> Option<u8> {
        winner(self.score())
    }

    /// Why the player gave up, if it did.
    pub(super) fn forfeit(&self) -> Option<&str> {
        self.forfeit.as_deref()
    }

    /// Makes the move of a person, or nothing if it is not their turn or the rules do not allow it.
    pub(super) fn play(&mut self, chosen: &str) {
        if self.is_persons_turn() {
            self.make(chosen);
        }
    }

    /// Makes the move of the player, or ends the game there.
    pub(super) fn answer(&mut self, chosen: Result<String, String>) {
        match chosen {
            Ok(chosen) => self.make(&chosen),
            Err(reason) => self.forfeit = Some(reason),
        }
    }

    fn make(&mut self, chosen: &str) {
        let mut next = self.now.clone();
        if next.position.play(chosen).is_ok() {
            next.let_chance_act();
            let now = std::mem::replace(&mut self.now, next);
            self.before.push((now, chosen.to_owned()));
        }
    }

    /// Takes back to the last choice of a person.
    pub(super) fn undo(&mut self) {
        let is_persons = |(moment, _): &(Moment, String)| match moment.position.turn() {
            Turn::Player(seat) => self.player != Some(seat),
            Turn::Chance | Turn::Over => false,
        };
        let Some(place) = self.before.iter().rposition(is_persons) else {
            return;
        };
        self.forfeit = None;
        self.before.truncate(place + 1);
        if let Some((moment, _)) = self.before.pop() {
            self.now = moment;
        }
    }
}

impl Moment {
    fn first(start: &AnyPosition, seed: u64, number: u64) -> Self {
        let mut moment = Self {
            position: start.clone(),
            dice: Dice::of(seed, number),
        };
        moment.let_chance_act();
        moment
    }

    fn let_chance_act(&mut self) {
        while self.position.turn() == Turn::Chance {
            self.position.draw(&mut self.dice);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use games::registry;

    use super::*;

    /// A first game of these rules.
    pub(in super::super) fn round(game: &str, options: &str, player: Option<u8>) -> Round {
        let game = registry::build(game, &options.parse().unwrap()).unwrap();
        Round::new(AnyPosition::start(&game), 1, player)
    }

    fn play_all(round: &mut Round, moves: &str) {
        for chosen in moves.split(' ') {
            round.play(chosen);
        }
    }

    #[test]
    fn undo_takes_back_and_chance_does_not_change_its_mind() {
        let mut round = round("2048", "", None);
        let start = round.position().clone();
        play_all(&mut round, "left up");
        let later = round.position().clone();
        (0..3).for_each(|_| round.undo());
        assert_eq!(*round.position(), start);
        play_all(&mut round, "left up");
        assert_eq!(*round.position(), later);
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut round = round("2048", "", None);
        (0..20).for_each(|_| round.play("left"));
        let moves = round.moves();
        play_all(&mut round, "left nowhere");
        assert_eq!(round.moves(), moves);
    }

    #[test]
    fn a_new_game_is_another_one() {
        let mut round = round("2048", "", None);
        let first = round.position().clone();
        round.play("left");
        round.restart();
        assert_eq!(round.moves(), 0);
        assert_ne!(*round.position(), first);
    }

    #[test]
    fn undo_goes_back_to_the_persons_own_choice() {
        let mut round = round("connect", "", Some(1));
        round.play("1");
        assert_eq!(round.waits_for_player(), Some(1));
        round.play("2");
        assert_eq!(round.moves(), 1, "a person cannot move for the player");
        round.answer(Ok("5".to_owned()));
        round.play("2");
        round.undo();
        assert_eq!(round.moves(), 2);
        round.undo();
        assert_eq!(round.moves(), 0);
        round.undo();
    }

    #[test]
    fn moving_second_the_players_first_move_stays() {
        let mut round = round("connect", "", Some(0));
        assert_eq!(round.waits_for_player(), Some(0));
        round.answer(Ok("4".to_owned()));
        round.undo();
        assert_eq!(round.moves(), 1);
        round.play("1");
        round.undo();
        assert_eq!(round.last().unwrap().1, "4");
    }

    #[test]
    fn a_player_that_cannot_go_on_loses_until_that_is_taken_back() {
        let mut round = round("connect", "", Some(1));
        round.play("4");
        round.answer(Err("it broke".to_owned()));
        assert_eq!((round.is_over(), round.winner()), (true, Some(0)));
        round.undo();
        assert_eq!((round.is_over(), round.winner()), (false, None));
    }
}
