//! `gamete evolve`: finds the weights or the program of a player, and measures the champion on fresh games.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use evolve::Individual;
use lab::evolution::encoding::Subject;
use lab::evolution::evaluator::TrialError;
use lab::evolution::request::{Blueprint, Fault, Faults, Part, preset};
use lab::evolution::{EvolutionError, Generation, Outcome, Plan, Stop, Watcher, evolve};
use lab::history::History;
use play::measure::MOST_GAMES;
use play::player_file::PlayerFile;

use crate::commands::measure;
use crate::interrupt::interrupted;
use crate::output::{Failure, number, print, print_json, seconds};
use crate::progress::{GenerationBar, threads};
use crate::rules::GameArguments;

const EXAMPLES: &str = "\
An evolution starts from a preset, of which every part can be changed; 'gamete algorithms' lists presets, algorithms
and operators. The champion is measured on games that no selection has seen: 'selected at' is what it
was taken for, the mean with its interval is what it is. The same seed gives the same champion for any number of threads.

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
    /// What to start from [default: the preset named like the game]
    #[arg(long, value_name = "PRESET")]
    preset: Option<String>,
    /// The player whose weights or program are to be found
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    /// The algorithm, or the genetic algorithm of one of the documents
    #[arg(long, value_name = "NAME")]
    algorithm: Option<String>,
    /// A setting of the algorithm, e.g. crossover-probability=0.8; may be given several times
    #[arg(long, value_name = "KEY=VALUE", value_parser = key_and_value)]
    set: Vec<(String, String)>,
    /// Individuals; short for --set population=N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    population: Option<u32>,
    /// Generations after the first
    #[arg(long, value_name = "G", value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
    generations: Option<u32>,
    /// Games a candidate plays (connect: opponents it meets)
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,
    /// How weights are written as genes: reals, 9bit1decimal, 1000Genes ...
    #[arg(long, value_name = "NAME")]
    chromosome: Option<String>,
    /// What is made as large as possible: score, moves, or what the game counts, e.g. lines
    #[arg(long, value_name = "WHAT")]
    objective: Option<String>,
    /// What earlier scores count: keep, re-evaluate, fresh, racing or racing(rounds=N)
    #[arg(long, value_name = "HOW")]
    noise: Option<String>,
    /// Let all candidates of a generation play the same games
    #[arg(long, value_name = "YES|NO", value_parser = yes_or_no)]
    common_games: Option<bool>,
    /// In a game for two: whom candidates play, a player or each-other; may be given several times
    #[arg(long, value_name = "PLAYER")]
    against: Vec<String>,
    /// From which all random numbers follow
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many threads play [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The fittest so many play for the title at the end; 1: the fittest ever seen has it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    finalists: Option<u16>,
    /// Fresh games by which the champion is measured
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(2..=MOST_GAMES))]
    measure: u64,
    /// In a game for two: whom the champion is measured against [default: mcts(iterations=500)]
    #[arg(long, value_name = "PLAYER")]
    measure_against: Option<String>,
    /// Keep champion.json and history.csv in this directory, which is made
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object at the end
    #[arg(long)]
    json: bool,
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
    let plan = blueprint(arguments)?.plan()?;
    let files = arguments
        .out
        .as_deref()
        .map(|out| Files::create(out, &plan.trial.subject))
        .transpose()?;
    let mut screen = Screen {
        bar: GenerationBar::new(plan.stop.generations),
        files,
        subject: plan.trial.subject.clone(),
        interrupted: interrupted(INTERRUPTED)?,
    };
    let result = evolve(&plan, &mut screen);
    screen.bar.end();
    let outcome = result?;
    if arguments.json {
        print_json(&outcome)?;
    } else {
        print(&tell(&plan, &outcome, arguments.out.as_deref()))?;
    }
    if screen.interrupted.load(Ordering::Relaxed) {
        return Err(Failure::Interrupted);
    }
    Ok(())
}

fn blueprint(arguments: &Arguments) -> Result<Blueprint, Failure> {
    let preset = preset(arguments.game.name(), arguments.preset.as_deref())?;
    let population = arguments
        .population
        .map(|size| ("population".to_owned(), size.to_string()));
    Ok(Blueprint {
        preset,
        game: arguments.game.build_over(preset.rules)?,
        player: arguments.player.clone(),
        chromosome: arguments.chromosome.clone(),
        algorithm: arguments.algorithm.clone(),
        settings: population
            .into_iter()
            .chain(arguments.set.clone())
            .collect(),
        reach: None,
        generations: arguments.generations,
        stop: Stop::default(),
        games: arguments.games,
        objective: arguments.objective.clone(),
        noise: arguments.noise.clone(),
        common_games: arguments.common_games,
        against: arguments.against.clone(),
        finalists: arguments.finalists.map(usize::from),
        measure: arguments.measure,
        measure_against: arguments.measure_against.clone(),
        seed: arguments.seed,
        threads: threads(arguments.threads),
    })
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        // Specs and settings say themselves what they are about.
        let option = match fault.part {
            Part::Preset => "--preset: ",
            Part::Chromosome => "--chromosome: ",
            Part::Objective => "--objective: ",
            Part::CommonGames => "--common-games: ",
            Part::Against => "--against: ",
            Part::MeasureAgainst => "--measure-against: ",
            Part::Player | Part::Noise | Part::Algorithm | Part::Setting(_) => "",
        };
        Self::Usage(format!("{option}{}", fault.problem))
    }
}

