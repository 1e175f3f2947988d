//! A plain exhaustive solver over the contract of all games, written to be obviously right.

use std::collections::HashMap;

use games::connect::{Bits, Connect, Rules};
use games::{Game, Turn};

type Position<B> = <Connect<B> as Game>::Position;

/// How a game ends with best play, and after how many moves more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Loss(u32),
    Draw,
    Win(u32),
}

impl End {
    /// The same end one move earlier, seen by the other player.
    fn before(self) -> Self {
        match self {
            Self::Loss(moves) => Self::Win(moves + 1),
            Self::Draw => Self::Draw,
            Self::Win(moves) => Self::Loss(moves + 1),
        }
    }

    /// The higher, the better for the player to move: quick wins before slow ones before draws.
    fn rank(self) -> i64 {
        match self {
            Self::Loss(moves) => -1000 + i64::from(moves),
            Self::Draw => 0,
            Self::Win(moves) => 1000 - i64::from(moves),
        }
    }

    /// The moves until the line, if there will be one.
    pub(super) fn moves(self) -> Option<u32> {
        match self {
            Self::Loss(moves) | Self::Win(moves) => Some(moves),
            Self::Draw => None,
        }
    }

    /// The score by its definition in words: one more than the stones that the winner would still lay in
    /// the longest game after the winning one.
    pub(super) fn score(self, rules: Rules, plies: u32) -> i32 {
        let Some(moves) = self.moves() else { return 0 };
        let last = plies + moves;
        let still_laid = (last + 1..=rules.longest_game())
            .filter(|ply| ply % 2 == last % 2)
            .count() as i32;
        match self {
            Self::Loss(_) => -(still_laid + 1),
            _ => still_laid + 1,
        }
    }
}

/// Every position that can be reached from one, with its end.
pub(super) struct Plain<B: Bits> {
    pub(super) game: Connect<B>,
    pub(super) ends: HashMap<[B; 2], (Position<B>, End)>,
}

impl<B: Bits> Plain<B> {
    pub(super) fn new(rules: Rules) -> Self {
        Self {
            game: Connect::new(rules),
            ends: HashMap::new(),
        }
    }

    pub(super) fn end(&mut self, position: &Position<B>) -> End {
        let key = self.game.key(position);
        if let Some(&(_, end)) = self.ends.get(&key) {
            return end;
        }
        let end = match self.game.turn(position) {
            Turn::Over if self.game.score(position) == 0 => End::Draw,
            // Only the player who moved last can have a line.
            Turn::Over => End::Loss(0),
            _ => self.best(position),
        };
        self.ends.insert(key, (*position, end));
        end
    }

    fn best(&mut self, position: &Position<B>) -> End {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let ends = moves.iter().map(|&chosen| {
            let mut after = *position;
            self.game.play_unchecked(&mut after, chosen);
            self.end(&after).before()
        });
        ends.max_by_key(|end| end.rank()).expect("a legal move")
    }

    pub(super) fn score(&mut self, position: &Position<B>) -> i32 {
        self.end(position)
            .score(self.game.rules(), position.plies())
    }
}
