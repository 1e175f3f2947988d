//! An evolution as a person says it: a preset, and what is to be different. Everything is checked before anything starts.

use std::str::FromStr;

use evolve::genome::decode::Chromosome;
use evolve::{ConfigError, Noise, Optimizer, Range};
use games::{AnyGame, Game, with_game};
use players::{Spec, SpecError};

use crate::evolution::{Finals, Plan};
use crate::fitness::{Fitness, Objective, Opponents};
use crate::player_file::{PlayerFileError, is_file, load};
use crate::presets::{self, PRESETS, Preset};
use crate::settings::{SettingsError, configure};
use crate::subject::Subject;

/// A preset with changes. What is not given is the preset's.
#[derive(Debug, Clone)]
pub struct Blueprint {
    /// What to start from.
    pub preset: &'static Preset,
    /// The game with its rules.
    pub game: AnyGame,
    /// The player whose weights or program are to be found.
    pub player: Option<String>,
    /// How weights are written as genes.
    pub chromosome: Option<String>,
    /// The algorithm, or the genetic algorithm of one of the documents.
    pub algorithm: Option<String>,
    /// Settings of the algorithm.
    pub settings: Vec<(String, String)>,
    /// Generations after the first.
    pub generations: Option<u32>,
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
    /// From which all random numbers follow.
    pub seed: u64,
    /// How many threads play.
    pub threads: usize,
}

/// The opponent's name that stands for the other candidates.
pub const EACH_OTHER: &str = "each-other";

/// A stronger opponent than evolution has met, and one that does not always play the same.
pub const MEASURE_AGAINST: &str = "mcts(iterations=500)";

