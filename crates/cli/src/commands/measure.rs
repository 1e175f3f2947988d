//! `gamete measure`: many games of a player, summed up.

use std::path::PathBuf;
use std::time::Duration;

use play::measure::{Finding, MOST_GAMES, Measurement, Plan, PointsPerMove, measure};
use play::openings::Openings;
use play::playing::{Interest, Table as Seats};
use play::stats::{Share, Summary};

use crate::counts::from_to;
use crate::files::{GamesFile, create, write_numbers, write_replays};
use crate::interrupt::interrupted;
use crate::lookout::Lookout;
use crate::openings::OpeningsArguments;
use crate::output::{Failure, Table, number, print, print_json, print_to_stderr, seconds};
use crate::pool::PoolArguments;
use crate::progress::{progress, threads};
use crate::rules::GameArguments;
use crate::seats::seats;

/// What Ctrl-C does.
pub(super) const INTERRUPTED: &str =
    "drops the games under way and shows what was played; Ctrl-C again stops at once\n";

const EXAMPLES: &str = "\
The same seed gives the same numbers for any number of threads.

Examples:
  gamete measure 2048 --player random --games 100000 --seed 1
  gamete measure tetris --games 1000 --board 10x10 --known 1
  gamete measure connect --games 10000 --rows 5 --cols 6 --json
  gamete measure 2048 --rules fer --csv fer.csv";

/// Arguments of `gamete measure`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The player, e.g. random
    #[arg(long, value_name = "PLAYER", default_value = "random")]
    player: String,
    /// The second player, in a two-player game [default: the same as the first]
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// In a two-player game: swap seats after every game; results are the first player's
    #[arg(long)]
    both_seats: bool,
    #[command(flatten)]
    openings: OpeningsArguments,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = from_to::<u64>(1, MOST_GAMES))]
    games: u64,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Write the statistics to this file, one per row
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write one row per game to this file: score, moves, time, statistics of the game
    #[arg(long, value_name = "FILE")]
    games_csv: Option<PathBuf>,
    /// Write one row per move to this file: its time
    #[arg(long, value_name = "FILE")]
    moves_csv: Option<PathBuf>,
    /// Write every game to this file as a replay, one per line; 'gamete train --from' learns from them
    #[arg(long, value_name = "FILE", conflicts_with = "move_time")]
    replays: Option<PathBuf>,
    /// Time limit per move, e.g. 50ms, for players that support it; results then depend on the machine
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    move_time: Option<Duration>,
    #[command(flatten)]
    pool: PoolArguments,
}

/// Plays and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let plan = plan(arguments)?;
    let open = |path: &Option<PathBuf>| path.as_deref().map(create).transpose();
    let numbers = open(&arguments.csv)?;
    let (games, moves) = (open(&arguments.games_csv)?, open(&arguments.moves_csv)?);
    let replays = open(&arguments.replays)?;
    let stop = interrupted(INTERRUPTED)?;
    let workers = arguments.pool.workers("measure", plan.threads, &stop)?;
    let bar = progress(plan.games);
    let lookout = Lookout::over(&bar, &plan.game, workers.slots());
    let games = games.map(|file| GamesFile::of_games(&plan.game, file));
    let moves = moves.map(GamesFile::of_moves);
    let mut files: Vec<GamesFile> = games.into_iter().chain(moves).collect::<Result<_, _>>()?;
    let mut written = Ok(());
    let result = measure(&plan, &workers, &|| bar.inc(1), &mut |records| {
        if written.is_ok() {
            written = files.iter_mut().try_for_each(|file| file.add(&records));
        }
    });
    drop(lookout);
    bar.finish_and_clear();
    let Some(measurement) = result? else {
        return Err(Failure::Interrupted);
    };
    numbers.map_or(Ok(()), |file| write_numbers(&measurement, file))?;
    written?;
    replays.map_or(Ok(()), |file| {
        write_replays(&plan, measurement.games, &stop, file)
    })?;
    if arguments.json {
        print_json(&measurement)?;
    } else {
        print(&render(&measurement))?;
    }
    check_complete(measurement.games, plan.games)?;
    match &measurement.forfeits {
        Some(forfeits) if forfeits.games == measurement.games => Err(all_forfeited("every game")),
        _ => Ok(()),
    }
}

/// Is everything played that was asked for? If not, says what the numbers are of.
pub(super) fn check_complete(played: u64, wanted: u64) -> Result<(), Failure> {
    if played == wanted {
        return Ok(());
    }
    let (first, all) = (number(played as f64, 0), number(wanted as f64, 0));
    print_to_stderr(format_args!(
        "stopped after the first {first} of {all} games; --games {played} gives the same numbers"
    ));
    Err(Failure::Interrupted)
}

/// Numbers of games that nobody played say nothing.
pub(super) fn all_forfeited(what: &str) -> Failure {
    Failure::Failed(anyhow::anyhow!("{what} was forfeited"))
}

