//! `gamete perft`: how many paths, or positions, of an exact length there are.

use std::time::Instant;

use play::any::AnyPosition;
use serde::Serialize;

use crate::output::{Failure, number, print, print_json, print_to_stderr, seconds};
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

/// Shorter counts say nothing of longer ones.
const LONG_ENOUGH: f64 = 0.2;
/// From here on it is said how long it takes.
const WORTH_A_WORD: f64 = 10.0;
/// Nobody waits for more.
const A_YEAR: f64 = 365.0 * 86_400.0;

/// Counts depth by depth, so that it is known how long the rest takes: the last count takes most of the time. Returns it with its time.
fn count(position: &AnyPosition, arguments: &Arguments) -> Result<(u128, f64), Failure> {
    let (mut before, mut is_announced) = (1, false);
    for depth in 0.. {
        let started = Instant::now();
        let count = match arguments.distinct {
            true => position.distinct(depth),
            false => position.perft(depth),
        };
        let taken = started.elapsed().as_secs_f64();
        if depth == arguments.depth || count == 0 {
            return Ok((count, taken));
        }
        let growth = count as f64 / before as f64;
        let rest = taken * growth.powi((arguments.depth - depth) as i32);
        if taken > LONG_ENOUGH && rest > A_YEAR && !arguments.distinct {
            let within_a_minute = (60.0 / taken).ln() / growth.ln();
            let fitting = depth + within_a_minute.max(0.0) as u32;
            return Err(too_deep(arguments.depth, growth, fitting));
        }
        if taken > LONG_ENOUGH && rest > WORTH_A_WORD && !is_announced {
            is_announced = true;
            print_to_stderr(format_args!("this takes about {}", seconds(rest)));
        }
        before = count;
    }
    unreachable!("the depth is reached")
}

fn too_deep(asked: u32, growth: f64, fitting: u32) -> Failure {
    Failure::Usage(format!(
        "{asked} plies would take years: every ply has about {growth:.0} times as many paths as the one before; \
        {fitting} plies take less than a minute"
    ))
}

/// Counts and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = arguments.game.build()?;
    let position = match &arguments.from {
        Some(text) => AnyPosition::parse(&game, text)?,
        None => AnyPosition::start(&game),
    };
    let (count, seconds_taken) = count(&position, arguments)?;
    let result = Count {
        game: game.family().name,
        depth: arguments.depth,
        distinct: arguments.distinct,
        count,
        seconds: seconds_taken,
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
