//! A table of Connect-N: whose turn it is, what is taken back, who has won how often.

use games::connect::{Bits, Column, Connect, Position};
use games::{Game, Turn};

use crate::tui::keys::Way;

/// Games that X and O have won, and drawn ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tally {
    pub(super) won: [u32; 2],
    pub(super) drawn: u32,
}

/// What people and a player do in games of Connect-N.
#[derive(Debug)]
pub(super) struct Match<B> {
    pub(super) game: Connect<B>,
    /// The seat of the player, if one plays.
    pub(super) player: Option<u8>,
    pub(super) position: Position<B>,
    pub(super) moves: Vec<Column>,
    pub(super) cursor: u8,
    /// Games before this one.
    tally: Tally,
    /// Why the player could not go on with this one, which is lost for it.
    pub(super) forfeit: Option<String>,
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
            forfeit: None,
        }
    }

    pub(super) fn seat(&self) -> Option<u8> {
        match self.game.turn(&self.position) {
            Turn::Player(seat) if self.forfeit.is_none() => Some(seat),
            Turn::Player(_) | Turn::Chance | Turn::Over => None,
        }
    }

    pub(super) fn winner(&self) -> Option<u8> {
        match (&self.forfeit, self.player) {
            (Some(_), Some(player)) => Some(1 - player),
            _ => self.game.winner(&self.position),
        }
    }

    /// Is it the turn of the player (and not of a person)?
    pub(super) fn waits_for_player(&self) -> Option<u8> {
        self.seat().filter(|&seat| self.player == Some(seat))
    }

    pub(super) fn is_persons_turn(&self) -> bool {
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
        self.forfeit = None;
        self.moves.truncate(ply);
        self.position = self.game.start();
        for &column in &self.moves {
            self.game.play_unchecked(&mut self.position, column);
        }
    }

    pub(super) fn restart(&mut self) {
        self.tally = self.tally();
        self.forfeit = None;
        self.moves.clear();
        self.position = self.game.start();
    }

    /// All games that ended, this one included. It follows from the position, so undo takes it back.
    pub(super) fn tally(&self) -> Tally {
        let mut tally = self.tally;
        if self.seat().is_none() {
            match self.winner() {
                Some(seat) => tally.won[usize::from(seat)] += 1,
                None => tally.drawn += 1,
            }
        }
        tally
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use games::connect::Rules;

    /// A table with these rules.
    pub(in super::super) fn new(options: &str, player: Option<u8>) -> Match<u64> {
        let rules = Rules::from_options(&options.parse().unwrap()).unwrap();
        Match::new(Connect::new(rules), player)
    }

    fn drop_all(table: &mut Match<u64>, columns: &str) {
        for digit in columns.bytes() {
            table.drop_at(digit - b'1');
        }
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
