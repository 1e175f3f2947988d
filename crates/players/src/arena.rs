//! One loop that plays every game: players choose, chance draws.

use games::{Game, Stream, Turn, stream};

use crate::player::Player;

/// The players of one game, one a seat.
pub type Table<'a, G> = &'a mut [Box<dyn Player<G>>];

/// The generators of one game. Chance has its own, so that all players meet the same chances.
#[derive(Debug, Clone)]
pub struct Dice {
    chance: Stream,
    seats: [Stream; 2],
}

impl Dice {
    /// The generators of game number `game` under `seed`.
    #[must_use]
    pub fn of(seed: u64, game: u64) -> Self {
        let [chance, first, second] = [0, 1, 2].map(|role| stream(seed, &[game, role]));
        Self {
            chance,
            seats: [first, second],
        }
    }

    /// Lets chance act in a position where it is its turn.
    pub fn draw<G: Game>(&mut self, game: &G, position: &mut G::Position) -> G::Chance {
        game.draw(position, &mut self.chance)
    }

    /// The generator of the player at a seat.
    pub fn of_seat(&mut self, seat: u8) -> &mut Stream {
        &mut self.seats[usize::from(seat)]
    }
}

/// Plays from `position` to the end and returns the number of moves.
pub fn play_out<G: Game>(
    game: &G,
    position: &mut G::Position,
    players: Table<'_, G>,
    dice: &mut Dice,
) -> u32 {
    let mut moves = 0;
    loop {
        match game.turn(position) {
            Turn::Over => return moves,
            Turn::Chance => {
                dice.draw(game, position);
            }
            Turn::Player(seat) => {
                let chosen = players[usize::from(seat)].choose(game, position, dice.of_seat(seat));
                game.play_unchecked(position, chosen);
                moves += 1;
            }
        }
    }
}
