//! `weighted` for Connect-N: the column whose position has the highest value, weights times features.
//!
//! Every move is judged by one pass over the lines of the board, of which there are fewer than 4 M N, so a move costs O(N^2 M)
//! for any M, N, C and P; traps look at them once more for every column. What is counted: [`features`].

mod features;

use std::sync::Arc;

use games::connect::{Bits, Column, Connect, Position};
use games::{Game, Stream};
use spec::{Kind, Parameter, Spec, SpecError};

use self::features::{Counter, Set};
use crate::player::{Named, Player, PlayerFactory, Prepared, Tunable, best};

/// Makes the players that weigh features.
#[derive(Debug, Clone, Copy)]
pub struct WeightedLines;

const FEATURES: Parameter = Parameter {
    name: "features",
    default: "lines",
    help: "the set of features: lines, parity, traps or facts",
};

const WEIGHTS: Parameter = Parameter {
    name: "weights",
    default: "",
    help: "one number per feature; see 'gamete players show weighted'",
};

impl Named for WeightedLines {
    const KIND: Kind = Kind {
        name: "weighted",
        about: "plays the column with the highest sum of weighted features",
        more: "Features of the position after the move, in this order: wins (the move completed a line), gives (cells where the opponent can \
               win at once), threatens (cells where the next own move would win), own-right, own-wrong, its-right, its-wrong (threats \
               hanging in the air, own and the opponent's, on rows that fall to their owner when columns fill up, and on others), centre \
               (closeness of own stones to the middle, less the opponent's), own-moves, its-moves (columns to play into without \
               letting the other win on top), then own-1 to own-(C-1) and its-1 to its-(C-1): lines with that many stones of one \
               player and none of the other. So there are 10 + 2 (C - 1) weights, 16 for Connect Four. \
               With features=parity, traps follows the first ten (1 if the opponent has no reply that prevents a line with the next own \
               stone), and lines of K stones are told apart: own-K-wrong-J has J empty cells on rows that fall to the other player, \
               own-K-now-1 and own-K-now-2 have one or more empty cells that can be played at once; 41 weights for Connect Four. \
               features=traps has no own-3-now-2 and its-3-now-2, and six more after traps: own-traps-1, own-traps-2 (1 if one own move would \
               be such a trap if the opponent passed, and if more would), its-traps-1, its-traps-2 (the same for replies of the opponent), \
               fills-won, fills-lost (who wins when the columns fill up with neither giving anything away); 45 weights for Connect Four. \
               features=facts counts the same as traps, and five of its features decide before the others are weighed, by fixed weights: wins is best, \
               then traps, then none of these, then its-traps-1 or -2, and gives is worst; 40 weights for Connect Four. \
               No set searches: features are counted in the position after the move. Those of traps ask what one more stone on a cell \
               would do, and fills-won and fills-lost follow one fixed way in which the columns fill up. Of equal columns the first is played.",
        parameters: &[FEATURES, WEIGHTS],
    };
}

/// The set of features that a spec names.
fn set_of(spec: &Spec) -> Result<Set, SpecError> {
    spec.choice(&FEATURES, &Set::ALL)
}

impl<B: Bits> PlayerFactory<Connect<B>> for WeightedLines {
    fn prepare(game: &Connect<B>, spec: &Spec) -> Result<Prepared<Connect<B>>, SpecError> {
        let (set, connect) = (set_of(spec)?, game.rules().connect);
        let weights = if spec.value(&WEIGHTS).is_empty() {
            set.weights_by_hand(connect)
        } else {
            let names = set.names(connect);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            spec.numbers(&WEIGHTS, &names)?
        };
        let counter = Counter::new(game, set);
        let weights = counter.weights(&weights);
        Ok(Prepared::copies(Weigher {
            counted: vec![0.0; weights.len()],
            weights: weights.into(),
            counter: Arc::new(counter),
        }))
    }

    fn tunable(game: &Connect<B>, spec: &Spec) -> Result<Tunable, SpecError> {
        Ok(Tunable::weights(set_of(spec)?.names(game.rules().connect)))
    }
}

#[derive(Clone)]
struct Weigher<B> {
    weights: Arc<[f64]>,
    counter: Arc<Counter<B>>,
    counted: Vec<f64>,
}

impl<B: Bits> Weigher<B> {
    fn value(&mut self, game: &Connect<B>, position: &Position<B>, column: Column) -> f64 {
        let mut after = *position;
        game.play_unchecked(&mut after, column);
        self.counter.count(game, &after, &mut self.counted);
        let weighed = self.counted.iter().zip(&*self.weights);
        weighed.map(|(feature, weight)| feature * weight).sum()
    }
}

impl<B: Bits> Player<Connect<B>> for Weigher<B> {
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
        moves
            .into_iter()
            .map(|column| (column, self.value(game, position, column)))
            .collect()
    }
}