/// What cannot be evolved.
#[derive(Debug, thiserror::Error)]
pub enum BlueprintError {
    /// Something that was asked for is wrong.
    #[error("{key}: {problem}")]
    Key {
        /// What, as it is called in studies and on the command line.
        key: &'static str,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// A player's spec is wrong.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// A player's file is wrong.
    #[error(transparent)]
    PlayerFile(#[from] PlayerFileError),
    /// There is no such algorithm or setting.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The algorithm cannot be set like that.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

fn wrong(key: &'static str, problem: impl Into<String>) -> BlueprintError {
    let problem = problem.into();
    BlueprintError::Key { key, problem }
}

/// The preset of a game: the one of this name, or the first.
pub fn preset(game: &str, name: Option<&str>) -> Result<&'static Preset, BlueprintError> {
    let found = match name {
        None => presets::of_game(game),
        Some(name) => presets::named(name).filter(|preset| preset.game == game),
    };
    found.ok_or_else(|| {
        let of_game = PRESETS.iter().filter(|preset| preset.game == game);
        let names: Vec<&str> = of_game.map(|preset| preset.name).collect();
        let name = name.unwrap_or_default();
        wrong(
            "preset",
            format!(
                "{game} has no preset '{name}'{}; it has {}",
                spec::did_you_mean(name, names.iter().copied()),
                names.join(", ")
            ),
        )
    })
}

impl Blueprint {
    /// The plan, if everything fits together.
    pub fn plan(&self) -> Result<Plan, BlueprintError> {
        let noise = self.noise()?;
        let fitness = Fitness {
            games: self.games.unwrap_or(self.preset.games),
            objective: self.objective()?,
            common: self.common(noise)?,
            opponents: self.opponents()?,
        };
        let finals = self.finals()?;
        let subject = self.subject()?;
        let algorithm = self.algorithm.as_deref().unwrap_or(self.preset.algorithm);
        let config = configure(algorithm, &self.all_settings())?;
        // Tried here, so that what cannot be is refused before any file is made.
        let trial = Optimizer::new(&config, subject.space().clone(), noise, self.seed)?;
        Ok(Plan {
            generations: self.generations(&trial),
            subject,
            config,
            fitness,
            noise,
            seed: self.seed,
            threads: self.threads,
            finals,
        })
    }

    fn is_for_two(&self) -> bool {
        with_game!(&self.game, game => game.seats()) == 2
    }

    /// Refuses what is only for games for two.
    fn only_for_two(&self, key: &'static str) -> Result<(), BlueprintError> {
        if self.is_for_two() {
            return Ok(());
        }
        let game = self.game.family().name;
        Err(wrong(key, format!("{game} is played by one player")))
    }

    fn subject(&self) -> Result<Subject, BlueprintError> {
        let player = self.player.as_deref().unwrap_or(self.preset.player);
        if is_file(player) {
            let problem = format!(
                "{player}: weights are found anew; name the player itself, like {}",
                self.preset.player
            );
            return Err(wrong("player", problem));
        }
        let chromosome = self.chromosome.as_deref().unwrap_or(self.preset.chromosome);
        let chromosome = Chromosome::from_str(chromosome);
        let chromosome = chromosome.map_err(|error| wrong("chromosome", error.to_string()))?;
        let reach = Range {
            low: -self.preset.reach,
            high: self.preset.reach,
        };
        Ok(Subject::new(
            self.game.clone(),
            player.parse()?,
            chromosome,
            reach,
        )?)
    }

    fn objective(&self) -> Result<Objective, BlueprintError> {
        let name = self.objective.as_deref().unwrap_or(self.preset.objective);
        Objective::named(name, &self.game).map_err(|error| wrong("objective", error.to_string()))
    }

    fn noise(&self) -> Result<Noise, BlueprintError> {
        let text = self.noise.as_deref();
        text.map_or(Ok(self.preset.noise), |text| Ok(text.parse()?))
    }

    /// Whether all candidates of a generation play the same games: a race compares the same ones.
    fn common(&self, noise: Noise) -> Result<bool, BlueprintError> {
        let racing = matches!(noise, Noise::Racing { .. });
        if racing && self.common_games == Some(false) {
            let problem = "a race compares the same games; racing needs them";
            return Err(wrong("common-games", problem));
        }
        Ok(racing || self.common_games.unwrap_or(self.preset.common))
    }

    fn opponents(&self) -> Result<Opponents, BlueprintError> {
        if !self.against.is_empty() {
            self.only_for_two("against")?;
        }
        let given: Vec<&str> = self.against.iter().map(String::as_str).collect();
        let names = match given.as_slice() {
            [] => self.preset.opponents,
            [EACH_OTHER] => &[],
            given if given.contains(&EACH_OTHER) => {
                return Err(wrong(
                    "against",
                    format!("{EACH_OTHER} cannot be joined with other opponents"),
                ));
            }
            given => given,
        };
        if names.is_empty() {
            return Ok(Opponents::EachOther);
        }
        let pool = names.iter().map(|text| self.player_of(text));
        Ok(Opponents::Pool(pool.collect::<Result<_, _>>()?))
    }

    fn finals(&self) -> Result<Finals, BlueprintError> {
        if self.measure_against.is_some() {
            self.only_for_two("measure-against")?;
        }
        let against = self.measure_against.as_deref().unwrap_or(MEASURE_AGAINST);
        Ok(Finals {
            finalists: self.finalists.unwrap_or(self.preset.finalists),
            games: self.measure,
            against: self.player_of(against)?,
        })
    }

    /// A player by its spec or its file.
    fn player_of(&self, text: &str) -> Result<Spec, BlueprintError> {
        if is_file(text) {
            let file = load(text.as_ref(), self.game.family().name)?;
            return Ok(file.spec()?.called(text));
        }
        Ok(text.parse()?)
    }

    /// The preset's settings, as far as its algorithm is used, then those that were given.
    fn all_settings(&self) -> Vec<(String, String)> {
        let algorithm = self.algorithm.as_deref();
        let own = algorithm.is_none_or(|name| name == self.preset.algorithm);
        let of_preset = self.preset.settings.iter().filter(|_| own);
        let of_preset = of_preset.map(|&(key, value)| (key.to_owned(), value.to_owned()));
        of_preset.chain(self.settings.iter().cloned()).collect()
    }

    /// Generations after the first: as given, or to the end of an algorithm that comes to one, or the preset's.
    fn generations(&self, trial: &Optimizer) -> u32 {
        let to_end = trial.generations_to_end();
        let to_end = to_end.map(|all| u32::try_from(all.saturating_sub(1)).unwrap_or(u32::MAX));
        self.generations
            .or(to_end)
            .unwrap_or(self.preset.generations)
    }
}
