//! Networks of any game.

use std::sync::Arc;

use games::AnyGame;
use games::connect::{Position, Rules};
use games::twenty48::Variant;

use super::connect::{self, CellLookup};
use super::twenty48::BoardLookup;
use super::{Floats, Lookup, Network, Shape, ShapeError, Tuples};

/// What finds positions of a game in tables.
#[derive(Debug, Clone)]
pub enum AnyLookup {
    /// Of 2048.
    Twenty48(BoardLookup),
    /// Of Connect-N.
    Connect(CellLookup),
}

impl AnyLookup {
    /// Looks positions of this game up by a shape.
    pub fn new(game: &AnyGame, shape: &Shape) -> Result<Self, ShapeError> {
        match game {
            AnyGame::Twenty48(game) => {
                let rules = game.rules();
                if rules.variant != Variant::Standard {
                    let problem =
                        format!("networks need standard rules, not rules={}", rules.variant);
                    return Err(ShapeError(problem));
                }
                let tuples = Tuples::read(&shape.tuples, rules.rows, rules.cols)?;
                Ok(Self::Twenty48(BoardLookup::new(&tuples, &shape.stages)?))
            }
            AnyGame::Connect(game) => of_connect(shape, game.rules()),
            AnyGame::WideConnect(game) => of_connect(shape, game.rules()),
            other => {
                let name = other.family().name;
                let problem = format!("there are no networks of {name}, only of 2048 and connect");
                Err(ShapeError(problem))
            }
        }
    }

    /// How many tables there are, and how many entries each has.
    #[must_use]
    pub fn tables(&self) -> &[usize] {
        match self {
            Self::Twenty48(lookup) => lookup.tables(),
            Self::Connect(lookup) => Lookup::<Position<u64>>::tables(lookup),
        }
    }

    /// The shape with its tuples listed, whatever they were named by.
    #[must_use]
    pub fn listed(&self, shape: &Shape) -> Shape {
        let tuples = match self {
            Self::Twenty48(lookup) => lookup.tuples().to_string(),
            Self::Connect(lookup) => lookup.sights().to_string(),
        };
        Shape {
            tuples,
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
            Self::Connect(lookup) => {
                let network = Network::new::<Position<u64>>(lookup, weights);
                AnyNetwork::Connect(Arc::new(network))
            }
        }
    }
}

fn of_connect(shape: &Shape, rules: Rules) -> Result<AnyLookup, ShapeError> {
    if !shape.stages.is_empty() {
        let problem = "only networks of 2048 have stages".to_owned();
        return Err(ShapeError(problem));
    }
    let sights = connect::read(&shape.tuples, rules)?;
    Ok(AnyLookup::Connect(CellLookup::new(&sights)))
}

/// A network of any game.
#[derive(Debug, Clone)]
pub enum AnyNetwork {
    /// Of 2048.
    Twenty48(Arc<Network<BoardLookup>>),
    /// Of Connect-N.
    Connect(Arc<Network<CellLookup>>),
}

impl AnyNetwork {
    /// The weights of all tables, one after another.
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        match self {
            Self::Twenty48(network) => network.weights(),
            Self::Connect(network) => network.weights(),
        }
    }

    /// The game it is of, and rows and columns of its board.
    #[must_use]
    pub fn board(&self) -> (&'static str, (u8, u8)) {
        match self {
            Self::Twenty48(network) => (games::twenty48::FAMILY.name, network.size()),
            Self::Connect(network) => (games::connect::FAMILY.name, network.size()),
        }
    }
}
