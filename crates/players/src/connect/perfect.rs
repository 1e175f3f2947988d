//! `perfect` for Connect-N: the player of the solver.

use games::connect::{Bits, Connect};

use crate::player::{Named, PlayerFactory, Prepared};
use crate::solver::Effort;
use spec::{Kind, Parameter, Spec, SpecError};

pub use crate::solver::Perfect;

const NODES: Parameter = Parameter {
    name: "nodes",
    default: "0",
    help: "most positions to look at a move; 0 is no limit. With a limit it may err",
};
const REFINE: Parameter = Parameter {
    name: "refine",
    default: "5000000",
    help: "most positions to look at for the quickest win or slowest loss once the verdict is proved; 0 is no limit",
};
const TABLE: Parameter = Parameter {
    name: "table",
    default: "23",
    help: "positions to remember, as a power of two from 10 to 30",
};

impl Named for Perfect {
    const KIND: Kind = Kind {
        name: "perfect",
        about: "solves the position: never loses what can be held, and wins as quickly as it can see",
        more: "Proves on every board whether it wins, draws or loses, by bit boards, a transposition table and null-window searches on the \
               score, and holds that; then it looks for the quickest win or the slowest loss as far as 'refine' goes. Most openings \
               of 6x7 it knows by heart. On a larger board they can take long: give it nodes, or a time a move, and it plays the \
               best it has found by then.",
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

/// A number of nodes, of which 0 stands for no limit.
fn limit(spec: &Spec, parameter: &Parameter) -> Result<Option<u64>, SpecError> {
    let nodes = spec.number(parameter, 0..=u64::MAX)?;
    Ok((nodes > 0).then_some(nodes))
}
