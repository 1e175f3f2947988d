//! Presets, and operators that need each other.

use evolve::algorithm::{Config, GaConfig, PRESETS};
use evolve::operator::{AnyOperator, Chosen};
use evolve::replace::AnyReplacement;
use evolve::select::AnySelection;
use evolve::{Genome, Individual, Noise, Optimizer, Scores, Space};

use super::spaces;

fn optimizer(config: &GaConfig, space: Space) -> Result<Optimizer, String> {
    let made = Optimizer::new(&Config::Ga(config.clone()), space, Noise::Keep, 1);
    made.map_err(|error| error.to_string())
}

/// Any score will do.
fn score(genome: &Genome) -> f64 {
    match genome {
        Genome::Bits(bits) => f64::from(bits.ones()),
        Genome::Integers(genes) => genes.iter().copied().map(f64::from).sum(),
        Genome::Reals(genes) => -genes.iter().map(|x| x * x).sum::<f64>(),
    }
}

fn run_generation(optimizer: &mut Optimizer) {
    let scores: Vec<Scores> = optimizer
        .ask()
        .iter()
        .map(|candidate| Scores {
            id: candidate.id,
            scores: vec![score(&candidate.genome)],
        })
        .collect();
    optimizer.tell(&scores).expect("expected scores");
}

fn best(optimizer: &Optimizer) -> f64 {
    let fitness = optimizer.population().iter().map(Individual::fitness);
    fitness.fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn every_preset_runs_and_its_best_fitness_never_decreases() {
    for preset in PRESETS {
        let config = preset.config();
        let mut runs = spaces()
            .into_iter()
            .filter_map(|space| optimizer(&config, space).ok())
            .collect::<Vec<_>>();
        assert!(!runs.is_empty(), "{} suits nothing", preset.name);
        for optimizer in &mut runs {
            run_generation(optimizer);
            for _ in 0..10 {
                let before = best(optimizer);
                run_generation(optimizer);
                assert_eq!(optimizer.population().len(), config.population);
                assert!(best(optimizer) >= before, "{}", preset.name);
            }
        }
    }
}

#[test]
fn names_of_presets_are_unique() {
    let mut names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), PRESETS.len());
}

fn with(selection: &str, replacement: &str) -> GaConfig {
    GaConfig {
        population: 6,
        selection: Chosen::new(selection).expect("a selection"),
        replacement: Chosen::new(replacement).expect("a replacement"),
        ..GaConfig::default()
    }
}

#[test]
fn losers_need_a_selection_that_names_them() {
    let space = || spaces().remove(0);
    assert!(optimizer(&with("fours", "losers"), space()).is_ok());
    assert_eq!(
        optimizer(&with("roulette", "losers"), space()).unwrap_err(),
        "replacement = losers: needs a selection that names losers, such as fours; roulette does not"
    );
    assert_eq!(
        optimizer(&with("fours", "losers(selected=8)"), space()).unwrap_err(),
        "replacement = losers(selected=8): selects 8 of a population of 6; selected must be at most the population"
    );
}

#[test]
fn every_pair_of_selection_and_replacement_keeps_the_population() {
    for selection in AnySelection::kinds() {
        for replacement in AnyReplacement::kinds() {
            for population in 2..=10 {
                let mut config = with(selection.name, replacement.name);
                config.population = population;
                for space in spaces() {
                    let Ok(mut optimizer) = optimizer(&config, space) else {
                        continue;
                    };
                    (0..4).for_each(|_| run_generation(&mut optimizer));
                    assert_eq!(optimizer.population().len(), population);
                }
            }
        }
    }
}
