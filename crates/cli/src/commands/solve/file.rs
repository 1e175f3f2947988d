//! A file of positions with their scores, to see how many agree and how long solving takes.

use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use play::solution::{Question, solve as solve_within};
use players::solver::{AnySolver, Board, Verdict};
use serde::Serialize;

use super::{Arguments, budget, deadline};
use crate::output::{Failure, number, seconds};

/// How many positions of a file agree, and what they took.
#[derive(Debug, Default, Serialize)]
pub(super) struct Summary {
    file: String,
    positions: usize,
    agree: usize,
    unproved: usize,
    mean_seconds: f64,
    mean_nodes: f64,
}

impl Summary {
    pub(super) fn text(&self) -> String {
        format!(
            "{} of {} positions agree, {} were not proved; {} and {} positions looked at on average\n",
            self.agree,
            self.positions,
            self.unproved,
            seconds(self.mean_seconds),
            number(self.mean_nodes, 1)
        )
    }
}

/// Solves a file of lines `moves score`.
pub(super) fn solve(
    solver: &mut AnySolver,
    path: &Path,
    arguments: &Arguments,
) -> Result<Summary, Failure> {
    let lines = read(solver, path)?;
    let mut summary = Summary {
        file: path.display().to_string(),
        positions: lines.len(),
        ..Summary::default()
    };
    let (mut nodes, mut time) = (0, 0.0);
    for (board, expected) in &lines {
        let started = Instant::now();
        let stop = deadline(started, arguments);
        let question = match arguments.weak {
            true => Question::Verdict,
            false => Question::Score,
        };
        let budget = budget(&stop, arguments);
        let answer = solve_within(solver, board, question, &budget, &mut |_| {});
        time += started.elapsed().as_secs_f64();
        nodes += answer.nodes;
        summary.unproved += usize::from(!answer.proved);
        let agrees = match answer.score {
            Some(score) => score == *expected,
            None => answer.value == Some(Verdict::of(*expected).to_string()),
        };
        summary.agree += usize::from(agrees);
    }
    let count = lines.len().max(1) as f64;
    summary.mean_seconds = time / count;
    summary.mean_nodes = nodes as f64 / count;
    Ok(summary)
}

fn read(solver: &AnySolver, path: &Path) -> Result<Vec<(Board, i32)>, Failure> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            let wrong = |why: &str| format!("{}, line {}: {why}", path.display(), number + 1);
            read_line(solver, line).map_err(|why| Failure::Usage(wrong(&why)))
        })
        .collect()
}

fn read_line(solver: &AnySolver, line: &str) -> Result<(Board, i32), String> {
    let (moves, score) = line.rsplit_once(' ').ok_or("expected 'moves score'")?;
    let score = score.parse();
    let score = score.map_err(|_| "the score must be a whole number")?;
    let board = solver.after(moves.trim());
    Ok((board.map_err(|error| error.to_string())?, score))
}
