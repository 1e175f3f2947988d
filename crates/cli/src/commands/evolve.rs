//! `gamete evolve`: finds the weights or the program of a player, and measures the champion on fresh games.
//!
//! The arguments make a study of one run, so an evolution is kept, stopped, resumed and reported like any other.

use std::path::{Path, PathBuf};

use lab::evolution::request::preset;
use lab::run::outcome::SELECTED;
use lab::runner::StudyRun;
use lab::store::baselines::Baseline;
use lab::study::{CHAMPION, Draft, Study, keys};
use play::measure::{MOST_GAMES, Measurement};
use play::numbers::listed;
use play::player_file::PlayerFile;
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
An evolution starts from a preset, of which every part can be changed; 'gamete algorithms' lists presets, algorithms \
and operators. It is a run like any other: Ctrl-C stops it, 'gamete resume' resumes it, 'gamete runs', 'report' and the page show it. \
The champion is measured on fresh games that selection has not used: 'selected at' is the fitness it was chosen by, the mean with \
its interval is its real strength. The same seed gives the same champion for any number of threads. 'gamete study new other' evolves the parameters of a program of your own.

Examples:
  gamete evolve 2048
  gamete evolve 2048 --preset 2048-ga --generations 20 --out my-champion
  gamete evolve tetris --generations 10 --set population=16
  gamete evolve connect --preset connect-ga --set 'selection=tournament(size=3)'
  gamete measure 2048 --player my-champion/champion.json";

/// Arguments of `gamete evolve`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The preset to start from [default: the game's first, as 'gamete algorithms' lists them]
    #[arg(long, value_name = "PRESET")]
    preset: Option<String>,
    /// The player whose weights or program are evolved
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    /// The algorithm, or the genetic algorithm of one of the works
    #[arg(long, value_name = "NAME")]
    algorithm: Option<String>,
    /// A setting of the algorithm, e.g. crossover-probability=0.8; may be given several times
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value)]
    set: Vec<(String, String)>,
    /// Population size; short for --set population=N
    #[arg(long, value_name = "N", value_parser = from_to::<u32>(1, u64::from(u32::MAX)))]
    population: Option<u32>,
    /// Generations after the first
    #[arg(long, value_name = "G", value_parser = from_to::<u32>(0, 10_000_000))]
    generations: Option<u32>,
    /// Games per candidate (in a two-player game: opponents it meets)
    #[arg(long, value_name = "K", value_parser = from_to::<u32>(1, 1_000_000))]
    games: Option<u32>,
    /// Games that every generation adds to those of a candidate
    #[arg(long, value_name = "X")]
    growth: Option<f64>,
    /// How weights are encoded as genes: reals, 9bit1decimal, 1000Genes ...
    #[arg(long, value_name = "NAME")]
    chromosome: Option<String>,
    /// Initial real genes are drawn from -X to X
    #[arg(long, value_name = "X")]
    initial: Option<f64>,
    /// Leave out a weight (it is 0), by its name or number; may be given several times
    #[arg(long, value_name = "WEIGHT")]
    without: Vec<String>,
    /// Start from the individuals in a file (a player, a table of 'gamete export', population.txt); may be given several times
    #[arg(long, value_name = "FILE")]
    start: Vec<String>,
    /// Objective to maximise: score, log-score, moves, or a statistic of the game, e.g. lines
    #[arg(long, value_name = "WHAT")]
    objective: Option<String>,
    /// Re-evaluation policy: keep, re-evaluate, fresh, racing or racing(rounds=N)
    #[arg(long, value_name = "HOW")]
    noise: Option<String>,
    /// Let all candidates of a generation play the same games
    #[arg(long, value_name = "YES|NO", value_parser = yes_or_no)]
    common_games: Option<bool>,
    /// In a two-player game: an opponent of the candidates, or each-other; may be given several times
    #[arg(long, value_name = "PLAYER")]
    against: Vec<String>,
    /// In a two-player game without chance: where games of candidates begin, as balanced, none or random(plies=N) [default: balanced if
    /// candidate and an opponent draw no random numbers, else none; none in the preset connect-ga, as in the work]
    #[arg(long, value_name = "OPENINGS")]
    openings: Option<String>,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: u64,
    /// Number of finalists from which fresh games choose the champion; 1: the fittest individual is the champion
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    finalists: Option<u16>,
    /// Number of fresh games that measure the champion
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = from_to::<u64>(2, MOST_GAMES))]
    final_games: u64,
    /// In a two-player game: the opponent that the champion is measured against [default: mcts(iterations=500)]
    #[arg(long, value_name = "PLAYER")]
    final_against: Option<String>,
    /// In a two-player game without chance: where the games that measure the champion begin [default: balanced]
    #[arg(long, value_name = "OPENINGS")]
    final_openings: Option<String>,
    /// Name of the run [default: the game and a hash of the settings]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Copy champion.json and history.csv to this directory, which is created
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

