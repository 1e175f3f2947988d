//! The genetic algorithms of published works.

use super::{Duplicates, GaConfig, Otherwise};
use crate::operator::{AnyOperator, Chosen};

/// Named settings.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// One line on its source.
    pub about: &'static str,
    population: usize,
    best_of: usize,
    selection: &'static str,
    crossover: (&'static str, f64, Otherwise),
    mutation: (&'static str, f64),
    duplicates: Duplicates,
    replacement: &'static str,
}

/// The algorithms of published works.
pub static PRESETS: &[Preset] = &[
    Preset {
        name: "2048-ga",
        about: "2048 without look-ahead (2017): roulette, uniform crossover, the best N of 2N survive",
        population: 100,
        best_of: 1,
        selection: "roulette",
        crossover: ("uniform", 0.95, Otherwise::Immigrants),
        mutation: ("one-gene", 0.05),
        duplicates: Duplicates::Allow,
        replacement: "best",
    },
    Preset {
        name: "tetris-ga",
        about: "Tetris with real weights (2015): parents from the best fifth, swap-blend, steps of up to 0.5, an elite of 5 %",
        population: 100,
        best_of: 10,
        selection: "at-least-as-good(share=0.2)",
        crossover: ("swap-blend(swap=0.1, blend=0.1)", 1.0, Otherwise::Copies),
        mutation: ("delta-absolute(rate=0.02, size=0.5)", 1.0),
        duplicates: Duplicates::Mutate,
        replacement: "generational(elite=0.05)",
    },
    Preset {
        name: "connect-ga",
        about: "Connect-N by matches: parents from the better half, crossover 0.4, the best one survives",
        population: 50,
        best_of: 1,
        selection: "better-half",
        crossover: ("one-point", 0.4, Otherwise::Copies),
        // connect-n gives the rate, 0.005 per gene, but not the kind of mutation.
        mutation: ("replace(rate=0.005)", 1.0),
        duplicates: Duplicates::Allow,
        replacement: "generational(elite=best)",
    },
    Preset {
        name: "cgp",
        about: "2048 by CGP (2023): of four drawn at random, two are parents and their children replace the other two",
        population: 8,
        best_of: 1,
        selection: "fours",
        crossover: ("cut-node", 1.0, Otherwise::Copies),
        mutation: ("single(times=1)", 1.0),
        duplicates: Duplicates::Allow,
        replacement: "losers(selected=4)",
    },
];

impl Preset {
    /// The settings.
    #[must_use]
    pub fn config(&self) -> GaConfig {
        fn chosen<T: AnyOperator>(text: &str) -> Chosen<T> {
            Chosen::new(text).expect("presets name existing operators")
        }
        GaConfig {
            population: self.population,
            best_of: self.best_of,
            selection: chosen(self.selection),
            crossover: chosen(self.crossover.0),
            crossover_probability: self.crossover.1,
            otherwise: self.crossover.2,
            mutation: chosen(self.mutation.0),
            mutation_probability: self.mutation.1,
            duplicates: self.duplicates,
            replacement: chosen(self.replacement),
        }
    }
}
