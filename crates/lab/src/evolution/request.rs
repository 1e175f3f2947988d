//! An evolution as the user requests it: a preset with changes. Everything is checked before anything starts.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use evolve::genome::decode::Chromosome;
use evolve::{Config, ConfigError, Genome, Noise, Optimizer, Range};
use games::AnyGame;
use players::{Spec, SpecError, Tunable};

use crate::evolution::encoding::Encoding;
use crate::evolution::evaluator::{Finals, Games};
use crate::evolution::fitness::{Fitness, Objective, Opponents};
use crate::evolution::positions::Positions;
use crate::evolution::presets::{self, Preset};
use crate::evolution::settings::configure;
use crate::evolution::start;
use crate::evolution::{Plan, Stop};
use play::named_player::{NamedPlayer, is_spec};
use play::openings::{self, Openings};
use play::seating::{check, draws, tunable};

/// A preset with changes. Missing values are the preset's.
#[derive(Debug, Clone)]
pub struct EvolutionRequest {
    /// The preset.
    pub preset: Preset,
    /// The game with its rules.
    pub game: AnyGame,
    /// The player whose weights or program are evolved.
    pub player: Option<String>,
    /// How weights are encoded as genes.
    pub chromosome: Option<String>,
    /// The algorithm, or the genetic algorithm of one of the works.
    pub algorithm: Option<String>,
    /// Settings of the algorithm.
    pub settings: Vec<(String, String)>,
    /// Real genes start between minus this and this.
    pub initial: Option<f64>,
    /// Weights that are left out, by their names or numbers.
    pub without: Vec<String>,
    /// Files with individuals of the first generation.
    pub start: Vec<PathBuf>,
    /// Generations after the first.
    pub generations: Option<u32>,
    /// When to stop, apart from generations.
    pub stop: Stop,
    /// Games per candidate.
    pub games: Option<u32>,
    /// Games that every generation adds to those of a candidate.
    pub growth: Option<f64>,
    /// The objective to maximise.
    pub objective: Option<String>,
    /// Re-evaluation policy.
    pub noise: Option<String>,
    /// Whether all candidates of a generation play the same games.
    pub common_games: Option<bool>,
    /// Opponents of candidates in a two-player game: players, or [`EACH_OTHER`].
    pub against: Vec<String>,
    /// Where games of candidates begin.
    pub openings: Option<String>,
    /// Number of finalists.
    pub finalists: Option<usize>,
    /// Fresh games that measure the champion.
    pub measure: u64,
    /// The opponent that measures the champion in a two-player game.
    pub measure_against: Option<String>,
    /// Where the games that measure the champion begin.
    pub measure_openings: Option<String>,
}

/// The name that means the other candidates as opponents.
pub const EACH_OTHER: &str = "each-other";

/// A stronger opponent than those met in evolution, and a nondeterministic one.
pub const MEASURE_AGAINST: &str = "mcts(iterations=500)";

/// The most games that a generation may add.
const MOST_GROWTH: f64 = 1000.0;

/// A part of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The preset.
    Preset,
    /// The player that is evolved.
    Player,
    /// How weights are encoded as genes.
    Chromosome,
    /// Weights that are left out.
    Without,
    /// Individuals of the first generation.
    Start,
    /// Games that every generation adds.
    Growth,
    /// The objective to maximise.
    Objective,
    /// Re-evaluation policy.
    Noise,
    /// Whether all candidates play the same games.
    CommonGames,
    /// The opponents.
    Against,
    /// Where games of candidates begin.
    Openings,
    /// The opponent of the champion.
    MeasureAgainst,
    /// Where games of the champion begin.
    MeasureOpenings,
    /// The algorithm.
    Algorithm,
    /// A setting of the algorithm.
    Setting(String),
}

/// An invalid part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The part.
    pub part: Part,
    /// What is wrong with it, and what is allowed.
    pub problem: String,
}

/// All faults; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults(pub Vec<Fault>);

impl std::error::Error for Faults {}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems: Vec<&str> = self.0.iter().map(|fault| fault.problem.as_str()).collect();
        f.write_str(&problems.join("\n"))
    }
}