impl From<Faults> for Failure {
    fn from(faults: Faults) -> Self {
        let told = faults.0.into_iter().map(|fault| match Self::from(fault) {
            Self::Usage(message) => message,
            _ => String::new(),
        });
        Self::Usage(told.collect::<Vec<_>>().join("\n"))
    }
}

/// What Ctrl-C does, for whoever pressed it.
const INTERRUPTED: &str =
    "ends after this generation, then measures the champion; Ctrl-C again ends at once\n";

/// The files of an evolution.
struct Files {
    directory: PathBuf,
    history: History,
}

const CHAMPION: &str = "champion.json";
const HISTORY: &str = "history.csv";

impl Files {
    fn create(directory: &Path, subject: &Subject) -> Result<Self, Failure> {
        for name in [CHAMPION, HISTORY] {
            let path = directory.join(name);
            if path.exists() {
                return Err(Failure::Usage(format!(
                    "--out {}: {name} is there already; choose another directory",
                    directory.display()
                )));
            }
        }
        std::fs::create_dir_all(directory)
            .with_context(|| format!("cannot make {}", directory.display()))?;
        let path = directory.join(HISTORY);
        let history = History::create(&path, subject)
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self {
            directory: directory.to_owned(),
            history,
        })
    }

    fn keep(&self, champion: &PlayerFile) -> Result<(), Box<dyn Error + Send + Sync>> {
        let path = self.directory.join(CHAMPION);
        let text = serde_json::to_string_pretty(champion)? + "\n";
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()).into())
    }
}

/// Shows an evolution and writes its history.
struct Screen {
    bar: GenerationBar,
    files: Option<Files>,
    subject: Subject,
    interrupted: Arc<AtomicBool>,
}

impl Watcher for Screen {
    fn game_over(&self) {
        self.bar.game_over();
    }

    fn generation_over(
        &mut self,
        generation: &Generation,
        population: &[Individual],
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.bar
            .generation_over(generation.number, generation.best, generation.mean);
        if let Some(files) = &mut self.files {
            files
                .history
                .add(generation.number, population, &self.subject)?;
        }
        Ok(())
    }

    fn enough(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    fn champion_found(
        &mut self,
        champion: &PlayerFile,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.files
            .as_ref()
            .map_or(Ok(()), |files| files.keep(champion))
    }

    fn finals_begin(&mut self, games: u64) {
        self.bar.finals_begin(games);
    }
}

impl From<EvolutionError> for Failure {
    fn from(error: EvolutionError) -> Self {
        match error {
            EvolutionError::Config(error) => Self::Usage(error.to_string()),
            EvolutionError::Trial(TrialError::Play(error)) => error.into(),
            EvolutionError::Trial(error) => Self::Failed(error.into()),
            EvolutionError::Watcher(error) => Self::Failed(
                anyhow::anyhow!(error).context("cannot write the files of the evolution"),
            ),
        }
    }
}

/// The outcome as a person reads it.
fn tell(plan: &Plan, outcome: &Outcome, out: Option<&Path>) -> String {
    let file = &outcome.champion.file;
    let mut text = format!(
        "{} by {}, evolved by {}: generations 0 to {}, {} games in {} ({} a second), seed {}\n\n",
        file.game,
        file.player,
        plan.config.name(),
        number(outcome.generations.into(), 0),
        number(outcome.games as f64, 0),
        seconds(outcome.seconds),
        number(outcome.games_per_second, 0),
        outcome.seed
    );
    text += &tell_champion(plan, outcome);
    text += &format!(
        "\n{}",
        measure::tell_numbers(&outcome.champion.measurement.whole)
    );
    text += &match out {
        Some(out) => format!(
            "\nThe champion is in {}; let it play with --player {}\n",
            out.display(),
            out.join(CHAMPION).display()
        ),
        None => "\nThe champion was not kept; --out DIR keeps it.\n".to_owned(),
    };
    text
}

fn tell_champion(plan: &Plan, outcome: &Outcome) -> String {
    let file = &outcome.champion.file;
    let whole = &outcome.champion.measurement.whole;
    let against = whole
        .against
        .as_ref()
        .map(|name| format!(" against {name}, from both seats"));
    let mut text = format!(
        "The champion was selected at {} ({}). What it is worth, in {} fresh games{}, stands below.\n",
        number(
            outcome.selected_at,
            if outcome.selected_at.abs() < 10.0 {
                3
            } else {
                1
            }
        ),
        plan.trial.fitness.objective.name(plan.trial.subject.game()),
        number(whole.games as f64, 0),
        against.unwrap_or_default()
    );
    if let (Some(weights), Some(names)) = (&file.weights, &file.weight_names) {
        let weights = names
            .iter()
            .zip(weights)
            .map(|(name, weight)| format!("{name} {weight:.4}"));
        text += &format!("Weights: {}\n", weights.collect::<Vec<_>>().join(", "));
    }
    if let Some(program) = &file.program {
        text += &format!("Program: {program}\n");
    }
    text
}
