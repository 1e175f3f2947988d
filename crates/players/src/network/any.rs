//! Networks of any game.

use std::sync::Arc;

use games::AnyGame;
use games::twenty48::Variant;

use super::twenty48::BoardLookup;
use super::{Floats, Lookup, Network, Shape, ShapeError, Tuples};

/// What finds positions of a game in tables.
#[derive(Debug, Clone)]
pub enum AnyLookup {
    /// Of 2048.
    Twenty48(BoardLookup),
}

impl AnyLookup {
    /// Looks positions of this game up by a shape.
    pub fn new(game: &AnyGame, shape: &Shape) -> Result<Self, ShapeError> {
        match game {
            AnyGame::Twenty48(game) => {
                let rules = game.rules();
                if rules.variant != Variant::Standard {
                    let problem = format!("networks need standard rules, not rules={}", rules.variant);
                    return Err(ShapeError(problem));
                }
                let tuples = Tuples::read(&shape.tuples, rules.rows, rules.cols)?;
                Ok(Self::Twenty48(BoardLookup::new(&tuples, &shape.stages)?))
            }
            other => {
                let problem = format!("there are no networks of {}, only of 2048", other.family().name);
                Err(ShapeError(problem))
            }
        }
    }

    /// How many tables there are, and how many entries each has.
    #[must_use]
    pub fn tables(&self) -> &[usize] {
        match self {
            Self::Twenty48(lookup) => lookup.tables(),
        }
    }

    /// The shape with its tuples listed, whatever they were named by.
    #[must_use]
    pub fn listed(&self, shape: &Shape) -> Shape {
        let Self::Twenty48(lookup) = self;
        Shape {
            tuples: lookup.tuples().to_string(),
            stages: shape.stages.clone(),
        }
    }

    /// A network of these weights, all tables one after another.
    ///
    /// # Panics
    /// If there are not as many weights as the tables have entries.
    #[must_use]
    pub fn with(self, weights: Floats<f32>) -> AnyNetwork {
        match self {
            Self::Twenty48(lookup) => AnyNetwork::Twenty48(Arc::new(Network::new(lookup, weights))),
        }
    }
}

/// A network of any game.
#[derive(Debug, Clone)]
pub enum AnyNetwork {
    /// Of 2048.
    Twenty48(Arc<Network<BoardLookup>>),
}

impl AnyNetwork {
    /// The weights of all tables, one after another.
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        match self {
            Self::Twenty48(network) => network.weights(),
        }
    }
}
