//! Evaluators score candidates: by games of a player, or by an external program.

use evolve::{Candidate, Genome, Scores, Space};
use players::Spec;

use crate::evolution::encoding::Encoding;
use crate::evolution::external::ExternalError;
use crate::evolution::fitness::{Fitness, Opponents};
use play::measure;
use play::openings::Openings;
use play::playing::{Interest, PlayError, Table, Workers};
use play::seating::try_out;

/// Scores candidates.
pub trait Evaluator: Sync {
    /// The space of the genomes.
    fn space(&self) -> Space;

    /// Names of the decoded values.
    fn columns(&self) -> Vec<String>;

    /// The numbers a genome encodes, if it encodes numbers.
    fn weights(&self, genome: &Genome) -> Option<Vec<f64>>;

    /// The decoded values of a genome, one text per column.
    fn values(&self, genome: &Genome) -> Vec<String>;

    /// A score for display. Algorithms always maximise; an external program may minimise.
    fn for_people(&self, score: f64) -> f64 {
        score
    }

    /// Checks that scoring works: one error before the first game is better than a thousand lost games.
    fn try_out(&self) -> Result<(), EvaluatorError>;

    /// Scores the candidates of one generation, in their order; [`PlayError::Stopped`] if the workers stop before. `finished` is called
    /// after every game, from any thread.
    fn score(
        &self,
        candidates: &[Candidate],
        seed: u64,
        workers: &Workers,
        finished: &(dyn Fn() + Sync),
    ) -> Result<Vec<Scores>, EvaluatorError>;

    /// Number of finalists.
    fn finalists(&self) -> usize;

    /// Total games of this many finalists.
    fn final_games(&self, finalists: usize) -> u64;

    /// Scores the finalists.
    fn play_final(
        &self,
        finalists: &[Candidate],
        seed: u64,
        workers: &Workers,
        finished: &(dyn Fn() + Sync),
    ) -> Result<Vec<Scores>, EvaluatorError>;
}

/// Scores candidates by games.
#[derive(Debug, Clone)]
pub struct Games {
    /// The player.
    pub encoding: Encoding,
    /// How candidates are scored.
    pub fitness: Fitness,
    /// How the champion is chosen and measured.
    pub finals: Finals,
}

/// How the champion is chosen and measured, on games that evolution has not seen.
#[derive(Debug, Clone)]
pub struct Finals {
    /// Number of finalists, the fittest of the last population; with one, the fittest ever seen is the champion.
    pub finalists: usize,
    /// Games that measure the champion; the finalists share as many.
    pub games: u64,
    /// Their opponent, in a two-player game.
    pub against: Spec,
    /// Where these games begin.
    pub openings: Openings,
}

/// Why candidates could not be scored.
#[derive(Debug, thiserror::Error)]
pub enum EvaluatorError {
    /// Games could not be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// An external program gave no fitness.
    #[error(transparent)]
    External(ExternalError),
}

impl From<ExternalError> for EvaluatorError {
    fn from(error: ExternalError) -> Self {
        match error.is_unwanted() {
            true => Self::Play(PlayError::Stopped),
            false => Self::External(error),
        }
    }
}

impl Evaluator for Games {
    fn space(&self) -> Space {
        self.encoding.space().clone()
    }

    fn columns(&self) -> Vec<String> {
        self.encoding.columns()
    }

    fn weights(&self, genome: &Genome) -> Option<Vec<f64>> {
        self.encoding.weights(genome)
    }

    fn values(&self, genome: &Genome) -> Vec<String> {
        self.encoding.values(genome)
    }

    fn try_out(&self) -> Result<(), EvaluatorError> {
        Ok(self.try_out_opponents()?)
    }

    fn score(
        &self,
        candidates: &[Candidate],
        seed: u64,
        workers: &Workers,
        finished: &(dyn Fn() + Sync),
    ) -> Result<Vec<Scores>, EvaluatorError> {
        let told = self
            .fitness
            .score(&self.encoding, candidates, seed, workers, finished);
        Ok(told?)
    }

    fn finalists(&self) -> usize {
        self.finals.finalists
    }

    fn final_games(&self, finalists: usize) -> u64 {
        // A single finalist has won.
        if finalists < 2 {
            return 0;
        }
        let each = u64::from(self.fitness_of_final(finalists as u64).games);
        match self.fitness.objective {
            objective if objective.asks() => each * finalists as u64,
            _ => each * self.seats() * finalists as u64,
        }
    }

    fn play_final(
        &self,
        finalists: &[Candidate],
        seed: u64,
        workers: &Workers,
        finished: &(dyn Fn() + Sync),
    ) -> Result<Vec<Scores>, EvaluatorError> {
        let fitness = self.fitness_of_final(finalists.len() as u64);
        Ok(fitness.score(&self.encoding, finalists, seed, workers, finished)?)
    }
}

impl Games {
    fn seats(&self) -> u64 {
        u64::from(self.encoding.game().seats())
    }

    /// Games played to score one candidate once in a generation. Games between candidates count for both.
    #[must_use]
    pub fn games_each(&self, generation: u32) -> u64 {
        let games = u64::from(self.fitness.games_in(generation));
        match &self.fitness.opponents {
            _ if self.fitness.objective.asks() => games,
            Opponents::Pool(pool) if self.seats() == 2 => games * 2 * pool.len() as u64,
            Opponents::Pool(_) | Opponents::EachOther => games,
        }
    }

    fn try_out_opponents(&self) -> Result<(), PlayError> {
        let game = self.encoding.game();
        if game.seats() == 2 {
            let pool = match &self.fitness.opponents {
                Opponents::EachOther => &[],
                Opponents::Pool(pool) => pool.as_slice(),
            };
            try_out(game, pool)?;
            try_out(game, std::slice::from_ref(&self.finals.against))?;
        }
        Ok(())
    }

    /// The games of the finals: the same for all; in a two-player game against the reference opponent. Where positions are asked about,
    /// as many others as in a generation.
    fn fitness_of_final(&self, finalists: u64) -> Fitness {
        let games = self.finals.games.div_ceil(finalists * self.seats());
        let games = match self.fitness.objective {
            objective if objective.asks() => self.fitness.games,
            _ => u32::try_from(games).unwrap_or(u32::MAX),
        };
        Fitness {
            games,
            growth: 0.0,
            objective: self.fitness.objective.measured(),
            common: true,
            opponents: Opponents::Pool(vec![self.finals.against.clone()]),
            openings: self.finals.openings.clone(),
            positions: self.fitness.positions.clone(),
        }
    }

    /// The measurement of a champion on fresh games.
    #[must_use]
    pub fn measurement(&self, genome: &Genome, seed: u64) -> measure::Plan {
        self.measurement_of(self.encoding.spec(genome), seed)
    }

    /// The measurement of a player on fresh games.
    #[must_use]
    pub fn measurement_of(&self, player: Spec, seed: u64) -> measure::Plan {
        let players = [player, self.finals.against.clone()];
        let players = players.into_iter().take(self.seats() as usize);
        measure::Plan {
            game: self.encoding.game().clone(),
            table: Table::new(players.collect(), None),
            games: self.finals.games,
            seed,
            threads: 1,
            interest: Interest::Result,
            both_seats: self.seats() == 2,
            openings: self.finals.openings.clone(),
        }
    }
}
