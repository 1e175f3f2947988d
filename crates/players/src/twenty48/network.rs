//! `network`: the move that scores most now and, by a learned network, later.

use std::sync::Arc;

use games::twenty48::{Direction, Position, Twenty48};
use games::Stream;
use spec::{Kind, Parameter, Spec, SpecError};

use crate::network::downgrade::{self, DOWNGRADE, downgraded};
use crate::network::shipped::small;
use crate::network::{AnyNetwork, Network, shelf};
use crate::network::twenty48::BoardLookup;
use crate::player::{Named, Player, PlayerFactory, Prepared};

const FILE: Parameter = Parameter {
    name: "file",
    default: "",
    help: "the file of the network; without one, the small network that comes with the program",
};
const ID: Parameter = Parameter {
    name: "id",
    default: "",
    help: "the hash of its contents, which takes the place of the file once that has been read",
};

/// Makes players that follow a network.
#[derive(Debug, Clone, Copy)]
pub struct NetworkPlayer;

/// A network of 2048.
pub(crate) type BoardNetwork = Arc<Network<BoardLookup>>;

/// The network that a spec names by its id.
pub(crate) fn of_spec(game: &Twenty48, spec: &Spec) -> Result<BoardNetwork, SpecError> {
    let AnyNetwork::Twenty48(network) = match (spec.value(&ID), spec.value(&FILE)) {
        ("", "") => small().clone(),
        ("", _) => return Err(spec.at(FILE.name, "no file can be read here".to_owned())),
        (id, _) => shelf::get(id).map_err(|problem| spec.at(ID.name, problem))?,
    };
    let (rows, cols) = (game.rules().rows, game.rules().cols);
    match network.size() == (rows, cols) {
        true => Ok(network),
        false => Err(spec.at(
            ID.name,
            format!(
                "the network is for a board of {}x{}, not of {rows}x{cols}; train one with 'gamete train 2048 --size {rows}x{cols}'",
                network.size().0,
                network.size().1
            ),
        )),
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
