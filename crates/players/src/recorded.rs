//! Games that were played, as texts, so that whoever reads files and whoever learns from games need not know each other.

/// A game move by move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedGame {
    /// Positions before moves, and the moves.
    pub moves: Vec<(String, String)>,
    /// The position at its end.
    pub end: String,
}
