//! The exact value of a Connect-N position and of its moves, as far as they are proved.

use std::time::Instant;

use games::PositionError;
use players::solver::{
    AnySolver, Board, Budget, Judgement, MoveScore, Order, Solved, Unproved, Verdict, Weak,
};
use serde::Serialize;

use crate::helpers::Helpers;

/// The value of a position and of its moves, as far as they are known.
#[derive(Debug, Serialize)]
pub struct Solution {
    /// The board as text.
    pub position: String,
    /// For the player to move: win, draw or loss; missing when it is not proved.
    pub value: Option<String>,
    /// For the player to move; missing when it is not proved, or was not asked for.
    pub score: Option<i32>,
    /// Between these lies the score, when it is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub between: Option<[i32; 2]>,
    /// Moves of both players until the winning line.
    pub plies: Option<u32>,
    /// The best column.
    pub best: Option<String>,
    /// The moves that were judged.
    pub moves: Vec<MoveValue>,
    /// Is the value proved?
    pub proved: bool,
    /// Was the opening book asked?
    pub book: bool,
    /// Positions looked at.
    pub nodes: u64,
    /// Elapsed time.
    pub seconds: f64,
}

/// The value of a move.
#[derive(Debug, Serialize)]
pub struct MoveValue {
    /// The column.
    pub column: String,
    /// Win, draw or loss, if proved.
    pub value: Option<String>,
    /// The score, if proved.
    pub score: Option<i32>,
}

/// What is asked of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Whether it is won, drawn or lost, which is faster.
    Verdict,
    /// Its score.
    Score,
    /// Its score, and those of all moves.
    Moves,
}

/// Columns played, or a board.
pub fn read_board(solver: &AnySolver, text: &str) -> Result<Board, PositionError> {
    match text.contains(['.', 'x', 'o', 'X', 'O']) {
        true => solver.parse(text),
        false => solver.after(text),
    }
}

/// Solves the position within the budget; `tell` hears what is proved of the moves.
pub fn solve(
    solver: &mut AnySolver,
    board: &Board,
    question: Question,
    budget: &Budget<'_>,
    tell: &mut dyn FnMut(&[MoveScore]),
) -> Solution {
    let started = Instant::now();
    let mut solution = Solution::new(board, solver.uses_book(board));
    if question == Question::Verdict {
        match solver.weak(board, budget) {
            Ok(weak) => solution.know_verdict(weak),
            Err(unproved) => solution.know_bounds(unproved),
        }
    } else {
        match solver.solve(board, budget) {
            Ok(solved) => solution.know_score(solved),
            Err(unproved) => solution.know_bounds(unproved),
        }
    }
    if question == Question::Moves {
        let tell = &mut |moves: &[MoveScore], _| tell(moves);
        let judged = solver.judge_moves(board, Order::ScoreByScore, budget, tell);
        solution.add_moves(&judged);
    }
    solution.seconds = started.elapsed().as_secs_f64();
    solution
}

/// The same by several threads, which give the same values. The number of positions looked at is that of all.
pub fn solve_with(
    helpers: &Helpers,
    solver: &mut AnySolver,
    board: &Board,
    question: Question,
    budget: &Budget<'_>,
    tell: &mut dyn FnMut(&[MoveScore]),
) -> Solution {
    let (mut solution, more) = helpers.ask(
        solver,
        budget,
        |solver, budget| solve(solver, board, question, budget, tell),
        |helper, budget| solve(helper, board, question, budget, &mut |_| {}).nodes,
    );
    solution.nodes += more;
    solution
}

impl Solution {
    /// Nothing is known yet.
    fn new(board: &Board, book: bool) -> Self {
        Self {
            position: board.to_string(),
            value: None,
            score: None,
            between: None,
            plies: None,
            best: None,
            moves: Vec::new(),
            proved: true,
            book,
            nodes: 0,
            seconds: 0.0,
        }
    }

    fn know_verdict(&mut self, weak: Weak) {
        self.value = Some(weak.verdict.to_string());
        self.nodes = weak.nodes;
    }

    fn know_score(&mut self, solved: Solved) {
        self.value = Some(solved.verdict().to_string());
        self.score = Some(solved.score);
        self.plies = solved.moves;
        self.nodes = solved.nodes;
    }

    fn know_bounds(&mut self, unproved: Unproved) {
        self.proved = false;
        self.between = Some([unproved.lower, unproved.upper]);
        self.best = Some(unproved.best.to_string());
        self.nodes = unproved.nodes;
    }

    fn add_moves(&mut self, judged: &Judgement) {
        self.moves = judged.moves.iter().map(move_value).collect();
        self.best = best(&judged.moves).or(self.best.take());
        self.nodes += judged.nodes;
    }
}

fn move_value(known: &MoveScore) -> MoveValue {
    MoveValue {
        column: known.column.to_string(),
        value: known.score().map(|score| Verdict::of(score).to_string()),
        score: known.score(),
    }
}

/// The first move of the highest proved score, if all are proved.
fn best(moves: &[MoveScore]) -> Option<String> {
    let scores: Option<Vec<i32>> = moves.iter().map(MoveScore::score).collect();
    let scores = scores?;
    let highest = scores.iter().max()?;
    moves
        .iter()
        .zip(&scores)
        .find(|(_, score)| *score == highest)
        .map(|(known, _)| known.column.to_string())
}
