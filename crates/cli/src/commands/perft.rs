//! `gamete perft`: how many paths, or positions, of an exact length there are.

use std::time::Instant;

use games::{Game, distinct, perft, with_game};
use serde::Serialize;

use crate::output::{Failure, number, print, print_json, seconds};
use crate::rules::GameArguments;

const EXAMPLES: &str = "\
Every move and every act of chance (a new tile, the next piece) is one ply.

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
    /// How many plies a path has
    depth: u32,
    /// Count different positions instead of paths
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
    let any = arguments.game.build()?;
    let started = Instant::now();
    let count = with_game!(&any, game => count(game, arguments))?;
    let result = Count {
        game: any.family().name,
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

fn count<G: Game>(game: &G, arguments: &Arguments) -> Result<u128, Failure> {
    let position = match &arguments.from {
        Some(text) => {
            let position = text.parse()?;
            game.check(&position)?;
            position
        }
        None => game.start(),
    };
    Ok(if arguments.distinct {
        distinct(game, &position, arguments.depth)
    } else {
        perft(game, &position, arguments.depth)
    })
}
