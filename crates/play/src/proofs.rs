//! Proofs: what every move of a position is worth, told as it is proved, with an estimate until then.
//!
//! Only Connect-N can be solved. Whoever waits is told first how often each move won in random games, then who wins by it, at last by how much.

use std::time::Duration;

use games::{AnyGame, stream};
use players::Spec;
use players::solver::{AnySolver, Budget, Config, MoveScore, Order, Verdict};

use crate::advice::short_text;
use crate::any::{AnyPlayer, AnyPosition};

/// The player whose values are exact scores.
pub const SOLVER: &str = "perfect";

/// Who estimates what is not proved yet, and for how long at most.
const ESTIMATOR: &str = "mcts(iterations=3000)";
const ESTIMATE_TIME: Duration = Duration::from_millis(300);

/// What is known of a move, for the player who makes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Worth {
    /// Its exact score.
    Score(i32),
    /// It is proved to win, draw or lose; how quickly is open.
    Verdict(Verdict),
    /// The share of random games that it won, draws being half.
    Estimate(f64),
    /// Nothing.
    Unknown,
}

impl Worth {
    /// For display, in at most so many characters where that is possible.
    #[must_use]
    pub fn text(self, width: usize) -> String {
        match self {
            Self::Score(score) => short_text(score.into(), width),
            Self::Verdict(verdict) => verdict.to_string(),
            Self::Estimate(share) => format!("{:.0} %", 100.0 * share),
            Self::Unknown => "?".to_owned(),
        }
    }
}

/// What is known of a position by now.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    /// The moves.
    pub moves: Vec<(String, Worth)>,
    /// The move that looks best; none when the game is over.
    pub best: Option<String>,
    /// Positions searched.
    pub nodes: u64,
}

impl Known {
    /// Are all moves proved?
    #[must_use]
    pub fn is_proved(&self) -> bool {
        let proved = |(_, worth): &(String, Worth)| matches!(worth, Worth::Score(_));
        self.moves.iter().all(proved)
    }
}

/// Proves positions of one game. It remembers what it has proved: the next position of the same game is easier.
#[derive(Debug)]
pub struct Prover {
    game: AnyGame,
    solver: AnySolver,
}

impl Prover {
    /// A prover for this game; none if it cannot be solved.
    #[must_use]
    pub fn new(game: &AnyGame) -> Option<Self> {
        let config = Config {
            remember: true,
            book: true,
            ..Config::default()
        };
        Some(Self {
            solver: AnySolver::new(game, config)?,
            game: game.clone(),
        })
    }

    /// Is it for this game, with these rules?
    #[must_use]
    pub fn suits(&self, game: &AnyGame) -> bool {
        let rules = |game| AnyPosition::start(game).options();
        self.game.family().name == game.family().name && rules(&self.game) == rules(game)
    }

    /// Tells what is known of a position, again and again until all is proved or the budget has run out.
    pub fn prove(
        &mut self,
        position: &AnyPosition,
        budget: &Budget<'_>,
        tell: &mut dyn FnMut(&Known),
    ) {
        let Ok(board) = self.solver.parse(&position.to_string()) else {
            return;
        };
        let mut estimates = None;
        self.solver
            .judge_moves(&board, Order::VerdictsFirst, budget, &mut |moves, nodes| {
                let is_open = |known: &MoveScore| known.verdict().is_none();
                if moves.iter().any(is_open) && estimates.is_none() {
                    estimates = Some(estimate(&self.game, position));
                }
                tell(&known(
                    moves,
                    nodes,
                    estimates.as_deref().unwrap_or_default(),
                ));
            });
    }
}

fn known(moves: &[MoveScore], nodes: u64, estimates: &[(String, f64)]) -> Known {
    let worth = |known: &MoveScore| {
        let column = known.column.to_string();
        let estimate = estimates.iter().find(|(own, _)| *own == column);
        let worth = match (known.score(), known.verdict(), estimate) {
            (Some(score), ..) => Worth::Score(score),
            (_, Some(verdict), _) => Worth::Verdict(verdict),
            (_, _, Some((_, share))) => Worth::Estimate(*share),
            _ => Worth::Unknown,
        };
        (column, worth)
    };
    Known {
        moves: moves.iter().map(worth).collect(),
        best: best(moves, estimates),
        nodes,
    }
}

