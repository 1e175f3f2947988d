//! `gamete train`: a network learns a game by playing it, and is measured on fresh games.
//!
//! The arguments make a study of one run, so a training is kept, stopped, resumed and reported like any other.

use std::path::{Path, PathBuf};

use lab::run::curve::Curve;
use lab::runner::StudyRun;
use lab::store::baselines::Baseline;
use lab::study::{Draft, NETWORK, Study, keys};
use play::measure::{MOST_GAMES, Measurement};
use play::network_file::NetworkFile;
use play::numbers::with_interval;
use report::results::Results;
use serde::Serialize;

use crate::commands::measure;
use crate::counts::from_to;
use crate::one_run::{self, HISTORY, OneRun, beside, check_free, copy, ending, write_history};
use crate::output::{Failure, number, print, print_json, seconds};
use crate::rules::GameArguments;
use crate::run_study::{RunArguments, run_study};
use crate::runs_dir::RunsDir;
use crate::studies::{check_finished, report_and_notify};

const EXAMPLES: &str = "\
A network values a position as a sum over tables, looked up by what stands on a few cells. It plays, and after every move the value of the \
position before it is corrected towards what came of it (temporal differences). A training is a run like any other: Ctrl-C stops it and \
keeps the network so far, 'gamete resume' goes on, 'gamete runs', 'report' and the page show it. The same seed gives the same network for \
any number of threads, and however often it was stopped.

Networks of 2048: small (a minute), lines, 5x4, and for long trainings 4x6 and 8x6. Networks of connect: small, lines, windows. Or your own cells, counted row by row from 0.

Methods: tc (temporal coherence) and td (temporal differences), both with rate and lambda, e.g. 'td(rate=0.1, lambda=0)'.

Examples:
  gamete train 2048
  gamete train 2048 --network 4x6 --games 300000 --out my-network
  gamete train 2048 --network '0,1,2,3 4,5,6,7 0,1,4,5' --method td
  gamete measure 2048 --player expectimax --games 50 --replays games.jsonl
  gamete train 2048 --from games.jsonl --games 5000
  gamete measure 2048 --player my-network/champion.network
  gamete watch 2048 --player 'expectimax(depth=2, eval=network(file=my-network/champion.network))'";

/// Arguments of `gamete train`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The cells that the tables look at: a named set, or lists of cells like '0,1,2,3 4,5,6,7' [default: small]
    #[arg(long, value_name = "NETWORK")]
    network: Option<String>,
    /// How errors change weights: tc or td, with rate and lambda [default: tc]
    #[arg(long, value_name = "METHOD")]
    method: Option<String>,
    /// Games to learn from [default: 30,000]
    #[arg(long, value_name = "N", value_parser = from_to::<u64>(1, u64::from(u32::MAX)))]
    games: Option<u64>,
    /// What the network expects of a position that it has never met; a high value makes it try such positions [default: 0]
    #[arg(long, value_name = "VALUE")]
    initial: Option<f64>,
    /// Tiles from which on the network has other tables, e.g. 8192,16384
    #[arg(long, value_name = "TILES", value_delimiter = ',')]
    stages: Vec<u64>,
    /// Where games begin: start, or carousel (in turn there and where later stages began) [default: start]
    #[arg(long, value_name = "WHERE")]
    restart: Option<String>,
    /// Learn from these games instead of playing: replays (a file, one per line, a directory), or a CSV table with a column of steps
    #[arg(long, value_name = "PATH")]
    from: Option<String>,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: u64,
    /// Number of fresh games that measure the network
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = from_to::<u64>(2, MOST_GAMES))]
    final_games: u64,
    /// Also measure it with this many moves of look-ahead, e.g. 2,3
    #[arg(long, value_name = "PLIES", value_delimiter = ',')]
    plies: Vec<u64>,
    /// In a two-player game: the opponent that the network is measured against [default: mcts(iterations=500)]
    #[arg(long, value_name = "PLAYER")]
    final_against: Option<String>,
    /// Name of the run [default: the game and a hash of the settings]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Copy champion.network and history.csv to this directory, which is created
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    runs_dir: RunsDir,
    #[command(flatten)]
    run_study: RunArguments,
}

/// Trains and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let study = study(arguments)?;
    if let Some(out) = &arguments.out {
        check_free(out, &[NETWORK, HISTORY])?;
    }
    let store = arguments.runs_dir.store();
    let ran = run_study(&study, &store, &arguments.run_study, None)?;
    let (results, files) = report_and_notify(&study, &ran)?;
    check_finished(&study, &ran)?;
    let mut trained = Training::of(&study, &ran, &results)?;
    if let Some(out) = &arguments.out {
        trained.copy_to(out, &results)?;
    }
    if arguments.json {
        print_json(&trained)
    } else {
        print(&trained.render(&results, files.first()))
    }
}

/// The arguments as a study of one run.
pub(crate) fn study(arguments: &Arguments) -> Result<Study, Failure> {
    // Wrong rules are reported as options.
    arguments.game.build()?;
    one_run::study(
        draft(arguments),
        "train",
        arguments.game.name(),
        arguments.name.clone(),
        &OPTIONS,
    )
}

