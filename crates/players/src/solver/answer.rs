//! What a solver is asked and what it answers.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use games::connect::Column;

/// How a solver is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// Binary logarithm of the number of positions that the transposition table keeps at most: 8 bytes
    /// each where a board with a spare row fits 64 bits, 48 bytes each beyond. The table begins
    /// small and grows as it fills.
    pub table: u32,
    /// Keep what was learnt from one call to the next? That is faster within a game; the nodes of
    /// an answer then depend on what was asked before, proved scores never do.
    pub remember: bool,
    /// Look the first moves up in the opening book, where there is one for the board? Scores stay the
    /// same; the nodes of an answer are then those that were needed besides.
    pub book: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            table: 23,
            remember: false,
            book: false,
        }
    }
}

/// What is proved of the moves of a position first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The score of one move after another, which takes the fewest nodes.
    ScoreByScore,
    /// Win, draw or loss of all moves, then their scores: for somebody who waits.
    VerdictsFirst,
}

impl Order {
    /// Scores that every move is asked about before any is narrowed further.
    pub(super) fn first_targets(self) -> &'static [i32] {
        match self {
            Self::ScoreByScore => &[],
            Self::VerdictsFirst => &[1, 0],
        }
    }
}

/// What an answer may cost; by default there is no limit.
#[derive(Clone, Copy, Default)]
pub struct Budget<'a> {
    /// Most nodes to search.
    pub nodes: Option<u64>,
    /// Asked every few thousand nodes whether to stop.
    pub stop: Option<&'a dyn Fn() -> bool>,
    /// Looked at as often: once it is true, the answer does not matter. It changes no answer as long as it is false.
    pub cancelled: Option<&'a AtomicBool>,
    /// Most nodes that choosing a move may take for the exact score once win, draw or loss is proved.
    pub refine: Option<u64>,
}

impl Budget<'_> {
    /// May the search be cut short before the verdict is proved?
    pub(super) fn is_limited(&self) -> bool {
        self.nodes.is_some() || self.stop.is_some()
    }

    /// Is the search to stop now, whatever it has found?
    #[cold]
    pub(super) fn is_over(&self) -> bool {
        self.cancelled
            .is_some_and(|cancelled| cancelled.load(Ordering::Relaxed))
            || self.stop.is_some_and(|stop| stop())
    }

    /// The same with at most that many nodes.
    pub(super) fn at_most(self, nodes: u64) -> Self {
        Self {
            nodes: Some(self.nodes.map_or(nodes, |most| most.min(nodes))),
            ..self
        }
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("nodes", &self.nodes)
            .field("stop", &self.stop.is_some())
            .field("cancelled", &self.cancelled)
            .field("refine", &self.refine)
            .finish()
    }
}

/// The value of a position for the player to move, when both play best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The opponent can force a line.
    Loss,
    /// Neither can force a line.
    Draw,
    /// The player to move can force a line.
    Win,
}

impl Verdict {
    /// The verdict that a score stands for.
    #[must_use]
    pub fn of(score: i32) -> Self {
        match score {
            ..0 => Self::Loss,
            0 => Self::Draw,
            1.. => Self::Win,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        })
    }
}

/// A proved score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solved {
    /// The score for the player to move; see the [module](super) for its definition.
    pub score: i32,
    /// Moves of both players until the line is complete, if both play best; `None` in a draw.
    pub moves: Option<u32>,
    /// Nodes searched.
    pub nodes: u64,
}

impl Solved {
    /// Win, draw or loss.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        Verdict::of(self.score)
    }
}

/// A proved verdict, without the length of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weak {
    /// Win, draw or loss for the player to move.
    pub verdict: Verdict,
    /// Nodes searched.
    pub nodes: u64,
}

/// What is known when the budget has run out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not proved within {nodes} nodes: the score is between {lower} and {upper}")]
pub struct Unproved {
    /// The score is at least this. (A weak answer knows only 1, 0 and -1.)
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    /// The move that looks best so far.
    pub best: Column,
    /// Nodes searched.
    pub nodes: u64,
}

/// What is known of one move, for the player who makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveScore {
    /// The move.
    pub column: Column,
    /// Its score is at least this.
    pub lower: i32,
    /// Its score is at most this.
    pub upper: i32,
}

impl MoveScore {
    /// The score, if it is proved.
    #[must_use]
    pub fn score(&self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Win, draw or loss, if that is proved.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        let verdict = Verdict::of(self.lower);
        (verdict == Verdict::of(self.upper)).then_some(verdict)
    }

    /// How good the move looks; compare with `>`. What is held for certain comes first: a proved win, then
    /// a proved draw. Of moves that may lose, one that may still win is best and a proved loss is last. Of
    /// moves alike the score decides: by what is certain where the verdict is, else by the middle of what is possible.
    pub(super) fn outlook(&self) -> (i32, i32, i32, i32) {
        let Self { lower, upper, .. } = *self;
        let (worst, best) = (lower.signum(), upper.signum());
        let sure = if worst == best { lower } else { lower + upper };
        (worst, best, sure, upper)
    }

    /// The move that looks best by what is known; of equals the first.
    pub fn best(moves: impl IntoIterator<Item = Self>) -> Option<Column> {
        let better = |best: Self, other: Self| {
            if other.outlook() > best.outlook() {
                other
            } else {
                best
            }
        };
        moves.into_iter().reduce(better).map(|best| best.column)
    }
}

/// Every legal move with its score, by column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The moves; none when the game is over.
    pub moves: Vec<MoveScore>,
    /// Nodes searched.
    pub nodes: u64,
}

/// The move to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Best {
    /// The move.
    pub column: Column,
    /// The score it keeps; `None` if the budget ran out before that was proved to be the best.
    pub score: Option<i32>,
    /// Nodes searched.
    pub nodes: u64,
}