/// The best by what is proved; where nothing is, by the estimate.
fn best(moves: &[MoveScore], estimates: &[(String, f64)]) -> Option<String> {
    let proved = MoveScore::best(moves.iter().copied())?;
    let is_sure = |known: &MoveScore| known.column == proved && known.lower >= 0;
    if moves.iter().any(is_sure) {
        return Some(proved.to_string());
    }
    let may_hold = |column: &str| {
        let own = |known: &&MoveScore| known.column.to_string() == column;
        moves.iter().find(own).is_some_and(|known| known.upper >= 0)
    };
    let open = estimates.iter().filter(|(column, _)| may_hold(column));
    let likely = open.max_by(|(_, a), (_, b)| a.total_cmp(b));
    Some(likely.map_or(proved.to_string(), |(column, _)| column.clone()))
}

/// The share of random games that each move wins for the player to move.
fn estimate(game: &AnyGame, position: &AnyPosition) -> Vec<(String, f64)> {
    let player = ESTIMATOR.parse::<Spec>().ok();
    let player = player.and_then(|spec| AnyPlayer::new(game, &spec, Some(ESTIMATE_TIME)).ok());
    let judged = player.map(|mut player| player.judge(position, &mut stream(1, &[])));
    let share = |(column, mean): (String, f64)| (column, f64::midpoint(mean, 1.0));
    judged.unwrap_or_default().into_iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use games::{Options, registry};

    use super::*;

    fn told(rules: &str, moves: &str) -> Vec<Known> {
        let options: Options = rules.parse().expect("options");
        let game = registry::build("connect", &options).expect("a game");
        let position = AnyPosition::after_moves(&game, moves)
            .expect("connect")
            .expect("legal");
        let mut told = Vec::new();
        let mut prover = Prover::new(&game).expect("connect can be solved");
        prover.prove(&position, &Budget::default(), &mut |known| {
            told.push(known.clone());
        });
        told
    }

    #[test]
    fn moves_are_estimated_then_decided_then_scored() {
        let told = told("rows=4 cols=6", "34");
        let first = &told[0];
        assert!(
            first
                .moves
                .iter()
                .all(|(_, worth)| matches!(worth, Worth::Estimate(_))),
            "{first:?}"
        );
        assert!(first.best.is_some());
        let last = told.last().expect("told more than once");
        assert!(last.is_proved() && !first.is_proved());
        let rank = |worth: Worth| match worth {
            Worth::Unknown => 0,
            Worth::Estimate(_) => 1,
            Worth::Verdict(_) => 2,
            Worth::Score(_) => 3,
        };
        for pair in told.windows(2) {
            let steps = pair[0].moves.iter().zip(&pair[1].moves);
            for ((column, before), (same, after)) in steps {
                assert_eq!(column, same);
                assert!(
                    rank(*before) <= rank(*after),
                    "column {column}: {before:?}, then {after:?}"
                );
            }
        }
    }

    #[test]
    fn an_early_position_of_the_classic_board_is_known_at_once() {
        let told = told("", "44");
        assert!(
            told[0].is_proved() || told.last().expect("told").nodes < 100_000,
            "{told:?}"
        );
        let score = |column: &str| {
            told.last()
                .expect("told")
                .moves
                .iter()
                .find(|(own, _)| own == column)
                .map(|(_, worth)| *worth)
        };
        assert_eq!(score("4"), Some(Worth::Score(1)));
    }

    #[test]
    fn a_game_that_is_over_has_no_moves_to_prove() {
        let told = told("", "1212121");
        assert!(told.iter().all(|known| known.moves.is_empty()), "{told:?}");
    }

    #[test]
    fn only_a_prover_of_the_same_rules_suits() {
        let game = |rules: &str| {
            registry::build("connect", &rules.parse().expect("options")).expect("a game")
        };
        let prover = Prover::new(&game("")).expect("connect can be solved");
        assert!(prover.suits(&game("")) && prover.suits(&game("rows=6")));
        assert!(!prover.suits(&game("rows=5")));
        let other = registry::build("2048", &Options::default()).expect("a game");
        assert!(!prover.suits(&other) && Prover::new(&other).is_none());
    }
}
