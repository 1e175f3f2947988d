//! `gamete measure`: many games of a player, summed up.

use std::fs::File;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use lab::measure::{Finding, MOST_GAMES, Measurement, Plan, measure};
use lab::stats::{Share, Summary};

use crate::output::{Failure, Table, number, print, print_json, seconds};
use crate::rules::GameArguments;
use crate::seats::seats;

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
    /// The second player, in a game for two [default: the same as the first]
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: u64,
    /// From which all random numbers follow
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many threads play [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Write the numbers to this file, one a row
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Plays and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let plan = plan(arguments)?;
    let file = arguments.csv.as_deref().map(create).transpose()?;
    let bar = progress(plan.games);
    let result = measure(&plan, &|| bar.inc(1));
    bar.finish_and_clear();
    let (measurement, _) = result?;
    match file {
        Some(file) => {
            write_csv(&measurement, file)?;
            print(&tell(&measurement))
        }
        None if arguments.json => print_json(&measurement),
        None => print(&tell(&measurement)),
    }
}

fn plan(arguments: &Arguments) -> Result<Plan, Failure> {
    let game = arguments.game.build()?;
    let players = seats(&game, &arguments.player, arguments.against.as_deref())?;
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    Ok(Plan {
        game,
        players,
        games: arguments.games,
        seed: arguments.seed,
        threads: arguments.threads.map_or(cores, usize::from),
    })
}

/// A bar on a terminal; indicatif shows none in a pipe.
fn progress(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{bar:30} {human_pos}/{human_len} games, {per_sec}, {eta} left",
    )
    .expect("the template is right");
    ProgressBar::new(games).with_style(style)
}

fn create(path: &Path) -> Result<File, Failure> {
    Ok(File::create(path).with_context(|| format!("cannot write {}", path.display()))?)
}

fn write_csv(measurement: &Measurement, file: File) -> Result<(), Failure> {
    let mut writer = csv::Writer::from_writer(file);
    let mut write = || -> Result<(), csv::Error> {
        writer.write_record([
            "game",
            "player",
            "games",
            "seed",
            "quantity",
            "statistic",
            "value",
        ])?;
        let (games, seed) = (measurement.games.to_string(), measurement.seed.to_string());
        for (quantity, statistic, value) in rows(measurement) {
            writer.write_record([
                measurement.game,
                &measurement.player,
                &games,
                &seed,
                &quantity,
                statistic,
                &value.to_string(),
            ])?;
        }
        Ok(writer.flush()?)
    };
    Ok(write().context("cannot write the CSV file")?)
}

/// Everything measured, as quantity, statistic and value.
fn rows(measurement: &Measurement) -> Vec<(String, &'static str, f64)> {
    let mut rows = summary_rows("score", &measurement.score);
    rows.extend(summary_rows("moves", &measurement.moves));
    for (name, finding) in &measurement.facts.0 {
        match finding {
            Finding::Count(summary) => rows.extend(summary_rows(name, summary)),
            Finding::Flag(share) => rows.extend(share_rows((*name).to_owned(), share)),
            Finding::Classes(classes) => {
                rows.extend(
                    classes
                        .iter()
                        .flat_map(|(class, share)| share_rows(format!("{name}_{class}"), share)),
                );
            }
        }
    }
    rows.push(("time".to_owned(), "seconds", measurement.seconds));
    rows.push((
        "time".to_owned(),
        "seconds_per_move",
        measurement.seconds_per_move,
    ));
    rows
}

fn summary_rows(name: &str, summary: &Summary) -> Vec<(String, &'static str, f64)> {
    let quantiles = summary.quantiles;
    let mut rows = vec![("mean", summary.mean)];
    rows.extend(summary.sd.map(|sd| ("sd", sd)));
    rows.extend(
        summary
            .ci95
            .into_iter()
            .flat_map(|[low, high]| [("ci95_low", low), ("ci95_high", high)]),
    );
    rows.extend([
        ("min", summary.min as f64),
        ("p05", quantiles.p05),
        ("p25", quantiles.p25),
        ("median", summary.median),
        ("p75", quantiles.p75),
        ("p95", quantiles.p95),
        ("max", summary.max as f64),
    ]);
    rows.into_iter()
        .map(|(statistic, value)| (name.to_owned(), statistic, value))
        .collect()
}

fn share_rows(name: String, share: &Share) -> Vec<(String, &'static str, f64)> {
    let values = [
        ("games", share.games as f64),
        ("share", share.share),
        ("ci95_low", share.ci95[0]),
        ("ci95_high", share.ci95[1]),
    ];
    values
        .into_iter()
        .map(|(statistic, value)| (name.clone(), statistic, value))
        .collect()
}

/// The measurement as a person reads it.
pub(crate) fn tell(measurement: &Measurement) -> String {
    let against = measurement
        .against
        .as_ref()
        .map(|name| format!(" against {name}"))
        .unwrap_or_default();
    let mut text = format!(
        "{} by {}{against}: {} games, seed {}\n\n",
        measurement.game,
        measurement.player,
        number(measurement.games as f64, 0),
        measurement.seed
    );
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
    for (name, finding) in &measurement.facts.0 {
        if let Finding::Count(summary) = finding {
            table.row(summary_cells(name, summary));
        }
    }
    text += &table.render();
    text += &tell_shares(measurement);
    text += &format!(
        "\n{} on {} threads; {} games a second, {} a move\n",
        seconds(measurement.seconds),
        measurement.threads,
        number(measurement.games_per_second, 0),
        seconds(measurement.seconds_per_move)
    );
    text
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

fn tell_shares(measurement: &Measurement) -> String {
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
