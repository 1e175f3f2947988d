//! `gamete match`: players against each other, who is better, and whether it can be luck.

use std::time::Duration;

use play::measure::MOST_GAMES;
use play::tournament::{Outcome, Plan, play};
use players::Spec;

use crate::commands::measure::{INTERRUPTED, check_complete};
use crate::interrupt::interrupted;
use crate::output::{Failure, Table, print, print_json};
use crate::pool::PoolArguments;
use crate::progress::{progress, threads};
use crate::rules::GameArguments;
use crate::seats::player;

const EXAMPLES: &str = "\
Every player meets every other. In a two-player game each pair plays every game twice with the same dice, once with
each player first; in a one-player game both play the same games, and the higher score wins.

Examples:
  gamete match connect --players 'alphabeta(depth=5, eval=lines)' 'mcts(iterations=200)' random --games 200
  gamete match 2048 --players greedy random --games 1000 --seed 7 --json";

/// Arguments of `gamete match`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The players, two or more
    #[arg(long, value_name = "PLAYER", num_args = 2.., required = true)]
    players: Vec<String>,
    /// Games per pair; in a two-player game an even number lets each player start equally often
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: u64,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Time limit per move, e.g. 50ms, for players that support it; results then depend on the machine
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    move_time: Option<Duration>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pool: PoolArguments,
}

/// Plays and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = arguments.game.build()?;
    let players = arguments.players.iter().map(|text| player(&game, text));
    let players = players.collect::<Result<Vec<Spec>, Failure>>()?;
    let plan = Plan {
        game,
        players,
        games: arguments.games,
        seed: arguments.seed,
        move_time: arguments.move_time,
    };
    let stop = interrupted(INTERRUPTED)?;
    let threads = threads(arguments.threads);
    let workers = arguments.pool.workers("match", threads, &stop)?;
    let bar = progress(plan.total_games());
    let outcome = play(&plan, &workers, &|| bar.inc(1));
    bar.finish_and_clear();
    let Some(outcome) = outcome? else {
        return Err(Failure::Interrupted);
    };
    if arguments.json {
        print_json(&outcome)?;
    } else {
        print(&render(&outcome))?;
    }
    check_complete(outcome.games, plan.games)
}

fn render(outcome: &Outcome) -> String {
    let mut text = format!(
        "{}: {} games a pair, seed {}\n\n",
        outcome.game, outcome.games, outcome.seed
    );
    let mut standings = Table::new(["player", "Elo", "95 % interval", "won", "drawn", "lost"]);
    for standing in &outcome.standings {
        let [low, high] = standing.rating.ci95;
        standings.row([
            standing.player.clone(),
            format!("{:+.0}", standing.rating.elo),
            format!("{low:+.0} to {high:+.0}"),
            standing.wins.to_string(),
            standing.draws.to_string(),
            standing.losses.to_string(),
        ]);
    }
    text += &standings.render();
    text += "\n";
    for pairing in &outcome.pairings {
        text += &format!(
            "{} - {}: {} won, {} drawn, {} lost; {}\n",
            pairing.first,
            pairing.second,
            pairing.wins,
            pairing.draws,
            pairing.losses,
            verdict(pairing.wins, pairing.losses, pairing.p)
        );
    }
    for standing in outcome
        .standings
        .iter()
        .filter(|standing| standing.forfeits > 0)
    {
        text += &format!(
            "{} forfeited {} games; the first because {}\n",
            standing.player,
            standing.forfeits,
            standing.first_forfeit.as_deref().unwrap_or_default()
        );
    }
    text
}

fn verdict(wins: u32, losses: u32, p: f64) -> String {
    let shown = if p < 0.0001 {
        "p < 0.0001".to_owned()
    } else {
        format!("p = {p:.4}")
    };
    if p >= 0.05 {
        return format!("the difference can be luck ({shown})");
    }
    let better = if wins > losses { "first" } else { "second" };
    format!("the {better} is better ({shown})")
}
