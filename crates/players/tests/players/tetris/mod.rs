//! Players of Tetris: their features, their look-ahead, their strength.

mod features;
mod look;
mod plain;
mod strength;

use games::tetris::{ColumnBits, Rules, Tetris};
use players::{Player, Spec, registry};

fn game<C: ColumnBits>(rules: &str) -> Tetris<C> {
    Tetris::new(Rules::from_options(&rules.parse().unwrap()).unwrap())
}

fn player<C: ColumnBits>(game: &Tetris<C>, spec: &str) -> Box<dyn Player<Tetris<C>>> {
    let spec: Spec = spec.parse().unwrap();
    registry::build(game, &spec).unwrap_or_else(|error| panic!("{error}"))
}
