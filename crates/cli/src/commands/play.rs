//! `gamete play`: a game for people, in the terminal.

use std::hash::{BuildHasher, RandomState};

use games::{Game, with_game};
use players::{Spec, registry};

use crate::output::Failure;
use crate::rules::GameArguments;
use crate::tui::is_terminal;
use crate::tui::play::{Play, Table, title};

const EXAMPLES: &str = "\
Keys are shown on the screen; ? explains all of them. Best scores are kept in the user's data directory
(or in GAMETE_DATA). NO_COLOR=1 plays without colours.

Examples:
  gamete play 2048
  gamete play 2048 --size 5x5 --stop-at-win
  gamete play tetris
  gamete play tetris --turn-based --shapes pentominoes
  gamete play connect
  gamete play connect --player random --second";

/// Arguments of `gamete play`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Play against this player, e.g. random, in a game for two [default: another person]
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    /// Let the player move first
    #[arg(long, requires = "player")]
    second: bool,
    /// Tetris without a clock: the piece waits
    #[arg(long)]
    turn_based: bool,
    /// From which all random numbers follow [default: another one every time]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

/// Plays until the person leaves.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = arguments.game.build()?;
    let name = game.family().name;
    let seats = with_game!(&game, game => game.seats());
    if arguments.player.is_some() && seats < 2 {
        return Err(Failure::Usage(format!(
            "--player: {name} is played alone; 'gamete watch {name}' shows how a player plays it"
        )));
    }
    if arguments.turn_based && name != "tetris" {
        return Err(Failure::Usage(format!(
            "--turn-based: {name} has no clock anyway; it is for tetris"
        )));
    }
    let player: Option<Spec> = arguments.player.as_deref().map(str::parse).transpose()?;
    if let Some(spec) = &player {
        with_game!(&game, game => registry::build(game, spec).map(drop))?;
    }
    let table = Table {
        title: title(&game),
        record: format!("{name} {}", game.options()),
        seed: arguments.seed.unwrap_or_else(any_seed),
        player,
        second: arguments.second,
        turn_based: arguments.turn_based,
    };
    if !is_terminal() {
        return Err(Failure::Usage(format!(
            "play needs a terminal; 'gamete watch {name}' and 'gamete measure {name}' do not"
        )));
    }
    with_game!(&game, game => game.sit(&table))
}

/// A seed that nobody knows: hash maps are seeded from the system's randomness.
fn any_seed() -> u64 {
    RandomState::new().hash_one(0)
}
