//! Evaluations: what a position is worth to the player at seat 0, without looking ahead.
//!
//! One file each; the list is below. A search takes one by its name, as the parameter `eval`.

mod connect;
mod score;
pub mod twenty48;

use std::any::Any;
use std::sync::Arc;

use games::Game;
use games::connect::Connect;
use games::twenty48::Twenty48;

use spec::Parameter;
use spec::did_you_mean;
use spec::{Allowed, Spec, SpecError};

/// Values positions of the game `G`.
pub trait Evaluate<G: Game>: Send + Sync {
    /// What the position is worth to the player at seat 0.
    fn value(&self, game: &G, position: &G::Position) -> f64;
}

/// An evaluation in the list.
#[derive(Debug, Clone, Copy)]
pub struct Evaluation {
    /// Its name, as the value of `eval`.
    pub name: &'static str,
    /// The games it is for; empty when it is for all.
    pub games: &'static [&'static str],
    /// One line: what it counts.
    pub about: &'static str,
}

/// All evaluations.
pub static EVALUATIONS: &[Evaluation] = &[
    Evaluation {
        name: "score",
        games: &[],
        about: "the game's score (for Connect: won 1, lost -1)",
    },
    Evaluation {
        name: "empty",
        games: &["2048"],
        about: "number of empty cells",
    },
    Evaluation {
        name: "score-v2",
        games: &["2048"],
        about: "20,000 - score, for searches that minimise",
    },
    Evaluation {
        name: "empty-v2",
        games: &["2048"],
        about: "cells - empty cells, for searches that minimise",
    },
    Evaluation {
        name: "combined",
        games: &["2048"],
        about: "score, empty cells and large tiles in a corner",
    },
    Evaluation {
        name: "corner",
        games: &["2048"],
        about: "rows and columns that rise evenly, merges, empty cells; the strongest but for networks",
    },
    Evaluation {
        name: "snake",
        games: &["2048"],
        about: "tiles along a snake from a corner",
    },
    Evaluation {
        name: "eight",
        games: &["2048"],
        about: "the eight weights P1..P8 (parameter weights) of 2048-ga",
    },
    Evaluation {
        name: "network",
        games: &["2048", "connect"],
        about: "a learned network, network(file=NAME.network): what it expects to be scored from there on, and the score so far; for \
                Connect from -1, lost, to 1, won",
    },
    Evaluation {
        name: "lines",
        games: &["2048", "connect"],
        about: "2048: rows and columns by 24 weights, as the player lines; Connect: lines of C that only one player can still complete, by \
                their stones",
    },
];

/// The parameter that names an evaluation.
pub(crate) const EVAL: Parameter = Parameter {
    name: "eval",
    default: "score",
    help: "the evaluation at the end of the search; 'gamete players' lists them",
};

/// The parameter with the weights of an evaluation that has some.
pub(crate) const WEIGHTS: Parameter = Parameter {
    name: "weights",
    default: "",
    help: "weights of the evaluation: of eight 8 numbers, e.g. '0 12.6 0 0.2 -4.7 11 -17.7 -5.8', of lines 24, of corner 5 factors of its own",
};

/// The evaluation that a spec names, for this game; `score` if it names none.
pub fn of_spec<G: Game>(game: &G, spec: &Spec) -> Result<Arc<dyn Evaluate<G>>, SpecError> {
    build(game, spec, &EVAL)
}

/// The evaluation that a spec names, itself a spec: `corner`, `network(id=1)`.
pub(crate) fn chosen<G: Game>(
    game: &G,
    spec: &Spec,
    parameter: &Parameter,
) -> Result<Spec, SpecError> {
    let text = spec.value(parameter);
    Spec::read("evaluation", text).map_err(|_| unknown(text, spec, game.family().name))
}

/// The evaluation that a spec names, or the default of `parameter`.
pub(crate) fn build<G: Game>(
    game: &G,
    spec: &Spec,
    parameter: &Parameter,
) -> Result<Arc<dyn Evaluate<G>>, SpecError> {
    let chosen = chosen(game, spec, parameter)?;
    let name = chosen.name();
    let special: &dyn Any = game;
    if name == "score" {
        return Ok(Arc::new(score::Score));
    }
    if let Some(game) = special.downcast_ref::<Twenty48>()
        && let Some(evaluation) = twenty48::build(game, &chosen, spec)?
    {
        return Ok(of_game(evaluation));
    }
    if let Some(game) = special.downcast_ref::<Connect<u64>>()
        && let Some(evaluation) = connect::build(game, &chosen)?
    {
        return Ok(of_game(evaluation));
    }
    if let Some(game) = special.downcast_ref::<Connect<u128>>()
        && let Some(evaluation) = connect::build(game, &chosen)?
    {
        return Ok(of_game(evaluation));
    }
    Err(unknown(name, spec, game.family().name))
}

fn unknown(name: &str, spec: &Spec, game: &str) -> SpecError {
    let of_game =
        |evaluation: &&Evaluation| evaluation.games.is_empty() || evaluation.games.contains(&game);
    let names = || {
        let those = EVALUATIONS.iter().filter(of_game);
        those.map(|evaluation| evaluation.name)
    };
    let problem = match EVALUATIONS
        .iter()
        .find(|evaluation| evaluation.name == name)
    {
        Some(known) => format!("eval = {name}: only for {}", known.games.join(", ")),
        None => format!(
            "eval = {name}: unknown evaluation{}; expected one of {}",
            did_you_mean(name, names()),
            names().collect::<Vec<_>>().join(", ")
        ),
    };
    let allowed = names().map(str::to_owned).collect();
    spec.at(EVAL.name, problem)
        .allowing(Allowed::OneOf(allowed))
}

/// An evaluation for `A` as one for `B`, which are the same type.
fn of_game<A: Game, B: Game>(evaluation: Arc<dyn Evaluate<A>>) -> Arc<dyn Evaluate<B>> {
    let any: Box<dyn Any> = Box::new(evaluation);
    *any.downcast()
        .expect("the game was found to be of this type")
}