fn draft(arguments: &Arguments) -> Draft {
    let mut draft = Draft::default();
    draft.set(keys::KIND, Some("train".to_owned()));
    draft.set(keys::SEED, Some(arguments.seed));
    draft.set(keys::GAME_NAME, Some(arguments.game.name().to_owned()));
    for (rule, value) in arguments.game.options().iter() {
        draft.set_open(keys::GAME, rule, value);
    }
    draft.set(keys::TRAIN_NETWORK, arguments.network.clone());
    draft.set(keys::TRAIN_METHOD, arguments.method.clone());
    draft.set(keys::TRAIN_GAMES, arguments.games);
    draft.set(keys::TRAIN_INITIAL, arguments.initial);
    draft.set(keys::TRAIN_STAGES, given(&arguments.stages));
    draft.set(keys::TRAIN_RESTART, arguments.restart.clone());
    draft.set(keys::TRAIN_FROM, arguments.from.clone());
    draft.set(keys::FINAL_GAMES, Some(arguments.final_games));
    draft.set(keys::FINAL_PLIES, given(&arguments.plies));
    draft.set(keys::FINAL_AGAINST, arguments.final_against.clone());
    draft
}

/// The values of an option, if there are any.
fn given(values: &[u64]) -> Option<Vec<u64>> {
    (!values.is_empty()).then(|| values.to_vec())
}

/// Options by the keys they set.
const OPTIONS: [(&str, &str); 11] = [
    (keys::NAME.path(), "--name"),
    (keys::TRAIN_NETWORK.path(), "--network"),
    (keys::TRAIN_METHOD.path(), "--method"),
    (keys::TRAIN_GAMES.path(), "--games"),
    (keys::TRAIN_INITIAL.path(), "--initial"),
    (keys::TRAIN_STAGES.path(), "--stages"),
    (keys::TRAIN_RESTART.path(), "--restart"),
    (keys::TRAIN_FROM.path(), "--from"),
    (keys::FINAL_GAMES.path(), "--final-games"),
    (keys::FINAL_PLIES.path(), "--plies"),
    (keys::FINAL_AGAINST.path(), "--final-against"),
];

/// A training that is over.
#[derive(Debug, Serialize)]
struct Training {
    /// The run.
    run: String,
    /// Its directory.
    folder: PathBuf,
    /// What was trained, and how.
    #[serde(skip)]
    title: String,
    /// The network, without its weights.
    network: NetworkFile,
    /// The network in fresh games.
    measured: Measurement,
    /// Players that were not trained, in games like those of the network.
    baselines: Vec<Baseline>,
    seed: u64,
    /// How long it worked, measurement included.
    seconds: f64,
    /// Where network and history were copied to.
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<PathBuf>,
}

impl Training {
    fn of(study: &Study, ran: &StudyRun, results: &Results) -> Result<Self, Failure> {
        let one = OneRun::of(study, ran)?;
        let network = NetworkFile::open(&one.folder.join(NETWORK));
        Ok(Self {
            title: one.experiment.title().unwrap_or_default(),
            network: network.map_err(anyhow::Error::from)?,
            baselines: results.baselines.clone(),
            run: one.id,
            folder: one.folder,
            measured: one.measured,
            seed: study.seed,
            seconds: one.seconds,
            out: None,
        })
    }

    /// Copies the network, and the history as a table.
    fn copy_to(&mut self, out: &Path, results: &Results) -> Result<(), Failure> {
        copy(&self.folder, NETWORK, out)?;
        write_history(results, &self.run, &out.join(HISTORY))?;
        self.out = Some(out.to_owned());
        Ok(())
    }

    /// The outcome as a person reads it.
    fn render(&self, results: &Results, page: Option<&PathBuf>) -> String {
        let trained = &self.network.trained;
        let head = format!(
            "{}: {} games of {} moves in {}, seed {}\n\n\
             What the network is worth without look-ahead, in {} fresh games{}:\n\n",
            self.title,
            number(trained.games as f64, 0),
            number(trained.moves as f64 / trained.games.max(1) as f64, 0),
            seconds(self.seconds),
            self.seed,
            number(self.measured.games as f64, 0),
            match &self.measured.against {
                Some(name) => format!(" against {name}, from both seats"),
                None => String::new(),
            }
        );
        let place = self.out.as_deref().unwrap_or(&self.folder).join(NETWORK);
        self.curve()
            + &head
            + &measure::render_numbers(&self.measured)
            + &ahead(results)
            + &beside(results)
            + &ending("network", &place, results, page)
    }

    /// The learning curve, if it has some points, of a game that one player scores in: two that learn from each other win as much as they
    /// lose.
    fn curve(&self) -> String {
        let is_scored = self.measured.against.is_none();
        let Some(curve) = Curve::read(&self.folder, LINES, 1)
            .ok()
            .filter(|curve| is_scored && curve.mean.len() > 2)
        else {
            return String::new();
        };
        let highest = curve.mean.iter().copied().fold(1.0, f64::max);
        let lines = curve.generations.iter().zip(&curve.mean);
        let lines = lines.map(|(&games, &mean)| {
            let bar = "#".repeat((BAR * mean / highest).round() as usize);
            let (games, mean) = (number(f64::from(games), 0), number(mean, 0));
            format!("{games:>12}  {mean:>10}  {bar}\n")
        });
        let lines: String = lines.collect();
        format!("games so far  mean score\n{lines}\n")
    }
}

/// Lines of the learning curve.
const LINES: usize = 8;
/// Characters of its longest bar.
const BAR: f64 = 40.0;

/// What it is worth with look-ahead.
fn ahead(results: &Results) -> String {
    let metrics = results.settings[0].metrics.iter();
    let ahead = metrics.filter(|(name, _)| name.starts_with("score at "));
    let lines = ahead
        .map(|(name, metric)| format!("{name}: {}\n", with_interval(metric.value, metric.ci95)));
    let lines: String = lines.collect();
    if lines.is_empty() {
        return lines;
    }
    format!("\n{lines}")
}
