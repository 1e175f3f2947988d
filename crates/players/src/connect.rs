//! Players of Connect-N: the perfect one in the list.

use games::connect::{Bits, Connect};

use crate::player::{Kind, Named, Parameter, Player, Recipe};
use crate::solver::Perfect;
use crate::spec::{Spec, SpecError};

const NODES: Parameter = Parameter {
    name: "nodes",
    default: "0",
    help: "most positions to look at a move; 0 is no limit. With a limit it may err",
};
const TABLE: Parameter = Parameter {
    name: "table",
    default: "23",
    help: "positions to remember, as a power of two from 10 to 30",
};

/// Makes perfect players.
pub(crate) struct PerfectRecipe;

impl Named for PerfectRecipe {
    const KIND: Kind = Kind {
        name: "perfect",
        about: "solves the position: wins as quickly and loses as slowly as possible",
        more: "Exact on every board, by bit boards, a transposition table and null-window searches on the score. On a large board the \
               first moves can take long: give it nodes, or a time a move, and it plays the best it has found by then.",
        parameters: &[NODES, TABLE],
    };
}

impl<B: Bits> Recipe<Connect<B>> for PerfectRecipe {
    fn make(_: &Connect<B>, spec: &Spec) -> Result<Box<dyn Player<Connect<B>>>, SpecError> {
        let nodes: u64 = spec.number(&NODES, 0..=u64::MAX)?;
        let limit = (nodes > 0).then_some(nodes);
        Ok(Box::new(Perfect::new(limit, spec.number(&TABLE, 10..=30)?)))
    }
}
