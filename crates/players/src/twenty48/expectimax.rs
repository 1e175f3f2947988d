//! `expectimax`: the best move on average over what chance may do.
//!
//! value(before a move) = max over moves of value(after it); value(after a move) = mean over the new tile,
//! 2 and 4 on every empty cell by their probabilities, of the value before the next move; at depth 0 the
//! evaluation of the board after the move. Depth counts the player's moves: 1 compares the boards its own
//! moves lead to. Boards that come about with less than `cutoff` probability are evaluated at once. Positions
//! reached in different orders are searched once.
//!
//! With `nodes`, or a limit from the caller, the search deepens step by step until the budget is used up, and the last
//! complete depth decides.

mod table;

use std::sync::Arc;

use games::twenty48::{Direction, Packed, Position, Spawn, Tiles, Twenty48};
use games::{Game, Stream};

use super::network::{self, BoardNetwork};
use crate::evaluate::twenty48::{self, Corner, Lines};
use crate::evaluate::{self, EVAL, Evaluate, WEIGHTS};
use crate::network::Network;
use crate::network::downgrade::{self, DOWNGRADE, downgraded};
use crate::player::{
    Cancelled, Interrupts, Named, Player, PlayerFactory, Prepared, Stop, Tunable, best,
};
use spec::{Kind, Parameter, Spec, SpecError};
use table::Table;

const DEPTH: Parameter = Parameter {
    name: "depth",
    default: "3",
    help: "own moves to look ahead, 1 to 12; the maximum if there are nodes or a time limit",
};
const CUTOFF: Parameter = Parameter {
    name: "cutoff",
    default: "0.0001",
    help: "boards less probable than this are not searched further, 0 to 1",
};
const NODES: Parameter = Parameter {
    name: "nodes",
    default: "0",
    help: "maximum number of boards per move, deepening step by step; 0 for no limit",
};
/// `corner` and not `score`: an expectimax player should play well when nothing is said.
const STRONG_EVAL: Parameter = Parameter {
    default: "corner",
    ..EVAL
};

/// 2^16 places are 1 MiB: it stays in the cache.
const TABLE_BITS: u32 = 16;
/// Boards looked at between two looks at the clock and at whether the search is cancelled.
const LOOK: u64 = 1024;

/// Makes expectimax players.
#[derive(Debug, Clone, Copy)]
pub struct Expectimax;

/// The player: a search that values boards by `L` where it ends.
#[derive(Clone)]
struct Search<L> {
    depth: u32,
    cutoff: f32,
    budget: u64,
    leaf: L,
    downgrade: Option<u8>,
    table: Table,
    nodes: u64,
    /// Boards looked at before this move.
    before: u64,
    /// Whether the budget applies now; the first depth is always completed, so that there is a move to play.
    limited: bool,
    interrupts: Interrupts,
}

/// The budget ran out before the search was complete.
struct OutOfBudget;

/// How boards at the end of the search are valued.
trait Leaf: Clone + Send + Sync + 'static {
    /// Can it value packed boards, the fast way?
    const PACKED: bool;

    /// The board after sliding in each direction, and what that adds to its value.
    fn slides<B: Searched>(&self, game: &Twenty48, board: B) -> [(B, f32); 4] {
        Direction::ALL.map(|direction| (board.slid(game, direction), 0.0))
    }

    fn value<B: Searched>(&self, game: &Twenty48, board: B) -> f32;
}

impl Leaf for Corner {
    const PACKED: bool = true;

    #[inline]
    fn value<B: Searched>(&self, _: &Twenty48, board: B) -> f32 {
        match board.tiles() {
            Tiles::Packed(packed) => self.of_packed(packed),
            wide => self.of(wide),
        }
    }
}

impl Leaf for Lines {
    const PACKED: bool = true;

    #[inline]
    fn value<B: Searched>(&self, _: &Twenty48, board: B) -> f32 {
        self.alive(self.of(board.tiles()))
    }
}

/// A network expects what will be scored from a board on, so what was scored on the way to it counts, too.
impl Leaf for BoardNetwork {
    const PACKED: bool = true;

    #[inline]
    fn slides<B: Searched>(&self, game: &Twenty48, board: B) -> [(B, f32); 4] {
        board.slides(game)
    }

    #[inline]
    fn value<B: Searched>(&self, _: &Twenty48, board: B) -> f32 {
        Network::value(self, board.tiles())
    }
}

impl Leaf for Arc<dyn Evaluate<Twenty48>> {
    const PACKED: bool = false;

    fn value<B: Searched>(&self, game: &Twenty48, board: B) -> f32 {
        Evaluate::value(&**self, game, &board.position()) as f32
    }
}

/// A board after a move, as the search handles it.
trait Searched: Copy + PartialEq {
    fn slid(self, game: &Twenty48, direction: Direction) -> Self;
    /// The boards after sliding, and what each slide scores.
    fn slides(self, game: &Twenty48) -> [(Self, f32); 4];
    fn tiles(self) -> Tiles;
    fn position(self) -> Position;
    /// Calls `each` for every empty cell, with the boards on which a 2 and a 4 were put there.
    fn each_spawn(
        self,
        game: &Twenty48,
        each: impl FnMut(Self, Self) -> Result<(), OutOfBudget>,
    ) -> Result<(), OutOfBudget>;
    fn remembered(self, table: &Table, depth: u32) -> Option<f32>;
    fn remember(self, table: &mut Table, depth: u32, value: f32);
}

