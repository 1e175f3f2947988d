//! The contract of ask and tell, and the noise policies.

use evolve::algorithm::PRESETS;
use evolve::{Config, Genome, Noise, Optimizer, Scores, Space, TellError};
use serde_json::json;

fn small_ga() -> Config {
    let mut config = PRESETS[0].config();
    config.population = 6;
    Config::Ga(config)
}

fn optimizer(noise: Noise) -> Optimizer {
    Optimizer::new(&small_ga(), Space::Bits { genes: 20 }, noise, 7).expect("allowed settings")
}

fn ones(genome: &Genome) -> f64 {
    match genome {
        Genome::Bits(bits) => f64::from(bits.ones()),
        _ => unreachable!("the space is one of bits"),
    }
}

/// Scores all candidates with `scores` until a generation is finished.
fn one_generation(optimizer: &mut Optimizer, scores: impl Fn(&Genome, u32) -> Vec<f64>) {
    let generation = optimizer.generation();
    while optimizer.generation() == generation {
        let batch: Vec<Scores> = optimizer
            .ask()
            .iter()
            .map(|candidate| Scores {
                id: candidate.id,
                scores: scores(&candidate.genome, candidate.games_before),
            })
            .collect();
        optimizer.tell(&batch).expect("expected scores");
    }
}

#[test]
fn ask_returns_the_same_candidates_until_they_are_scored() {
    let mut optimizer = optimizer(Noise::Keep);
    let first = optimizer.ask();
    assert_eq!(first.len(), 6);
    assert_eq!(optimizer.ask(), first);
    let one = Scores {
        id: first[2].id,
        scores: vec![1.0],
    };
    optimizer.tell(&[one]).expect("expected scores");
    let left: Vec<u64> = optimizer
        .ask()
        .iter()
        .map(|candidate| candidate.id)
        .collect();
    let others = first
        .iter()
        .map(|candidate| candidate.id)
        .filter(|&id| id != first[2].id);
    assert_eq!(left, others.collect::<Vec<_>>());
}

#[test]
fn invalid_scores_are_rejected_and_change_nothing() {
    let mut optimizer = optimizer(Noise::Keep);
    let id = optimizer.ask()[0].id;
    let before = optimizer.clone();
    let mut check = |scores: &[(u64, Vec<f64>)], expected: TellError| {
        let batch: Vec<Scores> = scores
            .iter()
            .map(|(id, scores)| Scores {
                id: *id,
                scores: scores.clone(),
            })
            .collect();
        assert_eq!(optimizer.tell(&batch), Err(expected));
        assert_eq!(optimizer, before);
    };
    check(
        &[(id, vec![1.0]), (999, vec![1.0])],
        TellError::NotAsked(999),
    );
    check(&[(id, vec![1.0]), (id, vec![1.0])], TellError::NotAsked(id));
    check(&[(id, vec![])], TellError::NoScore(id));
    check(&[(id, vec![1.0, f64::NAN])], TellError::NotFinite(id));
}

#[test]
fn keep_scores_only_offspring_and_re_evaluate_scores_everyone() {
    for (noise, asked) in [
        (Noise::Keep, 6),
        (Noise::ReEvaluate, 12),
        (Noise::Fresh, 12),
    ] {
        let mut optimizer = optimizer(noise);
        one_generation(&mut optimizer, |genome, _| vec![ones(genome)]);
        assert_eq!(optimizer.ask().len(), asked, "{noise:?}");
    }
}

#[test]
fn re_evaluation_adds_scores_up_and_fresh_ones_replace_them() {
    for (noise, games, mean) in [(Noise::ReEvaluate, 4, 2.0), (Noise::Fresh, 2, 3.0)] {
        let mut optimizer = optimizer(noise);
        one_generation(&mut optimizer, |_, _| vec![0.0, 2.0]);
        let first = optimizer.population().to_vec();
        let was_there = |genome: &Genome| first.iter().any(|one| one.genome == *genome);
        one_generation(&mut optimizer, |genome, _| {
            if was_there(genome) {
                vec![3.0, 3.0]
            } else {
                vec![-9.0, -9.0]
            }
        });
        // A child of one parent taken twice is a copy and scores like it, so it may survive.
        let old: Vec<_> = optimizer
            .population()
            .iter()
            .filter(|one| first.iter().any(|old| old.id == one.id))
            .collect();
        assert!(!old.is_empty());
        for old in old {
            let evidence = (old.evidence.games, old.fitness());
            assert_eq!(evidence, (games, mean), "{noise:?}");
        }
    }
}