fn key_and_value(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("must be yes or no".to_owned()),
    }
}

/// Evolves and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let study = study(arguments)?;
    if let Some(out) = &arguments.out {
        check_free(out, &[CHAMPION, HISTORY])?;
    }
    let store = arguments.runs_dir.store();
    let ran = run_study(&study, &store, &arguments.run_study, None)?;
    let (results, files) = report_and_notify(&study, &ran)?;
    check_finished(&study, &ran)?;
    let mut evolved = Evolved::of(&study, &ran, &results)?;
    if let Some(out) = &arguments.out {
        evolved.copy_to(out, &results)?;
    }
    if arguments.json {
        print_json(&evolved)
    } else {
        print(&evolved.render(&results, files.first()))
    }
}

/// The arguments as a study of one run, so that an evolution is kept, resumed and reported like any other.
pub(crate) fn study(arguments: &Arguments) -> Result<Study, Failure> {
    // Wrong rules are reported as options.
    let preset = preset(arguments.game.name(), arguments.preset.as_deref())
        .map_err(|fault| Failure::Usage(format!("--preset: {}", fault.problem)))?;
    arguments.game.build_over(preset.rules)?;
    one_run::study(
        draft(arguments),
        "evolve",
        arguments.game.name(),
        arguments.name.clone(),
        &OPTIONS,
    )
}

fn draft(arguments: &Arguments) -> Draft {
    let mut draft = Draft::default();
    draft.set(keys::SEED, Some(arguments.seed));
    draft.set(keys::GAME_NAME, Some(arguments.game.name().to_owned()));
    for (rule, value) in arguments.game.options().iter() {
        draft.set_open(keys::GAME, rule, value);
    }
    draft.set(keys::PRESET, arguments.preset.clone());
    draft.set(keys::PLAYER, arguments.player.clone());
    draft.set(keys::CHROMOSOME, arguments.chromosome.clone());
    draft.set(keys::INITIAL, arguments.initial);
    draft.set(keys::WITHOUT, given(&arguments.without));
    draft.set(keys::START, given(&arguments.start));
    draft.set(keys::OPTIMIZER_ALGORITHM, arguments.algorithm.clone());
    let population = arguments.population.map(|size| size.to_string());
    let population = population.map(|size| ("population".to_owned(), size));
    for (key, value) in population.iter().chain(&arguments.set) {
        draft.set_open(keys::OPTIMIZER, key, value);
    }
    draft.set(keys::STOP_GENERATIONS, arguments.generations);
    draft.set(keys::FITNESS_GAMES, arguments.games);
    draft.set(keys::FITNESS_GROWTH, arguments.growth);
    draft.set(keys::FITNESS_OBJECTIVE, arguments.objective.clone());
    draft.set(keys::FITNESS_NOISE, arguments.noise.clone());
    draft.set(keys::FITNESS_COMMON_GAMES, arguments.common_games);
    draft.set(keys::FITNESS_AGAINST, given(&arguments.against));
    draft.set(keys::FITNESS_OPENINGS, arguments.openings.clone());
    draft.set(keys::FINAL_GAMES, Some(arguments.final_games));
    draft.set(keys::FINAL_FINALISTS, arguments.finalists.map(usize::from));
    draft.set(keys::FINAL_AGAINST, arguments.final_against.clone());
    draft.set(keys::FINAL_OPENINGS, arguments.final_openings.clone());
    draft
}

/// The values of an option, if there are any.
fn given(values: &[String]) -> Option<Vec<String>> {
    (!values.is_empty()).then(|| values.to_vec())
}

