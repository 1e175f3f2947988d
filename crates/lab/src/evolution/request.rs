//! An evolution as a person says it: a preset, and what is to be different. Everything is checked before anything starts.

use std::fmt;
use std::str::FromStr;

use evolve::genome::decode::Chromosome;
use evolve::{Config, ConfigError, Noise, Optimizer, Range};
use games::AnyGame;
use players::{Spec, SpecError};

use crate::evolution::encoding::Encoding;
use crate::evolution::evaluator::{Finals, Games};
use crate::evolution::fitness::{Fitness, Objective, Opponents};
use crate::evolution::presets::{self, PRESETS, Preset};
use crate::evolution::settings::configure;
use crate::evolution::{Plan, Stop};
use play::player_file::{is_file, load};
use play::seating::check;

/// A preset with changes. What is not given is the preset's.
#[derive(Debug, Clone)]
pub struct EvolutionRequest {
    /// What to start from.
    pub preset: &'static Preset,
    /// The game with its rules.
    pub game: AnyGame,
    /// The player whose weights or program are to be found.
    pub player: Option<String>,
    /// How weights are written as genes.
    pub chromosome: Option<String>,
    /// The algorithm, or the genetic algorithm of one of the works.
    pub algorithm: Option<String>,
    /// Settings of the algorithm.
    pub settings: Vec<(String, String)>,
    /// Where real genes begin: from minus this to this.
    pub reach: Option<f64>,
    /// Generations after the first.
    pub generations: Option<u32>,
    /// When it is enough, apart from generations.
    pub stop: Stop,
    /// Games a candidate plays.
    pub games: Option<u32>,
    /// What is made as large as possible.
    pub objective: Option<String>,
    /// What earlier scores count.
    pub noise: Option<String>,
    /// Whether all candidates of a generation play the same games.
    pub common_games: Option<bool>,
    /// Whom candidates of a game for two play: players, or [`EACH_OTHER`].
    pub against: Vec<String>,
    /// How many play for the title at the end.
    pub finalists: Option<usize>,
    /// Fresh games by which the champion is measured.
    pub measure: u64,
    /// Whom the champion of a game for two is measured against.
    pub measure_against: Option<String>,
}

/// The opponent's name that stands for the other candidates.
pub const EACH_OTHER: &str = "each-other";

/// A stronger opponent than evolution has met, and one that does not always play the same.
pub const MEASURE_AGAINST: &str = "mcts(iterations=500)";

/// A part of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The preset.
    Preset,
    /// The player that is evolved.
    Player,
    /// How weights are written as genes.
    Chromosome,
    /// What is made as large as possible.
    Objective,
    /// What earlier scores count.
    Noise,
    /// Whether all play the same games.
    CommonGames,
    /// The opponents.
    Against,
    /// The opponent of the champion.
    MeasureAgainst,
    /// The algorithm.
    Algorithm,
    /// A setting of the algorithm.
    Setting(String),
}

/// Something that cannot be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub part: Part,
    /// What is wrong with it, and what would be right.
    pub problem: String,
}