fn plan(arguments: &Arguments) -> Result<Plan, Failure> {
    let game = arguments.game.build()?;
    let players = seats(&game, &arguments.player, arguments.against.as_deref())?;
    if arguments.both_seats && players.len() < 2 {
        let name = game.family().name;
        return Err(Failure::Usage(format!(
            "--both-seats: {name} is a one-player game"
        )));
    }
    let openings = arguments
        .openings
        .read(&game, Openings::between(&players))?;
    let interest = match arguments.moves_csv {
        Some(_) => Interest::MoveTimes,
        None => Interest::Result,
    };
    Ok(Plan {
        game,
        table: Seats::new(players, arguments.move_time),
        games: arguments.games,
        seed: arguments.seed,
        threads: threads(arguments.threads),
        interest,
        both_seats: arguments.both_seats,
        openings,
    })
}

/// The measurement as a person reads it.
fn render(measurement: &Measurement) -> String {
    let against = measurement
        .against
        .as_ref()
        .map(|name| {
            let seats = if measurement.both_seats {
                ", seats changed after every game"
            } else {
                ""
            };
            format!(" against {name}{seats}")
        })
        .unwrap_or_default();
    let title = format!(
        "{} by {}{against}: {} games, seed {}{}\n{}\n",
        measurement.game,
        measurement.player,
        number(measurement.games as f64, 0),
        measurement.seed,
        in_words(measurement.openings.as_deref()),
        repeated(measurement)
    );
    title + &render_numbers(measurement) + &render_speed(measurement)
}

/// Where games began, at the end of a title.
pub(super) fn in_words(openings: Option<&str>) -> String {
    match openings {
        None => String::new(),
        Some(named) if named.ends_with(')') || !named.contains(['/', ' ']) => {
            format!(", {named} openings")
        }
        Some(_) => ", openings from a list".to_owned(),
    }
}

/// A line on games that were played more than once.
fn repeated(measurement: &Measurement) -> String {
    let Some(different) = measurement.different_games else {
        return String::new();
    };
    format!(
        "{} different games of {}: the players draw no random numbers, and a repeated game counts once\n",
        number(different as f64, 0),
        number(measurement.games as f64, 0)
    )
}

/// The numbers of a measurement as a person reads them.
pub(crate) fn render_numbers(measurement: &Measurement) -> String {
    let mut table = Table::new([
        "",
        "mean",
        "95 % interval",
        "sd",
        "min",
        "5 %",
        "median",
        "95 %",
        "max",
    ]);
    table.row(summary_cells("score", &measurement.score));
    table.row(summary_cells("moves", &measurement.moves));
    if let Some(points) = &measurement.points_per_move {
        table.row(points_cells(points));
    }
    for (name, finding) in &measurement.facts.0 {
        if let Finding::Count(summary) = finding {
            table.row(summary_cells(name, summary));
        }
    }
    let mut text = table.render();
    text += &render_shares(measurement);
    if let Some(forfeits) = &measurement.forfeits {
        text += &format!(
            "\n{} games were forfeited; the first because {}\n",
            number(forfeits.games as f64, 0),
            forfeits.first_reason
        );
    }
    text
}

fn render_speed(measurement: &Measurement) -> String {
    format!(
        "\n{} on {} threads; {} games a second, {} a move\n",
        seconds(measurement.seconds),
        measurement.threads,
        number(measurement.games_per_second, 0),
        seconds(measurement.seconds_per_move)
    )
}

fn summary_cells(name: &str, summary: &Summary) -> [String; 9] {
    let decimals = if summary.max.abs() < 10 { 4 } else { 1 };
    let short = |value: f64| number(value, if value.fract() == 0.0 { 0 } else { decimals });
    [
        name.replace('_', " "),
        number(summary.mean, decimals),
        summary.ci95.map_or("-".to_owned(), |[low, high]| {
            format!("{} to {}", number(low, decimals), number(high, decimals))
        }),
        summary.sd.map_or("-".to_owned(), |sd| number(sd, decimals)),
        short(summary.min as f64),
        short(summary.quantiles.p05),
        short(summary.median),
        short(summary.quantiles.p95),
        short(summary.max as f64),
    ]
}

/// Over all games, so there is nothing to say of a single one.
fn points_cells(points: &PointsPerMove) -> [String; 3] {
    let short = |value: f64| number(value, 4);
    [
        format!("points a {}", points.per),
        short(points.value),
        points.ci95.map_or("-".to_owned(), |[low, high]| {
            format!("{} to {}", short(low), short(high))
        }),
    ]
}

fn render_shares(measurement: &Measurement) -> String {
    let mut table = Table::new(["", "games", "share", "95 % interval"]);
    let mut any = false;
    for (name, finding) in &measurement.facts.0 {
        let name = name.replace('_', " ");
        match finding {
            Finding::Count(_) => continue,
            Finding::Flag(share) => table.row(share_cells(name, share)),
            Finding::Classes(classes) => {
                for (class, share) in classes {
                    table.row(share_cells(format!("{name} {class}"), share));
                }
            }
        }
        any = true;
    }
    if any {
        format!("\n{}", table.render())
    } else {
        String::new()
    }
}

fn share_cells(name: String, share: &Share) -> [String; 4] {
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    [
        name,
        number(share.games as f64, 0),
        percent(share.share),
        format!("{} to {}", percent(share.ci95[0]), percent(share.ci95[1])),
    ]
}
