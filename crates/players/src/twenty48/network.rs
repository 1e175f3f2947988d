//! `network`: the move that scores most now and, by a learned network, later.

use std::sync::Arc;

use games::Stream;
use games::twenty48::{Direction, FAMILY, Position, Twenty48};
use spec::{Kind, Spec, SpecError};

use crate::network::downgrade::{self, DOWNGRADE, downgraded};
use crate::network::named::{self, FILE, ID};
use crate::network::twenty48::BoardLookup;
use crate::network::{AnyNetwork, Network};
use crate::player::{Named, Player, PlayerFactory, Prepared};

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

impl Follower {
    #[inline]
    fn each(&self, game: &Twenty48, position: &Position, mut each: impl FnMut(Direction, f32)) {
        let tiles = downgraded(position, self.downgrade).tiles();
        for (direction, (after, gain)) in Direction::ALL.into_iter().zip(game.slides(tiles)) {
            if after != tiles || game.may_pass() {
                each(direction, gain as f32 + self.network.value(after));
            }
        }
    }
}

impl Player<Twenty48> for Follower {
    fn choose(&mut self, game: &Twenty48, position: &Position, _: &mut Stream) -> Direction {
        let mut best = (Direction::Up, f32::NEG_INFINITY);
        self.each(game, position, |direction, value| {
            if value > best.1 {
                best = (direction, value);
            }
        });
        best.0
    }

    fn judge(
        &mut self,
        game: &Twenty48,
        position: &Position,
        _: &mut Stream,
    ) -> Vec<(Direction, f64)> {
        let mut judged = Vec::with_capacity(4);
        self.each(game, position, |direction, value| {
            judged.push((direction, f64::from(value)));
        });
        judged
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
        Ok(Prepared::copies(Follower {
            network: of_spec(game, spec)?,
            downgrade: downgrade::read(spec)?,
        }))
    }
}
