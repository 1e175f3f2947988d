//! What candidates go through: games of a player with something left to be found, or a program from external.

use evolve::{Candidate, Genome, Scores, Space};
use players::Spec;

use crate::evolution::encoding::Encoding;
use crate::evolution::external::ExternalError;
use crate::evolution::fitness::{Fitness, Objective, Opponents};
use play::measure;
use play::playing::{Interest, PlayError, Table, Workers};
use play::seating::try_out;

/// What candidates go through.
pub trait Evaluator: Sync {
    /// The space of the genomes.
    fn space(&self) -> Space;

    /// Names of what a genome stands for.
    fn columns(&self) -> Vec<String>;

    /// The numbers that a genome stands for, if it stands for numbers.
    fn weights(&self, genome: &Genome) -> Option<Vec<f64>>;

    /// What a genome stands for, one text per column.
    fn values(&self, genome: &Genome) -> Vec<String>;

    /// A score as people know it. To an algorithm more is always better; to a program from external it need not be.
    fn for_people(&self, score: f64) -> f64 {
        score
    }

    /// One message before the first game is better than a thousand lost games.
    fn try_out(&self) -> Result<(), EvaluatorError>;

    /// Scores the candidates of one generation, in their order. `finished` is called after every game, from any thread.
    fn score(
        &self,
        candidates: &[Candidate],
        seed: u64,
        workers: &Workers,
        finished: &(dyn Fn() + Sync),
    ) -> Result<Vec<Scores>, EvaluatorError>;

    /// How many play for the title.
    fn finalists(&self) -> usize;

    /// Games that this many finalists play in all.
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

/// Candidates play games.
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
    /// This many of the fittest of the last population play for the title; one means that the fittest ever seen has it.
    pub finalists: usize,
    /// Games by which the champion is measured; the finalists share as many among them.
    pub games: u64,
    /// Whom they play, in a game for two.
    pub against: Spec,
}

/// Why candidates could not be scored.
#[derive(Debug, thiserror::Error)]
pub enum EvaluatorError {
    /// Games could not be played.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A program gave no fitness.
    #[error(transparent)]
    External(#[from] ExternalError),
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
        // Who is alone has won.
        if finalists < 2 {
            return 0;
        }
        let each = self.fitness_of_final(finalists as u64).games;
        u64::from(each) * self.seats() * finalists as u64
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

    /// Games that are played to score one candidate once. Those of candidates who meet each other count for both.
    #[must_use]
    pub fn games_each(&self) -> u64 {
        let games = u64::from(self.fitness.games);
        match &self.fitness.opponents {
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

    /// The games of the finals: the same for all, against the measure of all things in a game for two.
    fn fitness_of_final(&self, finalists: u64) -> Fitness {
        let objective = match self.fitness.objective {
            Objective::NotLost | Objective::Graded => Objective::Score,
            other => other,
        };
        let games = self.finals.games.div_ceil(finalists * self.seats());
        Fitness {
            games: u32::try_from(games).unwrap_or(u32::MAX),
            objective,
            common: true,
            opponents: Opponents::Pool(vec![self.finals.against.clone()]),
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
        }
    }
}
