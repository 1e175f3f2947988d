//! The exact solver of Connect-N: any board of up to 128 cells, any length of line, any number of pieces.
//!
//! # Score
//! The score of a position is that of the player to move. 0 is a draw. If the player to move wins by
//! best play, it is the number of own stones that would still be unplayed, in the longest possible
//! game, before the winning one is laid:
//!
//! > score = floor((L + 1 - n) / 2), where L = min(M N, 2 P) is the length of the longest game and n the
//! > number of stones on the board before the winning one;
//!
//! if the opponent wins, it is the opponent's score with a minus. So quicker wins have higher scores, and a player
//! of best scores wins as quickly and loses as slowly as possible. With M = 6, N = 7, P = 21 it is 22 minus the
//! winner's stones at the end, the score of Pascal Pons' tutorial "Solving Connect 4" and of its test positions.
//!
//! # Method
//! - A score is found by asking whether it is at least so much, halving what is possible ([`Solver::solve`]);
//!   a verdict by asking only about 0 and 1 ([`Solver::weak`]). One question is a negamax search with a window of
//!   width nothing.
//! - Boards are words of 64 bits with a spare row above the columns where that fits, else of 128 bits. All cells that would
//!   complete a line are found at once, for all moves side by side; a position inherits both players' threats.
//! - Moves that lose at once are never tried, forced replies are followed without branching, and a move that leaves the opponent
//!   without a sound reply ends the search of a position before it began.
//! - Moves that make more threats come first, those that spend one later, of equals the more central.
//! - A transposition table keeps lower and upper bounds, for a position and its mirror image alike, without ever
//!   confusing two positions. Before the replies of a position are searched they are looked up. Positions near the end have a
//!   small table of their own, which the processor's cache holds.
//! - The first moves of the classic board can be looked up in a book (`book`).
//! - Who has no open line left cannot win; and on boards with an even number of rows, answering move for move holds
//!   many a position. Both give bounds without search (`bounds`).
//!
//! The values of empty boards to compare with are those of John Tromp's table of Connect-4 on small boards.
//!
//! Several solvers may work on one position at the same time ([`Solver::join`]): they share what they find (`team`).
//!
//! Parameters: the size of the table ([`Config`]), nodes and a question whether to stop ([`Budget`]). A *node* is
//! a position that the search enters after a move of choice; forced replies belong to the node before them.

#[cfg(test)]
mod agreement;
mod answer;
mod any;
mod book;
mod bounds;
mod choose;
mod moves;
mod node;
mod perfect;
mod root;
mod search;
mod shape;
mod slot;
mod solve;
mod table;
mod team;
mod word;

use std::sync::Arc;

use games::connect::{Bits, Column, Position, Rules};

pub use answer::{
    Best, Budget, Config, Judgement, MoveScore, Order, Solved, Unproved, Verdict, Weak,
};
pub use any::{AnySolver, Board};
pub use book::{CLASSIC, Opening, book_bytes, has_book, openings};
pub use perfect::{Effort, Perfect};
pub use team::Team;

use bounds::Between;
use root::{Candidate, Root};
use search::Search;
use shape::{Any, Four, Geometry, Shape};

/// Solves positions of one board. It may be asked again and again; an answer depends on the position
/// and the budget only, unless [`Config::remember`] is set.
#[derive(Debug, Clone)]
pub struct Solver {
    rules: Rules,
    config: Config,
    engine: Engine,
}

/// The search for the board's shape, with room for its columns.
#[derive(Debug, Clone)]
enum Engine {
    Classic(Search<Four<6>, 8>),
    Four(Search<Four<0>, 32>),
    Narrow(Search<Any<u64>, 32>),
    Wide(Search<Any<u128>, 128>),
}

/// The same expression for whichever search it is.
macro_rules! with {
    ($engine:expr, $search:ident => $answer:expr) => {
        match $engine {
            Engine::Classic($search) => $answer,
            Engine::Four($search) => $answer,
            Engine::Narrow($search) => $answer,
            Engine::Wide($search) => $answer,
        }
    };
}

/// How finely a score is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grain {
    Exact,
    Sign,
}

impl Solver {
    /// A solver for boards with these rules.
    #[must_use]
    pub fn new(rules: Rules, config: Config) -> Self {
        let engine = if Four::<6>::suits(rules) && rules.cols <= 8 {
            Engine::Classic(Search::new(rules, config))
        } else if Four::<0>::suits(rules) {
            Engine::Four(Search::new(rules, config))
        } else if Geometry::<u64>::fits(rules) {
            Engine::Narrow(Search::new(rules, config))
        } else {
            Engine::Wide(Search::new(rules, config))
        };
        Self {
            rules,
            config,
            engine,
        }
    }

    /// The rules of the boards it solves.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// How it was made.
    #[must_use]
    pub fn config(&self) -> Config {
        self.config
    }

    /// Shares from now on what it finds with the other members of a team, all of which solve positions of the same rules. Scores stay the
    /// same; the nodes of an answer then depend on what the others do. `false` if the board is too large for that.
    pub fn join(&mut self, team: &Arc<Team>) -> bool {
        with!(&mut self.engine, search => search.join(team))
    }

    /// Is the opening book asked to solve a position?
    #[must_use]
    pub fn uses_book<B: Bits>(&self, position: &Position<B>) -> bool {
        self.config.book && has_book(self.rules) && position.plies() <= book::stones()
    }

    /// The exact score of a position.
    ///
    /// # Panics
    /// If the position's board has another size than the solver's. (So do the other questions.)
    pub fn solve<B: Bits>(
        &mut self,
        position: &Position<B>,
        budget: &Budget<'_>,
    ) -> Result<Solved, Unproved> {
        self.solve_wide(&position.widened(), budget)
    }

