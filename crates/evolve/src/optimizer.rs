//! Ask and tell: the one way to run every algorithm.
//!
//! [`ask`](Optimizer::ask) returns the candidates that wait for scores; [`tell`](Optimizer::tell) takes scores of some or all of
//! them, in any order. After the last score comes another round of the race, or the next generation.
//!
//! The state is plain data. Random numbers come from streams derived from seed, generation and slot, so there is no generator
//! to save: the optimiser can be serialised between any two calls and resumed anywhere, with the same results.

use serde::{Deserialize, Serialize};

use crate::algorithm::{Algorithm, AnyAlgorithm, BreedContext, Config, ConfigError, Offspring};
use crate::candidate::{Candidate, Scores, TellError};
use crate::genome::{Genome, Space};
use crate::individual::{Evidence, Individual, Origin, fittest};
use crate::noise::{Noise, still_racing};

/// Where the individual of a candidate is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Place {
    /// It is scored again: its index in the population.
    #[serde(rename = "Standing")]
    Population(usize),
    /// It is new: its index among the offspring.
    #[serde(rename = "Newborn")]
    Offspring(usize),
}

/// An individual that is scored in this generation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Pending {
    #[serde(rename = "whose")]
    place: Place,
    /// Scores of this generation so far.
    scores: Vec<f64>,
    /// Whether more scores are expected.
    waiting: bool,
}

/// Improves genomes by their scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Optimizer {
    seed: u64,
    space: Space,
    noise: Noise,
    /// Finished generations.
    generation: u32,
    next_id: u64,
    /// Games scored so far.
    games: u64,
    #[serde(rename = "newborn")]
    offspring: Vec<Individual>,
    pending: Vec<Pending>,
    round: u32,
    guests: Vec<Genome>,
    best: Option<Individual>,
    algorithm: AnyAlgorithm,
}

impl Optimizer {
    /// An optimiser with these settings; all its random numbers are derived from `seed`.
    pub fn new(
        config: &Config,
        space: Space,
        noise: Noise,
        seed: u64,
    ) -> Result<Self, ConfigError> {
        let algorithm = AnyAlgorithm::new(config, &space)?;
        Ok(Self {
            seed,
            space,
            noise,
            generation: 0,
            next_id: 0,
            games: 0,
            offspring: Vec::new(),
            pending: Vec::new(),
            round: 0,
            guests: Vec::new(),
            best: None,
            algorithm,
        })
    }

    /// The candidates that wait for scores; none when the algorithm has finished.
    pub fn ask(&mut self) -> Vec<Candidate> {
        if self.pending.is_empty() {
            self.begin_generation();
        }
        let waiting = self
            .pending
            .iter()
            .enumerate()
            .filter(|(_, one)| one.waiting);
        waiting
            .map(|(slot, one)| {
                let individual = self.individual(one.place);
                Candidate {
                    id: individual.id,
                    generation: self.generation,
                    slot: slot as u32,
                    games_before: one.scores.len() as u32,
                    genome: individual.genome.clone(),
                }
            })
            .collect()
    }

    /// Takes scores of candidates that [`ask`](Self::ask) returned.
    pub fn tell(&mut self, scores: &[Scores]) -> Result<(), TellError> {
        let slots = self.slots_of(scores)?;
        for (slot, new) in slots.into_iter().zip(scores) {
            let one = &mut self.pending[slot];
            if one.scores.is_empty() {
                // Without room to grow: most candidates are scored once a generation.
                one.scores.clone_from(&new.scores);
            } else {
                one.scores.extend_from_slice(&new.scores);
            }
            one.waiting = false;
            self.games += new.scores.len() as u64;
        }
        if !self.pending.is_empty() && self.pending.iter().all(|one| !one.waiting) {
            self.end_round();
        }
        Ok(())
    }

    /// Number of finished generations.
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Number of generations of an algorithm that finishes by itself.
    #[must_use]
    pub fn generations_to_end(&self) -> Option<u64> {
        self.algorithm.generations()
    }

    /// Games scored so far.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The current population: after a generation, its survivors.
    #[must_use]
    pub fn population(&self) -> &[Individual] {
        self.algorithm.population()
    }

    /// The fittest individual so far. With noise its fitness is an overestimate: measure it in fresh games.
    #[must_use]
    pub fn best(&self) -> Option<&Individual> {
        self.best.as_ref()
    }

    /// The space of the genomes.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Begins with these genomes, in this order, instead of the last of the first generation; an algorithm that samples a distribution
    /// begins around them.
    pub fn start_from(&mut self, genomes: &[Genome]) -> Result<(), String> {
        // The last one is injected into the last slot.
        for genome in genomes.iter().rev() {
            self.inject(genome.clone())?;
        }
        if !genomes.is_empty() {
            self.algorithm.start_around(genomes, &self.space);
        }
        Ok(())
    }

    /// Injects a genome from outside: it replaces one of the offspring of the next generation.
    pub fn inject(&mut self, genome: Genome) -> Result<(), String> {
        self.space.check(&genome)?;
        self.guests.push(genome);
        Ok(())
    }

