//! `network` for Connect-N: the column after which a learned network sees the best chances.

use std::sync::Arc;

use games::connect::{Bits, Column, Connect, FAMILY, Position};
use games::{Game, Stream, Turn};
use spec::{Kind, Spec, SpecError};

use crate::network::connect::CellLookup;
use crate::network::named::{self, FILE, ID};
use crate::network::{AnyNetwork, Network};
use crate::player::{Named, Player, PlayerFactory, Prepared, best};

/// Makes players that follow a network.
#[derive(Debug, Clone, Copy)]
pub struct NetworkPlayer;

/// A network of Connect-N.
pub(crate) type CellNetwork = Arc<Network<CellLookup>>;

/// The network that a spec names by its id.
pub(crate) fn of_spec<B: Bits>(game: &Connect<B>, spec: &Spec) -> Result<CellNetwork, SpecError> {
    let rules = game.rules();
    match named::of_spec(spec, FAMILY.name, (rules.rows, rules.cols))? {
        AnyNetwork::Connect(network) => Ok(network),
        AnyNetwork::Twenty48(_) => unreachable!("its game was checked"),
    }
}

/// What the position is worth to the player who has just moved: -1 to 1, which a position that is won or drawn is known to be.
pub(crate) fn value<B: Bits>(
    network: &CellNetwork,
    game: &Connect<B>,
    position: &Position<B>,
) -> f64 {
    match (game.turn(position), game.winner(position)) {
        (Turn::Over, Some(_)) => 1.0,
        (Turn::Over, None) => 0.0,
        _ => f64::from(network.expected(position)),
    }
}

#[derive(Clone)]
struct Follower {
    network: CellNetwork,
}

impl<B: Bits> Player<Connect<B>> for Follower {
    fn choose(&mut self, game: &Connect<B>, position: &Position<B>, rng: &mut Stream) -> Column {
        best(&self.judge(game, position, rng))
    }

    fn judge(
        &mut self,
        game: &Connect<B>,
        position: &Position<B>,
        _: &mut Stream,
    ) -> Vec<(Column, f64)> {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let judged = moves.into_iter().map(|column| {
            let mut after = *position;
            game.play_unchecked(&mut after, column);
            (column, value(&self.network, game, &after))
        });
        judged.collect()
    }
}

impl Named for NetworkPlayer {
    const KIND: Kind = Kind {
        name: "network",
        about: "the column after which a learned network sees the best chances",
        more: "Compares the positions that its moves lead to by what the network expects of them, from -1, lost, to 1, won; it looks no \
               further ahead. 'gamete train connect' makes networks.",
        parameters: &[FILE, ID],
    };
}

impl<B: Bits> PlayerFactory<Connect<B>> for NetworkPlayer {
    fn prepare(game: &Connect<B>, spec: &Spec) -> Result<Prepared<Connect<B>>, SpecError> {
        Ok(Prepared::copies(Follower {
            network: of_spec(game, spec)?,
        }))
    }
}
