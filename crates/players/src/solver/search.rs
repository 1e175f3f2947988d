//! The search proper: is the score of a position at least so much?

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::answer::Budget;
use super::book::Book;
use super::bounds::{self, Between};
use super::moves::{self, Move, Prospect};
use super::node::{Choice, Node};
use super::shape::Shape;
use super::slot::{MOST_WORK, Record, Slot};
use super::table::{Table, joined};
use super::team::Team;
use super::word::Word;

/// The search was stopped by its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

type Mixed<S> = <<<S as Shape>::Word as Word>::Slot as Slot>::Mixed;

/// How many nodes pass between two questions to the caller whether to stop; a power of two.
const POLL: u64 = 4096;

/// Fewest moves left with which nodes stand in the large table, and are looked up before they are searched. Others stand in the small one.
const FAR: i32 = 16;

/// Fewest moves left with which what is found is shared with the team, whose members try not to search the same.
const SHARED: i32 = 18;

/// A search on boards of one shape, with at most `MOST` columns.
#[derive(Debug, Clone)]
pub(super) struct Search<S: Shape, const MOST: usize> {
    pub(super) shape: S,
    pub(super) table: Table<<S::Word as Word>::Slot>,
    /// What is known of nodes with few moves left.
    pub(super) near: Table<<S::Word as Word>::Slot>,
    pub(super) nodes: u64,
    /// The opening book, while a position that it can help with is searched.
    pub(super) book: Option<&'static Book>,
    /// Others who search the same position.
    pub(super) team: Option<Arc<Team>>,
}

impl<S: Shape, const MOST: usize> Search<S, MOST> {
    /// A score that is at least `target`, if the true one is, and that the true one is not below;
    /// else one below `target` that the true one is not above.
    pub(super) fn at_least(
        &mut self,
        node: &Node<S::Word>,
        target: i32,
        budget: &Budget<'_>,
    ) -> Result<i32, Stopped> {
        self.count(budget)?;
        let mut node = *node;
        let (mut target, mut sign) = (target, 1);
        // Forced replies are followed on the spot; each turns the board and the question round.
        let cells = loop {
            if self.left(&node) <= 1 {
                return Ok(0);
            }
            if let Some(score) = self.in_book(&node) {
                return Ok(sign * score);
            }
            match node.choice(&self.shape) {
                Choice::Lost => return Ok(-sign * self.win_in(&node, 2)),
                Choice::Free(cells) => break cells,
                Choice::Forced(cell) => {
                    let threats = node.threats_with(&self.shape, cell);
                    node = node.play(&self.shape, cell, threats);
                    (target, sign) = (1 - target, -sign);
                }
            }
        };
        Ok(sign * self.free_node(&node, cells, target, budget)?)
    }

    /// The same at a node where the player to move may choose among `cells`.
    fn free_node(
        &mut self,
        node: &Node<S::Word>,
        cells: S::Word,
        target: i32,
        budget: &Budget<'_>,
    ) -> Result<i32, Stopped> {
        if self.left(node) <= 2 {
            return Ok(0);
        }
        let by_length = self.by_length(node);
        if let Some(score) = by_length.settles(target) {
            return Ok(score);
        }
        let mixed = self.table.mix(self.key(node));
        if self.is_far(node) {
            self.table.prefetch(mixed);
        }
        let known = self.at_a_glance(node, mixed, target, by_length);
        if let Some(score) = known.settles(target) {
            return Ok(score);
        }
        let mut moves = ArrayVec::<_, MOST>::new();
        if moves::weigh(&self.shape, node, cells, &mut moves) == Prospect::WinInThree {
            return Ok(by_length.upper);
        }
        let known = known.at_most(self.win_in(node, 5));
        if let Some(score) = known.settles(target) {
            return Ok(score);
        }
        moves::sort(&mut moves);
        if let Some(score) = self.known_reply(node, &moves, target) {
            return Ok(score);
        }
        let before = self.nodes;
        let best = match self.team_at(node).cloned() {
            Some(team) => self.best_of_shared(&team, node, &moves, target, budget)?,
            None => self.best_of(node, &moves, target, budget)?,
        };
        let record = self.record(best, target, known, self.nodes - before);
        self.remember(node, mixed, record);
        Ok(best)
    }

    fn remember(&mut self, node: &Node<S::Word>, mixed: Mixed<S>, record: Record) {
        if !self.is_far(node) {
            self.near.put_latest(mixed, record);
            return;
        }
        self.table.put(mixed, record);
        if let Some(team) = self.team_at(node) {
            team.put::<<S::Word as Word>::Slot>(mixed, record);
        }
    }

    /// Neither player can win with the next stone: the quickest win and the quickest loss left.
    #[inline]
    fn by_length(&self, node: &Node<S::Word>) -> Between {
        Between {
            lower: -self.win_in(node, 4),
            upper: self.win_in(node, 3),
        }
    }

    /// Sharpens the bounds by the table and by what the board shows, until the target is settled.
    #[inline]
    fn at_a_glance(
        &self,
        node: &Node<S::Word>,
        mixed: Mixed<S>,
        target: i32,
        known: Between,
    ) -> Between {
        // What the board shows is found out while the table's memory is on its way.
        let known = bounds::without_search(&self.shape, node, target, known);
        match self.recalled(node, mixed) {
            Some(record) => known.at_least(record.lower).at_most(record.upper),
            None => known,
        }
    }