fn wrong(part: Part, problem: &impl ToString) -> Fault {
    let problem = problem.to_string();
    Fault { part, problem }
}

/// The preset of a game: the one of this name, or the first.
pub fn preset(game: &str, name: Option<&str>) -> Result<Preset, Fault> {
    let found = match name {
        None => presets::of_game(game),
        Some(name) => presets::named(name).filter(|preset| preset.game == game),
    };
    found.ok_or_else(|| {
        let of_game = presets::all().filter(|preset| preset.game == game);
        let names: Vec<&str> = of_game.map(|preset| preset.name).collect();
        let name = name.unwrap_or_default();
        let problem = format!(
            "{game} has no preset '{name}'{}; it has {}",
            spec::did_you_mean(name, names.iter().copied()),
            names.join(", ")
        );
        wrong(Part::Preset, &problem)
    })
}

/// The fault of invalid algorithm settings.
pub(crate) fn of_config(error: &ConfigError) -> Fault {
    let part = match error {
        ConfigError::Value { key, .. } => Part::Setting((*key).to_owned()),
        ConfigError::Spec(_) => Part::Algorithm,
    };
    wrong(part, error)
}

/// The algorithm with its settings. Each setting is checked by itself.
pub(crate) fn config(
    algorithm: &str,
    settings: &[(String, String)],
    faults: &mut Vec<Fault>,
) -> Option<Config> {
    if let Err(error) = configure(algorithm, &[]) {
        faults.push(wrong(Part::Algorithm, &error));
        return None;
    }
    let before = faults.len();
    for setting in settings {
        if let Err(error) = configure(algorithm, std::slice::from_ref(setting)) {
            faults.push(wrong(Part::Setting(setting.0.clone()), &error));
        }
    }
    if faults.len() > before {
        return None;
    }
    let config = configure(algorithm, settings);
    config
        .map_err(|error| faults.push(wrong(Part::Algorithm, &error)))
        .ok()
}

/// Generations after the first unless they are given: up to the end of an algorithm that has one, or else this default.
pub(crate) fn usual_generations(optimizer: &Optimizer, or_else: u32) -> u32 {
    let to_end = optimizer.generations_to_end();
    let to_end = to_end.map(|all| u32::try_from(all.saturating_sub(1)).unwrap_or(u32::MAX));
    to_end.unwrap_or(or_else)
}

/// Collects faults and continues without the faulty parts.
#[derive(Default)]
struct Collected(Vec<Fault>);

impl Collected {
    fn take<T>(&mut self, result: Result<T, Fault>) -> Option<T> {
        result.map_err(|fault| self.0.push(fault)).ok()
    }
}

impl EvolutionRequest {
    /// The plan, or everything that is wrong with the request.
    pub fn plan(&self) -> Result<Plan, Faults> {
        let mut faults = Collected::default();
        let noise = faults.take(self.noise());
        let objective = faults.take(self.objective());
        let growth = faults.take(self.growth());
        let common = noise.and_then(|noise| faults.take(self.common(noise)));
        let opponents = faults.take(self.opponents());
        let finals = faults.take(self.finals());
        let encoding = faults.take(self.encoding());
        let algorithm = self.algorithm.as_deref().unwrap_or(self.preset.algorithm);
        let config = config(algorithm, &self.all_settings(), &mut faults.0);
        let (
            Some(noise),
            Some(objective),
            Some(growth),
            Some(common),
            Some(opponents),
            Some(finals),
            Some(encoding),
            Some(config),
        ) = (
            noise, objective, growth, common, opponents, finals, encoding, config,
        )
        else {
            return Err(Faults(faults.0));
        };
        // Checked here, so that it is refused before any file is written.
        let evaluator = Optimizer::new(&config, encoding.space().clone(), noise, 0);
        let evaluator = evaluator.map_err(|error| Faults(vec![of_config(&error)]))?;
        let start = self.start(&encoding, &evaluator);
        let start = start.map_err(|fault| Faults(vec![fault]))?;
        let openings = self.openings(encoding.player(), &opponents);
        let openings = openings.map_err(|fault| Faults(vec![fault]))?;
        let fitness = Fitness {
            games: self.games.unwrap_or(self.preset.games),
            growth,
            objective,
            common,
            opponents,
            openings,
            positions: Positions::default(),
        };
        let usual_generations = usual_generations(&evaluator, self.preset.generations);
        Ok(Plan {
            stop: Stop {
                generations: self.generations.unwrap_or(usual_generations),
                usual_generations,
                ..self.stop.clone()
            },
            evaluator: Games {
                encoding,
                fitness,
                finals,
            },
            config,
            start,
            noise,
        })
    }

