//! Ask and tell: the one way to run every algorithm.
//!
//! [`ask`](Optimizer::ask) gives the candidates of the moment, the same ones until they are told;
//! [`tell`](Optimizer::tell) takes scores of some or all of them, in any order. When the last one is known, the
//! optimiser goes on: to another round of the race for those that matter, or to the next generation.
//!
//! The state is plain data. Random numbers come from streams derived from the seed, the generation and the slot, so
//! there is no generator to save: serialise it at any moment, go on anywhere, and nothing changes.

use serde::{Deserialize, Serialize};
use streams::{Stream, stream};

use crate::algorithm::{Algorithm, AnyAlgorithm, Config, ConfigError};
use crate::genome::{Genome, Space};
use crate::individual::{Evidence, Individual, Origin};
use crate::noise::{Noise, still_racing};

/// A genome to be scored.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The individual's number.
    pub id: u64,
    /// The generation it is scored in.
    pub generation: u32,
    /// Its place among the candidates of this generation.
    pub slot: u32,
    /// Games it has been scored by in this generation: games come in order, and these are over.
    pub games_before: u32,
    /// What to score.
    pub genome: Genome,
}

/// Scores of a candidate, one a game in the order of the games.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// The individual's number.
    pub id: u64,
    /// What its games brought; more is better.
    pub scores: Vec<f64>,
}

/// Why scores were not taken. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TellError {
    /// Nobody asked for it, or it was told before.
    #[error("nobody waits for scores of number {0}")]
    NotAsked(u64),
    /// There must be at least one score.
    #[error("no score for number {0}")]
    NoScore(u64),
    /// A score that is infinite or not a number.
    #[error("a score of number {0} is not a finite number")]
    NotFinite(u64),
}

/// A genome that an algorithm proposes, before it has a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Newborn {
    /// What it inherits.
    pub genome: Genome,
    /// How it came to be.
    pub origin: Origin,
    /// Ids of its parents.
    pub parents: Vec<u64>,
    /// Whether it was mutated.
    pub mutated: bool,
}

impl Newborn {
    /// A genome without parents.
    #[must_use]
    pub fn orphan(genome: Genome, origin: Origin) -> Self {
        Self {
            genome,
            origin,
            parents: Vec::new(),
            mutated: false,
        }
    }
}

/// What an algorithm is given whenever it has to do something.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// The space of its genomes.
    pub space: &'a Space,
    /// The generation that is being made.
    pub generation: u32,
    seed: u64,
}

impl Moment<'_> {
    /// The generator for a slot of what is being made. The same slot has the same numbers whatever the others do.
    #[must_use]
    pub fn stream(&self, purpose: Purpose, slot: usize) -> Stream {
        stream(
            self.seed,
            &[u64::from(self.generation), purpose as u64, slot as u64],
        )
    }

    /// As this moment for the `island`-th of several algorithms: other random numbers.
    #[must_use]
    pub fn on_island(&self, island: usize) -> Self {
        let seed = self.seed ^ (island as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self { seed, ..*self }
    }
}

/// What random numbers are for: each purpose has its own.
#[derive(Debug, Clone, Copy)]
pub enum Purpose {
    /// Who becomes a parent.
    Select = 1,
    /// What a child inherits.
    Breed = 2,
    /// Who lives on.
    Replace = 3,
}

/// Where the individual behind a candidate is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Whose {
    /// It was there before and is scored again; its place in the standing population.
    Standing(usize),
    /// It is new; its place among the newborn.
    Newborn(usize),
}

/// One that is scored in this generation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Pending {
    whose: Whose,
    /// Scores of this generation so far.
    scores: Vec<f64>,
    /// Whether scores are awaited.
    waiting: bool,
}

/// Improves genomes by their scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Optimizer {
    seed: u64,
    space: Space,
    noise: Noise,
    /// Generations that are over.
    generation: u32,
    next_id: u64,
    /// Individuals that were scored so far, counted once a game.
    games: u64,
    newborn: Vec<Individual>,
    pending: Vec<Pending>,
    round: u32,
    guests: Vec<Genome>,
    best: Option<Individual>,
    algorithm: AnyAlgorithm,
}

