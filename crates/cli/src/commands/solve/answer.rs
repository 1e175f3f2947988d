//! The value of a position, as it is printed.

use players::solver::{Board, Judgement, MoveScore, Solved, Unproved, Verdict, Weak};
use serde::Serialize;

use crate::output::{Table, number, seconds};

/// The value of a position and of its moves, as far as they are known.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    position: String,
    /// For the player to move; missing when it is not proved.
    pub(super) value: Option<String>,
    pub(super) score: Option<i32>,
    /// Between these lies the score, when it is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    between: Option<[i32; 2]>,
    /// Moves of both players until the winning line.
    plies: Option<u32>,
    best: Option<String>,
    moves: Vec<MoveAnswer>,
    pub(super) proved: bool,
    /// Was the opening book asked?
    book: bool,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
}

#[derive(Debug, Serialize)]
struct MoveAnswer {
    column: String,
    value: Option<String>,
    score: Option<i32>,
}

impl Answer {
    /// Nothing is known yet.
    pub(super) fn new(board: &Board, book: bool) -> Self {
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

    pub(super) fn know_verdict(&mut self, weak: Weak) {
        self.value = Some(weak.verdict.to_string());
        self.nodes = weak.nodes;
    }

    pub(super) fn know_score(&mut self, solved: Solved) {
        self.value = Some(solved.verdict().to_string());
        self.score = Some(solved.score);
        self.plies = solved.moves;
        self.nodes = solved.nodes;
    }

    pub(super) fn know_bounds(&mut self, unproved: Unproved) {
        self.proved = false;
        self.between = Some([unproved.lower, unproved.upper]);
        self.best = Some(unproved.best.to_string());
        self.nodes = unproved.nodes;
    }

    pub(super) fn add_moves(&mut self, judged: &Judgement) {
        self.moves = judged.moves.iter().map(move_answer).collect();
        self.best = best(&judged.moves).or(self.best.take());
        self.nodes += judged.nodes;
    }

    /// As a person reads it; `advice` is for one that is not proved.
    pub(super) fn text(&self, board: &Board, advice: &str) -> String {
        let mut text = format!("{board:#}\n\n");
        text += &match (&self.value, self.between) {
            (Some(value), _) => self.proved_text(value),
            (None, Some([low, high])) => format!(
                "not proved: the score lies between {low} and {high}; column {} looks best\n{advice}\n",
                self.best.as_deref().unwrap_or("-")
            ),
            (None, None) => String::new(),
        };
        if !self.moves.is_empty() {
            let mut table = Table::new(["column", "value", "score"]);
            for judged in &self.moves {
                table.row([
                    judged.column.clone(),
                    judged
                        .value
                        .clone()
                        .unwrap_or_else(|| "not proved".to_owned()),
                    judged.score.map_or("-".to_owned(), signed),
                ]);
            }
            text += &format!("\n{}", table.render());
        }
        let book = if self.book {
            ", with the opening book"
        } else {
            ""
        };
        text + &format!(
            "\n{} positions in {}{book}\n",
            number(self.nodes as f64, 0),
            seconds(self.seconds)
        )
    }

    /// Who is to move, and what that player gets when both play best.
    fn proved_text(&self, value: &str) -> String {
        let pieces = |of: char| self.position.matches(of).count();
        let to_move = if pieces('x') > pieces('o') { "o" } else { "x" };
        let length = self.plies.map_or(String::new(), |plies| {
            let score = signed(self.score.unwrap_or(0));
            format!(" in {plies} plies (score {score})")
        });
        let best = self.best.as_ref().map_or(String::new(), |column| {
            format!("; the best column is {column}")
        });
        format!("{to_move} is to move: a {value} with best play{length}{best}\n")
    }
}

/// A score with its sign; 0 has none.
fn signed(score: i32) -> String {
    match score {
        0 => "0".to_owned(),
        score => format!("{score:+}"),
    }
}

fn move_answer(known: &MoveScore) -> MoveAnswer {
    MoveAnswer {
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
