//! Players of Tetris: their features, their look-ahead, their strength.

mod features;
mod look;
mod plain;
mod strength;

use games::tetris::{ColumnBits, Position, Rules, Tetris};
use games::{Game, Turn, stream};
use players::{Playable, Player, Prepared, Spec, SpecError};

fn game<C: ColumnBits>(rules: &str) -> Tetris<C> {
    Tetris::new(Rules::from_options(&rules.parse().unwrap()).unwrap())
}

/// A kind of columns whose game is in the list.
trait Columns: ColumnBits {
    fn prepare(game: &Tetris<Self>, spec: &Spec) -> Result<Prepared<Tetris<Self>>, SpecError>;
}

impl Columns for u32 {
    fn prepare(game: &Tetris<Self>, spec: &Spec) -> Result<Prepared<Tetris<Self>>, SpecError> {
        game.prepare(spec)
    }
}

impl Columns for u64 {
    fn prepare(game: &Tetris<Self>, spec: &Spec) -> Result<Prepared<Tetris<Self>>, SpecError> {
        game.prepare(spec)
    }
}

fn player<C: Columns>(game: &Tetris<C>, spec: &str) -> Box<dyn Player<Tetris<C>>> {
    C::prepare(game, &spec.parse().unwrap())
        .unwrap_or_else(|error| panic!("{error}"))
        .player()
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