    /// Win, draw or loss, which is cheaper than the exact score.
    pub fn weak<B: Bits>(
        &mut self,
        position: &Position<B>,
        budget: &Budget<'_>,
    ) -> Result<Weak, Unproved> {
        self.weak_wide(&position.widened(), budget)
    }

    /// The score of every legal move for the player to move, as far as the budget goes. Tells what is known of the moves, from the centre
    /// outwards, and the nodes searched so far, whenever more is known.
    pub fn judge_moves<B: Bits>(
        &mut self,
        position: &Position<B>,
        order: Order,
        budget: &Budget<'_>,
        tell: &mut dyn FnMut(&[MoveScore], u64),
    ) -> Judgement {
        self.judge_moves_wide(&position.widened(), order, budget, tell)
    }

    /// A move of the best score, of several the most central (of two equally central ones the left). `None` if
    /// the game is over.
    ///
    /// Win, draw or loss is proved first; if the budget goes no further, the move holds that, with as good a score as was
    /// proved. Without any proof, it is the move that looks best.
    pub fn best_move<B: Bits>(
        &mut self,
        position: &Position<B>,
        budget: &Budget<'_>,
    ) -> Option<Best> {
        self.best_move_wide(&position.widened(), budget)
    }
}

/// The questions again, not generic: so the searches are compiled in this crate only.
impl Solver {
    fn solve_wide(
        &mut self,
        position: &Position<u128>,
        budget: &Budget<'_>,
    ) -> Result<Solved, Unproved> {
        self.begin(position);
        with!(&mut self.engine, search => {
            let score = score(search, position, Grain::Exact, budget)?;
            Ok(Solved {
                score,
                moves: search.moves_until_line(&search.node(position), score),
                nodes: search.nodes,
            })
        })
    }

    fn weak_wide(
        &mut self,
        position: &Position<u128>,
        budget: &Budget<'_>,
    ) -> Result<Weak, Unproved> {
        self.begin(position);
        with!(&mut self.engine, search => {
            let score = score(search, position, Grain::Sign, budget)?;
            Ok(Weak { verdict: Verdict::of(score), nodes: search.nodes })
        })
    }

    fn judge_moves_wide(
        &mut self,
        position: &Position<u128>,
        order: Order,
        budget: &Budget<'_>,
        tell: &mut dyn FnMut(&[MoveScore], u64),
    ) -> Judgement {
        self.begin(position);
        with!(&mut self.engine, search => {
            let mut candidates = candidates(search, position);
            let node = search.node(position);
            let mut told = Vec::new();
            // If the budget runs out, the bounds of the moves tell.
            let _ = search.judge(&node, &mut candidates, order, budget, &mut |candidates, nodes| {
                let now = scores(candidates);
                if now != told {
                    tell(&now, nodes);
                    told = now;
                }
            });
            let mut moves = scores(&candidates);
            moves.sort_by_key(|known| known.column);
            Judgement { moves, nodes: search.nodes }
        })
    }

    fn best_move_wide(&mut self, position: &Position<u128>, budget: &Budget<'_>) -> Option<Best> {
        self.begin(position);
        with!(&mut self.engine, search => {
            let mut candidates = candidates(search, position);
            if candidates.is_empty() {
                return None;
            }
            let chosen = search.choose(&search.node(position), &mut candidates, budget);
            let (column, score) = match chosen {
                Ok((column, score)) => (column, Some(score)),
                Err(_) => (best_looking(&candidates)?, None),
            };
            Some(Best { column, score, nodes: search.nodes })
        })
    }

    fn begin(&mut self, position: &Position<u128>) {
        assert_eq!(
            (position.rows(), position.cols()),
            (self.rules.rows, self.rules.cols),
            "rows and columns of the position are not the solver's"
        );
        let remember = self.config.remember;
        let uses_book = self.uses_book(position);
        with!(&mut self.engine, search => {
            search.nodes = 0;
            if !remember {
                search.table.clear();
                search.near.clear();
            }
            search.book = uses_book.then(book::Book::open);
        });
    }
}

/// The score of a position, or its sign.
fn score<S: Shape, const MOST: usize>(
    search: &mut Search<S, MOST>,
    position: &Position<u128>,
    grain: Grain,
    budget: &Budget<'_>,
) -> Result<i32, Unproved> {
    let most = if grain == Grain::Sign { 1 } else { i32::MAX };
    let node = match search.root(&search.node(position)) {
        Root::Known(score) => return Ok(score.clamp(-most, most)),
        Root::Open(node) => node,
    };
    let known = search.known(&node);
    let mut between = Between {
        lower: known.lower.clamp(-most, most),
        upper: known.upper.clamp(-most, most),
    };
    search
        .narrow(&node, &mut between, budget)
        .map_err(|_| Unproved {
            lower: between.lower,
            upper: between.upper,
            best: best_looking(&search.candidates(&node)).unwrap_or(Column(0)),
            nodes: search.nodes,
        })
}

/// The legal moves; none when the game is over.
fn candidates<S: Shape, const MOST: usize>(
    search: &Search<S, MOST>,
    position: &Position<u128>,
) -> arrayvec::ArrayVec<Candidate<S::Word>, MOST> {
    let node = search.node(position);
    match search.root(&node) {
        Root::Known(..=0) => arrayvec::ArrayVec::new(),
        _ => search.candidates(&node),
    }
}

/// The move that looks best by what is known; of equals the first.
fn best_looking<W>(candidates: &[Candidate<W>]) -> Option<Column> {
    MoveScore::best(candidates.iter().map(Candidate::score))
}

fn scores<W>(candidates: &[Candidate<W>]) -> Vec<MoveScore> {
    candidates.iter().map(Candidate::score).collect()
}
