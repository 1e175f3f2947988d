//! Who plays: the players on the command line, one a seat.

use games::{AnyGame, Game, with_game};
use players::Spec;

use crate::output::Failure;

/// The players of a game: the first, and in a game for two the second, who is like the first if not named.
pub(crate) fn seats(
    game: &AnyGame,
    player: &str,
    against: Option<&str>,
) -> Result<Vec<Spec>, Failure> {
    let seats = with_game!(game, game => game.seats());
    let first: Spec = player.parse()?;
    let second = match against {
        Some(_) if seats < 2 => {
            let name = game.family().name;
            return Err(Failure::Usage(format!(
                "--against: {name} is played by one player"
            )));
        }
        Some(spec) => spec.parse()?,
        None => first.clone(),
    };
    Ok([first, second]
        .into_iter()
        .take(usize::from(seats))
        .collect())
}
