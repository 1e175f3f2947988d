//! Candidates and their scores.

use crate::genome::Genome;

/// A genome to be scored.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The individual's id.
    pub id: u64,
    /// The generation it is scored in.
    pub generation: u32,
    /// Its place among the candidates of this generation.
    pub slot: u32,
    /// Games already scored in this generation; the next scores are of the games after them.
    pub games_before: u32,
    /// What to score.
    pub genome: Genome,
}

/// Scores of a candidate, one per game, in the order of the games.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// The individual's id.
    pub id: u64,
    /// One score per game; more is better.
    pub scores: Vec<f64>,
}

/// Why scores were rejected. The optimiser is unchanged then.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TellError {
    /// The candidate is unknown, or its scores are known already.
    #[error("unexpected scores for candidate {0}")]
    NotAsked(u64),
    /// There must be at least one score.
    #[error("no scores for candidate {0}")]
    NoScore(u64),
    /// A score that is infinite or not a number.
    #[error("a score of candidate {0} is not a finite number")]
    NotFinite(u64),
}
