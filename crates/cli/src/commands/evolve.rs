//! `gamete evolve`: finds the weights or the program of a player, and measures the champion on fresh games.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use evolve::genome::decode::Chromosome;
use evolve::{Individual, Noise, Optimizer, Range};
use games::{AnyGame, Game, with_game};
use lab::evolution::{EvolutionError, Finals, Generation, Outcome, Plan, Watcher, evolve};
use lab::fitness::{Fitness, Objective, Opponents};
use lab::history::History;
use lab::measure::MOST_GAMES;
use lab::player_file::{PlayerFile, is_file};
use lab::presets::{self, PRESETS, Preset};
use lab::settings::configure;
use lab::subject::Subject;
use players::Spec;

use crate::commands::measure;
use crate::output::{Failure, number, print, print_json, seconds};
use crate::progress::{GenerationBar, threads};
use crate::rules::GameArguments;
use crate::seats::player;

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
    let preset = preset(arguments)?;
    let plan = plan(arguments, preset)?;
    let files = arguments
        .out
        .as_deref()
        .map(|out| Files::create(out, &plan.subject))
        .transpose()?;
    let mut screen = Screen {
        bar: GenerationBar::new(plan.generations),
        files,
        subject: plan.subject.clone(),
        interrupted: interrupted()?,
    };
    let result = evolve(&plan, &mut screen);
    screen.bar.end();
    let outcome = result?;
    if let Some(files) = &screen.files {
        files.keep(&outcome.champion.file)?;
    }
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

fn preset(arguments: &Arguments) -> Result<&'static Preset, Failure> {
    let game = arguments.game.name();
    let of_game = || {
        PRESETS
            .iter()
            .filter(|preset| preset.game == game)
            .map(|preset| preset.name)
    };
    let found = match &arguments.preset {
        None => presets::of_game(game),
        Some(name) => presets::named(name).filter(|preset| preset.game == game),
    };
    found.ok_or_else(|| {
        let name = arguments.preset.as_deref().unwrap_or_default();
        Failure::Usage(format!(
            "--preset {name}: {game} has no such preset{}; it has {}",
            spec::did_you_mean(name, of_game()),
            of_game().collect::<Vec<_>>().join(", ")
        ))
    })
}

fn plan(arguments: &Arguments, preset: &Preset) -> Result<Plan, Failure> {
    let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
    let game = arguments.game.build_over(preset.rules)?;
    let chosen = template(arguments.player.as_deref().unwrap_or(preset.player))?;
    let chromosome: Chromosome = arguments
        .chromosome
        .as_deref()
        .unwrap_or(preset.chromosome)
        .parse()
        .map_err(|error| Failure::Usage(format!("--chromosome: {error}")))?;
    let reach = Range {
        low: -preset.reach,
        high: preset.reach,
    };
    let objective = arguments.objective.as_deref().unwrap_or(preset.objective);
    let objective = Objective::named(objective, &game).map_err(|error| usage(&error))?;
    let opponents = opponents(arguments, preset, &game)?;
    let noise = match &arguments.noise {
        None => preset.noise,
        Some(text) => text.parse().map_err(|error| usage(&error))?,
    };
    let common = common_games(arguments, preset, noise)?;
    let seats = with_game!(&game, game => game.seats());
    if arguments.measure_against.is_some() && seats < 2 {
        return Err(alone("--measure-against", &game));
    }
    let finals = Finals {
        finalists: arguments.finalists.map_or(preset.finalists, usize::from),
        games: arguments.measure,
        against: player(
            &game,
            arguments
                .measure_against
                .as_deref()
                .unwrap_or(MEASURE_AGAINST),
        )?,
    };
    let subject = Subject::new(game, chosen, chromosome, reach)?;
    let name = arguments.algorithm.as_deref().unwrap_or(preset.algorithm);
    let config = configure(name, &settings(arguments, preset)).map_err(|error| usage(&error))?;
    // What cannot be is refused here, before any file is made.
    let trial = Optimizer::new(&config, subject.space().clone(), noise, arguments.seed)
        .map_err(|error| usage(&error))?;
    Ok(Plan {
        generations: generations(arguments, preset, &trial),
        config,
        fitness: Fitness {
            games: arguments.games.unwrap_or(preset.games),
            objective,
            common,
            opponents,
        },
        subject,
        noise,
        seed: arguments.seed,
        threads: threads(arguments.threads),
        finals,
    })
}