    /// The individuals in the files to start from.
    fn start(&self, encoding: &Encoding, optimizer: &Optimizer) -> Result<Vec<Genome>, Fault> {
        let mut genomes = Vec::new();
        for file in &self.start {
            let found = start::read(file, encoding);
            genomes.extend(found.map_err(|problem| wrong(Part::Start, &problem))?);
        }
        if genomes.is_empty() {
            return Ok(genomes);
        }
        let (given, room) = (genomes.len(), optimizer.clone().ask().len());
        if given > room {
            let problem = format!(
                "{given} individuals, but the first generation has {room}; raise the population or leave some out"
            );
            return Err(wrong(Part::Start, &problem));
        }
        Ok(genomes)
    }

    fn is_for_two(&self) -> bool {
        self.game.seats() == 2
    }

    /// Refuses settings that are only for two-player games.
    fn only_for_two(&self, part: Part) -> Result<(), Fault> {
        if self.is_for_two() {
            return Ok(());
        }
        let game = self.game.family().name;
        Err(wrong(part, &format!("{game} is a one-player game")))
    }

    fn encoding(&self) -> Result<Encoding, Fault> {
        let player = self.player.as_deref().unwrap_or(self.preset.player);
        if !is_spec(player) {
            let problem = format!(
                "player {player}: evolution finds the weights; give the player without them, like {}",
                self.preset.player
            );
            return Err(wrong(Part::Player, &problem));
        }
        let chromosome = self.chromosome.as_deref().unwrap_or(self.preset.chromosome);
        let chromosome = Chromosome::from_str(chromosome);
        let chromosome = chromosome.map_err(|error| wrong(Part::Chromosome, &error))?;
        let initial = self.initial.unwrap_or(self.preset.initial);
        let initial = Range {
            low: -initial,
            high: initial,
        };
        let of_player = |error: SpecError| wrong(Part::Player, &error);
        let player = player.parse().map_err(of_player)?;
        let encoding = Encoding::new(self.game.clone(), player, chromosome, initial);
        let encoding = encoding.map_err(of_player)?.without(&self.without, initial);
        encoding.map_err(|problem| wrong(Part::Without, &(problem + &self.presets_with_weights())))
    }

    /// Which other presets have the weights to leave out.
    fn presets_with_weights(&self) -> String {
        let has_all = |preset: &Preset| {
            let player = preset.player.parse().ok();
            let free = player.and_then(|player| tunable(&self.game, &player).ok());
            matches!(free, Some(Tunable::Weights(names)) if self.without.iter().all(|weight| names.contains(weight)))
        };
        let of_game = presets::all().filter(|preset| preset.game == self.game.family().name);
        let names: Vec<&str> = of_game.filter(has_all).map(|preset| preset.name).collect();
        match names.is_empty() {
            true => String::new(),
            false => format!("; it is a weight of the presets {}", names.join(", ")),
        }
    }

    /// The preset's growth belongs to its games: games that are given stay as they are unless growth is given, too.
    fn growth(&self) -> Result<f64, Fault> {
        let of_preset = if self.games.is_none() {
            self.preset.growth
        } else {
            0.0
        };
        match self.growth.unwrap_or(of_preset) {
            growth if (0.0..=MOST_GROWTH).contains(&growth) => Ok(growth),
            growth => {
                let problem = format!("must be a number from 0 to {MOST_GROWTH}, not {growth}");
                Err(wrong(Part::Growth, &problem))
            }
        }
    }

    fn objective(&self) -> Result<Objective, Fault> {
        let name = self.objective.as_deref().unwrap_or(self.preset.objective);
        Objective::named(name, &self.game).map_err(|error| wrong(Part::Objective, &error))
    }