    /// Does the table already show that one of the moves reaches the target? Near the
    /// end of the game searching is cheaper than looking.
    #[inline]
    fn known_reply(
        &self,
        node: &Node<S::Word>,
        moves: &[Move<S::Word>],
        target: i32,
    ) -> Option<i32> {
        if self.left(node) <= FAR {
            return None;
        }
        // All are asked for before the first is looked at: memory then answers all at once.
        let places: ArrayVec<_, MOST> = moves
            .iter()
            .map(|tried| {
                let after = node.play(&self.shape, tried.cell, tried.threats);
                let mixed = self.table.mix(self.key(&after));
                self.table.prefetch(mixed);
                (after, mixed)
            })
            .collect();
        places.iter().find_map(|(after, mixed)| {
            let score = -self.recalled(after, *mixed)?.upper;
            (score >= target).then_some(score)
        })
    }

    /// Tries the moves until one reaches the target.
    fn best_of(
        &mut self,
        node: &Node<S::Word>,
        moves: &[Move<S::Word>],
        target: i32,
        budget: &Budget<'_>,
    ) -> Result<i32, Stopped> {
        let mut best = i32::MIN;
        for tried in moves {
            let after = node.play(&self.shape, tried.cell, tried.threats);
            best = best.max(-self.at_least(&after, 1 - target, budget)?);
            if best >= target {
                break;
            }
        }
        Ok(best)
    }

    /// Tries the moves until one reaches the target; those that others of the team are searching come last, but for the first one.
    fn best_of_shared(
        &mut self,
        team: &Team,
        node: &Node<S::Word>,
        moves: &[Move<S::Word>],
        target: i32,
        budget: &Budget<'_>,
    ) -> Result<i32, Stopped> {
        let mixed = self.table.mix(self.key(node));
        let mut best = i32::MIN;
        let mut later = ArrayVec::<Node<S::Word>, MOST>::new();
        for (place, tried) in moves.iter().enumerate() {
            let after = node.play(&self.shape, tried.cell, tried.threats);
            if place > 0 && team.is_searched(self.hash(&after)) {
                later.push(after);
                continue;
            }
            best = best.max(-self.searched(team, &after, 1 - target, budget)?);
            if best >= target {
                return Ok(best);
            }
            if let Some(score) = self.settled_by_others(team, mixed, target) {
                return Ok(score);
            }
        }
        for after in later {
            best = best.max(-self.searched(team, &after, 1 - target, budget)?);
            if best >= target {
                break;
            }
        }
        Ok(best)
    }

    /// Searches a node and lets the team know meanwhile.
    fn searched(
        &mut self,
        team: &Team,
        node: &Node<S::Word>,
        target: i32,
        budget: &Budget<'_>,
    ) -> Result<i32, Stopped> {
        let hash = self.hash(node);
        team.begin(hash);
        let found = self.at_least(node, target, budget);
        team.end(hash);
        found
    }

    fn hash(&self, node: &Node<S::Word>) -> u64 {
        <S::Word as Word>::Slot::hash(self.table.mix(self.key(node)))
    }

    /// The answer, if another of the team has found it meanwhile.
    fn settled_by_others(&self, team: &Team, mixed: Mixed<S>, target: i32) -> Option<i32> {
        let record = team.get::<<S::Word as Word>::Slot>(mixed)?;
        let Record { lower, upper, .. } = record;
        Between { lower, upper }.settles(target)
    }

    /// Does the large table hold what is known of such nodes?
    #[inline]
    fn is_far(&self, node: &Node<S::Word>) -> bool {
        self.left(node) >= FAR
    }

    /// The team, if it shares what is known of such nodes.
    #[inline]
    fn team_at(&self, node: &Node<S::Word>) -> Option<&Arc<Team>> {
        let team = self.team.as_ref()?;
        (self.left(node) >= SHARED).then_some(team)
    }

    /// What the own tables and the team's hold about a node.
    #[inline]
    fn recalled(&self, node: &Node<S::Word>, mixed: Mixed<S>) -> Option<Record> {
        if !self.is_far(node) {
            return self.near.get(mixed);
        }
        let own = self.table.get(mixed);
        let Some(team) = self.team_at(node) else {
            return own;
        };
        match (own, team.get::<<S::Word as Word>::Slot>(mixed)) {
            (Some(own), Some(others)) => Some(joined(own, others)),
            (own, others) => own.or(others),
        }
    }

    /// What a search has shown.
    fn record(&self, found: i32, target: i32, known: Between, nodes: u64) -> Record {
        let Between { lower, upper } = if found >= target {
            known.at_least(found)
        } else {
            known.at_most(found)
        };
        let work = (nodes + 1).ilog2().min(MOST_WORK);
        Record { lower, upper, work }
    }

    /// What the tables hold about a node.
    pub(super) fn looked_up(&self, node: &Node<S::Word>) -> Option<Record> {
        self.recalled(node, self.table.mix(self.key(node)))
    }

    #[inline]
    fn count(&mut self, budget: &Budget<'_>) -> Result<(), Stopped> {
        if budget.nodes.is_some_and(|most| self.nodes >= most) {
            return Err(Stopped);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL) && budget.is_over() {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Moves until the longest game ends.
    #[inline]
    pub(super) fn left(&self, node: &Node<S::Word>) -> i32 {
        self.shape.geometry().longest - node.plies
    }

    /// The score of a win with the stone that is the `moves`-th from now.
    #[inline]
    pub(super) fn win_in(&self, node: &Node<S::Word>, moves: i32) -> i32 {
        (self.left(node) + 2 - moves) / 2
    }

    /// The key of a position or of its mirror image, whichever is smaller.
    #[inline]
    pub(super) fn key(&self, node: &Node<S::Word>) -> <<S::Word as Word>::Slot as Slot>::Key {
        let key = S::Word::key(node.own, node.occupied);
        if node.lopsided {
            return key;
        }
        let geometry = self.shape.geometry();
        let mirror = S::Word::key(
            geometry.mirrored(node.own),
            geometry.mirrored(node.occupied),
        );
        if mirror < key { mirror } else { key }
    }
}
