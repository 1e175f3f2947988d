//! `gamete watch`: a player's game, move by move.

use std::time::Duration;

use games::{AnyGame, with_game};
use players::Spec;

use crate::output::{Failure, print};
use crate::rules::GameArguments;
use crate::seats::seats;
use crate::tui::play::title;
use crate::tui::watch::{Plan, watch};

const EXAMPLES: &str = "\
The game is the first of 'gamete measure' with the same player and seed. Statistics are printed at the end;
in a pipe the game is played without a screen.

Examples:
  gamete watch 2048 --player random
  gamete watch tetris --delay 200ms --seed 7
  gamete watch connect --player random --against random
  gamete watch tetris --board 10x10 | cat";

/// Time between two moves if nothing is said.
pub(crate) const USUAL_DELAY: &str = "50ms";

/// Arguments of `gamete watch`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The player, e.g. random
    #[arg(long, value_name = "PLAYER", default_value = "random")]
    player: String,
    /// The second player, in a game for two [default: the same as the first]
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// Time between two moves, e.g. 50ms, 2s
    #[arg(long, value_name = "TIME", default_value = USUAL_DELAY, value_parser = humantime::parse_duration)]
    delay: Duration,
    /// From which all random numbers follow
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// Shows the game and prints what it told.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = arguments.game.build()?;
    let players = seats(&game, &arguments.player, arguments.against.as_deref())?;
    show(&game, players, arguments.delay, arguments.seed)
}

/// Shows a game of these players and prints what it told.
pub(crate) fn show(
    game: &AnyGame,
    players: Vec<Spec>,
    delay: Duration,
    seed: u64,
) -> Result<(), Failure> {
    let plan = Plan {
        title: title(game),
        players,
        delay,
        seed,
    };
    let name = game.family().name;
    let (told, leave) = with_game!(game, game => watch(name, game, &plan))?;
    let printed = print(&told);
    leave.result()?;
    printed
}
