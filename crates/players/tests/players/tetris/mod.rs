//! Players of Tetris: their features, their look-ahead, their strength.

mod features;
mod look;
mod plain;
mod strength;

use games::tetris::{ColumnBits, Position, Rules, Tetris};
use games::{Game, Turn, stream};
use players::{Player, Spec, registry};

fn game<C: ColumnBits>(rules: &str) -> Tetris<C> {
    Tetris::new(Rules::from_options(&rules.parse().unwrap()).unwrap())
}

fn player<C: ColumnBits>(game: &Tetris<C>, spec: &str) -> Box<dyn Player<Tetris<C>>> {
    let spec: Spec = spec.parse().unwrap();
    registry::build(game, &spec).unwrap_or_else(|error| panic!("{error}"))
}

/// The end of game number `number`.
fn end_of_game<C: ColumnBits>(
    game: &Tetris<C>,
    player: &mut Box<dyn Player<Tetris<C>>>,
    number: u64,
) -> Position<C> {
    let [mut chance, mut own] = [0, 1].map(|role| stream(10, &[number, role]));
    let mut position = game.start();
    loop {
        match game.turn(&position) {
            Turn::Over => return position,
            Turn::Chance => {
                game.draw(&mut position, &mut chance);
            }
            Turn::Player(_) => {
                let chosen = player.choose(game, &position, &mut own);
                game.play_unchecked(&mut position, chosen);
            }
        }
    }
}