/// The player that is to be shaped: a spec, since whatever a file carries would be thrown away.
fn template(text: &str) -> Result<Spec, Failure> {
    if is_file(text) {
        let problem = format!(
            "--player {text}: weights are found anew; name the player itself, like weighted(features=bcts)"
        );
        return Err(Failure::Usage(problem));
    }
    Ok(text.parse()?)
}

/// Generations after the first: as given, or to the end of an algorithm that comes to one, or the preset's.
fn generations(arguments: &Arguments, preset: &Preset, trial: &Optimizer) -> u32 {
    let to_end = trial
        .generations_to_end()
        .map(|all| u32::try_from(all.saturating_sub(1)).unwrap_or(u32::MAX));
    arguments
        .generations
        .or(to_end)
        .unwrap_or(preset.generations)
}

/// Whether all candidates of a generation play the same games: a race compares the same ones.
fn common_games(arguments: &Arguments, preset: &Preset, noise: Noise) -> Result<bool, Failure> {
    let racing = matches!(noise, Noise::Racing { .. });
    if racing && arguments.common_games == Some(false) {
        return Err(Failure::Usage(
            "--common-games no: a race compares the same games; racing needs them".to_owned(),
        ));
    }
    Ok(racing || arguments.common_games.unwrap_or(preset.common))
}

/// Refuses an option for games for two.
fn alone(option: &str, game: &AnyGame) -> Failure {
    Failure::Usage(format!(
        "{option}: {} is played by one player",
        game.family().name
    ))
}

/// A stronger opponent than evolution has met, and one that does not always play the same.
const MEASURE_AGAINST: &str = "mcts(iterations=500)";

/// Whom the candidates play.
fn opponents(arguments: &Arguments, preset: &Preset, game: &AnyGame) -> Result<Opponents, Failure> {
    let seats = with_game!(game, game => game.seats());
    if !arguments.against.is_empty() && seats < 2 {
        return Err(alone("--against", game));
    }
    let given: Vec<&str> = arguments.against.iter().map(String::as_str).collect();
    let names = match given.as_slice() {
        [] => preset.opponents,
        [EACH_OTHER] => &[],
        given if given.contains(&EACH_OTHER) => {
            let problem = format!("--against {EACH_OTHER}: cannot be joined with other opponents");
            return Err(Failure::Usage(problem));
        }
        given => given,
    };
    let pool: Vec<Spec> = names
        .iter()
        .map(|text| player(game, text))
        .collect::<Result<_, _>>()?;
    Ok(if pool.is_empty() {
        Opponents::EachOther
    } else {
        Opponents::Pool(pool)
    })
}

/// The opponent's name that stands for the other candidates.
const EACH_OTHER: &str = "each-other";

/// The preset's settings, as far as its algorithm is used, then those that were given.
fn settings(arguments: &Arguments, preset: &Preset) -> Vec<(String, String)> {
    let own_algorithm = arguments
        .algorithm
        .as_deref()
        .is_none_or(|name| name == preset.algorithm);
    let of_preset = preset.settings.iter().filter(|_| own_algorithm);
    let of_preset = of_preset.map(|&(key, value)| (key.to_owned(), value.to_owned()));
    let population = arguments
        .population
        .map(|size| ("population".to_owned(), size.to_string()));
    of_preset
        .chain(population)
        .chain(arguments.set.iter().cloned())
        .collect()
}

/// Becomes true with the first Ctrl-C or signal; the second ends the program at once.
fn interrupted() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .context("cannot listen to signals")?;
    Ok(flag)
}

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

    fn keep(&self, champion: &PlayerFile) -> Result<(), Failure> {
        let path = self.directory.join(CHAMPION);
        let text = serde_json::to_string_pretty(champion).map_err(anyhow::Error::from)?;
        Ok(std::fs::write(&path, text + "\n")
            .with_context(|| format!("cannot write {}", path.display()))?)
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

    fn finals_begin(&mut self, games: u64) {
        self.bar.finals_begin(games);
    }
}

impl From<EvolutionError> for Failure {
    fn from(error: EvolutionError) -> Self {
        match error {
            EvolutionError::Config(error) => Self::Usage(error.to_string()),
            EvolutionError::Play(error) => error.into(),
            EvolutionError::Watcher(error) => {
                Self::Failed(anyhow::anyhow!(error).context("cannot write the history"))
            }
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
        plan.fitness.objective.name(plan.subject.game()),
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
