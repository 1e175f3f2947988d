//! An external program as an evaluator, and the programs that all runs of a study share.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use evolve::{Candidate, Genome, Scores, Space};

use super::{External, ExternalError, Settings, SettingsError};
use crate::evolution::evaluator::{Evaluator, EvaluatorError};
use play::playing::Workers;

/// Scores candidates by an external program.
#[derive(Debug, Clone)]
pub struct Program {
    /// The program.
    pub external: Arc<External>,
    /// Requests per candidate.
    pub questions: u32,
    /// Whether all candidates of a generation get the same seeds.
    pub common: bool,
    /// Number of finalists, the fittest of the last population, compared with fresh seeds; with one, the fittest ever seen wins.
    pub finalists: usize,
    /// Requests with fresh seeds that measure the champion; the finalists share as many.
    pub final_questions: u64,
}

impl Program {
    fn questions_of_final(&self, finalists: usize) -> u32 {
        let each = self.final_questions.div_ceil(finalists.max(1) as u64);
        u32::try_from(each).unwrap_or(u32::MAX)
    }
}

impl Evaluator for Program {
    fn space(&self) -> Space {
        self.external.space()
    }

    fn columns(&self) -> Vec<String> {
        self.external.settings().genes.names()
    }

    fn weights(&self, genome: &Genome) -> Option<Vec<f64>> {
        Some(genome.reals().to_vec())
    }

    fn values(&self, genome: &Genome) -> Vec<String> {
        genome.reals().iter().map(ToString::to_string).collect()
    }

    fn for_people(&self, score: f64) -> f64 {
        self.external.settings().goal.fitness(score)
    }

    fn try_out(&self) -> Result<(), EvaluatorError> {
        Ok(self.external.try_out()?)
    }

    fn score(
        &self,
        candidates: &[Candidate],
        seed: u64,
        workers: &Workers,
        finished: &(dyn Fn() + Sync),
    ) -> Result<Vec<Scores>, EvaluatorError> {
        let (questions, common) = (self.questions, self.common);
        let told = self.external.score(
            candidates,
            questions,
            common,
            seed,
            workers.stop(),
            finished,
        );
        Ok(told?)
    }

    fn finalists(&self) -> usize {
        self.finalists
    }

    fn final_games(&self, finalists: usize) -> u64 {
        // A single finalist has won.
        if finalists < 2 {
            return 0;
        }
        u64::from(self.questions_of_final(finalists)) * finalists as u64
    }

    fn play_final(
        &self,
        finalists: &[Candidate],
        seed: u64,
        workers: &Workers,
        finished: &(dyn Fn() + Sync),
    ) -> Result<Vec<Scores>, EvaluatorError> {
        let questions = self.questions_of_final(finalists.len());
        Ok(self
            .external
            .score(finalists, questions, true, seed, workers.stop(), finished)?)
    }
}

/// Programs used by several runs at a time: runs with the same program share its copies, so that there are never
/// more than configured.
#[derive(Debug, Default)]
pub struct Programs {
    running: Mutex<Vec<Weak<External>>>,
    tried: Mutex<Vec<Settings>>,
}

impl Programs {
    /// The program of these settings. Its copies exit with the last reference to it.
    pub fn get(&self, settings: &Settings) -> Result<Arc<External>, SettingsError> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|program| program.strong_count() > 0);
        let same = |program: &Arc<External>| program.settings() == settings;
        if let Some(program) = running.iter().filter_map(Weak::upgrade).find(same) {
            return Ok(program);
        }
        let program = Arc::new(External::new(settings.clone())?);
        running.push(Arc::downgrade(&program));
        Ok(program)
    }

    /// Sends one request, unless a program with these settings has answered before.
    pub fn try_out(&self, program: &External) -> Result<(), ExternalError> {
        let tried = || self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        if !tried().contains(program.settings()) {
            program.try_out()?;
            tried().push(program.settings().clone());
        }
        Ok(())
    }
}
