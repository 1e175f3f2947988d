//! One loop that plays every game: players choose, chance draws.

pub use games::Dice;
use games::{Game, Generators, Turn};

use crate::player::Player;

/// The players of one game, one per seat.
pub type Table<'a, G> = &'a mut [Box<dyn Player<G>>];

/// Is called at every step of a game; a caller with a clock can time the moves.
pub trait Observer<G: Game> {
    /// Chance has acted.
    fn happened(&mut self, _chance: G::Chance) {}
    /// A player begins to think.
    fn thinking(&mut self) {}
    /// The player at `seat` has chosen. A player that forfeits chooses too, but the move is not made.
    fn chosen(&mut self, _seat: u8, _chosen: G::Move) {}
    /// Does it look at single steps? Where it does not, random players are not asked for each of their moves.
    fn looks_at_steps(&self) -> bool {
        true
    }
    /// Is the game no longer needed? Asked after every choice, which then does not count.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Observes nothing.
impl<G: Game> Observer<G> for () {
    fn looks_at_steps(&self) -> bool {
        false
    }
}

/// How a game went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// Moves of all players.
    pub moves: u32,
    /// The seat that forfeited, and why; the game ended there and is lost for it.
    pub forfeit: Option<(u8, String)>,
}

/// Plays from `position` to the end, or until the observer says that the game is cancelled.
pub fn play_out<G: Game>(
    game: &G,
    position: &mut G::Position,
    players: Table<'_, G>,
    dice: &mut Dice,
    observer: &mut impl Observer<G>,
) -> Finished {
    let mut moves = 0;
    if !observer.looks_at_steps() && players.iter().all(|player| player.is_random()) {
        moves = game.playout(position, dice);
    }
    loop {
        match game.turn(position) {
            Turn::Over => {
                return Finished {
                    moves,
                    forfeit: None,
                };
            }
            Turn::Chance => {
                observer.happened(dice.draw(game, position));
            }
            Turn::Player(seat) => {
                let player = &mut players[usize::from(seat)];
                observer.thinking();
                let chosen = player.choose(game, position, dice.seat(seat));
                observer.chosen(seat, chosen);
                if observer.is_cancelled() {
                    return Finished {
                        moves,
                        forfeit: None,
                    };
                }
                if let Some(reason) = player.forfeit() {
                    let forfeit = Some((seat, reason));
                    return Finished { moves, forfeit };
                }
                game.play_unchecked(position, chosen);
                moves += 1;
            }
        }
    }
}