impl Optimizer {
    /// An optimiser with these settings; `seed` decides all its random numbers.
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
            newborn: Vec::new(),
            pending: Vec::new(),
            round: 0,
            guests: Vec::new(),
            best: None,
            algorithm,
        })
    }

    /// The candidates that wait for scores; none when the algorithm has come to its end.
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
                let individual = self.individual(one.whose);
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

    /// Takes scores of candidates that were asked for.
    pub fn tell(&mut self, told: &[Told]) -> Result<(), TellError> {
        let slots = self.slots_of(told)?;
        for (slot, told) in slots.into_iter().zip(told) {
            let one = &mut self.pending[slot];
            one.scores.extend(&told.scores);
            one.waiting = false;
            self.games += told.scores.len() as u64;
        }
        if !self.pending.is_empty() && self.pending.iter().all(|one| !one.waiting) {
            self.end_round();
        }
        Ok(())
    }

    /// Generations that are over.
    #[must_use]
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Generations from the first to the end, for an algorithm that comes to one by itself.
    #[must_use]
    pub fn generations_to_end(&self) -> Option<u64> {
        self.algorithm.generations()
    }

    /// Games that were told of.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Who lives now: after a generation, those who made it.
    #[must_use]
    pub fn population(&self) -> &[Individual] {
        self.algorithm.population()
    }

    /// The fittest ever seen, as it is known now. With noise its fitness flatters it: see what it does in fresh games.
    #[must_use]
    pub fn best(&self) -> Option<&Individual> {
        self.best.as_ref()
    }

    /// The space of the genomes.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Takes in a genome from outside: it takes the place of a newborn of the next generation.
    pub fn welcome(&mut self, genome: Genome) -> Result<(), String> {
        self.space.check(&genome)?;
        self.guests.push(genome);
        Ok(())
    }

    fn individual(&self, whose: Whose) -> &Individual {
        match whose {
            Whose::Standing(place) => &self.algorithm.population()[place],
            Whose::Newborn(place) => &self.newborn[place],
        }
    }

    fn slots_of(&self, told: &[Told]) -> Result<Vec<usize>, TellError> {
        let standing = self.standing_slots();
        let mut seen = vec![false; self.pending.len()];
        told.iter()
            .map(|told| {
                if told.scores.is_empty() {
                    return Err(TellError::NoScore(told.id));
                }
                if !told.scores.iter().all(|score| score.is_finite()) {
                    return Err(TellError::NotFinite(told.id));
                }
                let slot = self.slot_of(told.id, &standing);
                slot.filter(|&slot| self.pending[slot].waiting)
                    .filter(|&slot| !std::mem::replace(&mut seen[slot], true))
                    .ok_or(TellError::NotAsked(told.id))
            })
            .collect()
    }

    /// Ids and slots of those who are scored again, in the order of their ids.
    fn standing_slots(&self) -> Vec<(u64, usize)> {
        let count = self.pending.len() - self.newborn.len();
        let living = self.algorithm.population()[..count].iter();
        let mut slots: Vec<_> = living
            .enumerate()
            .map(|(slot, one)| (one.id, slot))
            .collect();
        slots.sort_unstable();
        slots
    }

    /// The newborn stand last, numbered one after another.
    fn slot_of(&self, id: u64, standing: &[(u64, usize)]) -> Option<usize> {
        match id.checked_sub(self.newborn.first()?.id) {
            Some(place) => {
                (place < self.newborn.len() as u64).then(|| standing.len() + place as usize)
            }
            None => {
                let place = standing.binary_search_by_key(&id, |&(id, _)| id).ok()?;
                Some(standing[place].1)
            }
        }
    }

    fn begin_generation(&mut self) {
        let moment = Moment {
            space: &self.space,
            generation: self.generation,
            seed: self.seed,
        };
        let mut newborn = self.algorithm.propose(&moment);
        let guests = std::mem::take(&mut self.guests);
        // The last slots: elites and copies of the best tend to stand first.
        for (child, genome) in newborn.iter_mut().rev().zip(guests) {
            *child = Newborn::orphan(genome, Origin::Guest);
        }
        let standing = match self.noise {
            // Who has come to its end is not scored again.
            _ if newborn.is_empty() => 0,
            Noise::Keep => 0,
            _ if !self.algorithm.scores_again() => 0,
            Noise::ReEvaluate | Noise::Fresh | Noise::Racing { .. } => {
                self.algorithm.population().len()
            }
        };
        let standing = (0..standing).map(Whose::Standing);
        self.pending = standing
            .chain((0..newborn.len()).map(Whose::Newborn))
            .map(|whose| Pending {
                whose,
                scores: Vec::new(),
                waiting: true,
            })
            .collect();
        self.newborn = newborn.into_iter().map(|child| self.born(child)).collect();
        self.round = 0;
    }

    fn born(&mut self, child: Newborn) -> Individual {
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
            let racing = still_racing(&scores, self.algorithm.matters());
            if racing.iter().filter(|&&racing| racing).count() > self.algorithm.matters() {
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
            let individual = match one.whose {
                Whose::Standing(place) => &mut self.algorithm.population_mut()[place],
                Whose::Newborn(place) => &mut self.newborn[place],
            };
            if self.noise == Noise::Fresh {
                individual.evidence = Evidence::default();
            }
            one.scores
                .iter()
                .for_each(|&score| individual.evidence.add(score));
        }
        let newborn = std::mem::take(&mut self.newborn);
        self.note_best(&newborn);
        let moment = Moment {
            space: &self.space,
            generation: self.generation,
            seed: self.seed,
        };
        self.algorithm.digest(newborn, &moment);
        self.generation += 1;
    }

    /// Whoever is fittest by all that is known now. Under re-evaluation the former best may have sunk; only those who still live
    /// are scored again, so it is looked for among the living first.
    fn note_best(&mut self, newborn: &[Individual]) {
        let living = || self.algorithm.population().iter().chain(newborn);
        let fittest = living().reduce(|best, other| {
            if other.fitness() > best.fitness() {
                other
            } else {
                best
            }
        });
        let Some(fittest) = fittest else { return };
        let keep = self.noise == Noise::Keep
            && self
                .best
                .as_ref()
                .is_some_and(|best| best.fitness() >= fittest.fitness());
        if !keep {
            self.best = Some(fittest.clone());
        }
    }
}