#[test]
fn with_re_evaluation_luck_averages_out() {
    // All are equally good; scores are noise. With `keep` the best fitness only climbs; re-evaluated, it stays near the truth.
    let noisy = |genome: &Genome, salt: u64| {
        let mut rng = streams::stream(salt, &[ones(genome).to_bits(), salt]);
        vec![streams::normal(&mut rng)]
    };
    let best_after = |noise: Noise| {
        let mut optimizer = optimizer(noise);
        for generation in 0..200 {
            one_generation(&mut optimizer, |genome, before| {
                noisy(genome, generation * 100 + u64::from(before))
            });
        }
        optimizer
            .population()
            .iter()
            .map(evolve::Individual::fitness)
            .fold(f64::MIN, f64::max)
    };
    let (kept, again) = (best_after(Noise::Keep), best_after(Noise::ReEvaluate));
    assert!(kept > again + 0.5, "kept {kept}, re-evaluated {again}");
}

#[test]
fn a_race_gives_more_games_to_close_contenders() {
    let mut optimizer = Optimizer::new(
        &small_ga(),
        Space::Bits { genes: 20 },
        Noise::Racing { rounds: 5 },
        3,
    )
    .expect("allowed settings");
    // The first generation has 6 candidates for 6 places: no race.
    one_generation(&mut optimizer, |genome, _| vec![ones(genome); 4]);
    assert_eq!(optimizer.games(), 24);
    // In the second, 12 race for 6. Games are noisy: the t-test drops the much worse ones at once, the others need more games.
    let mut games_of = std::collections::BTreeMap::new();
    while optimizer.generation() == 1 {
        let batch: Vec<Scores> = optimizer
            .ask()
            .iter()
            .map(|candidate| {
                *games_of.entry(candidate.id).or_insert(0) += 4;
                let game = |k: u32| {
                    let number = u64::from(candidate.games_before + k);
                    let mut rng = streams::stream(1, &[candidate.id, number]);
                    ones(&candidate.genome) + 2.0 * streams::normal(&mut rng)
                };
                Scores {
                    id: candidate.id,
                    scores: (0..4).map(game).collect(),
                }
            })
            .collect();
        optimizer.tell(&batch).expect("expected scores");
    }
    let most = *games_of.values().max().expect("twelve played");
    let least = *games_of.values().min().expect("twelve played");
    assert!(least < most, "all played {most} games");
    let survivors = optimizer.population().iter();
    let fewest_of_survivors = survivors.map(|one| one.evidence.games).min();
    assert!(
        fewest_of_survivors > Some(least),
        "a survivor left the race early"
    );
}

#[test]
fn an_injected_genome_replaces_an_offspring() {
    let mut optimizer = optimizer(Noise::Keep);
    let guest = Genome::Bits("11111111111111111111".to_owned().try_into().expect("bits"));
    optimizer.inject(guest.clone()).expect("it fits the space");
    let candidates = optimizer.ask();
    assert_eq!(candidates.len(), 6);
    assert!(candidates.iter().any(|candidate| candidate.genome == guest));
    let misfit = Genome::Reals(vec![0.0; 20]);
    assert!(optimizer.inject(misfit).is_err());
}

#[test]
fn parents_are_recorded() {
    let mut optimizer = optimizer(Noise::Keep);
    for _ in 0..5 {
        one_generation(&mut optimizer, |genome, _| vec![ones(genome)]);
    }
    let children = optimizer
        .population()
        .iter()
        .filter(|one| one.parents.len() == 2);
    for child in children {
        assert!(child.parents.iter().all(|&parent| parent < child.id));
    }
    assert!(
        optimizer
            .population()
            .iter()
            .any(|one| one.parents.len() == 2)
    );
}

#[test]
fn names_in_checkpoints_do_not_change() {
    let mut ga = optimizer(Noise::ReEvaluate);
    one_generation(&mut ga, |genome, _| vec![ones(genome)]);
    ga.ask();
    let saved = serde_json::to_value(&ga).expect("JSON");
    assert_eq!(saved["pending"][0]["whose"], json!({"Standing": 0}));
    assert_eq!(saved["pending"][6]["whose"], json!({"Newborn": 0}));
    assert_eq!(saved["newborn"][0]["born"], 1);

    let config = Config::named("islands").expect("an algorithm");
    let space = Space::Bits { genes: 20 };
    let mut islands = Optimizer::new(&config, space, Noise::Keep, 7).expect("allowed settings");
    islands.ask();
    let saved = serde_json::to_value(&islands).expect("JSON");
    assert_eq!(saved["algorithm"]["islands"][0]["newborn"], 100);
}