impl Searched for Packed {
    #[inline]
    fn slid(self, game: &Twenty48, direction: Direction) -> Self {
        game.slid_packed(self, direction)
    }

    #[inline]
    fn slides(self, game: &Twenty48) -> [(Self, f32); 4] {
        let slides = game.slides_packed(self);
        slides.map(|(slid, gain)| (slid, gain as f32))
    }

    #[inline]
    fn tiles(self) -> Tiles {
        Tiles::Packed(self)
    }

    fn position(self) -> Position {
        unreachable!("an evaluation that needs positions searches them")
    }

    #[inline]
    fn each_spawn(
        self,
        _: &Twenty48,
        mut each: impl FnMut(Self, Self) -> Result<(), OutOfBudget>,
    ) -> Result<(), OutOfBudget> {
        let mut empty = self.empty_cells();
        while empty != 0 {
            let cell = empty & empty.wrapping_neg();
            each(Self(self.0 | cell), Self(self.0 | cell << 1))?;
            empty &= empty - 1;
        }
        Ok(())
    }

    #[inline]
    fn remembered(self, table: &Table, depth: u32) -> Option<f32> {
        table.get(self, depth)
    }

    #[inline]
    fn remember(self, table: &mut Table, depth: u32, value: f32) {
        table.put(self, depth, value);
    }
}

impl Searched for Position {
    fn slid(self, game: &Twenty48, direction: Direction) -> Self {
        let mut next = self;
        game.play_unchecked(&mut next, direction);
        next
    }

    fn slides(self, game: &Twenty48) -> [(Self, f32); 4] {
        let before = Self::tiles(&self).merged();
        Direction::ALL.map(|direction| {
            let slid = self.slid(game, direction);
            (slid, (Self::tiles(&slid).merged() - before) as f32)
        })
    }

    fn tiles(self) -> Tiles {
        Self::tiles(&self)
    }

    fn position(self) -> Position {
        self
    }

    fn each_spawn(
        self,
        game: &Twenty48,
        mut each: impl FnMut(Self, Self) -> Result<(), OutOfBudget>,
    ) -> Result<(), OutOfBudget> {
        for (cell, _) in (0..)
            .zip(Self::tiles(&self).exponents())
            .filter(|&(_, exponent)| exponent == 0)
        {
            let with = |exponent| {
                let mut next = self;
                game.happen(&mut next, Spawn { cell, exponent });
                next
            };
            each(with(1), with(2))?;
        }
        Ok(())
    }

    fn remembered(self, _: &Table, _: u32) -> Option<f32> {
        None
    }

    fn remember(self, _: &mut Table, _: u32, _: f32) {}
}

impl<L: Leaf> Search<L> {
    fn prepared(spec: &Spec, leaf: L) -> Result<Prepared<Twenty48>, SpecError> {
        Ok(Prepared::copies(Self {
            depth: spec.number(&DEPTH, 1..=12)?,
            cutoff: spec.number(&CUTOFF, 0.0..=1.0)?,
            budget: spec.number(&NODES, 0..=u64::MAX)?,
            leaf,
            downgrade: downgrade::read(spec)?,
            table: Table::new(TABLE_BITS),
            nodes: 0,
            before: 0,
            limited: false,
            interrupts: Interrupts::default(),
        }))
    }

    /// Values of all moves: to the full depth, or as deep as the budget allows.
    fn values(&mut self, game: &Twenty48, position: &Position) -> Vec<(Direction, f64)> {
        self.before = self.nodes;
        if self.budget == 0 && self.interrupts.limit.is_none() {
            let values = self.values_to(game, position, self.depth);
            return values.unwrap_or_else(|OutOfBudget| worthless(game, position));
        }
        let mut values = worthless(game, position);
        for depth in 1..=self.depth {
            self.limited = depth > 1;
            match self.values_to(game, position, depth) {
                Ok(deeper) => values = deeper,
                Err(OutOfBudget) => break,
            }
        }
        values
    }

    fn values_to(
        &mut self,
        game: &Twenty48,
        position: &Position,
        depth: u32,
    ) -> Result<Vec<(Direction, f64)>, OutOfBudget> {
        let position = downgraded(position, self.downgrade);
        match position.tiles() {
            Tiles::Packed(packed) if L::PACKED => self.root(game, packed, depth),
            _ => self.root(game, position, depth),
        }
    }

    fn root<B: Searched>(
        &mut self,
        game: &Twenty48,
        board: B,
        depth: u32,
    ) -> Result<Vec<(Direction, f64)>, OutOfBudget> {
        let mut values = Vec::new();
        let slides = self.leaf.slides(game, board);
        for (direction, (next, gain)) in Direction::ALL.into_iter().zip(slides) {
            if changes(game, board, next) {
                let value = gain + self.after_move(game, next, depth - 1, 1.0)?;
                values.push((direction, f64::from(value)));
            }
        }
        Ok(values)
    }

