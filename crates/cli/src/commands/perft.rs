//! `gamete perft`: how many paths, or positions, of an exact length there are.

use std::time::Instant;

use play::any::AnyPosition;
use serde::Serialize;

use crate::output::{Failure, number, print, print_json, seconds};
use crate::rules::GameArguments;

const EXAMPLES: &str = "\
Every move and every chance event (a new tile, the next piece) is one ply.

Examples:
  gamete perft connect 8
  gamete perft connect 8 --distinct
  gamete perft 2048 3 --size 3x3 --json
  gamete perft connect 2 --from '......./......./......./......./......./...x...'";

/// Arguments of `gamete perft`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Length of the paths, in plies
    depth: u32,
    /// Count distinct positions instead of paths
    #[arg(long)]
    distinct: bool,
    /// Count from this position instead of the start
    #[arg(long, value_name = "POSITION")]
    from: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Count {
    game: &'static str,
    depth: u32,
    distinct: bool,
    count: u128,
    seconds: f64,
}

/// Counts and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = arguments.game.build()?;
    let position = match &arguments.from {
        Some(text) => AnyPosition::parse(&game, text)?,
        None => AnyPosition::start(&game),
    };
    let started = Instant::now();
    let count = if arguments.distinct {
        position.distinct(arguments.depth)
    } else {
        position.perft(arguments.depth)
    };
    let result = Count {
        game: game.family().name,
        depth: arguments.depth,
        distinct: arguments.distinct,
        count,
        seconds: started.elapsed().as_secs_f64(),
    };
    if arguments.json {
        return print_json(&result);
    }
    let what = if arguments.distinct {
        "distinct positions after"
    } else {
        "paths of"
    };
    print(&format!(
        "{} {what} {} plies ({})\n",
        number(result.count as f64, 0),
        result.depth,
        seconds(result.seconds)
    ))
}
