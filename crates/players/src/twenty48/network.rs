//! `network`: the move that scores most now and, by a learned network, later.

use std::sync::Arc;

use games::twenty48::{FAMILY, Position, Tiles, Twenty48};
use spec::{Kind, Spec, SpecError};

use crate::afterstates::{Afterstates, BestAfterstate};
use crate::network::downgrade::{self, DOWNGRADE, downgraded};
use crate::network::named::{self, FILE, ID};
use crate::network::twenty48::BoardLookup;
use crate::network::{AnyNetwork, Network};
use crate::player::{Named, PlayerFactory, Prepared};

/// Makes players that follow a network.
#[derive(Debug, Clone, Copy)]
pub struct NetworkPlayer;

/// A network of 2048.
pub(crate) type BoardNetwork = Arc<Network<BoardLookup>>;

/// The network that a spec names by its id.
pub(crate) fn of_spec(game: &Twenty48, spec: &Spec) -> Result<BoardNetwork, SpecError> {
    let rules = game.rules();
    match named::of_spec(spec, FAMILY.name, (rules.rows, rules.cols))? {
        AnyNetwork::Twenty48(network) => Ok(network),
        AnyNetwork::Connect(_) => unreachable!("its game was checked"),
    }
}

#[derive(Clone)]
struct Follower {
    network: BoardNetwork,
    downgrade: Option<u8>,
}

impl Afterstates for Follower {
    #[inline]
    fn before(&self, position: &Position) -> Tiles {
        downgraded(position, self.downgrade).tiles()
    }

    #[inline]
    fn value(&self, _: Tiles) -> impl Fn(Tiles, u32) -> f32 {
        |after, gain| gain as f32 + self.network.value(after)
    }
}

impl Named for NetworkPlayer {
    const KIND: Kind = Kind {
        name: "network",
        about: "the move that scores most now and, by a learned network, later",
        more: "Compares the boards that its moves lead to, before the new tile comes: what the slide scores, and what the network \
               expects to be scored from there on. 'gamete train 2048' makes networks; without a file it is the small one that \
               comes with the program.",
        parameters: &[FILE, ID, DOWNGRADE],
    };
}

impl PlayerFactory<Twenty48> for NetworkPlayer {
    fn prepare(game: &Twenty48, spec: &Spec) -> Result<Prepared<Twenty48>, SpecError> {
        Ok(Prepared::copies(BestAfterstate(Follower {
            network: of_spec(game, spec)?,
            downgrade: downgrade::read(spec)?,
        })))
    }
}