    fn noise(&self) -> Result<Noise, Fault> {
        let text = self.noise.as_deref();
        let noise = text.map_or(Ok(self.preset.noise), str::parse);
        noise.map_err(|error: SpecError| wrong(Part::Noise, &error))
    }

    /// Whether all candidates of a generation play the same games, as a race requires.
    fn common(&self, noise: Noise) -> Result<bool, Fault> {
        let racing = matches!(noise, Noise::Racing { .. });
        if racing && self.common_games == Some(false) {
            let problem = "racing compares candidates on the same games; remove this setting";
            return Err(wrong(Part::CommonGames, &problem));
        }
        Ok(racing || self.common_games.unwrap_or(self.preset.common))
    }

    fn opponents(&self) -> Result<Opponents, Fault> {
        if !self.against.is_empty() {
            self.only_for_two(Part::Against)?;
        }
        let given: Vec<&str> = self.against.iter().map(String::as_str).collect();
        let names = match given.as_slice() {
            [] => self.preset.opponents,
            [EACH_OTHER] => &[],
            given if given.contains(&EACH_OTHER) => {
                return Err(wrong(
                    Part::Against,
                    &format!("{EACH_OTHER} cannot be combined with other opponents"),
                ));
            }
            given => given,
        };
        if names.is_empty() {
            return Ok(Opponents::EachOther);
        }
        let pool = names
            .iter()
            .map(|text| self.player_of(text, &Part::Against));
        Ok(Opponents::Pool(pool.collect::<Result<_, _>>()?))
    }

    /// Where candidates begin: in different positions if they would repeat their games otherwise.
    fn openings(&self, player: &Spec, opponents: &Opponents) -> Result<Openings, Fault> {
        if let Some(text) = &self.openings {
            return self.openings_of(text, Part::Openings);
        }
        let repeats = |opponent: &Spec| !draws(&self.game, opponent);
        let are_repeated = match opponents {
            Opponents::EachOther => !self.preset.from_start,
            Opponents::Pool(pool) => pool.iter().any(repeats),
        };
        Ok(
            match openings::suits(&self.game) && repeats(player) && are_repeated {
                true => Openings::Balanced,
                false => Openings::None,
            },
        )
    }

    fn openings_of(&self, text: &str, part: Part) -> Result<Openings, Fault> {
        let openings = Openings::read(text).and_then(|openings| {
            openings.check(&self.game)?;
            Ok(openings)
        });
        openings.map_err(|error| wrong(part, &error))
    }

    fn finals(&self) -> Result<Finals, Fault> {
        if self.measure_against.is_some() {
            self.only_for_two(Part::MeasureAgainst)?;
        }
        let against = self.measure_against.as_deref().unwrap_or(MEASURE_AGAINST);
        Ok(Finals {
            finalists: self.finalists.unwrap_or(self.preset.finalists),
            games: self.measure,
            against: self.player_of(against, &Part::MeasureAgainst)?,
            openings: match &self.measure_openings {
                Some(text) => self.openings_of(text, Part::MeasureOpenings)?,
                None if openings::suits(&self.game) => Openings::Balanced,
                None => Openings::None,
            },
        })
    }

    /// A player from its spec or its file.
    fn player_of(&self, text: &str, part: &Part) -> Result<Spec, Fault> {
        let wrong = |error: &dyn fmt::Display| wrong(part.clone(), &error);
        let named = NamedPlayer::read(text, Path::new(""), self.game.family().name);
        let spec = named.map_err(|error| wrong(&error))?.spec;
        if self.is_for_two() {
            check(&self.game, &spec).map_err(|error| wrong(&error))?;
        }
        Ok(spec)
    }

    /// The preset's settings, if its algorithm is used, then the given ones.
    fn all_settings(&self) -> Vec<(String, String)> {
        let algorithm = self.algorithm.as_deref();
        let own = algorithm.is_none_or(|name| name == self.preset.algorithm);
        let of_preset = self.preset.settings.iter().filter(|_| own);
        let of_preset = of_preset.map(|&(key, value)| (key.to_owned(), value.to_owned()));
        of_preset.chain(self.settings.iter().cloned()).collect()
    }
}