    fn individual(&self, place: Place) -> &Individual {
        match place {
            Place::Population(index) => &self.algorithm.population()[index],
            Place::Offspring(index) => &self.offspring[index],
        }
    }

    fn slots_of(&self, scores: &[Scores]) -> Result<Vec<usize>, TellError> {
        let survivors = self.survivor_slots();
        let mut seen = vec![false; self.pending.len()];
        let slot_of = |&Scores { id, ref scores }: &Scores| {
            if scores.is_empty() {
                return Err(TellError::NoScore(id));
            }
            if !scores.iter().all(|score| score.is_finite()) {
                return Err(TellError::NotFinite(id));
            }
            self.slot_of(id, &survivors)
                .filter(|&slot| self.pending[slot].waiting)
                .filter(|&slot| !std::mem::replace(&mut seen[slot], true))
                .ok_or(TellError::NotAsked(id))
        };
        scores.iter().map(slot_of).collect()
    }

    /// Ids and slots of the individuals that are scored again, sorted by id.
    fn survivor_slots(&self) -> Vec<(u64, usize)> {
        let count = self.pending.len() - self.offspring.len();
        let survivors = self.algorithm.population()[..count].iter();
        let mut slots: Vec<_> = survivors
            .enumerate()
            .map(|(slot, one)| (one.id, slot))
            .collect();
        slots.sort_unstable();
        slots
    }

    /// Offspring come after the survivors and have consecutive ids.
    fn slot_of(&self, id: u64, survivors: &[(u64, usize)]) -> Option<usize> {
        match id.checked_sub(self.offspring.first()?.id) {
            Some(index) => {
                (index < self.offspring.len() as u64).then(|| survivors.len() + index as usize)
            }
            None => {
                let index = survivors.binary_search_by_key(&id, |&(id, _)| id).ok()?;
                Some(survivors[index].1)
            }
        }
    }

    fn begin_generation(&mut self) {
        let context = BreedContext::new(&self.space, self.generation, self.seed);
        let mut offspring = self.algorithm.propose(&context);
        let guests = std::mem::take(&mut self.guests);
        // The last slots, because elites and copies of the best tend to come first.
        for (child, genome) in offspring.iter_mut().rev().zip(guests) {
            *child = Offspring::without_parents(genome, Origin::Guest);
        }
        let again = match self.noise {
            // An algorithm that has finished needs no more scores.
            _ if offspring.is_empty() => 0,
            Noise::Keep => 0,
            _ if !self.algorithm.re_evaluates() => 0,
            Noise::ReEvaluate | Noise::Fresh | Noise::Racing { .. } => {
                self.algorithm.population().len()
            }
        };
        self.pending = (0..again)
            .map(Place::Population)
            .chain((0..offspring.len()).map(Place::Offspring))
            .map(|place| Pending {
                place,
                scores: Vec::new(),
                waiting: true,
            })
            .collect();
        self.offspring = offspring
            .into_iter()
            .map(|child| self.number(child))
            .collect();
        self.round = 0;
    }

    /// Gives offspring the next id.
    fn number(&mut self, child: Offspring) -> Individual {
        let id = self.next_id;
        self.next_id += 1;
        Individual {
            id,
            genome: child.genome,
            origin: child.origin,
            parents: child.parents,
            mutated: child.mutated,
            born: self.generation,
            evidence: Evidence::default(),
        }
    }

    fn end_round(&mut self) {
        self.round += 1;
        if let Noise::Racing { rounds } = self.noise
            && self.round < rounds
        {
            let scores: Vec<&[f64]> = self.pending.iter().map(|one| &one.scores[..]).collect();
            let racing = still_racing(&scores, self.algorithm.survivors());
            if racing.iter().filter(|&&racing| racing).count() > self.algorithm.survivors() {
                for (one, racing) in self.pending.iter_mut().zip(racing) {
                    one.waiting = racing;
                }
                return;
            }
        }
        self.end_generation();
    }

    fn end_generation(&mut self) {
        for one in std::mem::take(&mut self.pending) {
            let individual = match one.place {
                Place::Population(index) => &mut self.algorithm.population_mut()[index],
                Place::Offspring(index) => &mut self.offspring[index],
            };
            if self.noise == Noise::Fresh {
                individual.evidence = Evidence::default();
            }
            one.scores
                .iter()
                .for_each(|&score| individual.evidence.add(score));
        }
        let offspring = std::mem::take(&mut self.offspring);
        self.update_best(&offspring);
        let context = BreedContext::new(&self.space, self.generation, self.seed);
        self.algorithm.update(offspring, &context);
        self.generation += 1;
    }

    /// Finds the fittest individual. Re-evaluation may have lowered the fitness of the former best, and only the current population
    /// is scored again, so the former best counts only under `keep`.
    fn update_best(&mut self, offspring: &[Individual]) {
        let everyone = self.algorithm.population().iter().chain(offspring);
        let former = self.best.as_ref().filter(|_| self.noise == Noise::Keep);
        if let Some(best) = fittest(former.into_iter().chain(everyone)) {
            self.best = Some(best.clone());
        }
    }
}
