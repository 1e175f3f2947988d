//! `perfect` for Connect-N: the player of the solver.

use games::connect::{Bits, Connect};

use crate::player::{Named, PlayerFactory, Prepared};
use crate::solver::Effort;
use spec::{Kind, Parameter, Spec, SpecError};

pub use crate::solver::Perfect;

const NODES: Parameter = Parameter {
    name: "nodes",
    default: "0",
    help: "maximum number of positions per move, 0 for no limit; with a limit it may err",
};
const REFINE: Parameter = Parameter {
    name: "refine",
    default: "5000000",
    help: "maximum number of positions to find the quickest win or slowest loss once the verdict is proved, 0 for no limit",
};
const TABLE: Parameter = Parameter {
    name: "table",
    default: "23",
    help: "size of the transposition table, as a power of two from 10 to 30",
};

impl Named for Perfect {
    const KIND: Kind = Kind {
        name: "perfect",
        about: "solves the position: keeps every win and draw, and wins as fast as it can",
        more: "Proves whether it wins, draws or loses, and keeps that result; then it looks for the quickest win or the slowest loss as far \
               as 'refine' goes. It has a book of most openings of 6x7. Other boards can take long: with nodes, or a time limit per \
               move, it plays the best move found so far.",
        parameters: &[NODES, REFINE, TABLE],
    };
}

impl<B: Bits> PlayerFactory<Connect<B>> for Perfect {
    fn prepare(_: &Connect<B>, spec: &Spec) -> Result<Prepared<Connect<B>>, SpecError> {
        Ok(Prepared::copies(Perfect::new(Effort {
            nodes: limit(spec, &NODES)?,
            refine: limit(spec, &REFINE)?,
            table: spec.number(&TABLE, 10..=30)?,
        })))
    }
}

/// A number of nodes; 0 means no limit.
fn limit(spec: &Spec, parameter: &Parameter) -> Result<Option<u64>, SpecError> {
    let nodes = spec.number(parameter, 0..=u64::MAX)?;
    Ok((nodes > 0).then_some(nodes))
}