/// Everything that cannot be; never empty.
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
pub fn preset(game: &str, name: Option<&str>) -> Result<&'static Preset, Fault> {
    let found = match name {
        None => presets::of_game(game),
        Some(name) => presets::named(name).filter(|preset| preset.game == game),
    };
    found.ok_or_else(|| {
        let of_game = PRESETS.iter().filter(|preset| preset.game == game);
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

/// What is wrong with an algorithm that cannot be set like that.
pub(crate) fn of_config(error: &ConfigError) -> Fault {
    let part = match error {
        ConfigError::Value { key, .. } => Part::Setting((*key).to_owned()),
        ConfigError::Spec(_) => Part::Algorithm,
    };
    wrong(part, error)
}

/// The algorithm with its settings. All settings are tried, each by itself.
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

/// Generations after the first: as given, or to the end of an algorithm that comes to one, or else so many.
pub(crate) fn generations(given: Option<u32>, evaluator: &Optimizer, or_else: u32) -> u32 {
    let to_end = evaluator.generations_to_end();
    let to_end = to_end.map(|all| u32::try_from(all.saturating_sub(1)).unwrap_or(u32::MAX));
    given.or(to_end).unwrap_or(or_else)
}

/// Keeps what is wrong and goes on without it.
#[derive(Default)]
struct Collected(Vec<Fault>);

impl Collected {
    fn take<T>(&mut self, result: Result<T, Fault>) -> Option<T> {
        result.map_err(|fault| self.0.push(fault)).ok()
    }
}

impl EvolutionRequest {
    /// The plan, if everything fits together; else everything that does not.
    pub fn plan(&self) -> Result<Plan, Faults> {
        let mut faults = Collected::default();
        let noise = faults.take(self.noise());
        let objective = faults.take(self.objective());
        let common = noise.and_then(|noise| faults.take(self.common(noise)));
        let opponents = faults.take(self.opponents());
        let finals = faults.take(self.finals());
        let encoding = faults.take(self.encoding());
        let algorithm = self.algorithm.as_deref().unwrap_or(self.preset.algorithm);
        let config = config(algorithm, &self.all_settings(), &mut faults.0);
        let (
            Some(noise),
            Some(objective),
            Some(common),
            Some(opponents),
            Some(finals),
            Some(encoding),
            Some(config),
        ) = (
            noise, objective, common, opponents, finals, encoding, config,
        )
        else {
            return Err(Faults(faults.0));
        };
        // Tried here, so that what cannot be is refused before any file is made.
        let evaluator = Optimizer::new(&config, encoding.space().clone(), noise, 0);
        let evaluator = evaluator.map_err(|error| Faults(vec![of_config(&error)]))?;
        let fitness = Fitness {
            games: self.games.unwrap_or(self.preset.games),
            objective,
            common,
            opponents,
        };
        Ok(Plan {
            stop: Stop {
                generations: generations(self.generations, &evaluator, self.preset.generations),
                ..self.stop.clone()
            },
            evaluator: Games {
                encoding,
                fitness,
                finals,
            },
            config,
            noise,
        })
    }

    fn is_for_two(&self) -> bool {
        self.game.seats() == 2
    }

    /// Refuses what is only for games for two.
    fn only_for_two(&self, part: Part) -> Result<(), Fault> {
        if self.is_for_two() {
            return Ok(());
        }
        let game = self.game.family().name;
        Err(wrong(part, &format!("{game} is played by one player")))
    }

    fn encoding(&self) -> Result<Encoding, Fault> {
        let player = self.player.as_deref().unwrap_or(self.preset.player);
        if is_file(player) {
            let problem = format!(
                "player {player}: weights are found anew; name the player itself, like {}",
                self.preset.player
            );
            return Err(wrong(Part::Player, &problem));
        }
        let chromosome = self.chromosome.as_deref().unwrap_or(self.preset.chromosome);
        let chromosome = Chromosome::from_str(chromosome);
        let chromosome = chromosome.map_err(|error| wrong(Part::Chromosome, &error))?;
        let reach = self.reach.unwrap_or(self.preset.reach);
        let reach = Range {
            low: -reach,
            high: reach,
        };
        let of_player = |error: SpecError| wrong(Part::Player, &error);
        let player = player.parse().map_err(of_player)?;
        Encoding::new(self.game.clone(), player, chromosome, reach).map_err(of_player)
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

    /// Whether all candidates of a generation play the same games: a race compares the same ones.
    fn common(&self, noise: Noise) -> Result<bool, Fault> {
        let racing = matches!(noise, Noise::Racing { .. });
        if racing && self.common_games == Some(false) {
            let problem = "a race compares the same games; racing needs them";
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
                    &format!("{EACH_OTHER} cannot be joined with other opponents"),
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

    fn finals(&self) -> Result<Finals, Fault> {
        if self.measure_against.is_some() {
            self.only_for_two(Part::MeasureAgainst)?;
        }
        let against = self.measure_against.as_deref().unwrap_or(MEASURE_AGAINST);
        Ok(Finals {
            finalists: self.finalists.unwrap_or(self.preset.finalists),
            games: self.measure,
            against: self.player_of(against, &Part::MeasureAgainst)?,
        })
    }

    /// A player by its spec or its file.
    fn player_of(&self, text: &str, part: &Part) -> Result<Spec, Fault> {
        let wrong = |error: &dyn fmt::Display| wrong(part.clone(), &error);
        let spec = if is_file(text) {
            let file =
                load(text.as_ref(), self.game.family().name).map_err(|error| wrong(&error))?;
            file.spec().map_err(|error| wrong(&error))?.with_label(text)
        } else {
            text.parse::<Spec>().map_err(|error| wrong(&error))?
        };
        if self.is_for_two() {
            check(&self.game, &spec).map_err(|error| wrong(&error))?;
        }
        Ok(spec)
    }

    /// The preset's settings, as far as its algorithm is used, then those that were given.
    fn all_settings(&self) -> Vec<(String, String)> {
        let algorithm = self.algorithm.as_deref();
        let own = algorithm.is_none_or(|name| name == self.preset.algorithm);
        let of_preset = self.preset.settings.iter().filter(|_| own);
        let of_preset = of_preset.map(|&(key, value)| (key.to_owned(), value.to_owned()));
        of_preset.chain(self.settings.iter().cloned()).collect()
    }
}