    /// The value of a board after a move, with `depth` more moves to look ahead.
    fn after_move<B: Searched>(
        &mut self,
        game: &Twenty48,
        board: B,
        depth: u32,
        share: f32,
    ) -> Result<f32, OutOfBudget> {
        if depth == 0 || share < self.cutoff {
            self.count()?;
            return Ok(self.leaf.value(game, board));
        }
        if let Some(value) = board.remembered(&self.table, depth) {
            return Ok(value);
        }
        self.count()?;
        let four = game.rules().four as f32;
        let cells = board.tiles().empty() as f32;
        let (share_two, share_four) = (share * (1.0 - four) / cells, share * four / cells);
        let mut sum = 0.0;
        board.each_spawn(game, |two, with_four| {
            if four < 1.0 {
                sum += (1.0 - four) * self.before_move(game, two, depth, share_two)?;
            }
            if four > 0.0 {
                sum += four * self.before_move(game, with_four, depth, share_four)?;
            }
            Ok(())
        })?;
        // Under fer rules a move may leave the board full, which ends the game.
        let value = if cells == 0.0 { 0.0 } else { sum / cells };
        board.remember(&mut self.table, depth, value);
        Ok(value)
    }

    /// The value of a board on which the player is to move; 0 when the game is lost.
    fn before_move<B: Searched>(
        &mut self,
        game: &Twenty48,
        board: B,
        depth: u32,
        share: f32,
    ) -> Result<f32, OutOfBudget> {
        let mut best: f32 = 0.0;
        let mut first = true;
        for (next, gain) in self.leaf.slides(game, board) {
            if changes(game, board, next) {
                let value = gain + self.after_move(game, next, depth - 1, share)?;
                best = if first { value } else { best.max(value) };
                first = false;
            }
        }
        Ok(best)
    }

    #[cold]
    fn is_stopped(&self) -> bool {
        match self.limited {
            true => self.interrupts.is_due(),
            false => self.interrupts.is_cancelled(),
        }
    }

    /// Counts a board.
    #[inline]
    fn count(&mut self) -> Result<(), OutOfBudget> {
        self.nodes += 1;
        let spent = self.limited && self.budget > 0 && self.nodes - self.before > self.budget;
        if spent || (self.nodes.is_multiple_of(LOOK) && self.is_stopped()) {
            Err(OutOfBudget)
        } else {
            Ok(())
        }
    }
}

/// May a slide from one board to the other be made?
#[inline]
fn changes<B: Searched>(game: &Twenty48, before: B, after: B) -> bool {
    after.tiles() != before.tiles() || game.may_pass()
}

/// All moves, for a search that was cancelled before it had any value.
fn worthless(game: &Twenty48, position: &Position) -> Vec<(Direction, f64)> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
        .into_iter()
        .map(|direction| (direction, 0.0))
        .collect()
}

impl<L: Leaf> Player<Twenty48> for Search<L> {
    fn choose(&mut self, game: &Twenty48, position: &Position, _: &mut Stream) -> Direction {
        best(&self.values(game, position))
    }

    fn judge(
        &mut self,
        game: &Twenty48,
        position: &Position,
        _: &mut Stream,
    ) -> Vec<(Direction, f64)> {
        self.values(game, position)
    }

    fn limit(&mut self, stop: Stop) {
        self.interrupts.limit = Some(stop);
    }

    fn cancel_when(&mut self, cancelled: &Cancelled) {
        self.interrupts.cancelled = Some(Arc::clone(cancelled));
    }

    fn nodes(&self) -> Option<u64> {
        Some(self.nodes)
    }
}

impl Named for Expectimax {
    const KIND: Kind = Kind {
        name: "expectimax",
        about: "plays the best move on average over what chance may do",
        more: "Depth counts own moves; new tiles are weighed by their probability. Boards less probable than the cut-off are not \
               searched further. With nodes, or with a time limit, the search deepens step by step until the budget is used up and the \
               last complete depth decides.",
        parameters: &[DEPTH, STRONG_EVAL, WEIGHTS, CUTOFF, NODES, DOWNGRADE],
    };
}

impl PlayerFactory<Twenty48> for Expectimax {
    fn tunable(game: &Twenty48, spec: &Spec) -> Result<Tunable, SpecError> {
        Ok(twenty48::tunable(&evaluate::chosen(
            game,
            spec,
            &STRONG_EVAL,
        )?))
    }

    fn prepare(game: &Twenty48, spec: &Spec) -> Result<Prepared<Twenty48>, SpecError> {
        let eval = evaluate::chosen(game, spec, &STRONG_EVAL)?;
        match eval.name() {
            "corner" => Search::prepared(spec, Corner::from_spec(spec)?),
            "lines" => Search::prepared(spec, Lines::from_spec(spec)?),
            "network" => Search::prepared(spec, network::of_spec(game, &eval)?),
            _ => Search::prepared(spec, evaluate::of_spec(game, spec)?),
        }
    }
}
