//! From a position of the game to a node of the search, and from a score back to a number of moves.

use std::sync::Arc;

use arrayvec::ArrayVec;
use games::connect::{Bits, Column, Position, Rules};

use super::answer::{Config, MoveScore};
use super::bounds::Between;
use super::node::{Choice, Node};
use super::search::Search;
use super::shape::{Geometry, Shape, centre_out};
use super::slot::Slot;
use super::table::Table;
use super::team::Team;
use super::word::Word;

/// A position whose score is wanted.
#[derive(Debug, Clone, Copy)]
pub(super) enum Root<W> {
    /// It needs no search: the game is over, or the player to move wins with the next stone.
    Known(i32),
    /// Neither.
    Open(Node<W>),
}

/// A move, what is known of its score, and the position after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<W> {
    pub(super) column: Column,
    pub(super) known: Between,
    pub(super) after: Root<W>,
}

impl<W> Candidate<W> {
    /// What is known of the move.
    pub(super) fn score(&self) -> MoveScore {
        MoveScore {
            column: self.column,
            lower: self.known.lower,
            upper: self.known.upper,
        }
    }
}

impl<S: Shape, const MOST: usize> Search<S, MOST> {
    pub(super) fn new(rules: Rules, config: Config) -> Self {
        let shape = S::new(rules);
        let key_bits = shape.geometry().stride * shape.geometry().cols;
        Self {
            table: Table::new(key_bits, config.table),
            near: Table::small(key_bits),
            shape,
            nodes: 0,
            book: None,
            team: None,
        }
    }

    /// Joins a team, unless positions of such boards cannot be shared.
    pub(super) fn join(&mut self, team: &Arc<Team>) -> bool {
        if !<S::Word as Word>::Slot::IS_A_WORD {
            return false;
        }
        team.add::<<S::Word as Word>::Slot>(self.table.widths());
        self.team = Some(team.clone());
        true
    }

    /// The position in the solver's own layout. The player to move may have a winning move.
    pub(super) fn node<B: Bits>(&self, position: &Position<B>) -> Node<S::Word> {
        let seat = (position.plies() % 2) as u8;
        let [own, opponent] = [seat, 1 - seat].map(|seat| {
            translated(
                position.stones(seat),
                position.rows(),
                self.shape.geometry(),
            )
        });
        Node::new(&self.shape, own, opponent)
    }

    /// What is to be found out about a node of which nothing is known.
    pub(super) fn root(&self, node: &Node<S::Word>) -> Root<S::Word> {
        if self.shape.has_line(node.opponent()) {
            return Root::Known(-self.win_in(node, 0));
        }
        if self.left(node) == 0 {
            return Root::Known(0);
        }
        let playable = self.shape.geometry().playable(node.occupied);
        if node.own_threats.meets(playable) {
            return Root::Known(self.win_in(node, 1));
        }
        Root::Open(*node)
    }

    /// The legal moves from the centre outwards. The game must not be over.
    pub(super) fn candidates(&self, node: &Node<S::Word>) -> ArrayVec<Candidate<S::Word>, MOST> {
        let geometry = self.shape.geometry();
        let playable = geometry.playable(node.occupied);
        centre_out(geometry.cols)
            .zip(&geometry.columns)
            .map(|(column, &cells)| (Column(column as u8), playable & cells))
            .filter(|(_, cell)| !cell.is_empty())
            .map(|(column, cell)| self.candidate(node, column, cell))
            .collect()
    }

    fn candidate(&self, node: &Node<S::Word>, column: Column, cell: S::Word) -> Candidate<S::Word> {
        let after = node.play(&self.shape, cell, node.threats_with(&self.shape, cell));
        let after = self.root(&after);
        let known = match after {
            Root::Known(score) => Between {
                lower: score,
                upper: score,
            },
            Root::Open(after) => self.known(&after),
        };
        Candidate {
            column,
            known: known.turned(),
            after,
        }
    }

    /// What book, threats, table and the length of the game tell of a node without search.
    pub(super) fn known(&self, node: &Node<S::Word>) -> Between {
        if let Some(score) = self.in_book(node) {
            return Between {
                lower: score,
                upper: score,
            };
        }
        let widest = Between {
            lower: -self.win_in(node, 2),
            upper: self.win_in(node, 3),
        };
        match node.choice(&self.shape) {
            Choice::Lost if self.left(node) > 1 => Between {
                upper: widest.lower,
                ..widest
            },
            _ => self.looked_up(node).map_or(widest, |record| Between {
                lower: record.lower,
                upper: record.upper,
            }),
        }
    }

    /// Moves until the line is complete, if the score of a node is this one.
    pub(super) fn moves_until_line(&self, node: &Node<S::Word>, score: i32) -> Option<u32> {
        let latest = self.left(node) + 2 - 2 * score.abs();
        // Two lengths share a score; the winner is who moves now when the length is odd.
        let odd = i32::from(score > 0);
        (score != 0).then(|| (latest - (latest + odd) % 2) as u32)
    }
}

fn translated<B: Bits, W: Word>(mut stones: B, rows: u8, geometry: &Geometry<W>) -> W {
    let rows = u32::from(rows);
    let mut set = W::ZERO;
    while !stones.is_empty() {
        let cell = stones.lowest();
        set |= W::bit(cell / rows * geometry.stride + cell % rows);
        stones &= !B::bit(cell);
    }
    set
}
