//! The value of a position, as it is printed.

use play::solution::Solution;
use players::solver::Board;

use crate::output::{Table, number, seconds};

/// As a person reads it; `advice` is for one that is not proved.
pub(super) fn text(solution: &Solution, board: &Board, advice: &str) -> String {
    let mut text = format!("{board:#}\n\n");
    text += &match (&solution.value, solution.between) {
        (Some(value), _) => proved_text(solution, value),
        (None, Some([low, high])) => format!(
            "not proved: the score lies between {low} and {high}; column {} looks best\n{advice}\n",
            solution.best.as_deref().unwrap_or("-")
        ),
        (None, None) => String::new(),
    };
    if !solution.moves.is_empty() {
        let mut table = Table::new(["column", "value", "score"]);
        for judged in &solution.moves {
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
    let book = if solution.book {
        ", with the opening book"
    } else {
        ""
    };
    text + &format!(
        "\n{} positions in {}{book}\n",
        number(solution.nodes as f64, 0),
        seconds(solution.seconds)
    )
}

/// Who is to move, and what that player gets when both play best.
fn proved_text(solution: &Solution, value: &str) -> String {
    let pieces = |of: char| solution.position.matches(of).count();
    let to_move = if pieces('x') > pieces('o') { "o" } else { "x" };
    let length = solution.plies.map_or(String::new(), |plies| {
        let score = signed(solution.score.unwrap_or(0));
        format!(" in {plies} plies (score {score})")
    });
    let best = solution.best.as_ref().map_or(String::new(), |column| {
        format!("; the best column is {column}")
    });
    format!("{to_move} is to move: a {value} with best play{length}{best}\n")
}

/// A score with its sign; 0 has none.
fn signed(score: i32) -> String {
    match score {
        0 => "0".to_owned(),
        score => format!("{score:+}"),
    }
}