/// Options by the keys they set, where the message does not say itself what it is about.
const OPTIONS: [(&str, &str); 15] = [
    (keys::NAME.path(), "--name"),
    (keys::CHROMOSOME.path(), "--chromosome"),
    (keys::INITIAL.path(), "--initial"),
    (keys::WITHOUT.path(), "--without"),
    (keys::START.path(), "--start"),
    (keys::FITNESS_OBJECTIVE.path(), "--objective"),
    (keys::FITNESS_COMMON_GAMES.path(), "--common-games"),
    (keys::FITNESS_AGAINST.path(), "--against"),
    (keys::FITNESS_OPENINGS.path(), "--openings"),
    (keys::FITNESS_GAMES.path(), "--games"),
    (keys::FITNESS_GROWTH.path(), "--growth"),
    (keys::STOP_GENERATIONS.path(), "--generations"),
    (keys::FINAL_GAMES.path(), "--final-games"),
    (keys::FINAL_AGAINST.path(), "--final-against"),
    (keys::FINAL_OPENINGS.path(), "--final-openings"),
];

/// An evolution that is over.
#[derive(Debug, Serialize)]
struct Evolved {
    /// The run.
    run: String,
    /// Its directory.
    folder: PathBuf,
    /// What was looked for, and how.
    #[serde(skip)]
    title: String,
    /// What was maximised.
    objective: String,
    /// The fitness by which the champion was selected: flattered by luck.
    selected_at: f64,
    /// The champion.
    champion: PlayerFile,
    /// The champion in fresh games.
    measured: Measurement,
    /// Players that were not evolved, in games like those of the champion.
    baselines: Vec<Baseline>,
    /// Generations after the first.
    generations: u64,
    /// Games that were played to score candidates.
    games: u64,
    seed: u64,
    /// How long it worked, finals and measurement included.
    seconds: f64,
    /// Where champion and history were copied to.
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<PathBuf>,
}

impl Evolved {
    fn of(study: &Study, ran: &StudyRun, results: &Results) -> Result<Self, Failure> {
        let one = OneRun::of(study, ran)?;
        let metrics = &one.outcome.metrics;
        let number = |name: &str| metrics.get(name).map_or(0.0, |metric| metric.value);
        let champion = one.outcome.champion.clone();
        let missing = || anyhow::anyhow!("{} has no champion", one.id);
        Ok(Self {
            title: one.experiment.title().unwrap_or_default(),
            objective: one.experiment.objective(),
            baselines: results.baselines.clone(),
            selected_at: number(SELECTED),
            generations: number("generations") as u64,
            games: number("games") as u64,
            champion: champion.ok_or_else(missing)?,
            run: one.id,
            folder: one.folder,
            measured: one.measured,
            seed: study.seed,
            seconds: one.seconds,
            out: None,
        })
    }

    /// Copies the champion, and the history as a table.
    fn copy_to(&mut self, out: &Path, results: &Results) -> Result<(), Failure> {
        copy(&self.folder, CHAMPION, out)?;
        write_history(results, &self.run, &out.join(HISTORY))?;
        self.out = Some(out.to_owned());
        Ok(())
    }

    /// The outcome as a person reads it.
    fn render(&self, results: &Results, page: Option<&PathBuf>) -> String {
        let head = format!(
            "{}: generations 0 to {}, {} games in {}, seed {}\n\n",
            self.title,
            number(self.generations as f64, 0),
            number(self.games as f64, 0),
            seconds(self.seconds),
            self.seed
        );
        let place = self.out.as_deref().unwrap_or(&self.folder).join(CHAMPION);
        head + &self.render_champion()
            + &format!("\n{}", measure::render_numbers(&self.measured))
            + &beside(results)
            + &ending("champion", &place, results, page)
    }

    fn render_champion(&self) -> String {
        let file = &self.champion;
        let against = self.measured.against.as_ref();
        let against = against.map(|name| format!(" against {name}, from both seats"));
        let decimals = if self.selected_at.abs() < 10.0 { 3 } else { 1 };
        let mut text = format!(
            "The champion was selected at {} ({}). Its real strength, measured in {} fresh games{}, is below.\n",
            number(self.selected_at, decimals),
            self.objective,
            number(self.measured.games as f64, 0),
            against.unwrap_or_default()
        );
        let weights = file.named_weights();
        if !weights.is_empty() {
            text += &format!("Weights: {}\n", listed(weights));
        }
        if let Some(program) = &file.program {
            text += &format!("Program: {program}\n");
        }
        text
    }
}
