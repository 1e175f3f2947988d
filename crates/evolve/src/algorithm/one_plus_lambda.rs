//! `one-plus-lambda`: the (1 + lambda) evolution strategy. One parent has lambda mutated copies; the best of them replaces it if
//! it is at least as good. The first parent is the best of 1 + lambda random individuals.
//!
//! Preferring an equal child allows neutral drift, without which Cartesian genetic programming hardly works.
//!
//! Source: I. Rechenberg (1973); for programs J. F. Miller and P. Thomson, "Cartesian Genetic Programming" (2000).
//!
//! | setting | default | |
//! |---|---|---|
//! | `lambda` | 4 | children per generation |
//! | `mutation` | `single` for programs, else `one-gene` | how a child differs from its parent |
//!
//! When to use: programs; bits and symbols with one peak. For any genome.

use serde::{Deserialize, Serialize};

use super::{
    Algorithm, BreedContext, ConfigError, Fittest, Offspring, Purpose, check_range,
    random_offspring,
};
use crate::genome::Space;
use crate::individual::{Individual, Origin};
use crate::mutate::AnyMutation;
use crate::operator::Chosen;

/// Settings of (1 + lambda).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct OnePlusLambdaConfig {
    /// Children per generation.
    pub lambda: usize,
    /// How a child differs from its parent; none: `single` for programs, `one-gene` for others.
    pub mutation: Option<Chosen<AnyMutation>>,
}

impl OnePlusLambdaConfig {
    /// What each setting is.
    pub(super) const SETTINGS: &[(&str, &str)] = &[
        ("lambda", "children per generation"),
        (
            "mutation",
            "how a child differs from its parent; auto: single for programs, one-gene for others",
        ),
    ];
}

impl Default for OnePlusLambdaConfig {
    fn default() -> Self {
        Self {
            lambda: 4,
            mutation: None,
        }
    }
}

/// The state of (1 + lambda).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OnePlusLambda {
    lambda: usize,
    mutation: Chosen<AnyMutation>,
    parent: Fittest,
}

impl OnePlusLambda {
    /// The algorithm with these settings.
    pub fn new(config: &OnePlusLambdaConfig, space: &Space) -> Result<Self, ConfigError> {
        check_range("lambda", config.lambda, 1..=1_000_000)?;
        let mutation = config
            .mutation
            .clone()
            .unwrap_or_else(|| usual_mutation(space));
        if let Err(problem) = mutation.suits(space) {
            return Err(ConfigError::value("mutation", &mutation, problem));
        }
        Ok(Self {
            lambda: config.lambda,
            mutation,
            parent: Fittest::default(),
        })
    }

    fn child(&self, parent: &Individual, context: &BreedContext<'_>, slot: usize) -> Offspring {
        let mut genome = parent.genome.clone();
        let mut rng = context.stream(Purpose::Breed, slot);
        self.mutation.mutate(context.space, &mut genome, &mut rng);
        Offspring {
            genome,
            origin: Origin::Copied,
            parents: vec![parent.id],
            mutated: true,
        }
    }
}

fn usual_mutation(space: &Space) -> Chosen<AnyMutation> {
    let name = match space {
        Space::Program(_) => "single",
        _ => "one-gene",
    };
    Chosen::new(name).expect("the mutation exists")
}

impl Algorithm for OnePlusLambda {
    fn propose(&mut self, context: &BreedContext<'_>) -> Vec<Offspring> {
        match self.parent.as_slice().first() {
            None => random_offspring(context, 1 + self.lambda),
            Some(parent) => (0..self.lambda)
                .map(|slot| self.child(parent, context, slot))
                .collect(),
        }
    }

    fn update(&mut self, offspring: Vec<Individual>, _: &BreedContext<'_>) {
        self.parent.update(offspring);
    }

    fn population(&self) -> &[Individual] {
        self.parent.as_slice()
    }

    fn population_mut(&mut self) -> &mut [Individual] {
        self.parent.as_mut_slice()
    }

    fn survivors(&self) -> usize {
        1
    }
}
