//! Files of a measurement: its numbers, one row per game, one row per move, and replays.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use anyhow::Context;
use games::AnyGame;
use play::measure::{Finding, Measurement, Plan};
use play::playing::Record;
use play::stats::{Share, Summary};
use players::Cancelled;

use crate::output::Failure;

/// Opens a file for writing, before any game is played for it.
pub(crate) fn create(path: &Path) -> Result<File, Failure> {
    Ok(File::create(path).with_context(|| format!("cannot write {}", path.display()))?)
}

/// Writes every number of a measurement, one per row.
pub(crate) fn write_numbers(measurement: &Measurement, file: File) -> Result<(), Failure> {
    let head = [
        "game",
        "player",
        "spec",
        "games",
        "seed",
        "quantity",
        "statistic",
        "value",
    ];
    let (games, seed) = (measurement.games.to_string(), measurement.seed.to_string());
    let rows = numbers(measurement)
        .into_iter()
        .map(|(quantity, statistic, value)| {
            [
                measurement.game.to_owned(),
                measurement.player.clone(),
                measurement.spec.clone(),
                games.clone(),
                seed.clone(),
                quantity,
                statistic.to_owned(),
                value.to_string(),
            ]
        });
    write(file, head, rows)
}

/// A file with rows of games, which is written as they are played: so no game has to be kept. Times are in seconds.
pub(crate) struct GamesFile {
    writer: csv::Writer<File>,
    rows: Rows,
    /// Games so far.
    games: usize,
}

/// Writes the rows of a game with this number.
type Rows = fn(&mut csv::Writer<File>, usize, &Record) -> Result<(), csv::Error>;

impl GamesFile {
    /// One row per game.
    pub(crate) fn of_games(game: &AnyGame, file: File) -> Result<Self, Failure> {
        let facts = game.facts();
        let common = [
            "number",
            "score",
            "moves",
            "seconds",
            "seconds_per_move",
            "forfeit",
        ];
        let facts = facts.iter().map(|&(name, _)| name);
        Self::begin(file, common.into_iter().chain(facts), row_of_game)
    }

    /// One row per move.
    pub(crate) fn of_moves(file: File) -> Result<Self, Failure> {
        Self::begin(file, ["game", "move", "seconds"], rows_of_moves)
    }

    fn begin<'a>(
        file: File,
        head: impl IntoIterator<Item = &'a str>,
        rows: Rows,
    ) -> Result<Self, Failure> {
        let mut writer = csv::Writer::from_writer(file);
        writer.write_record(head).context(CSV)?;
        Ok(Self {
            writer,
            rows,
            games: 0,
        })
    }

    /// Adds the next games.
    pub(crate) fn add(&mut self, records: &[Record]) -> Result<(), Failure> {
        for record in records {
            (self.rows)(&mut self.writer, self.games, record).context(CSV)?;
            self.games += 1;
        }
        Ok(self.writer.flush().context(CSV)?)
    }
}

fn row_of_game(
    writer: &mut csv::Writer<File>,
    number: usize,
    record: &Record,
) -> Result<(), csv::Error> {
    let reason = |forfeit: &(u8, String)| forfeit.1.clone();
    let common = [
        number.to_string(),
        record.score.to_string(),
        record.moves.to_string(),
        record.seconds.to_string(),
        (record.seconds / f64::from(record.moves.max(1))).to_string(),
        record.forfeit.as_ref().map_or(String::new(), reason),
    ];
    let facts = record.facts.iter().map(ToString::to_string);
    writer.write_record(common.into_iter().chain(facts))
}

fn rows_of_moves(
    writer: &mut csv::Writer<File>,
    game: usize,
    record: &Record,
) -> Result<(), csv::Error> {
    let mut times = record.move_seconds.iter().enumerate();
    times.try_for_each(|(number, time)| {
        writer.write_record([game.to_string(), number.to_string(), time.to_string()])
    })
}

/// What failed when a table is not written.
const CSV: &str = "cannot write the CSV file";

/// Every game as a replay, one per line: they are played again to be written down.
pub(crate) fn write_replays(
    plan: &Plan,
    games: u64,
    stop: &Cancelled,
    file: File,
) -> Result<(), Failure> {
    let mut file = BufWriter::new(file);
    for number in 0..games {
        let Some(replay) = plan.replay(number, stop).map_err(anyhow::Error::from)? else {
            return Err(Failure::Interrupted);
        };
        replay
            .write(&mut file)
            .context("cannot write the replays")?;
    }
    Ok(())
}

fn write<'a, R>(
    file: File,
    head: impl IntoIterator<Item = &'a str>,
    rows: impl Iterator<Item = R>,
) -> Result<(), Failure>
where
    R: IntoIterator<Item = String>,
{
    let mut writer = csv::Writer::from_writer(file);
    let write = || -> Result<(), csv::Error> {
        writer.write_record(head)?;
        for row in rows {
            writer.write_record(row)?;
        }
        Ok(writer.flush()?)
    };
    Ok(write().context(CSV)?)
}

/// Everything measured, as quantity, statistic and value.
fn numbers(measurement: &Measurement) -> Vec<(String, &'static str, f64)> {
    let mut rows = summary_rows("score", &measurement.score);
    rows.extend(summary_rows("moves", &measurement.moves));
    rows.extend(points_rows(measurement));
    for (name, finding) in &measurement.facts.0 {
        match finding {
            Finding::Count(summary) => rows.extend(summary_rows(name, summary)),
            Finding::Flag(share) => rows.extend(share_rows(name, share)),
            Finding::Classes(classes) => {
                rows.extend(
                    classes
                        .iter()
                        .flat_map(|(class, share)| share_rows(&format!("{name}_{class}"), share)),
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

fn points_rows(measurement: &Measurement) -> Vec<(String, &'static str, f64)> {
    let Some(points) = measurement.points_per_move else {
        return Vec::new();
    };
    let mut rows = vec![("mean", points.value)];
    rows.extend(
        points
            .ci95
            .into_iter()
            .flat_map(|[low, high]| [("ci95_low", low), ("ci95_high", high)]),
    );
    rows.into_iter()
        .map(|(statistic, value)| ("points_per_move".to_owned(), statistic, value))
        .collect()
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

fn share_rows(name: &str, share: &Share) -> Vec<(String, &'static str, f64)> {
    let values = [
        ("games", share.games as f64),
        ("share", share.share),
        ("ci95_low", share.ci95[0]),
        ("ci95_high", share.ci95[1]),
    ];
    values
        .into_iter()
        .map(|(statistic, value)| (name.to_owned(), statistic, value))
        .collect()
}
